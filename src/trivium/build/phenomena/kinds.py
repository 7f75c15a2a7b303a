"""Kinds of things in chains: a poodle is a dog, a dog is an animal; and words with two meanings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trivium.build.phenomena.words import pick, pick_other

_SCENES = {
    "animal": "saw, drew, photographed, heard about, read about, dreamt of",
    "food": "ordered, bought, tasted, photographed, read about, dreamt of",
    "thing": "bought, found, drew, photographed, lost, hid",
    "plant": "saw, drew, photographed, bought, planted, read about",
    "vehicle": "saw, drew, photographed, rented, bought, sold",
    "building": "saw, drew, photographed, visited, bought, entered",
    "person": "met, saw, drew, photographed, called, thanked",
}
_PLURALS = {
    "goose": "geese", "salmon": "salmon", "carp": "carp",
    "trout": "trout", "sheep": "sheep", "fish": "fish", "mouse": "mice",
    "knife": "knives", "scarf": "scarves", "fungus": "fungi", "bus": "buses", "cactus": "cacti",
}  # fmt: skip
_MASS = {"piece of furniture": "furniture", "piece of clothing": "clothing", "food item": "food"}


@dataclass(frozen=True)
class Kind:
    """Things of a middle kind: what is above it, what is below it, and the verbs of which it may be the object."""

    noun: str
    above: str
    below: tuple[str, ...]
    verbs: tuple[str, ...]


def _kinds(scene: str, above: str, text: str) -> tuple[Kind, ...]:
    verbs = tuple(_SCENES[scene].split(", "))
    lines = (line.split(": ") for line in text.split("; "))
    return tuple(Kind(noun.strip(), above, tuple(below.split(", ")), verbs) for noun, below in lines)


KINDS: tuple[Kind, ...] = (
    *_kinds("animal", "animal",
            "dog: poodle, terrier, beagle, collie, dachshund, greyhound; bird: parrot, owl, sparrow, eagle, pigeon, "
            "swan, robin, goose; fish: trout, salmon, carp, shark, herring; insect: beetle, butterfly, bee, ant, wasp; "
            "monkey: baboon, macaque, marmoset; snake: cobra, python, viper; lizard: iguana, gecko, chameleon; "
            "rodent: hamster, squirrel, mouse, beaver; bear: grizzly bear, polar bear, panda"),
    *_kinds("food", "food item",
            "cake: chocolate cake, birthday cake, sponge cake; salad: potato salad, fruit salad, Greek salad; "
            "soup: onion soup, lentil soup, tomato soup; sandwich: cheese sandwich, ham sandwich, club sandwich; "
            "pie: apple pie, cherry pie, pumpkin pie; fruit: pear, plum, mango, peach, banana, lemon; "
            "vegetable: carrot, turnip, radish, cabbage, parsnip"),
    *_kinds("thing", "tool", "hammer: sledgehammer, claw hammer; saw: handsaw, hacksaw, chainsaw; "
            "knife: pocket knife, bread knife, carving knife; drill: hand drill, power drill"),
    *_kinds("thing", "piece of furniture", "chair: rocking chair, armchair, deckchair; table: coffee table, dining "
            "table, card table; bed: bunk bed, four-poster bed, sofa bed"),
    *_kinds("thing", "musical instrument", "guitar: bass guitar, electric guitar; drum: snare drum, bass drum, "
            "kettledrum; flute: alto flute, bamboo flute; trumpet: bass trumpet, pocket trumpet"),
    *_kinds("thing", "piece of clothing", "hat: top hat, straw hat, bowler hat; coat: raincoat, fur coat, overcoat; "
            "shirt: T-shirt, polo shirt, silk shirt; skirt: miniskirt, kilt; scarf: silk scarf, woollen scarf"),
    *_kinds("thing", "publication", "novel: crime novel, historical novel, graphic novel; magazine: fashion magazine, "
            "news magazine; dictionary: pocket dictionary, Latin dictionary"),
    *_kinds("plant", "plant", "tree: oak, maple, birch, willow, pine, beech; flower: tulip, rose, daisy, orchid, lily; "
            "cactus: saguaro cactus, barrel cactus"),
    *_kinds("vehicle", "vehicle", "car: limousine, convertible, sports car, taxi; truck: fire truck, pickup truck, "
            "garbage truck; boat: canoe, kayak, rowing boat, lifeboat; bicycle: mountain bike, racing bicycle; "
            "bus: school bus, double-decker bus, minibus"),
    *_kinds("building", "building", "church: cathedral, village church; house: cottage, villa, farmhouse; "
            "shop: bakery, bookshop, flower shop; school: primary school, boarding school; factory: shoe factory, "
            "car factory"),
    *_kinds("person", "person", "doctor: surgeon, dentist, eye doctor; scientist: chemist, physicist, biologist; "
            "musician: pianist, violinist, drummer, harpist; athlete: sprinter, gymnast, swimmer, boxer; "
            "artist: sculptor, painter; soldier: corporal, sergeant, paratrooper"),
)  # fmt: skip
"""The middle kinds."""


@dataclass(frozen=True)
class Homonym:
    """A word with two meanings: for each the kind of thing it is, special kinds of it, and where it is met so."""

    word: str
    kinds: tuple[str, str]
    special: tuple[tuple[str, ...], tuple[str, ...]]
    scenes: tuple[tuple[str, ...], tuple[str, ...]]


def _homonym(word: str, *meanings: str) -> Homonym:
    parts = [[part.strip() for part in meaning.split("|")] for meaning in meanings]
    kinds, special, scenes = ([part[place] for part in parts] for place in range(3))
    split = [tuple(text.split(", ")) if text else () for text in (*special, *scenes)]
    return Homonym(word, (kinds[0], kinds[1]), (split[0], split[1]), (split[2], split[3]))


HOMONYMS: tuple[Homonym, ...] = (
    _homonym("bat", "animal | fruit bat, vampire bat | {x} saw a bat hanging upside down in the cave, "
             "A bat flew out of the attic and startled {x}",
             "piece of sports equipment | cricket bat, baseball bat | {x} hit the ball over the fence with a bat, "
             "{x} polished the wooden bat before the match"),
    _homonym("crane", "bird | whooping crane, sandhill crane | {x} watched a crane feed its chicks in the marsh, "
             "A crane built its nest near the house of {x}",
             "machine | tower crane, harbour crane | {x} operated the crane that lifted the steel beams, "
             "The crane on the building site of {x} needed a new motor"),
    _homonym("mouse", "animal | field mouse, house mouse | {x} saw a mouse nibble at the cheese, "
             "The cat of {x} chased a mouse across the yard",
             "computer device | wireless mouse, optical mouse | {x} plugged a new mouse into the laptop, "
             "{x} clicked on the icon with the mouse"),
    _homonym("seal", "animal | elephant seal, harp seal | {x} watched a seal swim under the ice, "
             "{x} fed the seal with herring at the zoo",
             "stamp | wax seal, royal seal | {x} broke the seal on the envelope with a knife, "
             "{x} pressed the seal of the ministry on the document"),
    _homonym("organ", "part of the body | kidney, liver, lung | {x} needed a transplant because an organ had failed, "
             "The surgeon examined each organ of {x} for injuries",
             "musical instrument | church organ, barrel organ | {x} played a fugue on the organ, "
             "{x} tuned the pipes of the organ in the chapel"),
    _homonym("trunk", "part of an animal | | The elephant took the peanut from "
             "{x} with its trunk, {x} saw the elephant spray water with its trunk",
             "container | | {x} packed the winter clothes in a trunk, "
             "{x} locked the trunk and carried it to the attic"),
    _homonym("nail", "part of the body | toenail, fingernail | {x} broke a nail and filed it smooth, "
             "{x} painted every nail on her left hand",
             "piece of hardware | roofing nail, carpet nail | {x} hammered a nail into the wall, "
             "{x} pulled a rusty nail out of the plank"),
    _homonym("palm", "tree | | {x} rested in the shade of a palm on the beach, "
             "{x} watered the palm and pruned its leaves",
             "part of the body | | {x} held the coin in the palm of one hand, "
             "{x} had a blister on the palm from rowing"),
    _homonym("pen", "writing tool | fountain pen, ballpoint pen | {x} signed the letter with a pen, "
             "{x} refilled the pen with blue ink",
             "enclosure | sheep pen, pig pen | {x} drove the sheep into the pen, "
             "{x} repaired the fence of the pen so that the pigs stayed in"),
    _homonym("bow", "weapon | | {x} shot an arrow with a bow, "
             "{x} aimed the bow at the target and let the arrow fly",
             "knot | | {x} tied the ribbon in a bow, "
             "{x} decorated the present with a bow of red silk"),
    _homonym("club", "organization | | {x} was elected president of the club, "
             "{x} paid the yearly fee to the club",
             "playing card | | {x} had only one club among the thirteen cards, "
             "{x} played a club although hearts were trumps"),
    _homonym("boxer", "dog | | {x} walked the boxer on a leash, "
             "The boxer wagged its tail when {x} came home",
             "athlete | | {x} watched the boxer knock out the champion, "
             "{x} trained the boxer for the title fight"),
)  # fmt: skip
"""Words that name quite different things, and sentences that leave no doubt which.

