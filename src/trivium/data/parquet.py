"""Stream the rows of Parquet files. A file that cannot be read raises a UserError."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from trivium.errors import UserError, describe, shown

_BATCH = 4096  # rows that are read at a time
_FEW_ROWS = 1 << 20  # up to this many rows, a file may have fewer bytes than rows


def parquet_columns(path: Path) -> list[str]:
    """Return the names of the columns of a file."""
    import pyarrow.parquet as pq

    with _readable(path):
        return list(pq.read_schema(path).names)


def parquet_metadata(path: Path) -> dict[bytes, bytes]:
    """Return the metadata of a file."""
    import pyarrow.parquet as pq

    with _readable(path):
        return dict(pq.read_schema(path).metadata or {})


def read_parquet(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file; a batch of them is in memory at a time."""
    import pyarrow.parquet as pq

    with _readable(path), pq.ParquetFile(path) as file:
        if file.metadata.num_rows > max(_FEW_ROWS, path.stat().st_size):
            raise UserError(f"{path}: has {file.metadata.num_rows:,} rows, more than it has bytes: the file is damaged")
        for batch in file.iter_batches(_BATCH):
            yield from batch.to_pylist()


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except UserError:
        raise
    except Exception as error:  # a damaged file makes pyarrow raise exceptions of many types
        raise UserError(f"{path}: not a readable Parquet file ({shown(describe(error))})") from None
