"""Activities: which subjects, verbs, objects, adjuncts and adverbs can be combined in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from trivium.data.sources.builtin.noun_classes import NOUN_CLASSES, NounClass
from trivium.data.sources.builtin.words import related

MANNERS: dict[str, tuple[str, ...]] = {
    manner: tuple(adverbs.split())
    for manner, adverbs in {
        "speed": "quickly rapidly swiftly slowly",
        "care": "carefully cautiously carelessly",
        "noise": "loudly noisily quietly silently",
        "volume": "loudly quietly",
        "quiet": "quietly silently",
        "mood": "happily cheerfully joyfully sadly",
        "force": "gently roughly",
        "touch": "gently softly roughly",
        "grace": "gracefully elegantly clumsily awkwardly",
        "skill": "skillfully expertly clumsily awkwardly",
        "will": "eagerly enthusiastically reluctantly unwillingly",
        "nerves": "calmly nervously anxiously",
        "patience": "patiently impatiently",
        "order": "neatly sloppily",
        "energy": "energetically lazily",
        "temper": "angrily furiously calmly",
        "love": "gently lovingly roughly",
    }.items()
}
"""Adverbs by the manner that they describe. Adverbs of the same manner are not independent."""

PLACES: dict[str, tuple[str, ...]] = {
    group: tuple(places.split(", "))
    for group, places in {
        "kitchen": "in the kitchen, at the counter, for a friend",
        "knife": "with a sharp knife, on a wooden board, for a salad",
        "home": "in the living room, in the bedroom, indoors, inside, upstairs, downstairs, at home",
        "yard": "in the garden, in the backyard, outdoors, outside, behind the house, in front of the house",
        "lot": "in the garden, in the backyard, behind the house, in front of the house, in the rain",
        "park": "in the park, in a field, outdoors, outside, near a lake, by a lake, under a tree",
        "street": "on the street, in front of a store, near a bus stop, in a parking lot, in the rain",
        "stage": "on a stage, in front of a crowd, in front of an audience, at a party, in the park, outdoors, indoors",
        "workshop": "in a garage, in a workshop, behind the house, in front of the house, in the sun, in the shade",
        "reading": "in the library, in a classroom, in the park, on a bench, on a wooden bench, indoors, outdoors",
        "seat": "on a bench, on a wooden bench, on a rock, on a big rock, near a window, under a tree, in the sun, "
        "in the shade, on the grass",
        "bed": "on a couch, on a leather couch, on the floor, in a tent, under a tree, upstairs, downstairs",
        "path": "through the forest, through the woods, along a path, along a trail, along a mountain path, "
        "across a field, across a muddy field, along the beach, up a hill, up a steep hill, down a hill, "
        "down a steep hill",
        "nature": "in the forest, in the woods, near a river, by a river, in a field, near a lake, in the sun, "
        "in the shade",
        "pool": "in a lake, in a small lake, in a river, in a shallow river, in a swimming pool",
        "beach": "on the beach, at the beach, near a lake, in the sun, in the shade",
        "time": "at night, during the day",
        "lair": "on the bed, under the bed, on the table, under the table",
        "road": "through the city, along the coast, in the rain, on a bumpy road",
        "gym": "in a gym, in the park, indoors, outdoors, in the backyard",
        "barnyard": "in a barn, in a field, behind the house, in front of the house, near a river, by a river",
        "class": "in a classroom, on a blackboard",
        "town": "in the city, with a friend, in the rain",
        "branch": "on a branch, on a fence, on a roof, on a rock, on a big rock, in the sun, in the shade",
        "sea": "in the ocean, near the shore, near a boat",
        "sky": "over the city, over a lake, above the trees",
    }.items()
}
"""Adjuncts by the group of activities that they fit."""


@dataclass(frozen=True)
class Activity:
    """Verbs, and the subjects, objects, adjuncts and adverbs that each of them can have.

    ``excluded_dimensions`` are dimensions of adjectives that would be redundant or absurd (an empty bucket that is
    being emptied). With ``own_objects``, each subject has an object of its own (two men are putting on hats). With
    ``single_object``, there is only one object.
    """

    verbs: tuple[str, ...]
    subject_classes: tuple[NounClass, ...]
    object_classes: tuple[NounClass, ...]
    adjuncts: tuple[str, ...]
    manners: tuple[str, ...]
    excluded_dimensions: tuple[str, ...] = ()
    passive: bool = True
    own_objects: bool = False
    single_object: bool = False
    needs_adjunct: bool = False

    @cached_property
    def subjects(self) -> dict[str, NounClass]:
        """The class of each noun that can be the subject."""
        return {noun: noun_class for noun_class in reversed(self.subject_classes) for noun in noun_class.nouns}

    @cached_property
    def objects(self) -> dict[str, NounClass]:
        """The class of each noun that can be the object."""
        return {noun: noun_class for noun_class in reversed(self.object_classes) for noun in noun_class.nouns}

    @cached_property
    def general_subjects(self) -> tuple[tuple[str, NounClass], ...]:
        """The subjects that are hypernyms of another subject."""
        return _general(self.subjects)

    @cached_property
    def general_objects(self) -> tuple[tuple[str, NounClass], ...]:
        """The objects that are hypernyms of another object."""
        return _general(self.objects)

    @cached_property
    def reversible(self) -> bool:
        """Whether subject and object can be swapped, because both can be of the same class."""
        return any(noun_class in self.subject_classes for noun_class in self.object_classes)

    @cached_property
    def adverbs(self) -> tuple[str, ...]:
        """All adverbs of its manners."""
        return tuple(dict.fromkeys(chain.from_iterable(MANNERS[manner] for manner in self.manners)))


def _general(nouns: dict[str, NounClass]) -> tuple[tuple[str, NounClass], ...]:
    return tuple(
        (noun, noun_class)
        for noun, noun_class in nouns.items()
        if any(other in nouns for other in related("hyponym", "noun", noun))
    )


def _noun_classes(names: str) -> tuple[NounClass, ...]:
    return tuple(NOUN_CLASSES[name] for name in names.split())


_COLUMNS = ("verbs", "subjects", "objects", "places", "manners", "excluded", "marks")

# One activity per line: verbs | subjects | objects | places | manners | excluded dimensions | marks.
# The marks are active (no passive), solo (own objects), one (single object) and placed (needs an adjunct).
_TABLE = """
slice, cut, chop, dice | adult family cook | vegetable | kitchen knife | speed care skill
slice, cut | adult child cook | fruit lemon | kitchen knife | speed care
peel | adult family cook child | vegetable fruit | kitchen | speed care patience
cook, fry, boil, grill, roast, steam | adult family cook | vegetable meat | kitchen | speed care | freshness
make, prepare | adult family teen | dessert pastry food | kitchen home | mood patience | taste freshness
bake | adult family cook teen | dessert pastry bread | kitchen home | mood patience | taste freshness
make, knit | adult family | knitwear | home | speed skill patience | wetness newness
make, prepare | adult family cook | dish food | kitchen | speed care | taste heat
eat, devour, nibble | adult family child teen | dish dessert pastry food | park home | mood noise || solo
eat | adult child musician rescuer traveler | staple bread meat food | park home | speed mood noise
drink, sip | adult family child teen | drink beverage | park home street | noise mood || solo
drink, gulp down | child pupil athlete rescuer adult | water drink beverage | park gym | noise || solo
heat, cool | adult cook family | soup | kitchen | care patience | heat
fill, empty | adult child farmer worker | container | yard | speed care | weight fullness
wash, clean, scrub, wipe | adult family cook teen | crockery | kitchen | speed care | dirt newness
break, shatter, smash | adult child | crockery | yard | temper | dirt
open, close, shut | adult family child rescuer | door window | home | speed care touch noise | width | one
lock, unlock | adult family rescuer teen | door | time | speed care noise | width | one
pack, unpack | adult family traveler pupil | case | home | speed care | weight
clean, sweep, mop | adult family teen worker | surface | time | speed care energy | dirt
clean, vacuum | adult family teen | rug | home | speed care energy | dirt
wash, clean | adult family teen worker | vehicle motorcycle | lot | speed care energy | dirt
turn on, turn off, switch on, switch off | adult family child | device lamp | home | speed nerves | brightness
plug in, unplug | adult teen worker | device | home | speed care
fold, unfold | adult family child | cloth shirt | home yard | speed care order | wetness
roll up, unroll | adult family worker | cloth | home | speed care order
hang up, take down | adult family artist | art towel | home | speed care | fame
wrap, unwrap | adult family child | gift | home | speed care mood | cost
tie, untie | adult child rescuer farmer | cord | yard | speed care patience
assemble, put together, disassemble, take apart | adult worker | furniture machine | workshop | speed care | newness
screw in, unscrew, tighten, loosen | adult worker | bolt | workshop | speed care | newness
cover, uncover | adult family worker | furniture vehicle | yard | speed care | speed
lift, raise, lower, hoist | adult worker athlete rescuer | load | workshop yard | speed care energy
pick up, put down | adult child worker traveler | load case gift | street yard | speed care force
carry | adult child worker traveler rescuer | load case | street path | speed care energy || solo
load, unload | adult worker farmer | cart vehicle boat | lot | speed care energy | fullness speed
push, shove, pull, drag | adult child worker farmer | cart furniture | street yard | energy
push, pull, tow | adult worker farmer | vehicle | street | speed energy | speed | one
fix, repair, mend, break | adult worker teen | machine | workshop | speed | newness
fix, repair | adult worker family | vehicle motorcycle bicycle boat | workshop | speed care skill patience | speed
build, construct, demolish, tear down | adult worker farmer | house wall bridge | nature | speed care | newness
build, demolish | child family teen | model | beach lot | speed care mood
paint | adult worker family | wall house door furniture | lot | speed care skill | newness color
plant, dig up | adult family farmer | flower bush tree | lot | speed care | height age size
water | adult family farmer child | flower bush tree | lot | speed care patience
trim, prune | adult family farmer | bush | lot | speed care skill patience
cut down, chop down | adult worker farmer | tree | lot nature | speed care energy | | one
dig, fill in | adult worker farmer child | hole | lot | speed energy
saw, cut | adult worker farmer | plank | workshop | speed care skill
buy, sell | adult family farmer artist | vehicle bicycle flower art | town | will nerves | fame speed
buy, purchase, sell | adult family | shirt coat hat | town | will | wetness dirt
buy, borrow | adult pupil scholar family | book | town | will
inflate, blow up, deflate | adult child family | balloon | beach yard | speed patience | size
inspect, examine | adult scholar rescuer | machine art statue vehicle | time | care speed patience | speed
throw, toss, hurl, catch | adult child teen athlete | ball | park beach | skill energy grace || solo
throw, toss, fling | adult child teen | missile | beach park | energy mood || solo
bounce, dribble | child teen athlete adult | bouncer | gym | speed skill energy || solo
kick | child teen athlete adult | football | gym beach | skill energy | dirt | solo
hit, strike, punch | athlete adult teen | bag | gym | energy skill || solo
play | adult child teen family | instrument | stage home | skill volume mood || solo
play, strum | adult teen child performer | strings | stage home | skill volume || solo
play | adult child teen rescuer | sport game | gym town | skill mood energy
play | adult family scholar pupil | boardgame pastime | home | skill mood noise
ride | adult family child teen | horse mount animal | beach path | speed skill mood | strength hunger | solo
ride | adult child teen pupil | bicycle | road path | speed care skill || solo
drive | adult family traveler | vehicle | road time | speed care skill | size speed | solo
start, stop | adult family worker | vehicle motorcycle | street | nerves || solo
draw | adult child artist pupil | picture flower tree house | park home | speed care skill | newness age
paint | adult child musician | picture | park home | speed care skill
read, skim | adult child scholar family pupil | book paper text | reading | quiet patience || solo
write, scribble | adult child scholar teen | text | reading | quiet mood || solo
sing | adult child teen family | song | stage | volume mood
watch | adult child teen family | movie | home | patience mood quiet || one
look at, stare at, gaze at, glance at | adult child traveler | art statue building house | street | nerves || active
put on, take off, remove | adult child rescuer teen | hat coat shoe | home street | speed care will | newness | solo
put on, take off, remove | adult child teen | trousers eyewear | home | speed care will | newness length
button up, unbutton, zip up, unzip | adult child teen | coat | street | speed care | newness | solo
enter, leave, exit | adult traveler rescuer teen | building house | time | speed noise nerves || active one
get on, get off | adult traveler pupil family | transport | time | speed nerves patience | speed | active one
climb up, climb down | adult child teen rescuer | climb tree wall | lot | speed care skill | age length | active one
climb, scale | adult traveler athlete | slope wall | time | speed care skill | length | one
jump over, leap over | child teen athlete adult | obstacle | gym | grace skill || active one
catch, release | adult child farmer | fish | nature | speed care skill
pop, burst | child teen performer | bubble | stage | mood || solo
hide, conceal, reveal | adult child family | gift art | home | nerves | cost fame
run, jog, sprint, walk, stroll, march | adult child teen athlete | | path time | grace
run, walk | adult child teen rescuer | | time | speed energy
walk, wander, limp, hike | adult traveler rescuer | | path time | quiet nerves
jump, leap, hop | child teen athlete performer | | gym beach | energy mood grace
dance, waltz | adult family teen | | stage | grace mood energy skill
sit, stand, lie down, kneel | adult family child teen musician | | seat | patience quiet | height | placed
sleep, nap, doze | adult family child baby traveler | | bed | | energy mood temper
laugh, giggle, chuckle, cry, weep, sob | adult child teen family | | seat | noise | mood temper energy
talk, speak, chat, whisper, shout, yell | adult teen pupil | | street reading | mood | mood temper shyness
smile, frown | adult child teen family | | seat | nerves | mood temper
swim | adult child teen athlete | | pool time | speed grace energy | wetness
crawl | baby | | bed | speed mood
hug, embrace, cuddle | adult family child | child baby adult family | park home | mood | hunger
hug, embrace | adult family child | dog cat rabbit | park home | force mood | hunger
greet, welcome | adult family child | adult child family teen | street | mood noise | wealth temper
tickle | adult family child | child adult | park home | mood force | wealth temper
kiss | family adult | baby child | park home | mood | temper
pet, stroke | adult family child | dog cat rabbit horse | park yard | love patience | hunger strength
chase, pursue | adult child rescuer | child dog cat adult | park street | speed energy | wealth hunger
follow, lead | adult child traveler farmer | dog horse child adult | path street | speed quiet | hunger
watch, observe | adult child traveler scholar | bird waterbird ape rodent animal | nature | patience quiet | hunger
watch, observe | adult family traveler | child dog musician performer | park | patience quiet | hunger fame
help, assist | adult rescuer medic teen | child adult farmer pupil | street | patience will | wealth temper manners
praise, scold | adult family scholar | child teen pupil | home | volume
console, comfort | adult family medic | child baby teen | home | patience | mood
feed | adult family farmer child | dog cat horse cattle poultry animal | barnyard | patience care | hunger
bathe, wash | adult family | dog cat baby | home | love care | dirt wetness hunger
examine, inspect | vet adult scholar | dog cat horse animal | barnyard | care patience | hunger
examine | medic | child adult baby | time | care patience | mood temper
photograph | adult traveler artist | bird bear building adult traveler | nature | speed care | hunger
run, walk | bigcat bear animal | | path | speed quiet
run, walk, trot | dog animal woodland | | path | speed energy
run, gallop, trot | horse animal | | path | grace | hunger
sleep, nap, doze | dog cat animal | | lair bed | | hunger
sit, stand, lie down | dog cat animal | | lair seat | patience quiet || placed
lie down, stand | bigcat bear animal | | nature | quiet || placed
chase, pursue | dog animal | dog cat rodent rabbit child adult | yard | speed noise | wetness mood temper
chase, pursue | cat animal | rodent rabbit | yard | speed quiet | wetness
chase, pursue | bigcat animal | woodland rabbit | nature | speed quiet | wetness
follow | dog cat cattle | child adult dog cat | path yard | speed quiet | hunger mood temper
watch, observe | cat dog | rodent bird rabbit child adult | yard | patience quiet | mood temper
watch, observe | raptor bird | rodent rabbit bug animal | nature | patience quiet
lick, sniff, smell | dog cat | child adult dog cat | park yard | touch speed | hunger mood temper
chew, bury, dig up | dog animal | bone | yard | speed noise
retrieve, fetch | dog animal | ball missile | park beach | speed mood energy | hunger wetness dirt
jump over, leap over | dog horse animal | obstacle | yard | grace speed | hunger | active one
swim | dog waterbird animal | | pool | speed grace | wetness hunger
swim | swimmer turtle animal reptile | | sea | speed grace | wetness hunger
eat, devour | dog cat animal | meat | yard | noise
eat, devour | bigcat animal | flesh | nature | noise
eat, swallow | snake reptile animal | rodent | nature | speed quiet
eat, nibble | rodent rabbit ape animal | nut fruit | nature | speed noise
eat, nibble | horse cattle mount rabbit animal | fodder | barnyard | speed noise
eat, devour | bird poultry animal lizard | bug | nature | noise
drink | dog cat horse cattle mount animal | water | yard | speed noise | wetness
catch, eat, devour | bear swimmer animal | fish | nature | skill | wetness
climb | cat ape rodent animal | tree | nature | speed skill | | active one
climb up, climb down | cat ape | tree | lot | speed skill | | active one
crawl | turtle lizard reptile animal | | nature | speed quiet
sit, perch | bird raptor animal | | branch | quiet patience || placed
fly | bird raptor animal | | sky | speed grace
pull, drag, haul | horse mount animal | cart | path | speed energy | strength
crawl, slither | reptile snake animal | | nature | speed quiet | hunger
hide, conceal, collect, gather, bury | rodent | nut | nature | speed
build | bird raptor animal | nest | nature | speed skill patience || one
"""


def _activity(line: str) -> Activity:
    cells = [cell.strip() for cell in line.split("|")]
    cell = dict(zip(_COLUMNS, cells + [""] * (len(_COLUMNS) - len(cells)), strict=True))
    return Activity(
        verbs=tuple(cell["verbs"].split(", ")),
        subject_classes=_noun_classes(cell["subjects"]),
        object_classes=_noun_classes(cell["objects"]),
        adjuncts=tuple(dict.fromkeys(chain.from_iterable(PLACES[group] for group in cell["places"].split()))),
        manners=tuple(cell["manners"].split()),
        excluded_dimensions=tuple(cell["excluded"].split()),
        passive="active" not in cell["marks"],
        own_objects="solo" in cell["marks"],
        single_object="one" in cell["marks"],
        needs_adjunct="placed" in cell["marks"],
    )


ACTIVITIES: tuple[Activity, ...] = tuple(_activity(line) for line in _TABLE.strip().splitlines())
"""All activities, in a fixed order."""
