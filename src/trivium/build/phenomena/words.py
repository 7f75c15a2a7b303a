"""Names, random choices, and functions that turn words into sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")

WOMEN: tuple[str, ...] = tuple(
    "Alice Amelia Amy Anna Barbara Beth Carol Catherine Clara Claire Diana Donna Elena Elizabeth Ella Emily "
    "Emma Eva Fiona Grace Hannah Heather Helen Ingrid Irene Isabel Jane Jessica Joan Judith Julia Karen "
    "Kate Laura Linda Lisa Lucy Margaret Maria Martha Mary Megan Molly Monica Nancy Naomi Nina Nora Olivia Patricia "
    "Rachel Rebecca Rosa Ruth Sandra Sarah Sofia Sonia Sophie Susan Teresa Tina Vera Wendy".split()
)
"""First names that are common among women and not among men."""

MEN: tuple[str, ...] = tuple(
    "Aaron Adam Alan Albert Andrew Anthony Arthur Benjamin Boris Brian Carl Charles Colin Daniel David Dennis Donald "
    "Douglas Edward Eric Ethan Felix Frank Fred Gary George Gerald Greg Harold Harry Henry Howard Hugo Ian Ivan Jack "
    "James Jason John Joseph Keith Kevin Larry Leo Louis Luke Mark Martin Matthew Michael Nathan Neil Oliver Oscar "
    "Patrick Paul Peter Philip Ralph Raymond Richard Robert Roger Ryan Samuel Simon Stephen Steven Thomas Timothy "
    "Victor Walter William".split()
)
"""First names that are common among men and not among women."""

PEOPLE: tuple[str, ...] = WOMEN + MEN

CITIES: tuple[str, ...] = tuple(
    "Amsterdam Athens Bangkok Barcelona Beijing Berlin Bogota Boston Brussels Bucharest Budapest Cairo Chicago "
    "Copenhagen Cordoba Delhi Denver Dublin Geneva Glasgow Hamburg Hanoi Havana Helsinki Istanbul Jakarta Johannesburg "
    "Lagos Leipzig Lima Lisbon London Lyon Madrid Manila Marseille Melbourne Milan Montreal Moscow Mumbai Munich "
    "Nairobi Naples Osaka Oslo Ottawa Prague Riga Rome Santiago Seattle Seoul Shanghai Stockholm Tokyo Toronto "
    "Turin Vancouver Venice Vienna Vilnius Warsaw Zagreb Zurich".split()
)
COUNTRIES: tuple[str, ...] = tuple(
    "Albania Algeria Angola Argentina Armenia Australia Austria Belgium Bolivia Botswana Brazil Bulgaria Cambodia "
    "Cameroon Canada Chile China Colombia Croatia Cuba Denmark Ecuador Egypt Estonia Ethiopia Finland France Germany "
    "Ghana Greece Hungary Iceland India Indonesia Iran Ireland Israel Italy Jamaica Japan Kenya Laos Latvia Lithuania "
    "Malaysia Malta Mexico Mongolia Morocco Nepal Nigeria Norway Pakistan Panama Peru Poland Portugal Romania Rwanda "
    "Senegal Serbia Singapore Slovakia Slovenia Spain Sweden Switzerland Tanzania Thailand Tunisia Turkey Uganda "
    "Ukraine Uruguay Vietnam Zambia".split()
)
DAYS: tuple[str, ...] = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
COLOURS: tuple[str, ...] = ("red", "blue", "green", "yellow", "black", "white", "brown", "purple", "orange", "pink")
NUMBERS: tuple[str, ...] = tuple("zero one two three four five six seven eight nine ten eleven twelve".split())
"""Number words; the index of a word is its number."""


def pick(rng: np.random.Generator, items: Sequence[T]) -> T:
    """Return a random item; all items are equally likely."""
    return items[int(rng.random() * len(items))]


def pick_some(rng: np.random.Generator, items: Sequence[T], count: int) -> list[T]:
    """Return ``count`` different items in random order."""
    chosen: dict[int, None] = {}
    while len(chosen) < count:
        chosen[int(rng.random() * len(items))] = None
    return [items[index] for index in chosen]


def pick_other(rng: np.random.Generator, items: Sequence[T], *excluded: T) -> T:
    """Return a random item other than the ``excluded`` ones."""
    item = pick(rng, items)
    while item in excluded:
        item = pick(rng, items)
    return item


def shuffled(rng: np.random.Generator, items: Sequence[T]) -> list[T]:
    """Return all items in random order."""
    return pick_some(rng, items, len(items))


def join_items(items: Sequence[str], conjunction: str = "and") -> str:
    """Return the items as a phrase: ``A, B and C``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {conjunction} {items[-1]}"


def indefinite(phrase: str) -> str:
    """Return the phrase with an indefinite article that fits its first sound: an apple, a unicycle, an hour."""
    vowel = phrase[0] in "aeiouAEIOU" and not phrase.startswith(("uni", "use", "eu", "one", "uk"))
    return f"{'an' if vowel or phrase.startswith(('hour', 'honest')) else 'a'} {phrase}"


def sentence(text: str) -> str:
    """Return the text with an initial capital and a full stop."""
    return f"{text[0].upper()}{text[1:]}."


def sentences(texts: Sequence[str]) -> str:
    """Return the texts as consecutive sentences."""
    return " ".join(sentence(text) for text in texts)
