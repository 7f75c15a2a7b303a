"""Read and inflect English: tokens, word forms, animacy, differences between texts. Imports no torch."""
