"""Generate pairs of the kind of a mistake, with as many of each label for every cue.

A generator is a function of a :class:`Request` and a random generator that yields drafts. Each file of the package
``generators`` registers one, and so can a plugin:

    @generator("hedges", kinds=("hedges",), about="reported and alleged facts")
    def hedges(request: Request, rng: np.random.Generator) -> Iterator[Draft]: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from typing import TYPE_CHECKING

from trivium.build.lessons.balance import Candidate, balanced
from trivium.build.lessons.clauses import Clause, read_clauses
from trivium.build.lessons.kinds import ADDED, Kind, find_kind, kind_names, phenomena_of
from trivium.build.lessons.recognition import main_cue
from trivium.build.lessons.scenes import Draft, Scene
from trivium.data.example import Example, key_of
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.errors import UserError
from trivium.registry import Registry, import_modules
from trivium.seeds import stream

if TYPE_CHECKING:
    import numpy as np

_POOL = 4  # drafts that are drawn for each pair that is requested
_MIN_POOL = 240


@dataclass(frozen=True)
class Request:
    """What is to be generated: pairs like these corrections, of a kind, with words of a text.

    ``known`` are pairs with a label that can be recast.
    """

    corrections: tuple[Example, ...]
    kind: Kind
    labels: Labels
    number: int
    seed: int = 0
    text: tuple[str, ...] = ()
    known: tuple[Example, ...] = ()

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of the plain sentences of the text and of the corrections."""
        sides = ((example.premise, example.hypothesis or "") for example in self.corrections)
        return read_clauses((*self.text, *(side for pair in sides for side in pair)))

    @cached_property
    def cues(self) -> tuple[str, ...]:
        """The cues of the kind that the corrections have, each once."""
        return tuple(dict.fromkeys(filter(None, (main_cue(self.kind.name, example) for example in self.corrections))))


Make = Callable[[Request, "np.random.Generator"], Iterator[Draft]]
SceneMaker = Callable[[Request, "np.random.Generator"], Scene]


@dataclass(frozen=True)
class Generator:
    """A named generator. Without ``kinds`` it takes part for every kind; ``weight`` is its share of the pairs."""

    name: str
    make: Make
    about: str
    kinds: tuple[str, ...] = ()
    weight: float = 1.0

    def applies_to(self, kind: Kind) -> bool:
        """Return whether the generator makes pairs of a kind, or of one of its phenomena."""
        return not self.kinds or any(name in self.kinds for name in (kind.name, *phenomena_of(kind)))


GENERATORS: Registry[Generator] = Registry("generator of lessons")


def generator(name: str, *, about: str, kinds: Sequence[str] = (), weight: float = 1.0) -> Callable[[Make], Make]:
    """Register the decorated function as a generator of pairs. A kind that is not known yet is added."""

    def decorate(make: Make) -> Make:
        ADDED.update({kind: Kind(kind, about=about) for kind in kinds if kind not in kind_names()})
        component = Generator(name, make, about, tuple(kinds), weight)
        object.__setattr__(component, "__module__", make.__module__)  # a cell or plugin may register it again
        GENERATORS.register(name)(component)
        return make

    return decorate


def scenes(kind: str, *, about: str) -> Callable[[SceneMaker], SceneMaker]:
    """Register the decorated function, which makes scenes, as the generator of a kind."""

    def decorate(make: SceneMaker) -> SceneMaker:
        def drafts(request: Request, rng: np.random.Generator) -> Iterator[Draft]:
            while True:
                yield from make(request, rng).drafts(rng)

        generator(kind, about=about, kinds=(kind,), weight=3.0)(drafts)
        return make

    return decorate


@cache
def load_generators() -> Registry[Generator]:
    """Import every generator that ships with Trivium and return the registry."""
    import_modules("trivium.build.lessons.generators")
    return GENERATORS


def generators() -> list[str]:
    """Return the names of all registered generators."""
    return list(load_generators())


def generate(
    corrections: Sequence[Example],
    kind: Kind | str,
    *,
    number: int,
    seed: int,
    text: Sequence[str] | None = None,
    labels: Labels = NLI3,
    known: Sequence[Example] = (),
) -> list[Example]:
    """Return up to ``number`` new pairs of a kind, in the label scheme of a model.

    For each cue there are as many pairs of each label, give or take one. No pair has a premise of the corrections. The
    facts of a pair are its kind, generator, template and cue. ``text`` are sentences of the user, whose words are used
    too, and ``known`` are pairs with a label, such as training data, that can be recast. Fewer pairs are returned if
    the generators find no more.

    >>> examples = [Example.make("1", "The mayor allegedly lied.", "The mayor lied.", "neutral")]
    >>> pairs = generate(examples, "hedges", number=30, seed=0)
    >>> len(pairs), sorted({pair.label for pair in pairs})
    (30, ['contradiction', 'entailment', 'neutral'])
    """
    if number < 1:
        raise UserError(f"number is {number}: must be 1 or more")
    if labels not in (NLI3, NLI2):
        raise UserError(f"lessons are pairs of NLI: the labels {', '.join(labels.names)} are not supported")
    chosen = find_kind(kind) if isinstance(kind, str) else kind
    request = Request(tuple(corrections), chosen, labels, number, seed, tuple(text or ()), tuple(known))
    components = [each for _, each in load_generators().items() if each.applies_to(chosen)]
    pool = [candidate for each in components for candidate in _candidates(request, each)]
    weights = {each.name: each.weight for each in components}
    rng = stream(seed, "data", "lessons", "order")
    selected = balanced(_distinct(pool), number, labels.names, weights, rng, request.cues)
    return [_example(candidate, chosen.name, index) for index, candidate in enumerate(selected, 1)]


def _distinct(pool: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates whose texts no earlier candidate has."""
    first: dict[tuple[str, str], Candidate] = {}
    for candidate in pool:
        first.setdefault((candidate.draft.premise.lower(), candidate.draft.hypothesis.lower()), candidate)
    return list(first.values())


def _candidates(request: Request, each: Generator) -> Iterator[Candidate]:
    """Yield different drafts of a generator, in the label scheme of the request."""
    seen = {key_of(example) for example in request.corrections}
    premises = {premise for premise, _ in seen}
    drafts = each.make(request, stream(request.seed, "data", "lessons", each.name))
    for draft in islice(drafts, max(_MIN_POOL, _POOL * request.number)):
        key = key_of(Example.make("", draft.premise, draft.hypothesis, None))
        if key in seen or key[0] in premises or key[0] == key[1]:
            continue
        seen.add(key)
        label = draft.label if draft.label in request.labels.names else NLI3.map_to(draft.label, request.labels)
        yield Candidate(draft, label, each.name)


def _example(candidate: Candidate, kind: str, number: int) -> Example:
    draft = candidate.draft
    template = f"{draft.premise_form} > {draft.hypothesis_form}" if draft.hypothesis_form else draft.premise_form
    return Example.make(
        f"{kind.replace(' ', '-')}-{number}",
        draft.premise,
        draft.hypothesis,
        candidate.label,
        kind=kind,
        generator=candidate.generator,
        template=template,
        cue=draft.cue,
    )
