"""What is done with a model of one's own: so far, keeping a persona consistent."""
