"""Counterfactuals: what would have been if one of the facts had been different, computed with a causal model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.contrast import pick_from_square
from trivium.build.phenomena.words import join_items, pick, pick_some, sentence, sentences, shuffled

if TYPE_CHECKING:
    import numpy as np

_CAUSES, _EFFECTS = 3, 2
_MODELS = 6
_STATES: tuple[tuple[str, str], ...] = tuple(
    (f"the {thing}", state)
    for state, things in {
        "open": "front door, garden gate, skylight, valve, hatch, drawer",
        "switched on": "heater, fan, radio, motor, pump, projector",
        "locked": "safe, cellar door, cupboard, back door",
        "full": "tank, basket, bathtub, water barrel",
        "plugged in": "cable, charger, aerial",
        "in the slot": "key, coin, card",
        "pressed down": "red button, pedal, lever",
        "warm": "oven, sensor, stove",
    }.items()
    for thing in things.split(", ")
)
"""Things and states that they may be in."""
_EVENTS: tuple[tuple[str, ...], ...] = tuple(
    (f"the {words[0]}", *words[1:])
    for words in (
        line.split(", ")
        for line in (
            "alarm, goes off, go off, gone off",
            "bell, rings, ring, rung",
            "light, flashes, flash, flashed",
            "lift, stops, stop, stopped",
            "fountain, starts, start, started",
            "curtain, falls, fall, fallen",
            "machine, shuts down, shut down, shut down",
            "bridge, rises, rise, risen",
            "wheel, turns, turn, turned",
            "gong, sounds, sound, sounded",
            "train, leaves, leave, left",
            "cat, wakes up, wake up, woken up",
            "mill, runs, run, run",
            "screen, lights up, light up, lit up",
        )
    )
)
"""Things that happen: a subject, and a verb in the present, the infinitive and the participle."""
_OCCASIONS: tuple[str, ...] = ("yesterday", "last night", "this morning", "on Friday", "at noon", "during the test")


class _Literal(NamedTuple):
    """A variable, by its number, and the value it must have."""

    variable: int
    holds: bool


@dataclass(frozen=True)
class _Rule:
    """The condition under which an effect occurs: all or, with ``any_of``, at least one of some literals."""

    literals: tuple[_Literal, ...]
    any_of: bool


@dataclass(frozen=True)
class _Model:
    """The facts about causes, the first variables, and a rule for each of the effects, which follow them."""

    facts: tuple[bool, ...]
    rules: tuple[_Rule, ...]

    def values(self, change: _Literal) -> list[bool]:
        """Return the values of all variables after one of the causes has been set to a value."""
        values = [change.holds if cause == change.variable else fact for cause, fact in enumerate(self.facts)]
        for rule in self.rules:
            met = [values[variable] == holds for variable, holds in rule.literals]
            values.append(any(met) if rule.any_of else all(met))
        return values


class _Counterfactual(NamedTuple):
    """If ``change`` had been the case, ``result`` would have been the case."""

    change: _Literal
    result: _Literal


def _rule(rng: np.random.Generator, variables: Sequence[int]) -> _Rule:
    literals = tuple(_Literal(variable, bool(rng.random() < 0.65)) for variable in shuffled(rng, variables))
    return _Rule(literals, bool(rng.random() < 0.5))


def _model(rng: np.random.Generator) -> _Model:
    """Draw a model in which two causes have the first effect, and this effect and the third cause the second one."""
    facts = tuple(bool(value) for value in rng.random(_CAUSES) < 0.5)
    return _Model(facts, (_rule(rng, (0, 1)), _rule(rng, (2, _CAUSES))))


def _label(model: _Model, counterfactual: _Counterfactual) -> str | None:
    """Return the label of a counterfactual; None if its antecedent is not contrary to the facts."""
    change, result = counterfactual
    if model.facts[change.variable] == change.holds:
        return None
    return "entailed" if model.values(change)[result.variable] == result.holds else "not-entailed"


_HYPOTHESES: tuple[_Counterfactual, ...] = tuple(
    _Counterfactual(_Literal(cause, before), _Literal(effect, after))
    for effect, causes in ((_CAUSES, (0, 1)), (_CAUSES + 1, (0, 1, 2)))
    for cause in causes
    for before in (True, False)
    for after in (True, False)
)


class _Text:
    """Expresses the rules, facts and counterfactuals of a model with the words that were drawn for its variables."""

    def __init__(self, rng: np.random.Generator) -> None:
        things: dict[str, str] = {}
        while len(things) < _CAUSES:
            things.update([pick(rng, _STATES)])
        self.states = list(things.items())
        self.events = pick_some(rng, _EVENTS, _EFFECTS)

    def _state(self, literal: _Literal, be: str, negated: str) -> str:
        thing, state = self.states[literal.variable]
        return f"{thing} {be if literal.holds else negated} {state}"

    def condition(self, literal: _Literal) -> str:
        """Return a literal in the present tense."""
        if literal.variable < _CAUSES:
            return self._state(literal, "is", "is not")
        subject, present, infinitive, _ = self.events[literal.variable - _CAUSES]
        return f"{subject} {present if literal.holds else f'does not {infinitive}'}"

    def rule(self, effect: int, rule: _Rule) -> str:
        """Return a rule: ``The bell rings if and only if ...``."""
        conditions = f" {'or' if rule.any_of else 'and'} ".join(map(self.condition, rule.literals))
        both = " or both" if rule.any_of else ""
        return f"{self.condition(_Literal(_CAUSES + effect, True))} if and only if {conditions}{both}"

    def fact(self, literal: _Literal) -> str:
        """Return a literal in the past tense."""
        return self._state(literal, "was", "was not")

    def counterfactual(self, change: _Literal, result: _Literal) -> str:
        """Return a counterfactual: ``If the door had been open, the bell would have rung``."""
        subject, _, _, participle = self.events[result.variable - _CAUSES]
        would = "would have" if result.holds else "would not have"
        return f"if {self._state(change, 'had been', 'had not been')}, {subject} {would} {participle}"


@maker("counter")
def counterfactual(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair with the causes of two effects, and a claim about what would have happened otherwise.

    ``The bell rings if and only if the door is open or the window is open or both. Yesterday, both were open.`` does
    not entail ``If the door had not been open, the bell would not have rung.``.
    """
    found = None
    while found is None:
        models = [_model(rng) for _ in range(_MODELS)]
        found = pick_from_square(label, rng, models, shuffled(rng, _HYPOTHESES), _label)
    (model, (change, result)), text = found, _Text(rng)
    rules = [text.rule(effect, rule) for effect, rule in enumerate(model.rules)]
    facts = join_items([text.fact(_Literal(*fact)) for fact in shuffled(rng, list(enumerate(model.facts)))])
    premises = [*shuffled(rng, rules), f"{pick(rng, _OCCASIONS)}, {facts}"]
    return Pair(sentences(premises), sentence(text.counterfactual(change, result)))
