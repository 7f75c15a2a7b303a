"""Which kind of edit a counterfactual revision is, read from the words that were changed and from nothing else.

The categories are those of *Continual Few-Shot Learning* (sections 3.2 and 3.3), whose authors gave them by hand to
revisions of Kaushik et al. 2020. Here one named rule stands for each category, so that they can be given to any pair.
"""

from __future__ import annotations

from trivium.build.edits.edits_nli import NLI_EDITS, nli_edit
from trivium.build.edits.edits_sentiment import SENTIMENT_EDITS, sentiment_edit

__all__ = ["NLI_EDITS", "SENTIMENT_EDITS", "nli_edit", "sentiment_edit"]
