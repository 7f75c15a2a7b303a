"""The program: ``trivium``, or ``python -m trivium``."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Run the command line with the arguments of the process, and exit."""
    gc.set_threshold(50_000)  # imports create many objects and no garbage: collecting them took a tenth of the start
    # Trivium uses no plugins of pydantic, and looking for them reads the metadata of every installed package.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    # Threads that spin while they wait for one another make steps many times slower when other programs use the cores.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from trivium.cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
