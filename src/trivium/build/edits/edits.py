"""Categories of counterfactual edits, determined from the changed words alone.

The categories are those of *Continual Few-Shot Learning* (sections 3.2 and 3.3), whose authors assigned them by hand to
revisions by Kaushik et al. 2020. Here each category has a rule, so that it can be assigned to any pair of texts.
"""

from __future__ import annotations

from trivium.build.edits.edits_nli import NLI_EDITS, nli_edit
from trivium.build.edits.edits_sentiment import SENTIMENT_EDITS, sentiment_edit

__all__ = ["NLI_EDITS", "SENTIMENT_EDITS", "nli_edit", "sentiment_edit"]
