"""The figures of a benchmark: one line each where it runs alone, one row each in the table of `make bench`."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = "BENCHMARK_FIGURES"  # in the environment: the file that `tests.benchmarks` collects figures in


@dataclass(frozen=True, slots=True)
class Figure:
    """`reference` is what `figure` is compared with, in the same unit; None where there is nothing to compare with."""

    benchmark: str
    figure: float
    unit: str
    reference: float | None = None
    compared_with: str = ""

    @property
    def ratio(self) -> float | None:
        return self.figure / self.reference if self.reference else None


def record(
    benchmark: str, figure: float, unit: str, *, reference: float | None = None, compared_with: str = ""
) -> None:
    """Print a figure, and hand it on to the table if there is one."""
    made = Figure(benchmark, figure, unit, reference, compared_with)
    print("  ".join(part for part in columns(made) if part), flush=True)
    if os.environ.get(FILE):
        with Path(os.environ[FILE]).open("a") as file:
            file.write(json.dumps(asdict(made)) + "\n")


def collected(file: Path) -> list[Figure]:
    return [Figure(**json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []


def columns(figure: Figure) -> tuple[str, str, str, str]:
    """Benchmark, figure, reference and ratio as text."""
    reference = "" if figure.reference is None else f"{number(figure.reference)} {figure.unit} ({figure.compared_with})"
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    return figure.benchmark, f"{number(figure.figure)} {figure.unit}", reference, ratio


def number(value: float) -> str:
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.3f}"


def table(figures: list[Figure]) -> str:
    rows = [("benchmark", "figure", "reference", "ratio"), *map(columns, figures)]
    widths = [max(len(row[place]) for row in rows) for place in range(4)]
    lines = ["  ".join(part.ljust(width) for part, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])
