"""Relations between words: synonyms, hypernyms, antonyms and cohyponyms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Link:
    """A relation between two words of the same part of speech.

    ``relation`` is synonym (left = right), hypernym (every left is a right), antonym or cohyponym (left and right
    exclude each other in one scene). ``part`` is the part of speech: noun, verb, adjective, adverb or adjunct.
    """

    relation: str
    part: str
    left: str
    right: str


_SYNONYMS = {
    "noun": """
        guy = man; lady = woman; kid = child; teen = teenager; infant = baby; mom = mother; dad = father; grandma =
        grandmother; grandpa = grandfather; physician = doctor; cop = police officer; pupil = student; laborer =
        worker; vet = veterinarian; pup = puppy; kitty = kitten; bunny = rabbit; chimp = chimpanzee; hog = pig; gull
        = seagull; bike = bicycle; motorbike = motorcycle; automobile = car; airplane = plane; cab = taxi; sofa =
        couch; rock = stone; present = gift; parcel = package; TV = television; film = movie; photo = photograph;
        shop = store; shrub = bush; burger = hamburger; trousers = pants; fiddle = violin; sax = saxophone; pail =
        bucket; musical instrument = instrument; attorney = lawyer; rucksack = backpack; donut = doughnut; tale =
        story
    """,
    "verb": """
        toss = throw; shut = close; repair = fix; mend = fix; construct = build; tear down = demolish; purchase =
        buy; leap = jump; leap over = jump over; yell = shout; speak = talk; weep = cry; embrace = hug; pursue =
        chase; observe = watch; assist = help; stroke = pet; comfort = console; remove = take off; raise = lift;
        exit = leave; fetch = retrieve; smell = sniff; examine = inspect; prune = trim; prepare = make; switch on =
        turn on; switch off = turn off; strike = hit; scale = climb; chop down = cut down; take apart = disassemble;
        put together = assemble; blow up = inflate; wash = bathe; burst = pop; collect = gather; hide = conceal;
        welcome = greet
    """,
    "adjective": """
        large = big; little = small; cheerful = happy; unhappy = sad; elderly = old; skinny = thin; wealthy = rich;
        well-known = famous; costly = expensive; tasty = delicious
    """,
    "adverb": """
        rapidly = quickly; swiftly = quickly; noisily = loudly; silently = quietly; cautiously = carefully;
        cheerfully = happily; joyfully = happily; softly = gently; expertly = skillfully; awkwardly = clumsily;
        elegantly = gracefully; enthusiastically = eagerly; anxiously = nervously; unwillingly = reluctantly
    """,
    "adjunct": """
        in the woods = in the forest; through the woods = through the forest; outside = outdoors; inside = indoors;
        by a lake = near a lake; by a river = near a river; along a trail = along a path; in front of an audience =
        in front of a crowd; at the beach = on the beach
    """,
}

_HYPERNYMS = {
    "noun": """
        boy, girl, baby, toddler > child; child, man, woman, teenager > person; schoolboy > boy; schoolgirl > girl;
        schoolboy, schoolgirl > student; mother, grandmother, waitress, policewoman > woman; father, grandfather,
        waiter, policeman, fireman, cowboy > man; policeman, policewoman > police officer; fireman > firefighter;
        chef > cook; cook, gardener, farmer, soldier, nurse, teacher, tourist > person; musician, student, worker,
        doctor, artist, athlete, performer, police officer, firefighter > person; rancher > farmer; lawyer, clerk,
        scientist, librarian, dentist, veterinarian, hiker > person; biologist, chemist > scientist; surgeon >
        doctor; carpenter, plumber, electrician, mechanic, builder, welder > worker; painter, sculptor > artist;
        guitarist, drummer, pianist, violinist > musician; gymnast, boxer, skier, wrestler, soccer player > athlete;
        clown, magician, acrobat, juggler > performer; puppy, terrier, poodle, collie, beagle, bulldog > dog;
        kitten, tomcat > cat; stallion, mare > horse; dog, cat, horse, bird, donkey, camel, elephant, cow, goat,
        sheep, pig, monkey, ape, rodent > animal; rabbit, calf, bear, lion, tiger, leopard, wolf, fox, deer,
        dolphin, seal, whale, reptile, otter > animal; grizzly > bear; lamb, ram > sheep; lioness > lion; duck,
        goose, swan, parrot, sparrow, crow, eagle, hawk, seagull, pigeon, owl, chicken > bird; robin > bird; hen,
        rooster > chicken; duckling > duck; parakeet > parrot; baboon > monkey; gorilla, chimpanzee > ape; squirrel,
        mouse, rat, hamster > rodent; lizard, snake, turtle, crocodile > reptile; iguana > lizard; python, cobra >
        snake; fawn > deer; onion, carrot, potato, cucumber, eggplant, zucchini, cabbage, radish, turnip, sweet
        potato > vegetable; apple, banana, orange, pear, peach, mango, lemon, plum, melon > fruit; watermelon >
        melon; beef, pork, ham, bacon > meat; bread, cheese, rice, pasta, meat > food; spaghetti, macaroni > pasta;
        cake, pie, pudding > dessert; cheesecake, chocolate cake, birthday cake > cake; apple pie > pie;
        cheeseburger > hamburger; sandwich, pizza, hamburger, dessert, cookie, doughnut, muffin, pancake > food;
        coffee, tea, juice, milk, lemonade, soda > beverage; orange juice, apple juice > juice; green tea > tea;
        bucket, bottle, jar, box, basket, bag, barrel, bowl, pitcher > container; wine bottle > bottle; garage door,
        front door, back door > door; suitcase, backpack > bag; cardboard box > box; car, truck, van, bus, taxi,
        tractor, motorcycle > vehicle; jeep, sports car, limousine > car; fire truck > truck; canoe, kayak, rowboat,
        sailboat, ferry > boat; mountain bike > bicycle; baseball, basketball, soccer ball, tennis ball, golf ball,
        beach ball > ball; pebble > stone; rocking chair, armchair > chair; coffee table > table; desk lamp > lamp;
        laptop > computer; washing machine, sewing machine > machine; shopping cart > cart; house, barn, church,
        museum, library, store > building; cottage, cabin > house; bookstore, bakery > store; stone wall, brick wall
        > wall; wooden bridge > bridge; novel, textbook, cookbook, dictionary, comic book > book; fairy tale >
        story; love letter > letter; portrait, landscape > picture; lullaby, ballad, carol, hymn > song;
        documentary, comedy, cartoon > movie; guitar, violin, cello, banjo, harp, flute, trumpet, saxophone,
        clarinet, piano, drum, accordion > instrument; tennis, basketball, baseball, golf, hockey, volleyball,
        soccer > sport; chess, checkers, poker > game; cap, straw hat, top hat > hat; raincoat, overcoat > coat;
        coat, jacket, sweater, shirt, dress > garment; boot, sneaker, sandal > shoe; jeans > pants; sunglasses >
        glasses; T-shirt > shirt; bath towel > towel; rose, tulip, daisy, sunflower, lily > flower; oak, maple,
        pine, willow, palm > tree; flower, bush > plant; acorn, walnut, peanut > nut; beetle, grasshopper, cricket >
        insect; trout, salmon, carp > fish
    """,
    "verb": """
        slice, chop, dice > cut; saw > cut; fry, boil, grill, roast, steam > cook; devour, nibble, swallow > eat;
        sip, gulp down > drink; wash, scrub, wipe > clean; sweep, mop, vacuum > clean; hoist > lift; shove > push;
        drag, tow, haul > pull; hurl, fling > throw; dribble > bounce; strum > play; jog, sprint > run; stroll,
        march, hike, wander, limp > walk; hop > jump; waltz > dance; nap, doze > sleep; giggle, chuckle > laugh; sob
        > cry; chat, whisper > talk; scribble > write; punch > hit; gallop > run; stare at, gaze at, glance at >
        look at; cuddle > hug; shatter, smash > break; perch > sit; skim > read; knit > make; slither > crawl
    """,
    "adjective": """
        huge, enormous > big; tiny > small; exhausted > tired; soaked > wet; muddy, filthy > dirty; ancient > old;
        delighted > happy; furious > angry; scarlet > red; navy > blue
    """,
    "adverb": "furiously > angrily; lovingly > gently",
    "adjunct": """
        in the living room, in the bedroom, in the library, in a classroom, in a gym > indoors; in the park, in the
        garden, in a field, on the beach, in the backyard > outdoors; across a muddy field > across a field; along a
        mountain path > along a path; up a steep hill > up a hill; down a steep hill > down a hill; in a small lake
        > in a lake; in a shallow river > in a river; on a wooden bench > on a bench; on a big rock > on a rock; on
        a leather couch > on a couch
    """,
}

_ANTONYMS = {
    "verb": """
        open - close; lock - unlock; fill - empty; lift - lower; pick up - put down; load - unload; pack - unpack;
        push - pull; throw - catch; fix - break; build - demolish; assemble - disassemble; buy - sell; put on - take
        off; fold - unfold; button up - unbutton; zip up - unzip; tie - untie; wrap - unwrap; plant - dig up; dig -
        fill in; turn on - turn off; inflate - deflate; enter - leave; get on - get off; climb up - climb down;
        laugh - cry; shout - whisper; smile - frown; praise - scold; catch - release; bury - dig up; plug in -
        unplug; roll up - unroll; start - stop; follow - lead; tighten - loosen; hang up - take down; heat - cool;
        cover - uncover; reveal - hide; screw in - unscrew
    """,
    "adjective": """
        tall - short; young - old; happy - sad; big - small; heavy - light; long - short; clean - dirty; new - old;
        wet - dry; hot - cold; rich - poor; fresh - stale; ripe - unripe; thick - thin; high - low; deep - shallow;
        full - empty; cheap - expensive; wide - narrow; tame - wild; fast - slow; bright - dim; famous - unknown;
        angry - calm; sweet - sour; polite - rude; shy - confident; black - white
    """,
    "adverb": """
        quickly - slowly; loudly - quietly; happily - sadly; carefully - carelessly; gently - roughly; gracefully -
        clumsily; eagerly - reluctantly; calmly - nervously; patiently - impatiently; neatly - sloppily; angrily -
        calmly; energetically - lazily; clumsily - skillfully
    """,
    "adjunct": """
        indoors - outdoors; upstairs - downstairs; up a hill - down a hill; in front of the house - behind the
        house; at night - during the day; in the sun - in the shade; on the table - under the table; on the bed -
        under the bed
    """,
}

_COHYPONYMS = {
    "verb": "sit - stand - lie down - kneel; run - walk; buy - borrow; boil - grill - roast; trot - gallop",
    "adjective": """
        red - blue - green - yellow; wooden - metal - plastic; cotton - woolen; gray - brown - white; gray - black;
        brown - black
    """,
    "adjunct": "in a lake - in a swimming pool; on the floor - on a couch",
}


def _split(text: str, separator: str) -> list[str]:
    return [" ".join(word.split()) for word in text.split(separator)]


def _parse_links() -> Iterator[Link]:
    for part, text in _SYNONYMS.items():
        for entry in _split(text, ";"):
            left, right = _split(entry, "=")
            yield Link("synonym", part, left, right)
    for part, text in _HYPERNYMS.items():
        for entry in _split(text, ";"):
            hyponyms, hypernym = _split(entry, ">")
            yield from (Link("hypernym", part, word, hypernym) for word in _split(hyponyms, ","))
    for relation, tables in (("antonym", _ANTONYMS), ("cohyponym", _COHYPONYMS)):
        for part, text in tables.items():
            for entry in _split(text, ";"):
                yield from (Link(relation, part, left, right) for left, right in combinations(_split(entry, " - "), 2))


LINKS: tuple[Link, ...] = tuple(_parse_links())
"""The relations listed in this module; :func:`related` adds those that follow from them."""


@cache
def _neighbours(relation: str, part: str) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for link in LINKS:
        if (link.relation, link.part) == (relation, part):
            table.setdefault(link.left, []).append(link.right)
            if relation != "hypernym":
                table.setdefault(link.right, []).append(link.left)
    return table


def _closure(word: str, *tables: dict[str, list[str]]) -> tuple[str, ...]:
    """Return all words that can be reached from ``word``, nearest first, without ``word`` itself."""
    reached = [word]
    for current in reached:
        reached += [other for table in tables for other in table.get(current, ()) if other not in reached]
    return tuple(reached[1:])


@cache
def _hyponyms(part: str) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for word in dict.fromkeys(side for link in LINKS if link.part == part for side in (link.left, link.right)):
        for hypernym in related("hypernym", part, word):
            table.setdefault(hypernym, []).append(word)
    return table


@cache
def related(relation: str, part: str, word: str) -> tuple[str, ...]:
    """Return the synonyms, hypernyms, hyponyms, antonyms or cohyponyms of a word.

    Synonymy and hypernymy are transitive. Synonyms have the same antonyms and cohyponyms.
    """
    synonym_table = _neighbours("synonym", part)
    synonyms = _closure(word, synonym_table)
    if relation == "synonym":
        return synonyms
    if relation == "hypernym":
        hypernyms = _closure(word, synonym_table, _neighbours("hypernym", part))
        return tuple(other for other in hypernyms if other not in synonyms)
    if relation == "hyponym":
        return tuple(_hyponyms(part).get(word, ()))
    table = _neighbours(relation, part)
    excluded = (other for name in (word, *synonyms) for other in table.get(name, ()))
    return tuple(dict.fromkeys(name for other in excluded for name in (other, *_closure(other, synonym_table))))
