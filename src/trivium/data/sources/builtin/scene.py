"""Scenes, and the sentences that describe them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from trivium.data.sources.builtin.activities import Activity
from trivium.data.sources.builtin.noun_classes import NounClass
from trivium.language.inflection import inflect

NUMBERS = ("two", "three", "four")
VAGUE = ("some", "several", "many", "a few")
PROPORTIONAL = ("all the", "both", "most of the")
"""Determiners under which neither a more general nor a more specific noun preserves the truth of the sentence."""

# Words whose first form in lemminflect is unusual or not American.
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
    """Inflect a word to a Penn tag: NNS changes the last word of a noun, VBG and VBN the first word of a verb."""
    if tag == "NNS":
        modifiers, _, head = word.rpartition(" ")
        return f"{modifiers} {_form(head, tag)}".lstrip()
    head, _, particle = word.partition(" ")
    return f"{_form(head, tag)} {particle}".rstrip()


def _form(head: str, tag: str) -> str:
    return _FORMS.get((head, tag)) or str(inflect(head, tag)[0])


def article(word: str) -> str:
    """Return ``a`` or ``an``, depending on the sound of the next word."""
    return "an" if word[0] in "aeiouAEIOU" and not word.startswith(("uku", "uni", "use", "eu", "one")) else "a"


@lru_cache(maxsize=1 << 14)
def _head(adjective: str, noun: str, tail: str, plural: bool) -> str:
    return _join(adjective, inflected(noun, "NNS") if plural else noun, tail)


class Phrase(NamedTuple):
    """A noun phrase: ``two tall boys``. The ``tail`` follows the noun: ``in a red shirt``."""

    determiner: str
    noun: str
    noun_class: NounClass
    plural: bool = False
    adjective: str = ""
    tail: str = ""

    @property
    def be(self) -> str:
        """The form of *be* that agrees with the phrase."""
        return "are" if self.plural else "is"

    @property
    def head(self) -> str:
        """The phrase without its determiner."""
        return _head(self.adjective, self.noun, self.tail, self.plural and self.noun_class.number != "pair")

    def __str__(self) -> str:
        head = self.head
        if self.determiner == "a":
            return f"{article(head)} {head}"
        return f"{self.determiner} {head}".lstrip()

    def renamed(self, noun: str, noun_class: NounClass) -> Phrase:
        """Return the phrase with another noun. Determiner and number change if the noun class requires it."""
        if noun_class.number == self.noun_class.number:
            return self._replace(noun=noun, noun_class=noun_class)
        if self.determiner == "the":
            return self._replace(noun=noun, noun_class=noun_class, plural=noun_class.number == "pair")
        determiner = {"count": "a", "single": "a", "bare": ""}.get(noun_class.number, "some")
        return self._replace(
            determiner=determiner, noun=noun, noun_class=noun_class, plural=noun_class.number == "pair"
        )


class Scene(NamedTuple):
    """The content of a sentence: who does what, how and where."""

    activity: Activity
    subject: Phrase
    verb: str
    object: Phrase | None = None
    adverb: str = ""
    adjunct: str = ""

    @property
    def predicate(self) -> str:
        """The predicate of the sentence: ``quickly slicing an onion in the kitchen``."""
        return _join(self.adverb, inflected(self.verb, "VBG"), self.object, self.adjunct)

    @property
    def denied_predicate(self) -> str:
        """The predicate in a negated sentence, in which ``some`` becomes ``any``."""
        if self.object is not None and self.object.determiner == "some":
            return self._replace(object=self.object._replace(determiner="any")).predicate
        return self.predicate


class Denial(NamedTuple):
    """A sentence that contradicts the scene. An ``exact`` denial is true whenever the scene is not."""

    text: str
    words: str
    exact: bool


def _join(*parts: object) -> str:
    return " ".join([str(part) for part in parts if part])


def sentence(*parts: object) -> str:
    """Return the non-empty parts joined by spaces, with an initial capital."""
    text = _join(*parts)
    return text[0].upper() + text[1:]


def affirmed(scene: Scene) -> str:
    """Return the scene as a plain sentence: ``Two women are slicing an onion``."""
    return sentence(scene.subject, scene.subject.be, scene.predicate)


def there_is(scene: Scene) -> str | None:
    """Return an existential sentence, or None if the subject is definite: ``There are two women slicing an onion``."""
    if scene.subject.determiner in ("the", *PROPORTIONAL):
        return None
    return sentence("there", scene.subject.be, scene.subject, scene.predicate)


def denials(scene: Scene) -> Iterator[Denial]:
    """Yield the sentences that deny the scene, which depend on the determiner of its subject."""
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
        singular = subject._replace(plural=False)
        yield Denial(sentence("neither", singular.head, "is", predicate), "both>neither", False)
    if determiner == "many":
        yield Denial(sentence("few", head, be, scene.predicate), "many>few", False)


def passive(scene: Scene, *, negation: str = "") -> str | None:
    """Return a passive sentence, or None if the scene has none: ``An onion is being sliced by two women``."""
    patient, agent = scene.object, scene.subject
    if patient is None or not scene.activity.passive or agent.determiner in PROPORTIONAL or agent.tail:
        return None
    # "by a man by a lake" is hard to read, and "bread is being eaten by a man" is unusual for a single scene.
    if scene.adjunct.startswith("by ") or (not patient.determiner and patient.noun_class.number == "mass"):
        return None
    if negation and patient.determiner == "some":
        patient, negation = patient._replace(determiner="no"), ""
    participle = inflected(scene.verb, "VBN")
    return sentence(patient, patient.be, negation, "being", scene.adverb, participle, "by", agent, scene.adjunct)


def agentless(scene: Scene) -> str | None:
    """Return a passive sentence without an agent, or None if the scene has none: ``An onion is being sliced``."""
    patient = scene.object
    if patient is None or not scene.activity.passive:
        return None
    return sentence(patient, patient.be, "being", scene.adverb, inflected(scene.verb, "VBN"), scene.adjunct)


def predicated(scene: Scene, predicate: str, *, negation: str = "") -> str | None:
    """Return a statement about the subject, identified by the activity: ``The boy throwing a ball is tall``.

    Return None unless the subject is singular with the determiner *a* or *the*.
    """
    subject = scene.subject
    if subject.determiner not in ("a", "the") or subject.plural:
        return None
    return sentence("the", subject.noun, scene.predicate, "is", negation, predicate)
