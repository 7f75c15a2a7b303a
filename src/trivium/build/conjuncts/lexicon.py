"""Words that rules about conjunctions know."""

from __future__ import annotations

import re

MONTHS = "January February March April May June July August September October November December".split()
"""The months, in their order."""

WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
"""The days of the week, in their order."""

TRIGGERS = frozenset(
    "total totals group trio duo pair combined together average sum altogether jointly combination mixture consists "
    "comprises composed entire".split()
)
"""Words that speak of things taken together."""

NAMING = frozenset("known called named name names nicknamed titled dubbed word term abbreviated aka".split())
"""Words behind which something is called something."""

BOUNDS = frozenset("more fewer less higher greater lower later earlier above below older younger".split())
"""Words that make a number a bound: two or more."""

DENIALS = frozenset("not no never cannot without none nobody nothing nowhere".split())
"""Words that deny; those that end in *n't* do too."""

PREFIXES = ("un", "in", "im", "ir", "dis", "non-")
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

_NUMBER = re.compile(
    r"[\d.,]*\d(?:st|nd|rd|th|s)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred",
    re.IGNORECASE,
)


def is_number(word: str) -> bool:
    """Whether a word is a number, in digits or in letters."""
    return _NUMBER.fullmatch(word) is not None


QUANTIFIERS = frozenset(
    "all any each every some many much few fewer several most more both no none half enough either neither only "
    "everyone everybody everything someone somebody something anyone anything nobody nothing".split()
)
"""Words that say how many or how much."""
