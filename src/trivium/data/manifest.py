"""The manifest of public data: the origin, licence and sha256 of each file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal, NamedTuple
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
from trivium.settings import read_toml


def _relative_path(path: str) -> str:
    parts = PurePosixPath(path).parts
    if not parts or path != "/".join(parts) or path.startswith("/") or ".." in parts or re.search(r"[\\:]", path):
        raise ValueError(f"{path!r} is not a plain relative path")
    return path


def _http_address(address: str) -> str:
    if urlsplit(address).scheme not in ("http", "https"):
        raise ValueError(f"{address!r} is not an http or https address")
    return address.rstrip("/")


Line = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\r\n]+$")]
RelativePath = Annotated[str, AfterValidator(_relative_path)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class DerivedFile(_Frozen):
    """A file derived from a public original. It may be in a data folder, but is not public itself.

    A ``sample`` contains part of the data; a ``repacked`` file contains all of them in another encoding. ``how`` says
    how it was derived.
    """

    kind: Literal["sample", "repacked"]
    path: RelativePath
    sha256: Sha256
    how: Line


class PublicFile(_Frozen):
    """A public file: its path in the repository (``original``) and its path below a data folder (``path``)."""

    path: RelativePath
    original: RelativePath
    sha256: Sha256
    size: PositiveInt | None = None
    gz_sha256: Sha256 | None = None
    held: DerivedFile | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """The possible paths of the complete file below a data folder: as it is, or gzipped."""
        return (self.path,) if self.path.endswith((".gz", ".zip")) else (self.path, f"{self.path}.gz")

    @property
    def derived_paths(self) -> tuple[str, ...]:
        """The path of the derived file below a data folder, if it differs from ``path``."""
        return (self.held.path,) if self.held and self.held.path != self.path else ()


class Origin(_Frozen):
    """A repository at one commit, its licence, and the files taken from it."""

    repository: Annotated[str, StringConstraints(pattern=r"^[\w.-]+/[\w.-]+$")]
    # Of one commit only the first twelve digits are known. The sha256 of each file is checked in any case.
    commit: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{12}|[0-9a-f]{40})$")]
    licence: Line
    files: Annotated[tuple[PublicFile, ...], Field(min_length=1)]


class PublicSource(_Frozen):
    """A public data set: its title, citation, licence and files."""

    title: Line
    citation: Line
    licence: Line
    origins: Annotated[tuple[Origin, ...], Field(min_length=1)]

    @property
    def files(self) -> tuple[PublicFile, ...]:
        """All files of the source, in the order of the manifest."""
        return tuple(file for origin in self.origins for file in origin.files)


class Entry(NamedTuple):
    """A file of the manifest, with the name of its source and the address to download it from."""

    source: str
    file: PublicFile
    address: str


class Manifest(_Frozen):
    """All public sources by name, and the base address of the repositories."""

    address: Annotated[str, AfterValidator(_http_address)]
    sources: dict[str, PublicSource]

    @model_validator(mode="after")
    def _check_unique_paths(self) -> Manifest:
        files = [file for source in self.sources.values() for file in source.files]
        paths = Counter(path for file in files for path in (*file.paths, *file.derived_paths))
        duplicates = [path for path, count in paths.items() if count > 1]
        if duplicates:
            raise ValueError(f"listed more than once: {', '.join(duplicates)}")
        return self

    def source(self, name: str) -> PublicSource:
        """Return a source by name. Raise a UserError that suggests a similar name if there is none."""
        if name not in self.sources:
            raise unknown_name("data source", name, self.sources)
        return self.sources[name]

    def entries(self, name: str) -> Iterator[Entry]:
        """Yield the files of a source with their addresses."""
        for origin in self.source(name).origins:
            for file in origin.files:
                yield self._entry(name, origin, file)

    def entry(self, path: str) -> Entry:
        """Return the file with this ``path`` below a data folder."""
        if path not in self._by_path:
            raise unknown_name("data file", path, self._by_path)
        return self._entry(*self._by_path[path])

    @cached_property
    def _by_path(self) -> dict[str, tuple[str, Origin, PublicFile]]:
        """The source and the origin of each file. Holds no addresses, because :meth:`at` copies it."""
        return {
            file.path: (name, origin, file)
            for name, source in self.sources.items()
            for origin in source.origins
            for file in origin.files
        }

    def _entry(self, name: str, origin: Origin, file: PublicFile) -> Entry:
        return Entry(name, file, f"{self.address}/{origin.repository}/{origin.commit}/{quote(file.original)}")

    def at(self, address: str) -> Manifest:
        """Return the manifest with another base address, such as that of a mirror."""
        try:
            return self.model_copy(update={"address": _http_address(address)})
        except ValueError as error:
            raise UserError(f"{error}") from None


def read_manifest(path: Path) -> Manifest:
    """Read a manifest. Raise a ConfigError that lists all mistakes in it."""
    try:
        return Manifest.model_validate(read_toml(path))
    except ValidationError as error:
        messages = (f"{'.'.join(map(str, detail['loc'])) or 'manifest'}: {detail['msg']}" for detail in error.errors())
        raise ConfigError(Problem(str(path), message) for message in messages) from None


@lru_cache(maxsize=1)
def manifest() -> Manifest:
    """Return the manifest that ships with Trivium."""
    return read_manifest(Path(__file__).with_name("manifest.toml"))
