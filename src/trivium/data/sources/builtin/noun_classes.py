"""Kinds of people, animals and things, with the adjectives that can describe them."""

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
"""Adjectives by the dimension that they measure. Adjectives of the same dimension are never taken to be independent."""

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
class Kind:
    """Nouns with the same grammatical number, and the adjectives that each of them can have.

    ``number`` is ``count``, ``mass`` (bread), ``single`` (used in the singular only), ``pair`` (always plural: pants)
    or ``bare`` (without determiner: to play tennis).
    """

    name: str
    nouns: tuple[str, ...]
    adjectives: tuple[str, ...]
    number: Number = "count"
    people: bool = False


def _kind(name: str, nouns: str, adjectives: str = "", number: Number = "count") -> Kind:
    return Kind(name, tuple(nouns.split(", ")), tuple(adjectives.split()), number)


def _people(name: str, nouns: str, adjectives: str) -> Kind:
    return Kind(name, tuple(nouns.split(", ")), tuple(adjectives.split()), people=True)


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
    _kind("dog", "dog, puppy, pup, terrier, poodle, collie, beagle, bulldog", f"{_BEAST} little huge tiny soaked dry"),
    _kind("cat", "cat, kitten, kitty, tomcat", f"{_BEAST} little tiny"),
    _kind("animal", "animal", "big large small young old wet brown hungry wild tame"),
    _kind("horse", "horse, stallion, mare", "big large black brown white gray young old wild tame muddy strong"),
    _kind("mount", "donkey, camel, elephant", "big large small young old gray tame"),
    _kind(
        "cattle",
        "cow, goat, sheep, ram, calf, lamb, pig, hog",
        "big large small brown white black young muddy dirty",
    ),
    _kind("bird", "bird, robin, sparrow, crow, pigeon, seagull, gull, parrot, parakeet", "big large small young"),
    _kind("raptor", "eagle, hawk, owl", "big large young old brown"),
    _kind("waterbird", "duck, duckling, goose, swan", "big large small young white gray"),
    _kind("poultry", "chicken, hen, rooster", "big large small brown white old hungry"),
    _kind("ape", "monkey, baboon, ape, gorilla, chimpanzee, chimp", "big large small young old hungry wild tame"),
    _kind("rodent", "rodent, squirrel, mouse, rat, hamster", "small little tiny brown gray hungry"),
    _kind("rabbit", "rabbit, bunny", "small little brown white gray young wild tame"),
    _kind("bear", "bear, grizzly, wolf", "big large huge young old hungry brown"),
    _kind("bigcat", "lion, lioness, tiger, leopard", "big large huge young old hungry"),
    _kind("woodland", "fox, deer, fawn", "small young old brown wet"),
    _kind("swimmer", "dolphin, seal, whale, otter", "big large small young gray"),
    _kind("reptile", "reptile", "big large small green brown"),
    _kind("lizard", "lizard, iguana", "big large small green brown"),
    _kind("snake", "snake, python, cobra", "big large long thick thin green brown"),
    _kind("turtle", "turtle, crocodile", "big large small young old green"),
)

