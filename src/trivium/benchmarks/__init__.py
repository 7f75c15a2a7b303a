"""The protocols of the papers as data: which steps, and which tables and claims are read from their results."""
