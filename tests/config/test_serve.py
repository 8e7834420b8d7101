"""`manage.py serve`: what a start says, and what it does while it runs. Real processes.

On two starts: the first one of a newcomer (`used`), and the demonstration's (`installation`). Processes that die
are in check_serving_processes.py; hard kills, every signal and whatever stands still are in tests/faults.
"""

import re
import socket
import subprocess
import sys

import numpy as np
import psycopg
import pytest
import requests
from django.core.management import CommandError, call_command

from config.serving import stopping
from config.serving.environment import bound_address
from tests import decoder
from tests.servers import FIRST_LOG, PATIENCE, ROOT, free_port

END_ALL_CONNECTIONS = """SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                         WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"""


@pytest.mark.slow
def test_a_first_start_says_where_everything_is_and_how_somebody_gets_in(used):
    output = (used / FIRST_LOG).read_text()
    base = re.search(r"^  Kitchen display +(http://localhost:\d+)/kitchen$", output, re.MULTILINE)[1]
    for text in (f"{base}/setup", f"{base}/reports", f"{base}/admin/", "Nobody can sign in yet."):
        assert text in output
    assert output.endswith("Stopped.\n")


def test_a_host_s_name_is_bound_by_its_address():
    assert bound_address("localhost") in {"127.0.0.1", "::1"}
    with pytest.raises(SystemExit, match="no such address on this machine"):
        bound_address("nowhere.invalid")


@pytest.mark.slow
def test_pages_and_sockets_are_served_by_processes_of_its_own(installation):
    assert requests.get(f"{installation.base}/", timeout=PATIENCE).status_code == 200
    assert requests.get(f"{installation.base}/readyz", timeout=PATIENCE).status_code == 200
    assert installation.has_sockets()
    with psycopg.connect(installation.database_url()) as database:  # plans for memory and SSDs
        assert database.execute("SHOW random_page_cost").fetchone() == ("1.1",)
    assert len(installation.left_behind()) > 3  # so that it would find them after the end


def test_the_process_that_watches_over_the_servers_imports_no_django():
    code = "import sys, config.serving.supervision; sys.exit(bool({'django', 'psycopg'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def picture_of(text: str) -> np.ndarray:
    """Return the half-block characters of a terminal as pixels."""
    rows = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in text.splitlines() if "\x1b[30;107m" in line]
    upper = [[c in "▀█" for c in row] for row in rows]
    lower = [[c in "▄█" for c in row] for row in rows]
    dark = np.array([line for pair in zip(upper, lower, strict=True) for line in pair])
    return np.kron(np.where(dark, 0, 255).astype(np.uint8), np.ones((8, 8), dtype=np.uint8))


@pytest.mark.slow
def test_at_an_address_of_the_network_the_terminal_shows_a_code_that_a_phone_can_read(installation):
    read = decoder.read(picture_of(installation.output))
    assert read.startswith(f"HTTP://127.0.0.2:{installation.port}/Q/")
    answer = requests.get(read.replace("HTTP://", "http://"), allow_redirects=False, timeout=PATIENCE)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{installation.base}/table/1")


@pytest.mark.slow
def test_a_start_with_the_demonstration_leads_to_a_member_s_card(installation):
    output, base = installation.output, re.escape(installation.base)
    card = re.search(rf"^  A member's card +{base}(/member/\S+)$", output, re.MULTILINE)[1]
    link = re.search(rf"^  {base}(/member-sign-in/\S+)$", output, re.MULTILINE)[1]
    browser = requests.Session()
    signed_in = browser.post(installation.base + link, json={}, timeout=PATIENCE)
    assert signed_in.status_code == 200
    assert card == f"/member/{signed_in.json()['customerId']}"
    assert browser.get(installation.base + card, timeout=PATIENCE).json()["viewer"] == "member"


@pytest.mark.slow
def test_a_trial_is_told_what_guests_need_and_a_backup_is_made_and_noted_while_it_runs(installation, tmp_path):
    findings = [line for line in installation.output.splitlines() if line.startswith("  - ")]
    assert "Fine for a trial, but not for guests:" in installation.output
    assert ["HTTPS" in findings[0], "EMAIL_URL" in findings[1], "TIME_ZONE" in findings[2]] == [True] * 3
    assert len(findings) == 3
    assert not (installation.data_dir / "last_backup").exists()
    installation.manage("backup", str(tmp_path / "one.dump"))
    assert (installation.data_dir / "last_backup").exists()


@pytest.mark.slow
def test_the_next_request_after_the_database_ended_its_connections_is_answered(installation):
    session, answers = requests.Session(), []
    with psycopg.connect(installation.database_url(), autocommit=True) as database:
        for _ in range(4):
            answers += [installation.status(session=session) for _ in range(2)]
            assert database.execute(END_ALL_CONNECTIONS).fetchone()[0] >= 1
            answers.append(installation.status(session=session))
    assert answers == [404] * 12


def test_a_taken_port_is_an_error_that_names_it_and_one_port_for_both_is_refused(monkeypatch):
    monkeypatch.setattr(stopping, "listen", lambda: None)  # to signals of this process
    free = free_port()
    with socket.create_server(("127.0.0.1", 0)) as squatter:
        taken = squatter.getsockname()[1]
        for ports in ({"port": taken, "kitchen_port": free}, {"port": free, "kitchen_port": taken}):
            with pytest.raises(CommandError, match=f"Port {taken} of 127.0.0.1 can't be used"):
                call_command("serve", **ports)
    with pytest.raises(CommandError, match=f"Port {free} can't be used twice"):
        call_command("serve", port=free, kitchen_port=free)
