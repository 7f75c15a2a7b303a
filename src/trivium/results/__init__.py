"""Results of the public functions: they render in notebooks, convert to data frames and write reports."""
