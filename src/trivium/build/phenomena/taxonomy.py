"""A small taxonomy (a poodle is a dog, a dog is an animal), and homonyms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.build.phenomena.words import pick, pick_other

if TYPE_CHECKING:
    import numpy as np

_VERBS = {
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
class Category:
    """A category of things, its hypernym and hyponyms, and verbs that may take it as an object."""

    noun: str
    hypernym: str
    hyponyms: tuple[str, ...]
    verbs: tuple[str, ...]


def _group(domain: str, hypernym: str, text: str) -> tuple[Category, ...]:
    verbs = tuple(_VERBS[domain].split(", "))
    entries = (entry.split(": ") for entry in text.split("; "))
    return tuple(Category(noun.strip(), hypernym, tuple(hyponyms.split(", ")), verbs) for noun, hyponyms in entries)


CATEGORIES: tuple[Category, ...] = (
    *_group("animal", "animal",
            "dog: poodle, terrier, beagle, collie, dachshund, greyhound; bird: parrot, owl, sparrow, eagle, pigeon, "
            "swan, robin, goose; fish: trout, salmon, carp, shark, herring; insect: beetle, butterfly, bee, ant, wasp; "
            "monkey: baboon, macaque, marmoset; snake: cobra, python, viper; lizard: iguana, gecko, chameleon; "
            "rodent: hamster, squirrel, mouse, beaver; bear: grizzly bear, polar bear, panda"),
    *_group("food", "food item",
            "cake: chocolate cake, birthday cake, sponge cake; salad: potato salad, fruit salad, Greek salad; "
            "soup: onion soup, lentil soup, tomato soup; sandwich: cheese sandwich, ham sandwich, club sandwich; "
            "pie: apple pie, cherry pie, pumpkin pie; fruit: pear, plum, mango, peach, banana, lemon; "
            "vegetable: carrot, turnip, radish, cabbage, parsnip"),
    *_group("thing", "tool", "hammer: sledgehammer, claw hammer; saw: handsaw, hacksaw, chainsaw; "
            "knife: pocket knife, bread knife, carving knife; drill: hand drill, power drill"),
    *_group("thing", "piece of furniture", "chair: rocking chair, armchair, deckchair; table: coffee table, dining "
            "table, card table; bed: bunk bed, four-poster bed, sofa bed"),
    *_group("thing", "musical instrument", "guitar: bass guitar, electric guitar; drum: snare drum, bass drum, "
            "kettledrum; flute: alto flute, bamboo flute; trumpet: bass trumpet, pocket trumpet"),
    *_group("thing", "piece of clothing", "hat: top hat, straw hat, bowler hat; coat: raincoat, fur coat, overcoat; "
            "shirt: T-shirt, polo shirt, silk shirt; skirt: miniskirt, kilt; scarf: silk scarf, woollen scarf"),
    *_group("thing", "publication", "novel: crime novel, historical novel, graphic novel; magazine: fashion magazine, "
            "news magazine; dictionary: pocket dictionary, Latin dictionary"),
    *_group("plant", "plant", "tree: oak, maple, birch, willow, pine, beech; flower: tulip, rose, daisy, orchid, lily; "
            "cactus: saguaro cactus, barrel cactus"),
    *_group("vehicle", "vehicle", "car: limousine, convertible, sports car, taxi; truck: fire truck, pickup truck, "
            "garbage truck; boat: canoe, kayak, rowing boat, lifeboat; bicycle: mountain bike, racing bicycle; "
            "bus: school bus, double-decker bus, minibus"),
    *_group("building", "building", "church: cathedral, village church; house: cottage, villa, farmhouse; "
            "shop: bakery, bookshop, flower shop; school: primary school, boarding school; factory: shoe factory, "
            "car factory"),
    *_group("person", "person", "doctor: surgeon, dentist, eye doctor; scientist: chemist, physicist, biologist; "
            "musician: pianist, violinist, drummer, harpist; athlete: sprinter, gymnast, swimmer, boxer; "
            "artist: sculptor, painter; soldier: corporal, sergeant, paratrooper"),
)  # fmt: skip
"""The categories: the middle level of the taxonomy."""


@dataclass(frozen=True)
class Homonym:
    """A word with two meanings, and for each meaning a hypernym, hyponyms, and sentences that show it."""

    word: str
    hypernyms: tuple[str, str]
    hyponyms: tuple[tuple[str, ...], tuple[str, ...]]
    sentences: tuple[tuple[str, ...], tuple[str, ...]]


def _homonym(word: str, *meanings: str) -> Homonym:
    parts = [[part.strip() for part in meaning.split("|")] for meaning in meanings]
    hypernyms, hyponyms, sentences = ([part[field] for part in parts] for field in range(3))
    split = [tuple(text.split(", ")) if text else () for text in (*hyponyms, *sentences)]
    return Homonym(word, (hypernyms[0], hypernyms[1]), (split[0], split[1]), (split[2], split[3]))


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
"""Homonyms, with sentences in which the meaning is unambiguous.

Either both meanings have hyponyms or neither has.
"""


def plural(noun: str) -> str:
    """Return the plural of a noun phrase: poodles, cherries, geese, pieces of furniture."""
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


def is_person(noun: str) -> bool:
    """Return whether the noun of a category names people."""
    return any(category.noun == noun and category.hypernym == "person" for category in CATEGORIES)


def pick_category(rng: np.random.Generator) -> Category:
    """Return a random category."""
    return pick(rng, CATEGORIES)


def class_name(noun: str) -> str:
    """Return the noun as it follows *a kind of*: bird for *bird*, furniture for *piece of furniture*."""
    return _MASS.get(noun, noun)


_HYPERNYMS = {
    verb: {category.hypernym for category in CATEGORIES if verb in category.verbs}
    for category in CATEGORIES
    for verb in category.verbs
}


def is_general(verb: str) -> bool:
    """Return whether the verb may take objects with different hypernyms."""
    return len(_HYPERNYMS[verb]) > 1


def contrasting_category(rng: np.random.Generator, category: Category, verb: str, target: str) -> Category:
    """Return another category that the verb may take and whose members are not instances of ``target``.

    ``target`` is the noun of ``category`` or its hypernym; in the latter case the verb must be general.
    """
    other = pick_other(rng, CATEGORIES, category)
    while verb not in other.verbs or other.noun == target or other.hypernym == target:
        other = pick_other(rng, CATEGORIES, category)
    return other


def sister_category(rng: np.random.Generator, category: Category) -> Category:
    """Return another category with the same hypernym: birds for dogs."""
    other = pick_other(rng, CATEGORIES, category)
    while other.hypernym != category.hypernym:
        other = pick_other(rng, CATEGORIES, category)
    return other


def unrelated_category(rng: np.random.Generator, category: Category) -> Category:
    """Return a category with another hypernym."""
    other = pick(rng, CATEGORIES)
    while other.hypernym == category.hypernym:
        other = pick(rng, CATEGORIES)
    return other
