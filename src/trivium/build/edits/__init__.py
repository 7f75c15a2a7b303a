"""Few-shot categories: what a correction is about, support sets, and what they are tested on."""
