"""Few-shot learning: categories of edits, and their support, development and test sets."""
