"""Paths, patterns and units."""

from __future__ import annotations

from pathlib import Path

import pytest

from fxlint.base.errors import UsageError
from fxlint.project.discover import expand, home, units
from fxlint.project.ignore import Patterns, ignored


def tree(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")


def below(folder: Path, paths: tuple[str, ...]) -> list[str]:
    return [str(Path(path).relative_to(folder)) for path in paths]


@pytest.mark.parametrize(
    ("pattern", "path", "is_folder", "hit"),
    [
        ("*.py", "a/b.py", False, True),
        ("/*.py", "a/b.py", False, False),
        ("/*.py", "b.py", False, True),
        ("build/", "x/build", True, True),
        ("build/", "x/build", False, False),
        ("a/b", "a/b", True, True),
        ("a/b", "x/a/b", True, False),
        ("**/b", "x/a/b", True, True),
        ("a/**", "a/x/y.py", False, True),
        ("a/**/z.py", "a/z.py", False, True),
        ("a/*", "a/x/y.py", False, False),
        ("x?.py", "x1.py", False, True),
        ("x?.py", "x12.py", False, False),
        ("x[0-9].py", "x1.py", False, True),
        ("x[!0-9].py", "x1.py", False, False),
        ("# x.py", "x.py", False, False),
        ("", "x.py", False, False),
        ("x.p", "x.py", False, False),
    ],
)
def test_pattern(pattern: str, path: str, is_folder: bool, hit: bool) -> None:
    assert ignored(f"/top/{path}", is_folder, [Patterns.of("/top", [pattern])]) is hit


def test_the_last_pattern_decides() -> None:
    rules = [Patterns.of("/top", ["*.py", "!keep.py"])]
    assert not ignored("/top/keep.py", False, rules)
    assert ignored("/top/other.py", False, rules)


def test_links_that_lead_nowhere_are_passed_over(tmp_path: Path) -> None:
    tree(tmp_path, "ok.py", "sub/a.py")
    for name in ("loop", "loop.py", "sub/loop.py"):
        (tmp_path / name).symlink_to(tmp_path / name)
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    (tmp_path / "sub" / "up").symlink_to(tmp_path)
    assert below(tmp_path, expand([str(tmp_path)])) == ["ok.py", "sub/a.py"]
    ((unit, members),) = units([str(tmp_path / "ok.py")], None)
    assert below(tmp_path, unit.files) == below(tmp_path, members) == ["ok.py"]


def test_expand_sorts_and_takes_each_file_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "b.py", "a/c.py", "a/d.txt", "a/.hidden/e.py", "__pycache__/f.py")
    monkeypatch.chdir(tmp_path)
    assert below(tmp_path, expand(["b.py", "a", ".", "a/d.txt"])) == ["a/.hidden/e.py", "a/c.py", "a/d.txt", "b.py"]
    with pytest.raises(UsageError, match="gone: no such file or folder"):
        expand(["gone"])


def test_gitignore_above_the_folder_counts_within_its_repository(tmp_path: Path) -> None:
    tree(tmp_path, "repo/.git/x", "repo/src/a.py", "repo/src/gen/b.py")
    (tmp_path / ".gitignore").write_text("a.py\n", encoding="utf-8")  # outside the repository: no say
    (tmp_path / "repo/.gitignore").write_text("gen/\n", encoding="utf-8")
    assert below(tmp_path, expand([str(tmp_path / "repo/src")])) == ["repo/src/a.py"]


def test_a_package_is_its_own_home(tmp_path: Path) -> None:
    tree(tmp_path, "pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/a.py", "pkg/data/b.py")
    assert home(str(tmp_path / "pkg/sub/a.py")) == str(tmp_path / "pkg")
    assert home(str(tmp_path / "pkg/data/b.py")) == str(tmp_path / "pkg/data")


def test_a_package_beside_loose_files_belongs_to_their_folder(tmp_path: Path) -> None:
    tree(tmp_path, "pkg/__init__.py", "pkg/a.py", "train.py", "deep/er/c.py")
    assert home(str(tmp_path / "pkg/a.py")) == home(str(tmp_path / "train.py")) == str(tmp_path)
    ((unit, members),) = units([str(tmp_path / "train.py")], None)
    assert below(tmp_path, unit.files) == ["pkg/__init__.py", "pkg/a.py", "train.py"]
    assert below(tmp_path, members) == ["train.py"]


def test_installed_packages_stay_apart(tmp_path: Path) -> None:
    tree(tmp_path, "site-packages/pkg/__init__.py", "site-packages/six.py")
    assert home(str(tmp_path / "site-packages/pkg/__init__.py")) == str(tmp_path / "site-packages/pkg")


def test_a_configuration_governs_all_below(tmp_path: Path) -> None:
    tree(tmp_path, "conf/a.py", "conf/x/y/b.py", "conf/skip/c.py", "other/d.py")
    given = [str(tmp_path / name) for name in ("conf/a.py", "other/d.py")]
    got = {Path(unit.folder).name: below(tmp_path, unit.files) for unit, _ in units(given, str(tmp_path / "conf"), ["skip/"])}
    assert got == {"conf": ["conf/a.py", "conf/x/y/b.py"], "other": ["other/d.py"]}


def test_a_file_that_is_left_out_joins_its_unit_when_named(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "notes.txt")
    ((unit, _),) = units([str(tmp_path / "notes.txt")], None)
    assert below(tmp_path, unit.files) == ["a.py", "notes.txt"]
