"""Word lists for the analysis of edits: closed word classes, clothing, hypernyms, ratings and other cues."""

from __future__ import annotations

NEGATIONS = frozenset(
    "not no never none nobody nothing nowhere neither nor cannot without n't nt dont didnt doesnt isnt wasnt cant "
    "wont wouldnt couldnt".split()
)
"""Negation words; forms that end in n't are recognized by their ending."""

NUMBERS = frozenset(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen twenty "
    "thirty forty fifty hundred hundreds thousand thousands dozen dozens single several many few multiple numerous "
    "lots plenty both alone lone half twice all "
    "solo double triple another each every".split()
)
"""Numbers and quantifiers."""

GROUPS = frozenset("couple pair trio group bunch crowd lot".split())
"""Nouns that are quantifiers before *of*."""

DETERMINERS = frozenset("a an the this that these those some any there such".split())
POSSESSIVES = frozenset("my your his her its our their whose".split())
PRONOUNS = frozenset(
    "i you he she it we they me him us them who whom which what someone somebody anyone anybody something anything "
    "himself herself itself themselves one's mine yours theirs everything everyone everybody".split()
)
PREPOSITIONS = frozenset(
    "in on at by with from to of for into onto over under through across along against around about above below "
    "behind beside besides between among near inside outside off up down out toward towards during after before "
    "until since like past amid atop upon within next via than except despite beneath underneath infront".split()
)
LINKS = frozenset("and or but as if because while when where so though although unless whether then however".split())
BE = frozenset("am is are was were be been being 's 're 'm isn't".split())
AUXILIARIES = BE | frozenset("do does did will would can could may might shall should must 'll 'd 've".split())
PLACE_ADVERBS = frozenset(
    "outside inside outdoors indoors upstairs downstairs here away home together alone today tonight tomorrow "
    "nearby underwater overhead abroad".split()
)
"""Adverbs of place and time."""

ADJECTIVES = frozenset(
    """
    red blue green yellow orange purple pink black white brown gray grey tan beige gold golden silver dark light
    bright blond blonde brunette colorful striped plaid maroon navy teal turquoise
    big small large little tiny huge tall short long fat thin skinny slim heavy young old elderly middle-aged teenage
    new adult male female
    asian african american european caucasian hispanic indian chinese japanese german french british mexican
    wooden woolen golden
    happy sad angry tired hungry drunk sober pregnant homeless rich poor sick hurt upset bored excited scared nervous
    busy empty full crowded quiet loud calm bald bearded shirtless barefoot naked nude sunny rainy snowy cloudy hot
    cold warm wet dry dirty clean fast slow good bad great nice fun funny best worst better worse real fake public
    private local famous professional amateur winning losing same different other own last first second third right
    left wrong main whole entire high low fresh open closed broken favorite favourite lovely lonely friendly ugly silly
    early only poor dull mediocre stellar superb top-notch decent okay ok fine well-done must-see
    lame cheesy bland stale weak strong awesome terrific horrible horrid awful pathetic brilliant inept tender
    boring interesting exciting captivating amazing annoying disappointing entertaining engaging thrilling compelling
    fascinating charming convincing confusing depressing refreshing stunning uninteresting unconvincing uninspiring
    inspiring outstanding astounding terrifying gripping irritating appalling disgusting embarrassing frustrating
    riveting intriguing sickening impressed disappointed overrated underrated talented inspired uninspired
    unentertaining unexciting overwhelming underwhelming satisfying unsatisfying hilarious
    """.split()
)
"""Frequent adjectives, and adjectives that the dictionary also lists as nouns or verbs."""

NOUNS = frozenset(
    "man men woman women people person child children kid kids boy boys girl girls dog dogs horse water park street "
    "beach house ball field table chair car truck bus train bike boat book tree hand head face back ground shop store "
    "store market club band team crowd face film movie plot acting ending story script cast scene scenes".split()
)
"""Nouns that could also be verbs, but rarely are in captions and reviews."""

