"""What the project weighs: `make weight`, or `python -m tests.weight FOLDER` for another checkout beside this one."""

import ast
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

APPS = ("config", "web", "qrservice", "loyalty", "restaurant")
LONG_LINE = 140  # characters, in a template


def main(root: Path) -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout
    files = [root / name for name in listed.splitlines() if (root / name).is_file()]

    def named(folder: str, *suffixes: str) -> list[Path]:
        return [path for path in files if path.is_relative_to(root / folder) and path.suffix in suffixes]

    product = {app: [path for path in named(app, ".py") if "migrations" not in path.parts] for app in APPS}
    print("lines                Python   tests")
    for app, modules in product.items():
        print(f"  {app:16} {_lines(modules):8,} {_lines(named(f'tests/{app}', '.py')):8,}")
    everything = [path for modules in product.values() for path in modules]
    tests = named("tests", ".py")
    print(f"  {'all':16} {_lines(everything):8,} {_lines(tests):8,}")
    for name, paths in {
        "templates": named("templates", ".html", ".txt"),
        "scripts": [path for path in named("static", ".js") if "vendor" not in path.parts],
        "styles": [path for path in named("static", ".css") if "vendor" not in path.parts],
        "documents": [path for path in files if path.suffix == ".md"],
    }.items():
        print(f"  {name:16} {_lines(paths):8,}  in {len(paths)} files")
    long = sum(len(line) > LONG_LINE for path in named("templates", ".html") for line in _text(path).splitlines())
    print(f"  of templates longer than {LONG_LINE} characters: {long}")
    _code("Python", everything)
    _code("tests", tests)


def _code(name: str, modules: list[Path]) -> None:
    trees = [ast.parse(_text(path)) for path in modules]
    functions = [end - start + 1 for tree in trees for start, end in _functions(tree)]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    data = sum("dataclass" in ast.unparse(decorator) for class_ in classes for decorator in class_.decorator_list)
    serializers = sum(any("Serializer" in ast.unparse(base) for base in class_.bases) for class_ in classes)
    anything = sum(isinstance(node, ast.Name) and node.id == "Any" for tree in trees for node in ast.walk(tree))
    lines = [len(_text(path).splitlines()) for path in modules]
    print(f"{name}: {len(modules)} files of {_spread(lines)} lines; {len(functions)} functions of {_spread(functions)}")
    print(f"  {len(classes)} classes: {data} dataclasses, {serializers} serializers; Any {anything} times")


def _functions(tree: ast.Module) -> Iterator[tuple[int, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.end_lineno or node.lineno


def _spread(counts: list[int]) -> str:
    return f"{statistics.median(counts):.0f} (median) and {statistics.quantiles(counts, n=10)[-1]:.0f} (p90)"


def _lines(paths: list[Path]) -> int:
    return sum(len(_text(path).splitlines()) for path in paths)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    main(Path(*sys.argv[1:]).resolve())
