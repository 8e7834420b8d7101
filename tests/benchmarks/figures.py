"""The figures of a benchmark: one line each where it runs alone, one row each in the table of `make bench`."""

import json
import math
import os
import statistics
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = "BENCHMARK_FIGURES"  # in the environment: the file that `tests.benchmarks` collects figures in


@dataclass(frozen=True, slots=True)
class Figure:
    """`reference` is what `figure` is compared with, in the same unit; None where there is nothing to compare with.

    `errors`: responses, displays or rows that were not as expected, in all rounds.
    """

    benchmark: str
    figure: float
    unit: str
    reference: float | None = None
    compared_with: str = ""
    errors: int = 0

    @property
    def ratio(self) -> float | None:
        return self.figure / self.reference if self.reference else None


def record(
    benchmark: str,
    figure: float,
    unit: str,
    *,
    reference: float | None = None,
    compared_with: str = "",
    errors: int = 0,
) -> None:
    """Print a figure, and hand it on to the table if there is one."""
    made = Figure(benchmark, figure, unit, reference, compared_with, errors)
    print("  ".join(part for part in columns(made) if part), flush=True)
    if os.environ.get(FILE):
        with Path(os.environ[FILE]).open("a") as file:
            file.write(json.dumps(asdict(made)) + "\n")


def record_waits(benchmark: str, description: str, milliseconds: list[float]) -> None:
    """Print how the waits are distributed, and record their median."""
    waits, median = sorted(milliseconds), statistics.median(milliseconds)
    late = waits[int(len(waits) * 0.95)]
    print(f"{len(waits)} {description}:")
    print(f"median {median:.0f} ms, 95th percentile {late:.0f} ms, worst {waits[-1]:.0f} ms")
    record(benchmark, median, "ms")


def collected(file: Path) -> list[Figure]:
    return [Figure(**json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []


def columns(figure: Figure) -> tuple[str, str, str, str, str]:
    """Benchmark, figure, reference, ratio and errors as text."""
    reference = "" if figure.reference is None else f"{number(figure.reference)} {figure.unit} ({figure.compared_with})"
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    errors = f"{figure.errors:,} error{'s' if figure.errors > 1 else ''}" if figure.errors else ""
    return figure.benchmark, f"{number(figure.figure)} {figure.unit}", reference, ratio, errors


def number(value: float) -> str:
    if math.isnan(value):
        return "–"
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.3f}"


def table(figures: list[Figure], failed: list[str]) -> str:
    """A row for each figure, and one for each benchmark that failed, with those that it had recorded until then."""
    heads = ("benchmark", "figure", "reference", "ratio", "errors")
    rows = [heads, *map(columns, figures), *((name, "failed", "", "", "") for name in failed)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(part.ljust(width) for part, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])
