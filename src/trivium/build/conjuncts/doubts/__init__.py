"""What makes a pair doubtful: its sentences may be no English, or its label wrong.

Parsers err, and a sentence with a wrong cut teaches a wrong lesson. There are more sentences than pairs are needed, so
that a pair is left out on suspicion. Each suspicion has a name, under which what is left out is counted.
"""

from trivium.build.conjuncts.doubts.form import doubt_of_coordination, doubt_of_cut
from trivium.build.conjuncts.doubts.label import doubt_of_label, doubt_of_pair, doubt_of_rule

__all__ = ["doubt_of_coordination", "doubt_of_cut", "doubt_of_label", "doubt_of_pair", "doubt_of_rule"]
