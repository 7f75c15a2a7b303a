"""Lexical entailments: words, related words that imply them, and related words that do not."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """A word of a hypothesis, words that imply it, related words that do not, and contexts that fit all of them."""

    word: str
    implied_by: tuple[str, ...]
    not_implied_by: tuple[str, ...]
    contexts: tuple[str, ...]


def _entries(text: str) -> tuple[Entry, ...]:
    rows = ([tuple(field.split(", ")) for field in line.split(" | ")] for line in text.strip().splitlines())
    return tuple(Entry(word[0].strip(), *rest) for word, *rest in rows)


VERBS = _entries("""
walked | strolled, marched, limped | drove, cycled, swam | through the park, along the river, into the garden
ran | sprinted, jogged | crawled, climbed, cycled | through the park, along the river, into the garden, onto the stage
spoke | whispered, shouted, mumbled | smiled, waved, nodded | on the train, in the kitchen, in the hall
laughed | giggled, chuckled | yawned, sighed, nodded | during the lesson, in the kitchen, on the train, in the hall
cried | sobbed, wept | smiled, yawned, nodded | during the lesson, in the kitchen, on the train, in the hall
slept | dozed, napped | rested, sang, waited | on the sofa, in the kitchen, on the train, in the hall
jumped | leapt, hopped | stepped, climbed, crawled | over the fence, onto the stage, into the garden
looked | gazed, stared, glanced | pointed, waved, smiled | at the moon, at the painting, at the clock
bought | purchased | sold, borrowed, rented, stole | the cottage, the piano, the boat, the tractor, the bicycle
sold | auctioned off | bought, offered, lent, advertised | the cottage, the piano, the boat, the tractor, the bicycle
killed | murdered, assassinated, poisoned fatally | wounded, threatened, arrested | the guard, the mayor, the farmer
moved | pushed, dragged, pulled, carried away | touched, painted, inspected | the wardrobe, the crate, the bench
broke | smashed, shattered | dropped, touched, kicked | the vase, the window, the mirror, the bottle
cleaned | scrubbed, washed | entered, painted, measured | the floor, the kitchen, the window, the mirror
cut | sliced, chopped, diced | weighed, peeled, washed | the onions, the carrots, the mushrooms, the potatoes
cooked | boiled, fried, roasted, grilled | washed, bought, peeled | the onions, the carrots, the mushrooms, the potatoes
ate | devoured, gobbled up | served, ordered, prepared | the bread, the pizza, the pie, the cake
drank | sipped, gulped down | poured, ordered, spilled | the juice, the tea, the lemonade, the coffee
threw | hurled, flung, tossed | caught, held, kicked | the ball, the stone, the bottle, the snowball
helped | assisted, aided | met, watched, thanked | the guard, the mayor, the farmer, the sailor, the tourist
hit | punched, slapped, smacked | threatened, pushed, scolded | the guard, the mayor, the farmer, the sailor
repaired | fixed, mended | damaged, inspected, painted | the bridge, the barn, the fence, the shed
built | constructed, erected | planned, drew, demolished | the bridge, the barn, the fence, the shed
destroyed | demolished, annihilated, burned to the ground | damaged, painted, rented | the bridge, the barn, the fence
damaged | scratched, dented | polished, touched, inspected | the car, the boat, the crate, the bench, the piano
found | discovered, located | looked for, lost, hid, described | the ring, the map, the key, the letter
hid | concealed | found, showed, opened, stole | the ring, the map, the key, the letter
closed | shut, slammed | opened, painted, touched | the door, the gate, the window, the drawer
frightened | terrified, scared | amused, greeted, surprised | the guard, the mayor, the farmer, the sailor, the tourist
criticized | condemned, denounced | described, praised, quoted | the plan, the speech, the decision, the report
praised | lauded, applauded | described, criticized, quoted | the plan, the speech, the decision, the report
phoned | called up, rang up | visited, emailed, met | the guard, the mayor, the farmer, the sailor, the tourist
changed | altered, modified, amended | read, copied, printed | the report, the speech, the plan, the decision
made | baked, prepared | bought, ordered, tasted | the cake, the pie, the bread, the pizza
taught | instructed, tutored | paid, phoned, admired | the apprentice, the recruits, the beginners, the choir
took | snatched, grabbed | gave back, offered, described | the ring, the map, the key, the letter
""")
"""Verbs in the past tense; the contexts are objects or places."""

ADJECTIVES = _entries("""
large | huge, enormous, gigantic | old, red, wooden | house, garden, bag, castle, tower
small | tiny, minute | old, red, wooden | house, garden, bag, stone
angry | furious, enraged | tired, tall, young | teacher, customer, driver, neighbour
happy | overjoyed, delighted | tired, tall, young | teacher, customer, driver, neighbour
tired | exhausted, worn-out | angry, tall, young | teacher, customer, driver, neighbour
beautiful | gorgeous, stunning | cheap, old, new | house, garden, dress, valley
cold | freezing, icy | salty, brown, deep | soup, water, drink, lake
hot | scalding, boiling | salty, brown, sweet | soup, tea, drink, water
dirty | filthy, grimy | old, small, green | kitchen, shirt, car, carpet
wet | soaked, drenched | old, small, green | coat, shirt, towel, carpet
bad | terrible, awful, dreadful | long, new, short | film, book, play, song
good | excellent, superb, outstanding | long, new, short | film, book, play, song
frightened | terrified, petrified | tired, tall, young | child, horse, witness, sailor
hungry | starving, famished | tired, tall, young | child, horse, traveller, sailor
wealthy | rich, affluent | famous, old, polite | lawyer, merchant, actor, widow
intelligent | brilliant, clever, smart | friendly, old, polite | lawyer, student, actor, widow
strange | weird, bizarre, odd | long, new, short | story, dream, message, letter
expensive | costly, pricey | new, blue, small | watch, ring, carpet, violin
red | scarlet, crimson | new, large, expensive | dress, scarf, car, carpet
old | ancient, centuries-old | famous, stone, dark | castle, chapel, tower, bridge
sick | feverish, diseased | old, worried, friendly | child, horse, sailor
funny | hilarious, very amusing | long, new, short | speech, cartoon, sketch, poem
quick | rapid, swift | polite, written, long-awaited | reply, reaction, decision, discovery
important | crucial, vital, essential | recent, secret, early | meeting, decision, document, discovery
""")
"""Adjectives; the contexts are nouns."""

ADVERBS = _entries("""
quickly | rapidly, swiftly, hastily | quietly, carefully, gladly | opened the box, left the room, read the letter
quietly | silently, noiselessly | quickly, gladly, often | opened the box, left the room, closed the door
happily | joyfully, gleefully | quickly, quietly, alone | opened the present, sang the song, told the story
often | frequently, regularly, very often | once, seldom, twice | visited the museum, called the office, missed the bus
carefully | cautiously, meticulously | quickly, alone, gladly | opened the box, copied the map, packed the glasses
""")
"""Adverbs; the contexts are verb phrases."""
