"""One scene and the sentences that describe it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from trivium.data.sources.builtin.activities import Activity
from trivium.data.sources.builtin.kinds import Kind
from trivium.language.inflection import getInflection

NUMBERS = ("two", "three", "four")
VAGUE = ("some", "several", "many", "a few")
WHOLE = ("all the", "both", "most of the")
"""Determiners whose noun cannot be made wider or narrower without a change of meaning."""

# Where the first form that lemminflect knows is not the American or the usual one.
_FORMS = {
    ("person", "NNS"): "people",
    ("fish", "NNS"): "fish",
    ("trout", "NNS"): "trout",
    ("salmon", "NNS"): "salmon",
    ("carp", "NNS"): "carp",
    ("TV", "NNS"): "TVs",
    ("T-shirt", "NNS"): "T-shirts",
    ("smell", "VBN"): "smelled",
    ("knit", "VBN"): "knitted",
    ("saw", "VBN"): "sawed",
}


@cache
def inflected(word: str, tag: str) -> str:
    """The form of a noun (last word) or of a verb (first word) with a Penn tag: NNS, VBG or VBN."""
    if tag == "NNS":
        before, _, head = word.rpartition(" ")
        return f"{before} {_form(head, tag)}".lstrip()
    head, _, after = word.partition(" ")
    return f"{_form(head, tag)} {after}".rstrip()


def _form(head: str, tag: str) -> str:
    return _FORMS.get((head, tag)) or str(getInflection(head, tag)[0])


def article(word: str) -> str:
    """``a`` or ``an``, as the sound of the next word asks."""
    return "an" if word[0] in "aeiouAEIOU" and not word.startswith(("uku", "uni", "use", "eu", "one")) else "a"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: ``two tall boys``; ``tail`` stands after the noun (in a red shirt)."""

    determiner: str
    noun: str
    kind: Kind
    plural: bool = False
    adjective: str = ""
    tail: str = ""

    @property
    def be(self) -> str:
        """The verb that agrees with it."""
        return "are" if self.plural else "is"

    @property
    def head(self) -> str:
        """Adjective, noun and tail, without the determiner."""
        noun = inflected(self.noun, "NNS") if self.plural and self.kind.number != "pair" else self.noun
        return " ".join(word for word in (self.adjective, noun, self.tail) if word)

    def __str__(self) -> str:
        if self.determiner == "a":
            return f"{article(self.head)} {self.head}"
        return f"{self.determiner} {self.head}".lstrip()

    def renamed(self, noun: str, kind: Kind) -> Phrase:
        """The phrase with another noun; the determiner and number change where the kind counts otherwise."""
        if kind.number == self.kind.number:
            return replace(self, noun=noun, kind=kind)
        if self.determiner == "the":
            return replace(self, noun=noun, kind=kind, plural=kind.number == "pair")
        determiner = {"count": "a", "single": "a", "bare": ""}.get(kind.number, "some")
        return replace(self, determiner=determiner, noun=noun, kind=kind, plural=kind.number == "pair")


@dataclass(frozen=True, slots=True)
class Scene:
    """What a premise says: who does what, how and where."""

    activity: Activity
    subject: Phrase
    verb: str
    object: Phrase | None = None
    adverb: str = ""
    adjunct: str = ""

    @property
    def predicate(self) -> str:
        """``quickly slicing an onion in the kitchen``."""
        return _words(self.adverb, inflected(self.verb, "VBG"), self.object, self.adjunct)

    @property
    def denied_predicate(self) -> str:
        """The predicate under a negation: ``some`` becomes ``any``."""
        if self.object is not None and self.object.determiner == "some":
            return replace(self, object=replace(self.object, determiner="any")).predicate
        return self.predicate


@dataclass(frozen=True, slots=True)
class Denial:
    """A sentence that cannot be true with the scene; ``exact`` if it is true whenever the scene is not."""

    text: str
    words: str
    exact: bool


def _words(*parts: object) -> str:
    return " ".join(text for text in (str(part or "") for part in parts) if text)


def sentence(*parts: object) -> str:
    """The parts that are not empty, joined and with a capital letter."""
    text = _words(*parts)
    return text[0].upper() + text[1:]


def affirmed(scene: Scene) -> str:
    """``Two women are slicing an onion``."""
    return sentence(scene.subject, scene.subject.be, scene.predicate)


def there_is(scene: Scene) -> str | None:
    """``There are two women slicing an onion``; None where the subject is definite."""
    if scene.subject.determiner in ("the", *WHOLE):
        return None
    return sentence("there", scene.subject.be, scene.subject, scene.predicate)


def denials(scene: Scene) -> Iterator[Denial]:
    """The sentences that deny a scene, by the determiner of its subject."""
    subject, predicate = scene.subject, scene.denied_predicate
    determiner, be, head = subject.determiner, subject.be, subject.head
    if determiner in ("a", "the", *NUMBERS):
        yield Denial(sentence(subject, be, "not", predicate), "not", True)
    if determiner in ("a", *VAGUE, *NUMBERS):
        exact = determiner in ("a", "some")
        yield Denial(sentence("there", be, "no", head, predicate), "no", exact)
        yield Denial(sentence("no", head, be, predicate), "no", exact)
    if determiner == "all the":
        yield Denial(sentence("not all the", head, be, scene.predicate), "all>not all", True)
        yield Denial(sentence("some of the", head, be, "not", predicate), "all>some not", True)
    if determiner in ("all the", "most of the"):
        yield Denial(sentence("none of the", head, be, predicate), f"{determiner.split()[0]}>none", False)
    if determiner == "both":
        singular = replace(subject, plural=False)
        yield Denial(sentence("neither", singular.head, "is", predicate), "both>neither", False)
    if determiner == "many":
        yield Denial(sentence("few", head, be, scene.predicate), "many>few", False)


def passive(scene: Scene, *, negation: str = "") -> str | None:
    """``An onion is being sliced by two women``; None where the verb or the subject does not allow it."""
    thing, agent = scene.object, scene.subject
    if thing is None or not scene.activity.passive or agent.determiner in WHOLE or agent.tail:
        return None
    # "by a man by a lake" would be hard to read, "bread is being eaten by" is not said of one scene.
    if scene.adjunct.startswith("by ") or (not thing.determiner and thing.kind.number == "mass"):
        return None
    if negation and thing.determiner == "some":
        thing, negation = replace(thing, determiner="no"), ""
    participle = inflected(scene.verb, "VBN")
    return sentence(thing, thing.be, negation, "being", scene.adverb, participle, "by", agent, scene.adjunct)


def agentless(scene: Scene) -> str | None:
    """``An onion is being sliced``: the passive without the one who does it."""
    thing = scene.object
    if thing is None or not scene.activity.passive:
        return None
    return sentence(thing, thing.be, "being", scene.adverb, inflected(scene.verb, "VBN"), scene.adjunct)


def predicated(scene: Scene, predicate: str, *, negation: str = "") -> str | None:
    """``The boy throwing a ball is tall``: a statement on the one who is described by what he does."""
    subject = scene.subject
    if subject.determiner not in ("a", "the") or subject.plural:
        return None
    return sentence("the", subject.noun, scene.predicate, "is", negation, predicate)
