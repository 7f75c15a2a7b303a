"""Classes of nouns for people, animals and things, with the adjectives that can describe them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Number = Literal["count", "single", "mass", "pair", "bare"]

DIMENSIONS: dict[str, tuple[str, ...]] = {
    dimension: tuple(adjectives.split())
    for dimension, adjectives in {
        "height": "tall short",
        "age": "young old elderly",
        "newness": "new old modern ancient",
        "build": "thin skinny",
        "strength": "strong",
        "mood": "happy cheerful delighted sad unhappy",
        "temper": "angry furious calm",
        "energy": "tired exhausted",
        "courage": "brave",
        "manners": "polite rude",
        "shyness": "shy confident",
        "hunger": "hungry",
        "wealth": "rich wealthy poor",
        "size": "big large huge enormous small little tiny",
        "color": "black white gray brown red scarlet blue navy green yellow",
        "wetness": "wet soaked dry",
        "dirt": "clean dirty muddy filthy",
        "wildness": "tame wild",
        "freshness": "fresh stale",
        "ripeness": "ripe unripe",
        "taste": "sweet sour delicious tasty spicy",
        "heat": "hot cold",
        "weight": "heavy light",
        "material": "wooden metal plastic",
        "fabric": "cotton leather woolen",
        "fullness": "full empty",
        "speed": "fast slow",
        "cost": "cheap expensive costly",
        "length": "long short",
        "thickness": "thick thin",
        "fame": "famous well-known unknown",
        "top": "high low",
        "depth": "deep shallow",
        "width": "wide narrow",
        "brightness": "bright dim",
    }.items()
}
"""Adjectives by the dimension that they measure. Adjectives of the same dimension are not independent."""

RELATIVE: tuple[str, ...] = (
    *("height", "age", "newness", "build", "strength", "wealth", "size", "weight", "speed", "cost"),
    *("length", "thickness", "top", "depth", "width", "brightness"),
)
"""Dimensions that are relative to the noun: a small elephant is not a small animal."""

TAILS = tuple(
    f"in {clothes}"
    for clothes in (
        "a red shirt",
        "a blue jacket",
        "a straw hat",
        "a green sweater",
        "a black coat",
        "a white T-shirt",
        "a yellow scarf",
        "a gray hoodie",
        "blue jeans",
        "red sneakers",
    )
)
"""Clothes that a person wears, as phrases after the noun."""


@dataclass(frozen=True, slots=True)
class NounClass:
    """A class of nouns with the same grammatical number, and the adjectives that each of them can have.

    ``number`` is ``count``, ``mass`` (bread), ``single`` (used in the singular only), ``pair`` (always plural: pants)
    or ``bare`` (without determiner: to play tennis).
    """

    name: str
    nouns: tuple[str, ...]
    adjectives: tuple[str, ...]
    number: Number = "count"
    people: bool = False


def _nouns(name: str, nouns: str, adjectives: str = "", number: Number = "count") -> NounClass:
    return NounClass(name, tuple(nouns.split(", ")), tuple(adjectives.split()), number)


def _people(name: str, nouns: str, adjectives: str) -> NounClass:
    return NounClass(name, tuple(nouns.split(", ")), tuple(adjectives.split()), people=True)


_ROLE = "tall short young old thin happy cheerful tired exhausted"
_BEAST = "big large small black brown white gray young old wet muddy dirty hungry"
_THING = "big large small old new"

_PEOPLE = (
    _people(
        "adult",
        "man, guy, woman, lady, person",
        "tall short young old elderly thin skinny strong happy cheerful delighted sad unhappy tired exhausted "
        "angry furious calm",
    ),
    _people("child", "boy, girl, child, kid", "tall short small little happy cheerful sad unhappy tired shy confident"),
    _people("pupil", "schoolboy, schoolgirl, student, pupil", "tall short happy tired exhausted shy confident"),
    _people("teen", "teenager, teen", "tall short thin happy cheerful sad tired shy confident"),
    _people("baby", "baby, infant, toddler", "small tiny happy cheerful unhappy tired"),
    _people(
        "family",
        "mother, mom, father, dad, grandmother, grandma, grandfather, grandpa",
        "tall short happy cheerful tired exhausted",
    ),
    _people("cook", "chef, cook, waiter, waitress", _ROLE),
    _people("musician", "musician, guitarist, drummer, pianist, violinist", f"{_ROLE} famous well-known unknown"),
    _people("performer", "performer, clown, magician, acrobat, juggler", f"{_ROLE} famous well-known unknown"),
    _people("worker", "worker, laborer, carpenter, plumber, electrician, mechanic, builder, welder", f"{_ROLE} strong"),
    _people("farmer", "farmer, rancher, gardener, cowboy", f"{_ROLE} rich wealthy poor"),
    _people(
        "rescuer",
        "police officer, cop, policeman, policewoman, firefighter, fireman, soldier",
        f"{_ROLE} brave strong",
    ),
    _people("medic", "doctor, physician, surgeon, dentist, nurse", f"{_ROLE} calm polite rude"),
    _people("vet", "veterinarian, vet", f"{_ROLE} calm polite rude"),
    _people(
        "scholar", "teacher, librarian, scientist, biologist, chemist, lawyer, attorney, clerk", f"{_ROLE} polite rude"
    ),
    _people("athlete", "athlete, gymnast, boxer, skier, wrestler, soccer player", f"{_ROLE} strong famous well-known"),
    _people("artist", "artist, painter, sculptor", f"{_ROLE} rich wealthy poor famous unknown"),
    _people("traveler", "tourist, hiker", _ROLE),
)

_ANIMALS = (
    _nouns("dog", "dog, puppy, pup, terrier, poodle, collie, beagle, bulldog", f"{_BEAST} little huge tiny soaked dry"),
    _nouns("cat", "cat, kitten, kitty, tomcat", f"{_BEAST} little tiny"),
    _nouns("animal", "animal", "big large small young old wet brown hungry wild tame"),
    _nouns("horse", "horse, stallion, mare", "big large black brown white gray young old wild tame muddy strong"),
    _nouns("mount", "donkey, camel, elephant", "big large small young old gray tame"),
    _nouns(
        "cattle",
        "cow, goat, sheep, ram, calf, lamb, pig, hog",
        "big large small brown white black young muddy dirty",
    ),
    _nouns("bird", "bird, robin, sparrow, crow, pigeon, seagull, gull, parrot, parakeet", "big large small young"),
    _nouns("raptor", "eagle, hawk, owl", "big large young old brown"),
    _nouns("waterbird", "duck, duckling, goose, swan", "big large small young white gray"),
    _nouns("poultry", "chicken, hen, rooster", "big large small brown white old hungry"),
    _nouns("ape", "monkey, baboon, ape, gorilla, chimpanzee, chimp", "big large small young old hungry wild tame"),
    _nouns("rodent", "rodent, squirrel, mouse, rat, hamster", "small little tiny brown gray hungry"),
    _nouns("rabbit", "rabbit, bunny", "small little brown white gray young wild tame"),
    _nouns("bear", "bear, grizzly, wolf", "big large huge young old hungry brown"),
    _nouns("bigcat", "lion, lioness, tiger, leopard", "big large huge young old hungry"),
    _nouns("woodland", "fox, deer, fawn", "small young old brown wet"),
    _nouns("swimmer", "dolphin, seal, whale, otter", "big large small young gray"),
    _nouns("reptile", "reptile", "big large small green brown"),
    _nouns("lizard", "lizard, iguana", "big large small green brown"),
    _nouns("snake", "snake, python, cobra", "big large long thick thin green brown"),
    _nouns("turtle", "turtle, crocodile", "big large small young old green"),
)

_FOOD = (
    _nouns(
        "vegetable",
        "vegetable, onion, carrot, potato, sweet potato, cucumber, eggplant, zucchini, cabbage, radish, turnip",
        "big large huge enormous small tiny fresh",
    ),
    _nouns(
        "fruit",
        "fruit, apple, banana, orange, pear, peach, mango, plum, melon, watermelon",
        "big large small ripe unripe sweet sour",
    ),
    _nouns("lemon", "lemon", "big large small ripe unripe fresh"),
    _nouns("meat", "meat, beef, pork, ham, bacon", "fresh", "mass"),
    _nouns("staple", "rice, pasta, spaghetti, macaroni, cheese", "delicious tasty", "mass"),
    _nouns("bread", "bread", "fresh stale", "mass"),
    _nouns("flesh", "meat", "fresh", "mass"),
    _nouns(
        "dish",
        "sandwich, pizza, hamburger, burger, cheeseburger",
        "big large huge small hot cold delicious tasty",
    ),
    _nouns(
        "dessert",
        "dessert, cake, cheesecake, chocolate cake, birthday cake, pie, apple pie, pudding",
        "big large huge small delicious tasty sweet",
    ),
    _nouns("pastry", "cookie, doughnut, donut, muffin, pancake", "big large small delicious tasty fresh"),
    _nouns(
        "drink",
        "coffee, tea, green tea, juice, orange juice, apple juice, milk, lemonade, soda",
        "hot cold delicious tasty",
        "mass",
    ),
    _nouns("food", "food", "hot cold delicious tasty", "mass"),
    _nouns("beverage", "beverage", "hot cold delicious tasty"),
    _nouns("water", "water", "cold clean dirty", "mass"),
    _nouns("soup", "soup, stew, sauce", "hot cold delicious tasty spicy", "mass"),
    _nouns("nut", "nut, acorn, walnut, peanut", "big large small"),
    _nouns("bug", "insect, beetle, grasshopper, cricket, worm", "big large small green brown"),
    _nouns("fish", "fish, trout, salmon, carp", "big large huge small"),
    _nouns("fodder", "grass, hay", "fresh dry", "mass"),
)

_THINGS = (
    _nouns(
        "container",
        "container, bucket, pail, bottle, wine bottle, jar, barrel, bowl, pitcher",
        "big large small heavy plastic metal",
    ),
    _nouns(
        "case",
        "container, box, cardboard box, basket, bag, suitcase, backpack, rucksack",
        "big large huge small heavy light old new",
    ),
    _nouns("load", "box, suitcase, log, barrel, stone, rock, crate", "big large huge small heavy light"),
    _nouns("door", "door, front door, back door, garage door, gate", "heavy wooden metal old new wide narrow"),
    _nouns("window", "window, drawer, cabinet", "big large small old new wide narrow"),
    _nouns(
        "furniture",
        "table, coffee table, chair, armchair, rocking chair, couch, sofa, desk, bookcase",
        f"{_THING} wooden heavy",
    ),
    _nouns(
        "vehicle",
        "vehicle, car, automobile, jeep, sports car, limousine, truck, fire truck, van, bus, taxi, cab, tractor",
        f"{_THING} red scarlet blue navy green yellow black white fast slow expensive cheap",
    ),
    _nouns("motorcycle", "motorcycle, motorbike, scooter", "red blue black old new fast slow expensive cheap"),
    _nouns("bicycle", "bicycle, bike, mountain bike", "red blue green old new expensive costly cheap fast"),
    _nouns("boat", "boat, canoe, kayak, rowboat, sailboat", f"{_THING} red blue white wooden plastic"),
    _nouns("transport", "bus, train, boat, ferry, plane, airplane", f"{_THING} white blue fast slow"),
    _nouns("ball", "ball, baseball, basketball, tennis ball, golf ball, beach ball", "old new wet dry dirty clean"),
    _nouns("football", "ball, soccer ball, beach ball", "old new dirty clean"),
    _nouns("bouncer", "ball, basketball, soccer ball", "old new"),
    _nouns("missile", "stone, rock, pebble, stick, frisbee", "big large small heavy light"),
    _nouns(
        "cart", "cart, shopping cart, wagon, sled, wheelbarrow", "big large small heavy wooden metal old new full empty"
    ),
    _nouns("lamp", "lamp, desk lamp, flashlight", "big large small old new bright dim"),
    _nouns("device", "television, TV, radio, computer, laptop, fan, heater", f"{_THING} expensive cheap"),
    _nouns(
        "machine",
        "machine, washing machine, sewing machine, computer, laptop, radio",
        f"{_THING} expensive cheap modern",
    ),
    _nouns(
        "building",
        "building, museum, library, church, store, bookstore, bakery, shop",
        f"{_THING} famous modern ancient",
    ),
    _nouns("house", "house, cottage, cabin, barn", f"{_THING} white red wooden"),
    _nouns("wall", "wall, stone wall, brick wall, fence", "high low long short"),
    _nouns("bridge", "bridge, wooden bridge", "long short wide narrow"),
    _nouns(
        "book",
        "book, novel, textbook, cookbook, dictionary, comic book",
        "thick thin old new famous unknown long short",
    ),
    _nouns("paper", "newspaper, magazine, map", "old new"),
    _nouns("text", "letter, love letter, poem, story, tale, fairy tale, note", "long short sad"),
    _nouns("picture", "picture, portrait, landscape", "big large small"),
    _nouns("art", "photograph, photo, painting", "big large small famous well-known unknown old"),
    _nouns("statue", "statue", "big large small famous well-known unknown old"),
    _nouns("towel", "towel, bath towel, blanket, flag", "red blue green yellow wet dry clean"),
    _nouns("song", "song, ballad, lullaby, carol, hymn", "long short sad slow famous well-known unknown old"),
    _nouns("movie", "movie, film, documentary, comedy, cartoon", "long short old new famous unknown"),
    _nouns(
        "strings",
        "guitar, banjo, ukulele",
        "old new expensive costly cheap wooden",
    ),
    _nouns(
        "instrument",
        "instrument, musical instrument, guitar, violin, fiddle, cello, banjo, harp, flute, trumpet, saxophone, sax, "
        "clarinet, piano, drum, accordion",
        "old new expensive costly cheap",
    ),
    _nouns("sport", "tennis, basketball, baseball, golf, hockey, volleyball, soccer", "", "bare"),
    _nouns("boardgame", "chess, checkers, poker", "", "bare"),
    _nouns("game", "sport", "", "single"),
    _nouns("pastime", "game", "long short", "single"),
    _nouns("hat", "hat, cap, straw hat, top hat, helmet", "red blue black white old new wet"),
    _nouns(
        "coat",
        "garment, coat, raincoat, overcoat, jacket, sweater",
        "red scarlet blue navy green black yellow old new wet soaked dry dirty filthy clean woolen",
    ),
    _nouns("shirt", "shirt, T-shirt, dress, scarf", "red blue green yellow cotton woolen old new wet dry long short"),
    _nouns("shoe", "shoe, boot, sneaker, sandal", "red black white brown old new leather wet muddy dirty clean"),
    _nouns("trousers", "pants, trousers, jeans", "blue navy black old new cotton long short wet dry", "pair"),
    _nouns("eyewear", "glasses, sunglasses", "old new expensive cheap", "pair"),
    _nouns("cloth", "towel, bath towel, blanket, flag, tablecloth, carpet", "big large small red blue green old new"),
    _nouns("flower", "plant, flower, rose, tulip, daisy, sunflower, lily", "red yellow white"),
    _nouns("bush", "bush, shrub, hedge", "big large small green"),
    _nouns("tree", "tree, oak, maple, pine, willow, palm", "tall short big large huge small old young"),
    _nouns("gift", "gift, present, package, parcel, box", "big large huge small heavy light expensive"),
    _nouns("cord", "rope, ribbon, knot", "long short thick thin"),
    _nouns("balloon", "balloon, beach ball, air mattress, raft", "big large small red blue yellow"),
    _nouns("hole", "hole, trench, ditch, pit", "deep shallow wide narrow big large small"),
    _nouns("slope", "hill, mountain, cliff", "high low"),
    _nouns("climb", "ladder, staircase", "high wooden metal"),
    _nouns("crockery", "plate, cup, pan, mug, pot", "big large small old new dirty"),
    _nouns("surface", "floor, kitchen floor, carpet, porch", "wooden dirty"),
    _nouns("bone", "bone, stick, toy, shoe", "big large small old"),
    _nouns("obstacle", "fence, log, puddle, hurdle, wall", "high low wide narrow wooden"),
    _nouns("bolt", "screw, bolt", "big small metal old new"),
    _nouns("bag", "punching bag", "heavy leather old new"),
    _nouns("plank", "log, plank, board, branch", "thick thin long short big large small"),
    _nouns("rug", "carpet, rug", "big large small old new red blue green"),
    _nouns("knitwear", "sweater, scarf, hat, blanket", "red blue green yellow"),
    _nouns("bubble", "balloon, bubble", "big large huge small tiny"),
    _nouns("nest", "nest", "big large small"),
    _nouns("model", "snowman, sandcastle", "big large huge small tiny"),
)

NOUN_CLASSES: dict[str, NounClass] = {
    noun_class.name: noun_class for noun_class in (*_PEOPLE, *_ANIMALS, *_FOOD, *_THINGS)
}
