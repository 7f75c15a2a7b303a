"""Named parts: a strategy, a source, a model family is one file with one registration line at its top."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from trivium.errors import UserError, unknown_name

T = TypeVar("T")


class Registry(Generic[T]):
    """Parts of one kind by name, in the order in which they were registered."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._parts: dict[str, T] = {}

    def register(self, name: str) -> Callable[[T], T]:
        """A decorator that enters a part under ``name``."""

        def enter(part: T) -> T:
            known = self._parts.get(name)
            if known is not None and getattr(known, "__module__", None) != "__main__":  # a notebook cell may run again
                raise UserError(f"there are two {self.kind} parts named {name!r}: rename one of them")
            self._parts[name] = part
            return part

        return enter

    def __getitem__(self, name: str) -> T:
        if name not in self._parts:
            raise unknown_name(self.kind, name, self._parts)
        return self._parts[name]

    def __contains__(self, name: object) -> bool:
        return name in self._parts

    def __len__(self) -> int:
        return len(self._parts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def items(self) -> Iterator[tuple[str, T]]:
        """Name and part, in the order of registration."""
        return iter(self._parts.items())
