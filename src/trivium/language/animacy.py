"""Animate nouns. Only people and animals want, try or refuse, so the subject of an embedded clause must be animate."""

from __future__ import annotations

PRONOUNS = frozenset("someone somebody everyone everybody people".split())
GROUPS = frozenset("group couple pair crowd team herd bunch pack line class lot number crew gang flock most".split())
ANIMATE = frozenset(
    """
    man woman person people boy girl child kid baby toddler teen teenager adult lady gentleman guy bloke lad
    fellow human male female blonde youngster infant student pupil teacher worker player athlete runner swimmer
    surfer rider skater skateboarder snowboarder skier biker cyclist bicyclist motorcyclist racer climber hiker
    jogger wrestler boxer footballer goalkeeper pitcher batter dancer singer musician guitarist pianist drummer
    violinist performer clown magician mime actor artist painter photographer model chef cook baker waiter
    waitress farmer gardener carpenter builder mechanic driver pilot sailor fisherman officer policeman
    policewoman cop soldier guard fireman firefighter doctor nurse patient dentist veteran priest monk bride
    groom father mother dad mom parent son daughter brother sister friend neighbor neighbour family couple crowd
    group team band jockey cowboy cowgirl cheerleader teammate opponent spectator customer visitor tourist
    traveler traveller gamer interviewer rollerblader jumper gymnast acrobat practitioner recruit scientist
    lawyer judge clerk tailor barber potter sculptor writer poet librarian reporter shopper vendor rower golfer
    archer skydiver diver instructor coach referee owner animal pet dog puppy hound retriever sheepdog terrier
    poodle cat kitten tiger lion cheetah leopard panther bear cub panda wolf fox deer horse pony foal donkey cow
    bull calf goat sheep lamb pig piglet rabbit bunny hamster squirrel mouse rat monkey chimp ape gorilla
    elephant rhino giraffe zebra kangaroo llama camel lemur ferret badger skunk otter seal dolphin whale bird
    duck goose hen rooster chicken parrot eagle owl crow penguin seabird turtle tortoise frog toad snake lizard
    alligator crocodile mammal beast creature attorney baboon beagle biologist bulldog chimpanzee cobra collie
    electrician fawn grandfather grandma grandmother grandpa grizzly gull hawk hog iguana kitty laborer lioness
    mare parakeet physician pigeon plumber pup python rancher reptile rodent schoolboy schoolgirl stallion
    surgeon tomcat veterinarian welder
    """.split()
)
