"""Named entities whose type (person, city, company) follows from the sentence alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.words import pick, pick_other, pick_some, sentence, sentences, shuffled

if TYPE_CHECKING:
    import numpy as np

_SENTENCES = {
    "person": "{x} went to bed with a fever; {x} told the waiter about an allergy to nuts; {x} sneezed and apologized; "
    "{x} celebrated a fortieth birthday with three cousins; the dentist asked {x} to bite down; "
    "{x} married a neighbour in a small chapel; {x} broke an arm after falling off a ladder; "
    "{x} learned to swim at the age of six; the twins of {x} started school in autumn",
    "city": "the mayor of {x} opened two new tram lines; the suburbs of {x} have grown by ten thousand inhabitants; "
    "the cathedral stands in the old centre of {x}; {x} has three railway stations and an underground; "
    "the citizens of {x} voted for a new town hall; the streets of {x} were closed to cars on Sunday; "
    "the airport lies twenty miles north of downtown {x}; most buildings in {x} were rebuilt after the earthquake",
    "company": "the shares of {x} fell by four per cent; {x} will hire two hundred engineers; "
    "the board of directors of {x} dismissed its chairman; {x} reported a loss for the third quarter; "
    "{x} bought its largest competitor for two million dollars; the customers of {x} complained about delays; "
    "{x} paid its shareholders a dividend; the accountants of {x} found a mistake in the annual report",
    "river": "the {x} rises in the mountains and flows into the sea; barges carry coal up the {x}; "
    "the {x} burst its banks after a week of rain; the ferry crosses the {x} near its mouth; "
    "the waters of the {x} turn a dozen mills; salmon swim up the {x} to spawn; "
    "the {x} is too shallow for ships above the waterfall; the two villages are on opposite banks of the {x}",
    "ship": "the {x} sank off the coast with all her cargo; the captain steered the {x} into the harbour; "
    "the crew of the {x} mutinied near the equator; the {x} was launched from the shipyard in spring; "
    "the {x} carries four hundred passengers and a crew of sixty; rust covered the hull of the {x}; "
    "the {x} dropped anchor in the bay; the sailors scrubbed the deck of the {x}",
    "newspaper": "the {x} printed the story on its front page; the editor of the {x} apologized to its readers; "
    "the evening edition of the {x} had a long article on the election; the {x} has lost many subscribers; "
    "she sent the {x} a letter to the editor; the crossword in the {x} was too hard for him; "
    "a reporter of the {x} interviewed the minister; the {x} raised its cover price to three dollars",
    "football team": "{x} won the cup after a penalty shoot-out; the goalkeeper of {x} saved two penalties; "
    "{x} lost at home by two goals; the coach of {x} replaced three players at half-time; "
    "{x} has been relegated to the second division; the fans of {x} cheered when the striker scored; "
    "the captain of {x} was sent off by the referee; {x} drew its last match of the season",
    "mountain": "climbers reached the summit of {x} at noon; the north face of {x} is covered by a glacier; "
    "snow lies on the top of {x} all year; an avalanche came down the slopes of {x}; "
    "the cable car takes tourists to the peak of {x}; {x} rises nine thousand feet above the valley; "
    "the climbers spent the night in a hut at the foot of {x}; {x} was first climbed by two shepherds",
}  # fmt: skip
_TYPES: dict[str, tuple[str, ...]] = {type_: tuple(text.split("; ")) for type_, text in _SENTENCES.items()}
_MONTH_SENTENCES: tuple[str, ...] = (
    "the exam takes place at the end of {x}", "it rained every day in {x}", "the school is closed from {x} to October",
    "the last week of {x} was warm", "the rent is due on the first of {x}", "the roses bloom in the middle of {x}",
)  # fmt: skip
_AMBIGUOUS: tuple[tuple[str, tuple[str, ...]], ...] = tuple(
    (name, types)
    for names, types in (
        ("Florence Austin Charlotte Sydney Madison Jackson Dallas Savannah Adelaide Odessa", ("person", "city")),
        ("Ford Mercedes Morgan Porter", ("person", "company")),
        ("May April June August", ("person", "month")),
        ("Chelsea Everton", ("person", "football team")),
        ("Amazon", ("company", "river")),
    )
    for name in names.split()
)
_STARTS: tuple[str, ...] = tuple(
    "Bal Cor Dav Fen Gar Hal Jor Kel Lan Mer Nor Pel Quin Ras Sel Tar Ul Ver Wes Zan".split()
)
_MIDDLES: tuple[str, ...] = ("a", "e", "i", "o", "da", "li", "mo", "ri", "ve", "ta")
_ENDS: tuple[str, ...] = tuple("ban dor fell gan kin lan mar nis rick son th vale wen x ster".split())


def invented_name(rng: np.random.Generator) -> str:
    """Return an invented name."""
    return f"{pick(rng, _STARTS)}{pick(rng, _MIDDLES)}{pick(rng, _ENDS)}"


def _sentence_about(rng: np.random.Generator, type_: str, name: str) -> str:
    return pick(rng, _MONTH_SENTENCES if type_ == "month" else _TYPES[type_]).format(x=name)


@maker("ner")
def named_entity(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about the type of a named entity.

    ``The shares of Kelimar fell.`` entails ``Here, Kelimar is the name of a company.``.
    """
    if rng.random() < 0.3:
        name, types = pick(rng, _AMBIGUOUS)
        claimed, other = pick_some(rng, types, 2)
    else:
        name, (claimed, other) = invented_name(rng), pick_some(rng, list(_TYPES), 2)
    entailed = label == "entailed"
    texts = [_sentence_about(rng, claimed if entailed else other, name)]
    if rng.random() < 0.6 and claimed != "month":
        # A second name of the other type, so that the types in the premise do not give away the label.
        second = pick_other(rng, [invented_name(rng) for _ in range(3)], name)
        second_type = other if entailed and other != "month" else claimed if not entailed else pick(rng, list(_TYPES))
        texts.append(_sentence_about(rng, second_type, second))
    forms = (f"here, {name} is the name of a {claimed}", f"in this text, {name} is a {claimed}")
    return Pair(sentences(shuffled(rng, texts)), sentence(pick(rng, forms)))
