"""The documentation site builds without warnings, its links resolve, and it loads nothing from another host."""

from __future__ import annotations

import ast
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import typer

from trivium.cli.main import make_app

ROOT = Path(__file__).parents[1]
LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "audio": "src", "video": "src"}
LOADING_RELATIONS = {"stylesheet", "icon", "preload", "preconnect", "modulepreload"}
pytest.importorskip("material", reason="the site needs the extra 'docs'")


@dataclass
class Page(HTMLParser):
    """The anchors of a page, what it links to, and what a browser loads with it."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    classes: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        self.classes |= set(values.get("class", "").split())
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if values.get(LOADING.get(tag, "")):
            self.loaded.append(values[LOADING[tag]])
        if tag == "link" and set(values.get("rel", "").split()) & LOADING_RELATIONS:
            self.loaded.append(values.get("href", ""))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert build.returncode == 0, build.stdout + build.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    parsed = {}
    for file in sorted(site.rglob("*.html")):
        parsed[file] = Page()
        parsed[file].feed(file.read_text(encoding="utf-8"))
    return parsed


def test_every_internal_link_and_anchor_resolves(site: Path, pages: dict[Path, Page]) -> None:
    broken = []
    for file, page in pages.items():
        for link in (*page.links, *page.loaded):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or file.name == "404.html":  # its links start at the root of a server
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                broken.append(f"{file.relative_to(site)}: {link}: no such file")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                broken.append(f"{file.relative_to(site)}: {link}: no such anchor")
    assert not broken


def test_no_page_loads_anything_from_another_host(site: Path, pages: dict[Path, Page]) -> None:
    external = [(file.name, url) for file, page in pages.items() for url in page.loaded if urlsplit(url).netloc]
    for file in (*site.rglob("*.css"), *pages):
        for url in re.findall(r"url\(\s*[\"']?([^)\"']+)|@import\s+[\"']([^\"']+)", file.read_text(encoding="utf-8")):
            external += [(file.name, part) for part in url if part and urlsplit(part).netloc]
    assert not external
    diagrams = [file.name for file, page in pages.items() if "mermaid" in page.classes]
    assert not diagrams, "Material loads the program that draws Mermaid diagrams from unpkg.com"


def test_the_reference_covers_every_public_name_and_command(site: Path) -> None:
    import trivium

    api = (site / "reference" / "api.html").read_text(encoding="utf-8")
    assert [name for name in trivium.__all__ if not name.startswith("_") and name not in api] == []
    assert 'id="trivium.api.build"' in api
    cli = (site / "reference" / "cli.html").read_text(encoding="utf-8")
    assert "trivium run" in cli
    assert "--preset" in cli


@pytest.mark.parametrize("file", sorted(ROOT.glob("*.md")), ids=lambda file: file.name)
def test_links_of_the_pages_outside_the_site_resolve(file: Path) -> None:
    text = re.sub(r"```.*?```", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text)]
    local = [link for link in links if link and not urlsplit(link).scheme]
    assert [link for link in local if not (ROOT / link).exists()] == []


def _commands(text: str) -> list[str]:
    """Return the commands of a page: in code blocks, one a line, and as inline code."""
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in re.sub(r"\\\n\s*", " ", block).splitlines()]
    inline = re.findall(r"`((?:\w+=\S+ )*trivium [a-z][^`]*)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    starts = re.compile(r"^(?:\$ )?(?:\w+=(?:<[^>]*>|\S+) )*(trivium [a-z].*)$")
    commands = [match[1] for line in (*lines, *inline) if (match := starts.match(line.strip()))]
    return [re.split(r"\s{2,}", command)[0] for command in commands]  # after two spaces, a comment


def _mistake(command: str) -> str | None:
    """Return what is wrong with a command as it is written: a name or an option that does not exist."""
    part: Any = typer.main.get_command(make_app())
    words = shlex.split(command.replace("[--", "--").replace("…]", "").replace("]", ""), comments=True)[1:]
    while words and hasattr(part, "commands"):
        if words[0] not in part.commands:
            return f"no command {words[0]!r}"
        part = part.commands[words.pop(0)]
    if hasattr(part, "commands"):
        return None  # a group, such as `trivium persona`
    known = {option for parameter in part.params for option in (*parameter.opts, *parameter.secondary_opts)} | {
        "--help"
    }
    unknown = [word for word in words if word.startswith("--") and word.partition("=")[0] not in known]
    return f"no option {unknown[0]}" if unknown else None


PAGES = sorted((ROOT / "docs").rglob("*.md")) + [ROOT / name for name in ("README.md", "CONTRIBUTING.md")]


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_commands_of_the_documentation_exist(file: Path) -> None:
    commands = [command for command in _commands(file.read_text(encoding="utf-8")) if " | " not in command]
    assert {command: mistake for command in commands if (mistake := _mistake(command))} == {}


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_modules_and_files_that_the_documentation_names_exist(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for name in sorted(set(re.findall(r"\btrivium(?:\.[A-Za-z_][A-Za-z_0-9]*)+", text))):
        pkgutil.resolve_name(name)
    paths = set(re.findall(r"\b((?:src|tests|docs)/[\w./-]*\w/?)", text))
    assert sorted(path for path in paths if not (ROOT / path).exists()) == []


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_python_code_of_the_documentation_parses(file: Path) -> None:
    for code in re.findall(r"^```python\n(.*?)^```", file.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE):
        ast.parse(code)


@pytest.mark.parametrize(
    ("page", "check"),
    [
        ("strategy", "from trivium.learn.strategy import make_strategy; assert make_strategy('er-bal', {})"),
        ("source", "from trivium.data.sources import load_source; assert len(load_source('mine')) == 6"),
        (
            "lesson",
            "from trivium.build.lessons import generate; assert len(generate([], 'containers', number=9, seed=0)) == 9",
        ),
        ("phenomenon", "from trivium.build.phenomena import generate_parts; assert generate_parts('plural', 50, 10)"),
    ],
)
def test_the_plugin_of_a_how_to_page_works(page: str, check: str, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "how-to" / f"add-a-{page}.md").read_text(encoding="utf-8")
    plugin = tmp_path / f"my_{page}.py"
    plugin.write_text(text.split("```python\n", 1)[1].split("```", 1)[0], encoding="utf-8")
    load = f"from pathlib import Path; from trivium.plugins import load_plugins; load_plugins([Path({str(plugin)!r})])"
    result = subprocess.run(
        [sys.executable, "-c", f"{load}; {check}"], check=False, timeout=120, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