_FOOD = (
    _kind(
        "vegetable",
        "vegetable, onion, carrot, potato, sweet potato, cucumber, eggplant, zucchini, cabbage, radish, turnip",
        "big large huge enormous small tiny fresh",
    ),
    _kind(
        "fruit",
        "fruit, apple, banana, orange, pear, peach, mango, plum, melon, watermelon",
        "big large small ripe unripe sweet sour",
    ),
    _kind("lemon", "lemon", "big large small ripe unripe fresh"),
    _kind("meat", "meat, beef, pork, ham, bacon", "fresh", "mass"),
    _kind("staple", "rice, pasta, spaghetti, macaroni, cheese", "delicious tasty", "mass"),
    _kind("bread", "bread", "fresh stale", "mass"),
    _kind("flesh", "meat", "fresh", "mass"),
    _kind(
        "dish",
        "sandwich, pizza, hamburger, burger, cheeseburger",
        "big large huge small hot cold delicious tasty",
    ),
    _kind(
        "dessert",
        "dessert, cake, cheesecake, chocolate cake, birthday cake, pie, apple pie, pudding",
        "big large huge small delicious tasty sweet",
    ),
    _kind("pastry", "cookie, doughnut, donut, muffin, pancake", "big large small delicious tasty fresh"),
    _kind(
        "drink",
        "coffee, tea, green tea, juice, orange juice, apple juice, milk, lemonade, soda",
        "hot cold delicious tasty",
        "mass",
    ),
    _kind("food", "food", "hot cold delicious tasty", "mass"),
    _kind("beverage", "beverage", "hot cold delicious tasty"),
    _kind("water", "water", "cold clean dirty", "mass"),
    _kind("soup", "soup, stew, sauce", "hot cold delicious tasty spicy", "mass"),
    _kind("nut", "nut, acorn, walnut, peanut", "big large small"),
    _kind("bug", "insect, beetle, grasshopper, cricket, worm", "big large small green brown"),
    _kind("fish", "fish, trout, salmon, carp", "big large huge small"),
    _kind("fodder", "grass, hay", "fresh dry", "mass"),
)

