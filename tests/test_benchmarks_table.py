"""`make bench` prints its table whatever fails, and says what failed and what met errors."""

import pytest

from tests.benchmarks import __main__ as bench
from tests.benchmarks import figures, load

WRK = """
  Socket errors: connect 0, read 1, write 0, timeout 3
  Non-2xx or 3xx responses: 12
Requests/sec:    812.55
"""


def test_the_table_is_printed_with_what_failed_and_the_errors_that_were_met(monkeypatch, capsys):
    def run(name, file):
        if name == "kitchen_latency":
            raise KeyboardInterrupt  # somebody has had enough of it
        monkeypatch.setenv(figures.FILE, str(file))
        figures.record(name, float("nan") if name == "earn" else 800.0, "/s", errors=16 if name == "scans" else 0)
        return name != "orders"

    monkeypatch.setattr(bench, "run", run)
    monkeypatch.setattr("sys.argv", ["bench", "scans", "orders", "earn", "kitchen_latency"])
    with pytest.raises(SystemExit) as ended:
        bench.main()
    table = capsys.readouterr().out.rpartition("benchmark  ")[2]
    rows = [line.split() for line in table.splitlines()[2:]]
    assert rows == [
        ["scans", "800", "/s", "16", "errors"],
        ["orders", "800", "/s"],
        ["earn", "–", "/s"],
        ["orders", "failed"],
        ["kitchen_latency", "failed"],
    ]
    assert ended.value.code


def test_errors_of_a_load_are_counted_whatever_they_are():
    assert load.errors(WRK) == 16
    assert load.errors("Requests/sec:    812.55") == 0
