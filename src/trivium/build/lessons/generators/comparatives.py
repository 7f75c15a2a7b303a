"""Which of several people or things has more or less of something."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from trivium.build.lessons.clauses import act_clause, entries, word_bank
from trivium.build.lessons.generation import Request, scenes
from trivium.build.lessons.scenes import HYPOTHESIS, PREMISE, Form, Scene, table_of
from trivium.build.phenomena.words import pick, pick_some

if TYPE_CHECKING:
    import numpy as np

# A world is the rank of each of three on a scale, and whether each of them is high on it.
_WORLDS = list(product(range(3), repeat=3))
_FULL = (1 << len(_WORLDS)) - 1


def _more(first: int, second: int) -> int:
    return table_of(_WORLDS, lambda world: world[first] > world[second])


@scenes("comparatives", about="which of several is more or less of something")
def comparatives(request: Request, rng: np.random.Generator) -> Scene:
    """Return a scene of three people or things on a scale, or of three people and amounts."""
    if rng.random() < 0.35:
        return _amounts(rng)
    person = rng.random() < 0.6
    names = pick_some(rng, entries("subjects", "person") if person else entries("scales", "things"), 3)
    scale = pick(rng, word_bank()["scales"]["person" if person else "thing"])
    adjective, more, less, most = scale
    be = "is" if person else pick(rng, ("is", "was"))
    forms: list[Form] = []
    for first, second in ((0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)):
        x, y = names[first], names[second]
        forms += [
            Form(f"{x} {be} {more} than {y}", _more(first, second), "more", "more than"),
            Form(f"{x} {be} {less} than {y}", _more(second, first), "less", "less than"),
            Form(f"{x} {be} not as {adjective} as {y}", _more(second, first), "not as", "not as"),
            Form(f"{x} {be} not {more} than {y}", _FULL ^ _more(first, second), "not more", "not more"),
            Form(
                f"{x} {be} {pick(rng, ('much', 'a little', 'slightly', 'far'))} {more} than {y}",
                _more(first, second),
                "much more",
                "more than",
                PREMISE,
            ),
        ]
    equal = _FULL ^ _more(0, 1) ^ _more(1, 0)
    forms.append(Form(f"{names[0]} and {names[1]} {_plural(be)} equally {adjective}", equal, "equal", "as as"))
    forms.append(Form(f"{names[0]} {be} exactly as {adjective} as {names[1]}", equal, "as", "as as"))
    forms += _chains(names, (be, more, less, most))
    return Scene(forms, _FULL)


def _plural(be: str) -> str:
    return "are" if be == "is" else "were"


def _chains(names: list[str], words: tuple[str, ...]) -> list[Form]:
    """Return premises about all three."""
    (x, y, z), (be, more, less, most) = names, words
    both = _more(0, 1) & _more(1, 2)
    top = _more(0, 1) & _more(0, 2)
    return [
        Form(f"{x} {be} {more} than {y}, and {y} {be} {more} than {z}", both, "chain", "more than", PREMISE),
        Form(f"{z} {be} {less} than {y}, and {y} {be} {less} than {x}", both, "chain less", "less than", PREMISE),
        Form(f"{x} {be} {more} than both {y} and {z}", top, "than both", "more than", PREMISE),
        Form(f"of {x}, {y} and {z}, the {most} {be} {x}", top, "superlative", "most", PREMISE),
        Form(f"{x} {be} the {most} of the three: {y} and {z} are the others", top, "superlative", "most", PREMISE),
    ]


def _amounts(rng: np.random.Generator) -> Scene:
    x, y, z = pick_some(rng, entries("subjects", "person"), 3)
    act = act_clause("", pick(rng, entries("scales", "amounts"))).finite
    countable = act.split("# ")[1].split()[0].endswith("s") or "people" in act or "fish" in act
    less = "fewer" if countable else "less"
    name = act.replace("# ", "")

    def compared(text: str) -> str:
        return act.replace("#", text)

    more = _more(0, 1)
    forms = [
        Form(f"{x} {compared('more')} than {y}", more, "amount more", "more than"),
        Form(f"{y} {compared('more')} than {x}", _more(1, 0), "amount more", "more than"),
        Form(f"{y} {compared(less)} than {x}", more, "amount less", "less than"),
        Form(f"{x} {compared(less)} than {y}", _more(1, 0), "amount less", "less than"),
        Form(
            f"{x} {compared('more')} than {y}, but {compared(less)} than {z}",
            more & _more(2, 0),
            "between",
            "more than",
            PREMISE,
        ),
        Form(f"{z} {compared('more')} than {x}", _more(2, 0), "amount more", "more than"),
        Form(f"{z} {compared('more')} than {y}", _more(2, 1), "amount more", "more than", HYPOTHESIS),
        Form(
            f"{x} and {y} {compared('as many' if countable else 'as much')} as each other",
            _FULL ^ more ^ _more(1, 0),
            f"equal {name}",
            "as as",
            HYPOTHESIS,
        ),
    ]
    return Scene(forms, _FULL)
