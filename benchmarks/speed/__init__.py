"""Speed against peers and against an earlier commit, side by side: ``make bench``."""
