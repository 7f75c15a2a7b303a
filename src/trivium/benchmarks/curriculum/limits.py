"""What limits figures about phenomena, wherever they are shown."""

from __future__ import annotations

from trivium.benchmarks.curriculum.design import CurriculumDesign
from trivium.benchmarks.curriculum.results import Results
from trivium.build.phenomena.selection import RELEASED

_CUT = 0.05  # the share of pairs that may be cut off without being told


def about_sources(design: CurriculumDesign) -> list[str]:
    """Which phenomena are not the paper's own, and which could not be tested."""
    lines = []
    made = [name for name, chosen in design.chosen.items() if chosen.source != RELEASED]
    if made:
        lines.append(f"Made by Trivium's grammars, and not the released tasks of CURRICULUM: {', '.join(made)}.")
    if design.missing:
        lines.append(f"Not tested, since there are no examples of them here: {', '.join(design.missing)}.")
    return lines


def about_length(results: Results, option: str) -> list[str]:
    """Of which phenomena pairs are longer than what the model reads; ``option`` is what changes that."""
    shares = {name: results.cut(name) for name in results.design.chosen}
    told = ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items() if share > _CUT)
    length = results.design.settings.model.max_length
    return [f"Longer than the {length} tokens that are read ({option}), and cut: {told}."] if told else []
