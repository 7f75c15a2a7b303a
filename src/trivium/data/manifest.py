"""The manifest of public data: where each file comes from, under which licence, and its sha256."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import quote, urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PositiveInt,
    StringConstraints,
    ValidationError,
    model_validator,
)

from trivium.errors import ConfigError, Problem, UserError, unknown_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def _inside(path: str) -> str:
    parts = PurePosixPath(path).parts
    if not parts or path != "/".join(parts) or path.startswith("/") or ".." in parts or re.search(r"[\\:]", path):
        raise ValueError(f"{path!r} is not a plain relative path")
    return path


def _http(address: str) -> str:
    if urlsplit(address).scheme not in ("http", "https"):
        raise ValueError(f"{address!r} is not an http or https address")
    return address.rstrip("/")


Line = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\r\n]+$")]
RelativePath = Annotated[str, AfterValidator(_inside)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class HeldFile(_Frozen):
    """A file made from a public original: it may lie in a data folder, but is not public itself.

    A ``sample`` lacks some of the data; what is ``repacked`` has them all in other bytes. ``how`` says what was done.
    """

    kind: Literal["sample", "repacked"]
    path: RelativePath
    sha256: Sha256
    how: Line


class PublicFile(_Frozen):
    """One file: where it lies in its repository (``original``), and where under the data folder (``path``)."""

    path: RelativePath
    original: RelativePath
    sha256: Sha256
    size: PositiveInt | None = None
    gz_sha256: Sha256 | None = None
    held: HeldFile | None = None

    @property
    def places(self) -> tuple[str, ...]:
        """The paths under a data folder at which the file may lie whole: as it is, or gzipped."""
        return (self.path,) if self.path.endswith((".gz", ".zip")) else (self.path, f"{self.path}.gz")

    @property
    def other_places(self) -> tuple[str, ...]:
        """The path at which there may be what was made from it, if that is another one."""
        return (self.held.path,) if self.held and self.held.path != self.path else ()


class Origin(_Frozen):
    """A repository at one commit, the licence that it states, and the files taken from it."""

    repository: Annotated[str, StringConstraints(pattern=r"^[\w.-]+/[\w.-]+$")]
    # Twelve digits are what is known of one commit; the sha256 of the file decides in any case.
    commit: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{12}|[0-9a-f]{40})$")]
    licence: Line
    files: Annotated[tuple[PublicFile, ...], Field(min_length=1)]


class PublicSource(_Frozen):
    """A public data set: what it is, how it is cited, its licence and its files."""

    title: Line
    citation: Line
    licence: Line
    origins: Annotated[tuple[Origin, ...], Field(min_length=1)]

    @property
    def files(self) -> tuple[PublicFile, ...]:
        """The files of all repositories, in the order of the manifest."""
        return tuple(file for origin in self.origins for file in origin.files)


class Entry(NamedTuple):
    """A file of the manifest with the name of its source and the address of its original."""

    source: str
    file: PublicFile
    address: str


class Manifest(_Frozen):
    """Every public source by name, and the address under which the repositories lie."""

    address: Annotated[str, AfterValidator(_http)]
    sources: dict[str, PublicSource]

    @model_validator(mode="after")
    def _no_path_twice(self) -> Manifest:
        files = [file for source in self.sources.values() for file in source.files]
        paths = Counter(path for file in files for path in (*file.places, *file.other_places))
        twice = [path for path, count in paths.items() if count > 1]
        if twice:
            raise ValueError(f"listed more than once: {', '.join(twice)}")
        return self

    def source(self, name: str) -> PublicSource:
        """A source by name; an error that says "did you mean" if there is none."""
        if name not in self.sources:
            raise unknown_name("data source", name, self.sources)
        return self.sources[name]

    def entries(self, name: str) -> Iterator[Entry]:
        """The files of a source with their addresses."""
        for origin in self.source(name).origins:
            base = f"{self.address}/{origin.repository}/{origin.commit}"
            for file in origin.files:
                yield Entry(name, file, f"{base}/{quote(file.original)}")

    def entry(self, path: str) -> Entry:
        """The file that lies at ``path`` under a data folder."""
        entries = {entry.file.path: entry for name in self.sources for entry in self.entries(name)}
        if path not in entries:
            raise unknown_name("data file", path, entries)
        return entries[path]

    def at(self, address: str) -> Manifest:
        """The same manifest with its repositories under another address (a mirror, a test)."""
        try:
            return self.model_copy(update={"address": _http(address)})
        except ValueError as error:
            raise UserError(f"{error}") from None


def read_manifest(path: Path) -> Manifest:
    """Read a manifest; all its mistakes are reported at once."""
    try:
        plain: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({error})") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: not TOML ({error})") from None
    try:
        return Manifest.model_validate(plain)
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, one['loc'])) or 'manifest'}: {one['msg']}" for one in error.errors())
        raise ConfigError(Problem(str(path), problem) for problem in problems) from None


@lru_cache(maxsize=1)
def manifest() -> Manifest:
    """The manifest that ships with Trivium."""
    return read_manifest(Path(__file__).with_name("manifest.toml"))
