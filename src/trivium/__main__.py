"""Run the command line with ``python -m trivium``."""

from trivium.cli.main import main

main()
