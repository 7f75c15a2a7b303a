"""The papers' protocols as data: which steps each one needs, and how its tables and claims follow from the results."""
