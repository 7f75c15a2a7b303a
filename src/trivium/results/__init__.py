"""What the public functions return: results that render in notebooks, become data frames, and write reports."""
