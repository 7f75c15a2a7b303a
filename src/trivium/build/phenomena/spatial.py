"""Spatial relations (left of, above, in front of, inside) that follow in several steps."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.orders import LESS, MORE, OPEN, Comparison, chain
from trivium.build.phenomena.words import COLOURS, PEOPLE, pick, pick_other, pick_some, sentence, sentences, shuffled

if TYPE_CHECKING:
    import numpy as np

_AXES: tuple[tuple[str, str], ...] = (
    ("to the right of", "to the left of"), ("above", "below"), ("in front of", "behind"),
)  # fmt: skip
_COMPASS: tuple[tuple[str, str], ...] = (("to the east of", "to the west of"), ("to the north of", "to the south of"))
_BUILDINGS: tuple[str, ...] = tuple(
    "church, school, mill, bakery, town hall, library, museum, theatre, hospital, post office, bank, factory, "
    "farmhouse, lighthouse, pharmacy, fire station, windmill, chapel, hotel, cinema".split(", ")
)
_HOLLOW: tuple[str, ...] = tuple("box cup vase basket bag bowl jar bucket".split())
_SHAPES: tuple[str, ...] = tuple("circle square triangle star ball cube cone lamp clock chair candle book".split())
_SMALL: tuple[str, ...] = tuple("coin ring key stamp button pearl marble pill bead needle".split())
_CONTAINERS: tuple[tuple[str, ...], ...] = (
    ("purse", "envelope", "matchbox", "pouch", "tin", "wallet"),
    ("handbag", "toolbox", "basket", "jar", "shoebox", "bowl"),
    ("suitcase", "cupboard", "chest", "wardrobe", "rucksack", "trunk"),
    ("bedroom", "attic", "garage", "van", "cellar", "shed"),
)
"""Containers by size: each fits into any of the next group."""


def _placed(rng: np.random.Generator, axis: tuple[str, str], comparison: Comparison) -> str:
    """Express a spatial relation in either direction: ``The cup is above the ball``, ``The ball is below the cup``."""
    left, relation, right = comparison
    if rng.random() < 0.5:
        left, right, relation = right, left, LESS if relation == MORE else MORE
    return f"{left} is {axis[0] if relation == MORE else axis[1]} {right}"


def _things(rng: np.random.Generator, outdoors: bool) -> list[str]:
    """Draw three to five things to arrange; something can be inside the first."""
    count = 3 + int(rng.random() * 3)
    if outdoors:
        return [f"the {building}" for building in pick_some(rng, _BUILDINGS, count)]
    colours = pick_some(rng, COLOURS, count)
    return [f"the {colours[0]} {pick(rng, _HOLLOW)}", *(f"the {colour} {pick(rng, _SHAPES)}" for colour in colours[1:])]


def _along_axis(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about positions along an axis.

    ``The cup is above the ball. The box is below the ball.`` entails ``The cup is above the box.``.
    """
    outdoors = bool(rng.random() < 0.4)
    axes, names = _COMPASS if outdoors else _AXES, _things(rng, outdoors)
    axis, claim = pick(rng, axes), pick(rng, (MORE, LESS))
    order = claim if label == "entailed" else OPEN if rng.random() < 0.5 else (LESS if claim == MORE else MORE)
    texts = [_placed(rng, axis, comparison) for comparison in chain(rng, names, order, ties=0.0)]
    first, second = names[:2]
    if rng.random() < 0.3:
        # A distractor: the same two things on another axis.
        distractor = Comparison(first, pick(rng, (MORE, LESS)), second)
        texts.insert(int(rng.random() * (len(texts) + 1)), _placed(rng, pick_other(rng, axes, axis), distractor))
    if rng.random() < 0.3:
        # Something inside a thing has the same location as the thing.
        inside = pick(rng, PEOPLE) if outdoors else f"the {pick(rng, _SMALL)}"
        texts.insert(int(rng.random() * (len(texts) + 1)), f"{inside} is inside {first}")
        first = inside
    return Pair(sentences(texts), sentence(_placed(rng, axis, Comparison(first, claim, second))))


def _nested(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about nested containers.

    ``The ring is in the purse. The purse is in the suitcase.`` entails ``The ring is in the suitcase.``.
    """
    who = pick(rng, PEOPLE)
    sizes = sorted(pick_some(rng, range(len(_CONTAINERS)), 2 + int(rng.random() * 3)))
    containers = [pick(rng, _CONTAINERS[size]) for size in sizes]
    small, other = pick_some(rng, _SMALL, 2)
    path = [f"{who}'s {small}", *(f"the {container}" for container in containers)]
    outer = len(path) - 1
    texts = [f"{inner} is in {container}" for inner, container in pairwise(path)]
    elsewhere = f"the {pick_other(rng, _CONTAINERS[sizes[0]], containers[0])}"
    if label == "entailed":
        texts.append(f"{who}'s {other} is in {elsewhere}")
    elif rng.random() < 0.5:
        texts[0] = f"{who}'s {other} is in {path[1]}"
        texts.append(f"{who}'s {small} is in {elsewhere}")
    else:
        broken = int(rng.random() * (outer - 1))  # the link of the chain that is replaced by another container
        texts[1 + broken] = f"{elsewhere} is in {path[2 + broken]}"
        texts.append(f"{who}'s {other} is in {elsewhere}")
    return Pair(sentences(shuffled(rng, texts)), sentence(f"{path[0]} is in {path[outer]}"))


@maker("spat")
def spatial(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about positions along an axis, or about nested containers."""
    return _along_axis(label, rng) if rng.random() < 0.7 else _nested(label, rng)
