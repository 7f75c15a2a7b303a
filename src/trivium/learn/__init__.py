"""The learner, its training loop, the episodic memory, and one file for each strategy."""
