"""Steps, the store of finished ones, planning and running."""
