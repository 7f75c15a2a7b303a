"""Words that rules about conjunctions know."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from trivium.language.inflection import all_lemmas

MONTHS = "January February March April May June July August September October November December".split()
"""The months, in their order."""

WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
"""The days of the week, in their order."""

SUMS = frozenset(
    "total totals combined together average sum altogether jointly combination mixture consists comprises".split()
)
"""Words that say that things are taken together."""

TRIGGERS = SUMS | frozenset("group trio duo pair composed entire".split())
"""Words that speak of things taken together, or of one thing that has parts."""

NAMING = frozenset("known called named name names nicknamed titled dubbed word term abbreviated aka".split())
"""Words behind which something is called something."""

ORIGINS = frozenset(
    "come comes came coming derive derives derived deriving originate originates originated stem stems stemmed "
    "descend descends descended borrowed taken".split()
)
"""Verbs that say, with *from*, where something comes from: it comes from one of two things."""

DISTRIBUTING = frozenset("all most every each everyone everybody everything".split())
"""Words that speak of each of several things, of which some may be one way and some another."""

CHOICE = frozenset("can could may might able allow permit enable let option choose choice".split())
"""Words, as lemmas, that leave the choice: who may have A or B may have B."""

PAST = frozenset({"was", "were", "had", "did"})
"""Auxiliaries of what happened."""

BOUNDS = frozenset(
    "more fewer less higher greater lower later earlier above below older younger longer shorter larger smaller".split()
)
"""Words that make a number a bound: two or more."""

COMPARED = frozenset({"more", "less", "fewer"})
"""Words that compare amounts."""

ALL = frozenset("all everything everyone everybody anything anyone anybody".split())
"""Words for all of something, from which *but* takes away: everyone but Tom."""

NONE = frozenset("none nothing nobody".split())
"""Words for none of something, to which *but* adds: nobody but Tom; *no one* does too."""

BEFORE_DENIED = frozenset({"not", "n't", "n’t", "no", "never", "without"})
"""Words that deny what comes behind them."""

DENIALS = BEFORE_DENIED | NONE | frozenset({"cannot", "nowhere"})
"""Words that deny; those that end in *n't* do too."""

CLAUSES = frozenset("because if whether that who which when while until where since although though unless".split())
"""Words that open a clause: what is denied before them may not be denied behind them."""

COLLECTIVE = frozenset(
    "meet similar alike different differ same equal identical marry married divorce divorced separate separated "
    "collide gather share agree friend neighbour twin sibling sister brother couple rival compete merge "
    "form kiss hug embrace found".split()
)
"""What holds of two things together and of none alone, as lemmas."""

MIXING = frozenset(
    "number mix blend combine compare connect link join unite merge distinguish separate mixed combined collaboration "
    "partnership cooperation".split()
)
"""What is done to two things together, or counts them, as lemmas."""

KIN = frozenset(
    "brother sister son daughter uncle aunt nephew niece brothers sisters sons daughters mother father wife husband "
    "grandmother grandfather mothers fathers wives husbands".split()
)
"""Relatives of whom one may have both."""

_BELIEFS = (
    "Christian Catholic Protestant Lutheran Methodist Anglican Baptist Mormon Evangelical Muslim Hindu Buddhist Sikh "
    "Republican Democrat Conservative Liberal Communist Socialist Marxist Fascist Nazi Jew"
).split()
BELIEFS = frozenset(
    (*_BELIEFS, *(f"{name}s" for name in _BELIEFS), *"Islamic Jew Jewish Jews Sunni Shia Labour".split())
)
"""Names of faiths and parties, and of those who hold to them: one may be of such a group and of a nation."""

COLOURS = frozenset("red white blue green black yellow brown grey gray orange pink purple golden silver".split())
"""Colours that one thing may have beside another."""

UNITS = frozenset(
    "second minute hour day week month year inch foot yard mile metre meter kilometre kilometer centimetre centimeter "
    "ounce pound stone kilogram gram ton tonne litre liter pint cent dollar euro penny shilling degree percent km kg "
    "cm mm m ft mi lb oz g".split()
)
"""What is counted by, as lemmas."""

PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "non-")
"""What makes a word its opposite."""

OPPOSITES = frozenset(
    frozenset(pair.split("/"))
    for pair in (
        "above/below alive/dead all/none always/never ancient/modern back/front bad/good before/after began/ended "
        "best/worst big/small black/white bottom/top boy/girl boys/girls brother/sister closed/open cold/hot "
        "common/rare complex/simple dark/light daughter/son day/night decrease/increase decreased/increased "
        "difficult/easy domestic/foreign early/late east/west eastern/western elder/younger empty/full end/start "
        "failure/success false/true fast/slow father/mother female/male few/many fewer/more first/last formal/informal "
        "hard/soft hate/love heavy/light high/low highest/lowest husband/wife indoor/outdoor inside/outside "
        "international/national king/queen large/small left/right legal/illegal less/more long/short lose/win lost/won "
        "lower/upper major/minor maximum/minimum men/women mostly/rarely narrow/wide negative/positive new/old "
        "north/south northern/southern often/rarely old/young older/younger permanent/temporary poor/rich "
        "primary/secondary private/public rarely/usually rural/urban same/different strong/weak "
        "summer/winter thick/thin"
    ).split()
)
"""Pairs of opposites that are frequent."""

QUANTIFIERS = frozenset(
    "all any each every some many much few fewer several most more both no none half enough only "
    "everyone everybody everything someone somebody something anyone anything nobody nothing".split()
)
"""Words that say how many or how much."""

_FUNCTION = frozenset(
    "a an the this that these those and or but nor not no i you he she it we they me him her us them my your his its "
    "our their who whom whose which what in on at of to by for from with into onto upon than as if while because "
    "although though since until unless where when how why all any each every some both either neither is are was "
    "were be been am has have had do does did can could will would shall should may might must".split()
)
_LONGEST_WORD = 40


@lru_cache(maxsize=50_000)
def lemmas_of(word: str) -> Mapping[str, tuple[str, ...]]:
    """The lemmas of a word in lower case, by part of speech; none of a word that the dictionary has not."""
    known: Mapping[str, tuple[str, ...]] = all_lemmas(word) if word.isascii() and len(word) < _LONGEST_WORD else {}
    return known


def is_known(word: str) -> bool:
    """Whether a word in lower case is English: a name is mostly not."""
    return word in _FUNCTION or bool(lemmas_of(word.split("'")[0]))
