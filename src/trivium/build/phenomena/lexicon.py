"""Lexical entailments: words, and words that imply them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """A word of a hypothesis, words that imply it, and contexts that fit all of them."""

    word: str
    implied_by: tuple[str, ...]
    contexts: tuple[str, ...]


def _entries(text: str) -> tuple[Entry, ...]:
    rows = ([tuple(field.split(", ")) for field in line.split(" | ")] for line in text.strip().splitlines())
    return tuple(Entry(word[0].strip(), *rest) for word, *rest in rows)


VERBS = _entries("""
walked | strolled, marched, limped | through the park, along the river, into the garden
ran | sprinted, jogged | through the park, along the river, into the garden, onto the stage
spoke | whispered, shouted, mumbled | on the train, in the kitchen, in the hall
laughed | giggled, chuckled | at the painting, at the clock, in the kitchen, on the train, in the hall
cried | sobbed, wept | during the lesson, in the kitchen, on the train, in the hall
slept | dozed, napped | on the sofa, in the kitchen, on the train, in the hall
jumped | leapt, hopped | over the fence, onto the stage, into the garden
looked | gazed, stared, glanced | at the moon, at the painting, at the clock
bought | purchased | the cottage, the piano, the boat, the tractor, the bicycle
sold | auctioned off | the cottage, the piano, the boat, the tractor, the bicycle
killed | murdered, assassinated, poisoned fatally | the guard, the mayor, the farmer
moved | pushed, dragged, pulled, carried away | the wardrobe, the crate, the bench
broke | smashed, shattered | the vase, the window, the mirror, the bottle
cleaned | scrubbed, washed | the floor, the kitchen, the window, the mirror
cut | sliced, chopped, diced | the onions, the carrots, the mushrooms, the potatoes
cooked | boiled, fried, roasted, grilled | the onions, the carrots, the mushrooms, the potatoes
ate | devoured, gobbled up | the bread, the pizza, the pie, the cake
drank | sipped, gulped down | the juice, the tea, the lemonade, the coffee
spilled | poured out by accident, knocked over | the juice, the tea, the lemonade, the coffee
threw | hurled, flung, tossed | the ball, the stone, the bottle, the snowball
helped | assisted, aided | the apprentice, the recruits, the beginners, the guard, the mayor, the farmer, the tourist
hit | punched, slapped, smacked | the guard, the mayor, the farmer, the sailor
repaired | fixed, mended | the bridge, the barn, the fence, the shed
built | constructed, erected | the bridge, the barn, the fence, the shed
destroyed | demolished, annihilated, burned to the ground | the bridge, the barn, the fence
damaged | scratched, dented | the car, the boat, the crate, the bench, the piano
found | discovered, located | the ring, the map, the key, the letter
hid | concealed | the ring, the map, the key, the letter
closed | shut, slammed | the door, the gate, the window, the drawer
frightened | terrified, scared | the guard, the mayor, the farmer, the sailor, the tourist
criticized | condemned, denounced | the plan, the speech, the decision, the report
praised | lauded, applauded | the plan, the speech, the decision, the report
phoned | called up, rang up | the guard, the mayor, the farmer, the sailor, the tourist
changed | altered, modified, amended | the report, the speech, the plan, the decision
made | baked, prepared | the cake, the pie, the bread, the pizza
taught | instructed, tutored | the apprentice, the recruits, the beginners, the choir
took | snatched, grabbed | the ring, the map, the key, the letter
""")
"""Verbs in the past tense; the contexts are objects or places."""

ADJECTIVES = _entries("""
large | huge, enormous, gigantic | house, garden, bag, castle, tower
small | tiny, minute | house, garden, bag, stone
angry | furious, enraged | teacher, customer, driver, neighbour
happy | overjoyed, delighted | teacher, customer, driver, neighbour
tired | exhausted, worn-out | teacher, customer, driver, neighbour
beautiful | gorgeous, stunning | house, garden, dress, valley
cold | freezing, icy | soup, water, drink, lake
hot | scalding, boiling | soup, tea, drink, water
dirty | filthy, grimy | kitchen, shirt, car, carpet
wet | soaked, drenched | coat, shirt, towel, carpet
bad | terrible, awful, dreadful | film, book, play, song
good | excellent, superb, outstanding | film, book, play, song
frightened | terrified, petrified | child, horse, witness, sailor
hungry | starving, famished | child, horse, traveller, sailor
wealthy | rich, affluent | lawyer, merchant, actor, widow
intelligent | brilliant, clever, smart | lawyer, student, actor, widow
strange | weird, bizarre, odd | story, dream, message, letter
expensive | costly, pricey | watch, ring, carpet, violin
red | scarlet, crimson | dress, scarf, car, carpet
old | ancient, centuries-old | castle, chapel, tower, bridge
sick | feverish, diseased | child, horse, sailor
funny | hilarious, very amusing | speech, cartoon, sketch, poem
quick | rapid, swift | reply, reaction, decision, discovery
important | crucial, vital, essential | meeting, decision, document, discovery
""")
"""Adjectives; the contexts are nouns."""

ADVERBS = _entries("""
quickly | rapidly, swiftly, hastily | opened the box, left the room, read the letter
quietly | silently, noiselessly | opened the box, left the room, closed the door
happily | joyfully, gleefully | opened the present, sang the song, told the story
often | frequently, regularly, very often | visited the museum, called the office, missed the bus
carefully | cautiously, meticulously | opened the box, copied the map, packed the glasses
""")
"""Adverbs; the contexts are verb phrases."""