CLOTHES = frozenset(
    "shirt t-shirt tshirt tee sweater sweatshirt hoodie jacket coat vest suit dress skirt pants jeans shorts trousers "
    "hat cap helmet scarf glove tie shoe boot sandal sneaker sock uniform costume outfit clothes clothing apron robe "
    "gown swimsuit bikini blouse glasses sunglasses goggles necklace hair beard top tank shawl turban headband bandana "
    "wig mask overalls tuxedo kimono sari windbreaker".split()
)
"""Clothing and hair, which are details of a person."""

ABSTRACTIONS = """
    person: man woman boy girl child kid baby adult teenager lady guy gentleman worker player student dancer musician
    someone: man woman boy girl child person lady guy he she player worker
    somebody: man woman boy girl child person lady guy he she
    human: man woman boy girl child person people lady guy
    individual: man woman boy girl child person lady guy
    people: man woman boy girl child kid lady guy couple men women adult worker player student family crowd friend
    adult: man woman lady guy person people
    child: boy girl baby toddler son daughter
    kid: boy girl baby toddler son daughter
    male: man boy guy
    female: woman girl lady
    parent: mother father mom dad
    sibling: brother sister
    relative: brother sister mother father uncle aunt cousin
    animal: dog cat horse bird cow sheep goat elephant monkey bear pet fish puppy
    pet: dog cat puppy kitten
    vehicle: car truck bus bike bicycle motorcycle van train boat scooter
    food: pizza sandwich meal bread meat fruit vegetable hamburger hotdog cake snack lunch dinner breakfast
    meal: lunch dinner breakfast
    drink: beer wine coffee tea water juice soda
    beverage: beer wine coffee tea water juice soda
    sport: soccer football baseball basketball tennis hockey rugby volleyball golf
    game: soccer football baseball basketball tennis hockey rugby volleyball chess
    instrument: guitar drum piano violin trumpet flute saxophone
    music: song
    building: house church store school hotel restaurant library
    place: park beach street restaurant store city
    thing: ball toy book
    something: ball toy book food guitar newspaper
    object: ball toy book
    toy: doll
    clothes: shirt dress jacket coat pants
    athlete: player runner swimmer boxer skier gymnast wrestler
    player: pitcher goalie quarterback batter
    performer: singer dancer musician
    worker: construction-worker fireman
    event: race concert parade wedding party
    move: walk run ride drive
    exercise: run jog swim lift
"""
"""Hypernyms with some of their hyponyms, in addition to those of the built-in grammar."""

RATINGS = frozenset("star stars rating ratings rate rated grade score scored marks points give gave / * ★".split())
"""Words that make a number or letter near them a rating (as *out of* does)."""

POINTS = frozenset("zero one two three four five six seven eight nine ten half * ★".split())
"""Words and signs that can be a rating."""

GRADES = frozenset("a+ a a- b+ b b- c+ c c- d+ d d- f".split())

QUALIFIERS = (
    "somewhat; almost; sometimes; kind of; sort of; kinda; sorta; could have; might have; should have; would have; "
    "could be; might be; a bit; a little; slightly; partly; partially; mostly; at times; at first; supposed to; "
    "supposedly; allegedly; relatively; fairly; barely; hardly; scarcely; nearly; rarely; seldom; occasionally; "
    "to some extent; more or less; at best; perhaps; maybe; possibly; mildly; moderately; tries to; tried to; "
    "attempts to; attempted to; meant to; not quite; could've; should've; would've; some; seems to; "
    "if only; just about; may"
).split("; ")
"""Words that weaken praise or blame."""

SARCASM = (
    "yeah right; yeah , right; oh great; oh , great; oh joy; so-called; so called; not !; thanks a lot; big surprise; "
    "what a surprise; surprise , surprise; good luck; how original; how nice; gee; sarcasm; sarcastic; sarcastically; "
    "give me a break; whoopee; big deal; bravo; lucky me"
).split("; ")
"""Words that mark praise as sarcastic."""

LACKS = frozenset("lack lacks lacked lacking fail fails failed failing devoid absence".split())
"""Words that negate what follows them."""
