"""Generate pairs of the kind of a mistake, with as many of each label for every cue.

A generator is a function of a :class:`Request` and a random generator that yields drafts. Each file of the package
``generators`` registers one, and so can a plugin:

    @generator("hedges", kinds=("hedges",), about="reported and alleged facts")
    def hedges(request: Request, rng: np.random.Generator) -> Iterator[Draft]: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from typing import TYPE_CHECKING

from trivium.build.lessons.balance import Candidate, balanced
from trivium.build.lessons.clauses import Clause, read_clauses
from trivium.build.lessons.kinds import Kind, find_kind
from trivium.build.lessons.recognition import recognize
from trivium.build.lessons.scenes import Draft, SceneMaker
from trivium.data.example import Example, key_of
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.errors import UserError
from trivium.registry import Registry, import_modules
from trivium.seeds import stream

if TYPE_CHECKING:
    import numpy as np

Vectors = Mapping[str, Sequence[float]]
_POOL = 4  # drafts that are drawn for each pair that is requested
_MIN_POOL = 240
_CERTAIN = 0.3  # confidence below which corrections are not taken to be of one kind


@dataclass(frozen=True)
class Request:
    """What is to be generated: pairs like these corrections, of a kind, from the words of a text.

    ``kind`` is None if it is unknown. ``vectors`` are embeddings of words, which tell which words can stand for another.
    """

    corrections: tuple[Example, ...]
    kind: Kind | None
    labels: Labels
    size: int
    seed: int = 0
    text: tuple[str, ...] = ()
    vectors: Vectors | None = field(default=None, hash=False, compare=False)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of the plain sentences of the text and of the corrections."""
        return read_clauses((*self.text, *(example.premise for example in self.corrections)))


Make = Callable[[Request, "np.random.Generator"], Iterator[Draft]]


@dataclass(frozen=True)
class Generator:
    """A named generator. Without ``kinds`` it takes part for every kind; ``weight`` is its share of the pairs."""

    name: str
    make: Make
    about: str
    kinds: tuple[str, ...] = ()
    weight: float = 1.0

    def applies_to(self, kind: Kind | None) -> bool:
        """Return whether the generator makes pairs of a kind, or of one of its phenomena."""
        names = () if kind is None else (kind.name, *kind.phenomena)
        return not self.kinds or any(name in self.kinds for name in names)


GENERATORS: Registry[Generator] = Registry("generator of lessons")


def generator(name: str, *, about: str, kinds: Sequence[str] = (), weight: float = 1.0) -> Callable[[Make], Make]:
    """Register the decorated function as a generator of pairs."""

    def decorate(make: Make) -> Make:
        GENERATORS.register(name)(Generator(name, make, about, tuple(kinds), weight))
        return make

    return decorate


def scenes(kind: str, *, about: str) -> Callable[[SceneMaker], SceneMaker]:
    """Register the decorated function, which makes scenes, as the generator of a kind."""

    def decorate(make: SceneMaker) -> SceneMaker:
        def drafts(request: Request, rng: np.random.Generator) -> Iterator[Draft]:
            while True:
                yield from make(request.clauses, rng).drafts(rng)

        generator(kind, about=about, kinds=(kind,), weight=3.0)(drafts)
        return make

    return decorate


@cache
def generators() -> Registry[Generator]:
    """Import every generator that ships with Trivium and return the registry."""
    import_modules("trivium.build.lessons.generators")
    return GENERATORS


def generate(
    corrections: Sequence[Example],
    kind: str | None,
    size: int,
    seed: int,
    labels: Labels,
    text: Sequence[str] = (),
    vectors: Vectors | None = None,
) -> tuple[Example, ...]:
    """Return up to ``size`` new pairs of a kind, in the label scheme of a model.

    Without a ``kind`` it is recognized; if it cannot be, the pairs are the corrections with other words. For each cue there
    are as many pairs of each label, give or take one. No pair has a premise of the corrections. The facts of a pair are its
    kind, generator, template and cue. Fewer pairs are returned if the generators find no more.

    >>> examples = [Example.make("1", "The mayor allegedly lied.", "The mayor lied.", "neutral")]
    >>> pairs = generate(examples, "hedges", 30, 0, NLI3)
    >>> len(pairs), sorted({pair.label for pair in pairs})
    (30, ['contradiction', 'entailment', 'neutral'])
    """
    if size < 1:
        raise UserError(f"size is {size}: must be 1 or more")
    if labels not in (NLI3, NLI2):
        raise UserError(f"lessons are pairs of NLI: the labels {', '.join(labels.names)} are not supported")
    chosen = find_kind(kind) if kind is not None else _recognized(corrections)
    request = Request(tuple(corrections), chosen, labels, size, seed, tuple(text), vectors)
    pool = [
        candidate
        for each in (component for _, component in generators().items())
        if each.applies_to(chosen)
        for candidate in _candidates(request, each)
    ]
    weights = {each.name: each.weight for _, each in generators().items()}
    selected = balanced(pool, size, labels.names, weights, stream(seed, "data", "lessons", "order"))
    name = chosen.name if chosen else "other"
    return tuple(_example(candidate, name, number) for number, candidate in enumerate(selected, 1))


def _recognized(corrections: Sequence[Example]) -> Kind | None:
    kinds = recognize(corrections)
    return kinds[0] if kinds and kinds[0].confidence >= _CERTAIN else None


def _candidates(request: Request, each: Generator) -> Iterator[Candidate]:
    """Yield different drafts of a generator, in the label scheme of the request."""
    seen = {key_of(example) for example in request.corrections}
    premises = {premise for premise, _ in seen}
    drafts = each.make(request, stream(request.seed, "data", "lessons", each.name))
    for draft in islice(drafts, max(_MIN_POOL, _POOL * request.size)):
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