_THINGS = (
    _kind(
        "container",
        "container, bucket, pail, bottle, wine bottle, jar, barrel, bowl, pitcher",
        "big large small heavy plastic metal",
    ),
    _kind(
        "case",
        "container, box, cardboard box, basket, bag, suitcase, backpack, rucksack",
        "big large huge small heavy light old new",
    ),
    _kind("load", "box, suitcase, log, barrel, stone, rock, crate", "big large huge small heavy light"),
    _kind("door", "door, front door, back door, garage door, gate", "heavy wooden metal old new wide narrow"),
    _kind("window", "window, drawer, cabinet", "big large small old new wide narrow"),
    _kind(
        "furniture",
        "table, coffee table, chair, armchair, rocking chair, couch, sofa, desk, bookcase",
        f"{_THING} wooden heavy",
    ),
    _kind(
        "vehicle",
        "vehicle, car, automobile, jeep, sports car, limousine, truck, fire truck, van, bus, taxi, cab, tractor",
        f"{_THING} red scarlet blue navy green yellow black white fast slow expensive cheap",
    ),
    _kind("motorcycle", "motorcycle, motorbike, scooter", "red blue black old new fast slow expensive cheap"),
    _kind("bicycle", "bicycle, bike, mountain bike", "red blue green old new expensive costly cheap fast"),
    _kind("boat", "boat, canoe, kayak, rowboat, sailboat", f"{_THING} red blue white wooden plastic"),
    _kind("transport", "bus, train, boat, ferry, plane, airplane", f"{_THING} white blue fast slow"),
    _kind("ball", "ball, baseball, basketball, tennis ball, golf ball, beach ball", "old new wet dry dirty clean"),
    _kind("football", "ball, soccer ball, beach ball", "old new dirty clean"),
    _kind("bouncer", "ball, basketball, soccer ball", "old new"),
    _kind("missile", "stone, rock, pebble, stick, frisbee", "big large small heavy light"),
    _kind(
        "cart", "cart, shopping cart, wagon, sled, wheelbarrow", "big large small heavy wooden metal old new full empty"
    ),
    _kind("lamp", "lamp, desk lamp, flashlight", "big large small old new bright dim"),
    _kind("device", "television, TV, radio, computer, laptop, fan, heater", f"{_THING} expensive cheap"),
    _kind(
        "machine",
        "machine, washing machine, sewing machine, computer, laptop, radio",
        f"{_THING} expensive cheap modern",
    ),
    _kind(
        "building",
        "building, museum, library, church, store, bookstore, bakery, shop",
        f"{_THING} famous modern ancient",
    ),
    _kind("house", "house, cottage, cabin, barn", f"{_THING} white red wooden"),
    _kind("wall", "wall, stone wall, brick wall, fence", "high low long short"),
    _kind("bridge", "bridge, wooden bridge", "long short wide narrow"),
    _kind(
        "book",
        "book, novel, textbook, cookbook, dictionary, comic book",
        "thick thin old new famous unknown long short",
    ),
    _kind("paper", "newspaper, magazine, map", "old new"),
    _kind("text", "letter, love letter, poem, story, tale, fairy tale, note", "long short sad"),
    _kind("picture", "picture, portrait, landscape", "big large small"),
    _kind("art", "photograph, photo, painting", "big large small famous well-known unknown old"),
    _kind("statue", "statue", "big large small famous well-known unknown old"),
    _kind("towel", "towel, bath towel, blanket, flag", "red blue green yellow wet dry clean"),
    _kind("song", "song, ballad, lullaby, carol, hymn", "long short sad slow famous well-known unknown old"),
    _kind("movie", "movie, film, documentary, comedy, cartoon", "long short old new famous unknown"),
    _kind(
        "strings",
        "guitar, banjo, ukulele",
        "old new expensive costly cheap wooden",
    ),
    _kind(
        "instrument",
        "instrument, musical instrument, guitar, violin, fiddle, cello, banjo, harp, flute, trumpet, saxophone, sax, "
        "clarinet, piano, drum, accordion",
        "old new expensive costly cheap",
    ),
    _kind("sport", "tennis, basketball, baseball, golf, hockey, volleyball, soccer", "", "bare"),
    _kind("boardgame", "chess, checkers, poker", "", "bare"),
    _kind("game", "sport", "", "single"),
    _kind("pastime", "game", "long short", "single"),
    _kind("hat", "hat, cap, straw hat, top hat, helmet", "red blue black white old new wet"),
    _kind(
        "coat",
        "garment, coat, raincoat, overcoat, jacket, sweater",
        "red scarlet blue navy green black yellow old new wet soaked dry dirty filthy clean woolen",
    ),
    _kind("shirt", "shirt, T-shirt, dress, scarf", "red blue green yellow cotton woolen old new wet dry long short"),
    _kind("shoe", "shoe, boot, sneaker, sandal", "red black white brown old new leather wet muddy dirty clean"),
    _kind("trousers", "pants, trousers, jeans", "blue navy black old new cotton long short wet dry", "pair"),
    _kind("eyewear", "glasses, sunglasses", "old new expensive cheap", "pair"),
    _kind("cloth", "towel, bath towel, blanket, flag, tablecloth, carpet", "big large small red blue green old new"),
    _kind("flower", "plant, flower, rose, tulip, daisy, sunflower, lily", "red yellow white"),
    _kind("bush", "bush, shrub, hedge", "big large small green"),
    _kind("tree", "tree, oak, maple, pine, willow, palm", "tall short big large huge small old young"),
    _kind("gift", "gift, present, package, parcel, box", "big large huge small heavy light expensive"),
    _kind("cord", "rope, ribbon, knot", "long short thick thin"),
    _kind("balloon", "balloon, beach ball, air mattress, raft", "big large small red blue yellow"),
    _kind("hole", "hole, trench, ditch, pit", "deep shallow wide narrow big large small"),
    _kind("slope", "hill, mountain, cliff", "high low"),
    _kind("climb", "ladder, staircase", "high wooden metal"),
    _kind("crockery", "plate, cup, pan, mug, pot", "big large small old new dirty"),
    _kind("surface", "floor, kitchen floor, carpet, porch", "wooden dirty"),
    _kind("bone", "bone, stick, toy, shoe", "big large small old"),
    _kind("obstacle", "fence, log, puddle, hurdle, wall", "high low wide narrow wooden"),
    _kind("bolt", "screw, bolt", "big small metal old new"),
    _kind("bag", "punching bag", "heavy leather old new"),
    _kind("plank", "log, plank, board, branch", "thick thin long short big large small"),
    _kind("rug", "carpet, rug", "big large small old new red blue green"),
    _kind("knitwear", "sweater, scarf, hat, blanket", "red blue green yellow"),
    _kind("bubble", "balloon, bubble", "big large huge small tiny"),
    _kind("nest", "nest", "big large small"),
    _kind("model", "snowman, sandcastle", "big large huge small tiny"),
)

KINDS: dict[str, Kind] = {kind.name: kind for kind in (*_PEOPLE, *_ANIMALS, *_FOOD, *_THINGS)}
