"""Write a run as TensorBoard event files; view them with ``tensorboard --logdir DIR``."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trivium.tracking import tracker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@tracker("tensorboard")
class TensorBoard:
    """Write each run as TensorBoard event files, in a folder named after the run."""

    def __init__(self, folder: str) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self._writer_type = SummaryWriter
        self._folder = Path(folder)

    def start(self, name: str, settings: Mapping[str, Any]) -> None:
        """Open the event file and write the settings as text."""
        self._folder = self._folder / name
        self._writer = self._writer_type(str(self._folder))
        self._writer.add_text("settings", f"```json\n{json.dumps(settings, indent=2, default=str)}\n```")

    def losses(self, label: str, losses: NDArray[np.float32]) -> None:
        """Write the losses as the scalar ``loss/LABEL``, by step."""
        for step, loss in enumerate(losses.tolist()):
            self._writer.add_scalar(f"loss/{label}", loss, step)

    def metrics(self, values: Mapping[str, float]) -> None:
        """Write each metric as a scalar."""
        for name, value in values.items():
            self._writer.add_scalar(name, value, 0)

    def report(self, path: Path) -> None:
        """Copy the report beside the event file and link to the copy."""
        copy = shutil.copy2(path, self._folder / path.name)
        self._writer.add_text("report", f"[{path.name}]({Path(copy).resolve().as_uri()})")

    def finish(self) -> None:
        """Flush and close the event file."""
        self._writer.close()
