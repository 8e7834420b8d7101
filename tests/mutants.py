"""`make mutants`: small mistakes in the product's code, and which of them a test notices.

`--data` names what coverage recorded of the tests, with their contexts. Each mistake is made in a copy of the tree, and
the tests that run its line are run there, the most specific first, until one fails. The same seed, the same mistakes.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from coverage import CoverageData

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("config", "loyalty", "qrservice", "restaurant", "web")
LEFT_OUT = ("migrations", "demo", "admin", "management")
AT_ONCE = 600  # tests of one process; more than that cover a line only where every request passes
TIME = 600.0  # seconds: a mistake that makes tests wait for ever has been noticed
COMPARISONS = {
    "==": "!=",
    "!=": "==",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "in": "not in",
    "not in": "in",
    "is": "is not",
    "is not": "is",
}


@dataclass(frozen=True, order=True)
class Mutant:
    path: str
    line: int
    start: int  # bytes into the file
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {' '.join(self.before.split())!r} -> {self.after!r}"


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Those of the file's functions; what runs at import is covered by no test of its own."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def mutant(begin: tuple[int, int], end: tuple[int, int], after: str) -> Mutant:
        first, last = starts[begin[0] - 1] + begin[1], starts[end[0] - 1] + end[1]
        return Mutant(str(path.relative_to(ROOT)), begin[0], first, last, source[first:last].decode(), after)

    def whole(node: ast.expr | ast.stmt, after: str) -> Mutant:
        return mutant((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0), after)

    def between(left: ast.expr, right: ast.expr, words: dict[str, str]) -> Iterator[Mutant]:
        gap = mutant((left.end_lineno or 0, left.end_col_offset or 0), (right.lineno, right.col_offset), "")
        for word in sorted(words, key=len, reverse=True):
            if found := re.fullmatch(rf"([\s)]*){re.escape(word)}([\s(]*)", gap.before):
                yield Mutant(gap.path, gap.line, gap.start, gap.end, gap.before, found[1] + words[word] + found[2])
                return

    functions = [
        node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for node in {node: None for function in functions for part in function.body for node in ast.walk(part)}:
        match node:
            case ast.Compare(left=left, comparators=[right]):
                yield from between(left, right, COMPARISONS)
            case ast.BoolOp(values=[left, right, *_]):
                yield from between(left, right, {"and": "or", "or": "and"})
            case ast.BinOp(left=left, right=right, op=ast.Add() | ast.Sub()):
                yield from between(left, right, {"+": "-", "-": "+"})
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield mutant((node.lineno, node.col_offset), (operand.lineno, operand.col_offset), "")
            case ast.Constant(value=bool() as value):
                yield whole(node, str(not value))
            case ast.Constant(value=int() as value):
                yield whole(node, str(value + 1))
            case ast.If(test=test) | ast.IfExp(test=test):
                text = whole(test, "")
                yield whole(test, f"(not ({text.before}))")
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                yield whole(value, "None")
            case ast.Expr(value=ast.Call()):
                yield whole(node, "pass")
            case ast.Attribute(value=of, attr="filter" | "exclude" as name):
                after = "exclude" if name == "filter" else "filter"
                yield mutant((of.end_lineno or 0, of.end_col_offset or 0), _end(node), f".{after}")
            case ast.Call(args=[], keywords=[_, last]) if last.arg:
                text = whole(last.value, "").before
                yield mutant(
                    (last.lineno, last.col_offset), _end(last), f"**dict({last.arg}={text}) if False else {{}}"
                )


def _end(node: ast.expr | ast.keyword) -> tuple[int, int]:
    return node.end_lineno or 0, node.end_col_offset or 0


def choose(count: int, seed: int) -> list[Mutant]:
    """Spread over the packages by the size of their code."""
    chance = random.Random(seed)
    found: dict[str, list[Mutant]] = {}
    for package in PACKAGES:
        files = [
            path for path in sorted((ROOT / package).rglob("*.py")) if not set(LEFT_OUT) & {*path.parts, path.stem}
        ]
        found[package] = sorted({mutant for path in files for mutant in mutants_of(path)})
    total = sum(map(len, found.values()))
    return [
        mutant
        for package, mutants in found.items()
        for mutant in chance.sample(mutants, round(count * len(mutants) / total))
    ]


class Recorded:
    """Which tests run a line."""

    def __init__(self, file: Path) -> None:
        self.data = CoverageData(str(file))
        self.data.read()
        self.files = {re.sub(rf".*?((?:{'|'.join(PACKAGES)})/.*)", r"\1", name): name for name in self._names()}
        self.lines_of_test: Counter[str] = Counter()
        for name in self.files.values():
            for contexts in self.data.contexts_by_lineno(name).values():
                self.lines_of_test.update(_tests(contexts))

    def _names(self) -> list[str]:
        return sorted(self.data.measured_files(), key=len)

    def tests(self, mutant: Mutant) -> list[str]:
        """The most specific first."""
        lines = self.data.contexts_by_lineno(self.files.get(mutant.path, mutant.path))
        return sorted(_tests(lines.get(mutant.line, [])), key=lambda test: (self.lines_of_test[test], test))


def _tests(contexts: list[str]) -> set[str]:
    return {context.rpartition("|")[0] for context in contexts if "|" in context}


def copy_of_the_tree(folder: Path) -> Path:
    names = subprocess.check_output(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, text=True).split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def notices(tree: Path, tests: list[str], chance: random.Random) -> str:
    """The test that fails, or nothing."""
    first, rest = tests[: AT_ONCE // 2], tests[AT_ONCE // 2 :]
    chosen = tree / "var" / "tests.txt"
    chosen.parent.mkdir(exist_ok=True)
    chosen.write_text("\n".join([*first, *chance.sample(rest, min(len(rest), AT_ONCE // 2))]))
    environment = os.environ | {"TEST_DATA_DIR": str(tree / "var" / "test"), "TEST_TEMPLATE": "migrated_mutants"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", f"@{chosen}"]
    try:
        ran = subprocess.run(
            command, check=False, cwd=tree, env=environment, capture_output=True, text=True, timeout=TIME
        )
    except subprocess.TimeoutExpired:
        return "no end"
    if ran.returncode == 0:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", ran.stdout, re.MULTILINE)
    return failed[1] if failed else f"exit {ran.returncode}: {(ran.stdout + ran.stderr).strip()[-300:]}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", default="", help="a part of the mutant's line")
    options = parser.parse_args()
    recorded = Recorded(options.data)
    mutants = [mutant for mutant in choose(options.count, options.seed) if options.only in str(mutant)]
    trees: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(options.processes) as pool:
        for number in range(options.processes):
            trees.put(copy_of_the_tree(Path(scratch) / str(number)))

        def attempt(mutant: Mutant) -> str:
            tests = recorded.tests(mutant)
            if not tests:
                return "survived: no test runs this line"
            tree = trees.get()
            path = tree / mutant.path
            source = path.read_bytes()
            path.write_bytes(source[: mutant.start] + mutant.after.encode() + source[mutant.end :])
            try:
                failed = notices(tree, tests, random.Random(options.seed))
            finally:
                path.write_bytes(source)
                trees.put(tree)
            return f"caught by {failed}" if failed else f"survived: {len(tests)} tests run this line"

        results = Counter()
        for mutant, result in zip(mutants, pool.map(attempt, mutants), strict=True):
            results[result.partition(" ")[0].rstrip(":")] += 1
            print(f"{mutant}\t{result}", flush=True)
    print(", ".join(f"{number} {name}" for name, number in results.items()))


if __name__ == "__main__":
    main()
