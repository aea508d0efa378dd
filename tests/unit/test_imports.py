"""Modules of src: imports run one way, nothing there knows the demo."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src"


def module_of(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree: ast.AST) -> Iterator[str]:
    """Everything that is imported anywhere in a module: in functions and for types as well."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


def imports(root: Path) -> dict[str, set[str]]:
    """Each module below a folder with the modules there that it imports.

    With a module the packages around it are imported, except those around the importer too.
    """
    paths = {module_of(path, root): path for path in root.rglob("*.py")}
    edges: dict[str, set[str]] = {}
    for module, path in paths.items():
        found: set[str] = set()
        for name in imported(ast.parse(path.read_text(encoding="utf-8"))):
            parts = name.split(".")
            found |= {".".join(parts[:end]) for end in range(1, len(parts) + 1)}
        edges[module] = {
            name for name in found & set(paths) if not f"{module}.".startswith(f"{name}.")
        }
    return edges


def test_no_module_imports_itself_through_others() -> None:
    TopologicalSorter(imports(SRC)).prepare()


def test_a_circle_would_be_found(tmp_path: Path) -> None:
    """Also one that is closed by an import within a function."""
    (tmp_path / "one.py").write_text("from two import b\n")
    (tmp_path / "two.py").write_text("def b():\n    import one\n")
    with pytest.raises(CycleError, match="one"):
        TopologicalSorter(imports(tmp_path)).prepare()


def test_the_library_knows_no_demo_and_its_parts_no_command() -> None:
    for path in SRC.rglob("*.py"):
        module = module_of(path, SRC)
        names = set(imported(ast.parse(path.read_text(encoding="utf-8"))))
        assert not [name for name in names if name.startswith("strandline_demo")], module
        if not module.startswith("strandline.cli"):
            assert not [name for name in names if name.startswith("strandline.cli")], module