Special kinds are given only where both meanings have some.
"""


def plural(noun: str) -> str:
    """The plural of a noun: poodles, cherries, geese, pieces of furniture."""
    head, of, rest = noun.partition(" of ")
    *before, last = head.split(" ")
    if last in _PLURALS:
        last = _PLURALS[last]
    elif last.endswith("y") and last[-2] not in "aeiou":
        last = f"{last[:-1]}ies"
    else:
        last += "es" if last.endswith(("s", "sh", "ch", "x")) else "s"
    if last == "persons":
        last = "people"
    return " ".join([*before, last]) + of + rest


def pick_kind(rng: np.random.Generator) -> Kind:
    """One of the middle kinds."""
    return pick(rng, KINDS)


def class_of(noun: str) -> str:
    """What may follow *a kind of*: a kind of bird, of furniture."""
    return _MASS.get(noun, noun)


_SCOPE = {verb: {kind.above for kind in KINDS if verb in kind.verbs} for kind in KINDS for verb in kind.verbs}


def is_wide(verb: str) -> bool:
    """Whether the verb may take things of more than one of the highest kinds."""
    return len(_SCOPE[verb]) > 1


def rival(rng: np.random.Generator, kind: Kind, verb: str, goal: str) -> Kind:
    """Another kind that the verb may take, none of whose things is a goal: the kind's own noun or the one above it.

    If the goal is the noun above the kind, the verb has to be a wide one.
    """
    other = pick_other(rng, KINDS, kind)
    while verb not in other.verbs or other.noun == goal or other.above == goal:
        other = pick_other(rng, KINDS, kind)
    return other


def cousin(rng: np.random.Generator, kind: Kind) -> Kind:
    """Another kind of the things that stand above this one: birds for dogs."""
    other = pick_other(rng, KINDS, kind)
    while other.above != kind.above:
        other = pick_other(rng, KINDS, kind)
    return other


def stranger(rng: np.random.Generator, kind: Kind) -> Kind:
    """A kind of quite other things."""
    other = pick(rng, KINDS)
    while other.above == kind.above:
        other = pick(rng, KINDS)
    return other
