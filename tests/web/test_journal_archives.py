"""The journal of some days as a file, and the program in docs/fiscal.md that reads it without ours."""

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.conftest import SATURDAY, order_body
from web.services import sealing

pytestmark = pytest.mark.django_db

PROGRAM = re.search(r"```python\n(.*?)```", Path("docs/fiscal.md").read_text(), re.DOTALL)[1]


def archive(client, first: str, last: str = "", **query) -> str:
    response = client.get("/reports/journal", {"from": first, "to": last or first, **query})
    assert response.status_code == 200
    return b"".join(response.streaming_content).decode()


def read(folder: Path, *texts: str) -> tuple[int, str]:
    """Run the document's program on archives, apart from ours; return its status and what it wrote."""
    (folder / "read_journal.py").write_text(PROGRAM)
    for number, text in enumerate(texts):
        (folder / f"{number}.jsonl").write_text(text)
    names = [f"{number}.jsonl" for number in range(len(texts))]
    command = [sys.executable, "-I", "read_journal.py", *names]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr


@pytest.fixture
def two_days(saturday, clock, manager, session, soup) -> None:
    """An order each day; on the second both are paid, and a payment is voided."""
    for day in (7, 8):
        clock(SATURDAY.replace(day=day))
        manager.post("/table/7/order", order_body(session, (soup, 2)), format="json")
    paid = []
    for method, amount in (("cash", 19), ("card", 9), ("card", 10)):
        body = {"sessionId": str(session.pk), "method": method, "amount": amount, "tip": 1}
        paid.append(manager.post("/table/7/payments", body, format="json").json()["id"])
    manager.post(f"/payments/{paid[2]}/void", {}, format="json")
    sealing.seal()


def test_archives_of_days_follow_each_other_and_are_read_elsewhere(two_days, manager, tmp_path):
    first, second = archive(manager, "2026-03-07"), archive(manager, "2026-03-08")
    about, following = (json.loads(text.splitlines()[0]) for text in (first, second))
    assert (about["previous"], about["entries"], following["previous"]) == ("", 1, about["hash"])
    status, written = read(tmp_path, first, second)
    assert status == 0, written
    assert "2026-03-07 ordered 19.00" in written
    assert "2026-03-08 ordered 19.00, paid by card 9.00, paid by cash 19.00, tips 2.00" in written
    assert following["hash"] in written
    assert archive(manager, "2026-03-07", "2026-03-08").splitlines()[1:] == [
        *first.splitlines()[1:], *second.splitlines()[1:],
    ]  # fmt: skip


def test_the_program_says_what_is_wrong_with_an_archive(two_days, manager, tmp_path):
    first, second = archive(manager, "2026-03-07"), archive(manager, "2026-03-08")
    lines = second.splitlines(keepends=True)
    for texts, sentence in (
        ((first, second.replace("9.00", "8.00")), "is not what was sealed"),
        ((first, "".join([*lines[:2], *lines[3:]])), "is missing"),
        ((first, "".join(lines[:-1])), "is not complete"),
        ((second, first), "does not follow"),
    ):
        status, written = read(tmp_path, *texts)
        assert status == 1
        assert sentence in written


def test_csv_and_the_command_have_the_same_entries(two_days, manager, capsys):
    rows = list(csv.DictReader(io.StringIO(archive(manager, "2026-03-07", "2026-03-08", **{"as": "csv"})[1:])))
    call_command("export_journal", "--from", "2026-03-07", "--to", "2026-03-08")
    about, *entries = map(json.loads, capsys.readouterr().out.splitlines())
    assert [row["hash"] for row in rows] == [entry["hash"] for entry in entries]
    assert (rows[-1]["hash"], rows[0]["content"]) == (about["hash"], entries[0]["content"])


def test_days_without_entries_and_days_that_make_no_sense(manager, cashier):
    assert json.loads(archive(manager, "2026-03-07"))["entries"] == 0
    for query in ({"from": "x"}, {"from": "2026-03-08", "to": "2026-03-07"}, {"as": "xml"}):
        assert manager.get("/reports/journal", query).status_code == 400
    assert cashier.get("/reports/journal").status_code == 403
