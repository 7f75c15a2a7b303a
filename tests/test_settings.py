"""Settings are read from TOML files and overrides, and all mistakes are reported at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, ValidationError, model_validator

from trivium.errors import ConfigError, UserError, in_shell
from trivium.settings import Settings, read_settings, to_toml


class Oven(Settings):
    heat: Annotated[int, Field(ge=50, le=300)] = 180
    mode: Literal["fan", "grill"] = "fan"
    minutes: tuple[Annotated[int, Field(ge=1)], ...] = (30,)


class Kitchen(Settings):
    name: str = "home"
    guests: Annotated[int, Field(ge=0)] = 4
    share: float = 0.25
    oven: Oven = Oven()
    second: Oven = Oven(heat=90)
    notes: Mapping[str, Mapping[str, Any]] = {}

    @model_validator(mode="after")
    def _enough(self) -> Kitchen:
        if self.guests > 100:
            raise ValueError("more guests than chairs")
        return self


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "kitchen.toml"
    path.write_text('name = "café"\n[oven]\nheat = 200\n', encoding="utf-8")
    return path


def read(file: Path, *overrides: str) -> Kitchen:
    return read_settings(Kitchen, file, overrides)


def problems(file: Path, *overrides: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as raised:
        read(file, *overrides)
    assert str(raised.value) == "\n".join(f"{where}: {what}" for where, what in raised.value.problems)
    return tuple(problem.what for problem in raised.value.problems)


@pytest.mark.parametrize(
    ("overrides", "where"),
    [
        (("guests=many",), ["--set guests=many"]),
        (("oven.heat=1", "oven.heat=hot"), ["--set oven.heat=hot"]),
        (("oven.minutes=[0]",), ["--set oven.minutes=[0]"]),
        (("oven.haet=3",), ["--set oven.haet=3"]),
        (("name=3", "guests=4"), ["--set name=3"]),
    ],
)
def test_a_mistake_in_an_override_names_the_option(file: Path, overrides: tuple[str, ...], where: list[str]) -> None:
    with pytest.raises(ConfigError) as raised, in_shell():
        read(file, *overrides)
    assert [problem.where for problem in raised.value.problems] == where


def test_a_mistake_in_the_file_names_the_file_even_if_there_are_overrides(file: Path) -> None:
    file.write_text("guests = 'many'\n")
    with pytest.raises(ConfigError) as raised:
        read(file, "oven.heat=200")
    assert [problem.where for problem in raised.value.problems] == ["kitchen.toml"]


def error_of(file: Path, *overrides: str) -> str:
    with pytest.raises(UserError) as raised:
        read(file, *overrides)
    return str(raised.value)


def test_settings_that_are_not_in_the_file_have_their_defaults(file: Path) -> None:
    assert read(file) == Kitchen(name="café", oven=Oven(heat=200))


def test_settings_cannot_be_changed(file: Path) -> None:
    with pytest.raises(ValidationError, match="frozen"):
        read(file).guests = 3  # type: ignore[misc]


def test_all_mistakes_are_reported_at_once_with_their_values(file: Path) -> None:
    file.write_text('guests = -1\nshare = "much"\n[oven]\nheat = 20\nmode = "gril"\nminutes = [1, 0]\nhaet = 3\n')
    messages = problems(file)
    assert sorted(message.partition(":")[0] for message in messages) == [
        "guests", "oven.heat", "oven.minutes.1", "oven.mode", "share", "unknown setting 'oven.haet'",
    ]  # fmt: skip
    assert "guests: Input should be greater than or equal to 0 (got -1)" in messages
    assert "oven.mode: Input should be 'fan' or 'grill' (got 'gril')" in messages


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gests = 3", "unknown setting 'gests': did you mean 'guests'?"),
        ("[oven]\nhaet = 3", "unknown setting 'oven.haet': did you mean 'heat'?"),
        ("[second]\nmods = 3", "unknown setting 'second.mods': did you mean 'mode'?"),
        ("[ovn]\nheat = 3", "unknown setting 'ovn': did you mean 'oven'?"),
        ("[oven]\nqqq = 3", "unknown setting 'oven.qqq': available: heat, minutes, mode"),
    ],
)
def test_the_error_for_an_unknown_setting_suggests_one_of_the_same_group(file: Path, text: str, message: str) -> None:
    file.write_text(text)
    assert problems(file) == (message,)


def test_the_message_of_a_validator_is_shown_as_it_is(file: Path) -> None:
    assert problems(file, "guests=101") == ("more guests than chairs",)


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("guests=2", {"guests": 2}),
        ("oven.heat=90", {"oven": Oven(heat=90)}),
        ("name=villa", {"name": "villa"}),
        ('name="villa"', {"name": "villa"}),
        ("name=org/model-v1.5", {"name": "org/model-v1.5"}),
        ("name=a=b", {"name": "a=b"}),
        ("name=", {"name": ""}),
        ("name=two words", {"name": "two words"}),
        ("share=1e-3", {"share": 1e-3}),
        ("share=1", {"share": 1.0}),
        ("oven.mode=grill", {"oven": Oven(heat=200, mode="grill")}),
        ("oven.minutes=[1, 2,3]", {"oven": Oven(heat=200, minutes=(1, 2, 3))}),
        ("second.heat=80", {"second": Oven(heat=80)}),
        ("notes.cake.sugar=3", {"notes": {"cake": {"sugar": 3}}}),
        ("oven={heat=70}", {"oven": Oven(heat=70)}),
    ],
)
def test_an_override_changes_only_its_setting(file: Path, override: str, expected: dict[str, Any]) -> None:
    assert read(file, override) == Kitchen(**{"name": "café", "oven": Oven(heat=200), **expected})


def test_the_last_of_several_overrides_wins_and_the_file_is_unchanged(file: Path) -> None:
    before = file.read_bytes()
    assert read(file, "guests=1", "oven.heat=60", "guests=2").guests == 2
    assert read(file).guests == 4
    assert file.read_bytes() == before


@pytest.mark.parametrize("override", ["guests", "=3", "", "guests:3"])
def test_the_error_for_a_malformed_override_shows_how_to_write_it(file: Path, override: str) -> None:
    assert error_of(file, override) == f"set={[override]}: write it as name=value, for instance train.epochs=2"


def test_a_value_cannot_be_used_as_a_group_of_settings(file: Path) -> None:
    assert error_of(file, "name.first=x") == "set=['name.first=x']: 'name' is a value, not a group of settings"
    assert error_of(file, "oven.heat.high=1") == "set=['oven.heat.high=1']: 'heat' is a value, not a group of settings"


def test_a_group_of_settings_cannot_be_a_value(file: Path) -> None:
    (message,) = problems(file, "oven=hot")
    assert message.startswith("oven: Input should be a valid dictionary")
    assert "'hot'" in message


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("guests=many", "guests: Input should be a valid integer, unable to parse string as an integer (got 'many')"),
        ("guests=2.5", "guests: Input should be a valid integer, got a number with a fractional part (got 2.5)"),
        ("oven.minutes=3", "oven.minutes: Input should be a list, such as [1, 2] (got 3)"),
        ("oven.haet=3", "unknown setting 'oven.haet': did you mean 'heat'?"),
    ],
)
def test_an_invalid_override_is_reported_like_an_invalid_line_of_the_file(
    file: Path, override: str, message: str
) -> None:
    assert problems(file, override) == (message,)


def test_the_error_for_a_file_that_is_not_toml_names_the_line(file: Path) -> None:
    file.write_text("guests = 3\nname == 4\n")
    assert error_of(file).startswith(f"{file}: not TOML: ")
    assert "line 2" in error_of(file)


def test_a_missing_file_and_a_folder_are_errors(tmp_path: Path) -> None:
    assert error_of(tmp_path / "no.toml") == f"{tmp_path / 'no.toml'}: cannot be read (No such file or directory)"
    assert error_of(tmp_path) == f"{tmp_path}: cannot be read (Is a directory)"


def test_a_file_that_is_not_utf_8_is_an_error(file: Path) -> None:
    file.write_bytes(b'name = "caf\xe9"\n')
    assert error_of(file).startswith(f"{file}")


PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x7f"), max_size=12)
OVENS = st.builds(
    Oven,
    heat=st.integers(50, 300),
    mode=st.sampled_from(["fan", "grill"]),
    minutes=st.lists(st.integers(1, 9), max_size=3).map(tuple),
)
NOTES = st.dictionaries(
    st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True),
    st.dictionaries(
        st.from_regex(r"[a-z_]{1,5}", fullmatch=True),
        st.integers(-9, 9) | st.booleans() | PLAIN,
        min_size=1,
        max_size=2,
    ),
    max_size=2,
)
KITCHENS = st.builds(
    Kitchen,
    name=PLAIN,
    guests=st.integers(0, 100),
    share=st.floats(allow_nan=False, allow_infinity=False),
    oven=OVENS,
    second=OVENS,
    notes=NOTES,
)


@given(kitchen=KITCHENS)
@settings(max_examples=60, deadline=None)
def test_settings_written_as_toml_are_read_back_the_same(
    kitchen: Kitchen, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "round.toml"
    path.write_text(to_toml(kitchen), encoding="utf-8", newline="\n")
    assert read_settings(Kitchen, path) == kitchen


@pytest.mark.parametrize("kitchen", [Kitchen(name="\x7f"), Kitchen(notes={"my.cake": {"sugar": 3}})])
def test_unusual_names_and_characters_are_read_back_the_same(kitchen: Kitchen, tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(to_toml(kitchen), encoding="utf-8")
    assert read_settings(Kitchen, path) == kitchen


def test_toml_lists_every_value_under_its_group() -> None:
    assert to_toml(Kitchen(notes={"cake": {"sugar": 3}})) == (
        'name = "home"\nguests = 4\nshare = 0.25\n'
        '\n[oven]\nheat = 180\nmode = "fan"\nminutes = [30]\n'
        '\n[second]\nheat = 90\nmode = "fan"\nminutes = [30]\n'
        "\n[notes]\n\n[notes.cake]\nsugar = 3\n"
    )


class Suite(Settings):
    size: int = 1


class Suites(Settings):
    suites: dict[str, Suite] = Field(default_factory=dict)
    name: str = ""


DEEP = "[" * 2000
LONG = "9" * 5000


@pytest.mark.parametrize("text", [f"name = {LONG}", f"name = {DEEP}", "name = " + "{a=" * 2000])
def test_toml_that_cannot_be_parsed_is_an_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text)
    with pytest.raises(UserError) as raised:
        read_settings(Suites, file)
    assert str(raised.value).startswith(f"{file}: ")


@pytest.mark.parametrize(
    "override",
    [
        "suites.snli.x=1",
        f"name={LONG}",
        f"name={DEEP}",
        "a." * 5000 + "b=1",
        "suites.a.b.c.d=1",
        "name.x=1\n2",
        "\n=\n",
    ],
)
def test_an_override_that_is_wrong_is_an_error_in_one_short_line(tmp_path: Path, override: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text("")
    with pytest.raises(UserError) as raised:
        read_settings(Suites, file, [override])
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 1000
