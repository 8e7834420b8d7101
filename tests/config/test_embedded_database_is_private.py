"""The embedded PostgreSQL lets no other user of the machine in: real servers, real permissions."""

import multiprocessing
import os
import pwd
import shutil
import stat
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from config.serving import cluster
from tests.servers import PATIENCE, ROOT, Installation

START = """
import sys
from pathlib import Path
from config.serving.embedded import start_embedded
print(start_embedded(Path(sys.argv[1])), flush=True)
sys.stdin.readline()
"""
LONG = "a-folder-with-a-name-that-is-much-longer-than-anybody-would-choose/" * 2


@contextmanager
def server(data_dir: Path):
    """Run the embedded server under this folder, in a process of its own; yields its DATABASE_URL."""
    command = [sys.executable, "-c", START, str(data_dir)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        url = process.stdout.readline().strip()
        assert url, "the server did not start"
        yield url
    finally:
        process.communicate("\n", timeout=PATIENCE)


def socket_folder_of(url: str) -> Path:
    return Path(parse_qs(urlsplit(url).query)["host"][0])


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def refused(data_dir: Path) -> str:
    """Return the error of `manage.py serve`, which does not start."""
    env = {"PATH": os.environ["PATH"], "DATA_DIR": str(data_dir)}
    run = subprocess.run(
        [sys.executable, "manage.py", "serve"], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert run.returncode != 0
    assert "Traceback" not in run.stderr
    return run.stderr


def assert_closed(data_dir: Path, url: str) -> None:
    """Folders and socket are closed to other users, and nobody is trusted."""
    folder = socket_folder_of(url)
    assert mode(folder) == mode(data_dir / "postgres") == 0o700
    assert mode(folder / ".s.PGSQL.5432") & 0o077 == 0
    # Run by root, PostgreSQL has a user of its own, whose group may pass.
    assert mode(data_dir) == (0o710 if os.geteuid() == 0 else 0o700)
    with psycopg.connect(url) as connection:
        rules = connection.execute("SELECT type, auth_method FROM pg_hba_file_rules").fetchall()
        addresses = connection.execute("SHOW listen_addresses").fetchone()
    assert rules == [("local", "peer")]
    assert addresses == ("",)


@pytest.mark.slow
def test_it_is_closed_to_others_although_it_was_open_before(tmp_path, used):
    data_dir = (tmp_path / "data").resolve()
    Installation(data_dir).copy_data(used)
    (data_dir / "postgres" / "pg_hba.conf").write_text("local all all trust\n")
    for folder in (data_dir, data_dir / "postgres"):
        folder.chmod(0o755)
    with server(data_dir) as url:
        assert socket_folder_of(url) == data_dir / "postgres"
        assert_closed(data_dir, url)


@pytest.mark.slow
def test_where_its_path_is_too_long_for_a_socket_it_is_as_closed_and_another_user_is_not_the_superuser(tmp_path):
    data_dir = (tmp_path / LONG).resolve()
    with server(data_dir) as url:
        folder = socket_folder_of(url)
        assert folder != data_dir / "postgres"
        assert_closed(data_dir, url)
        folder.chmod(0o755)  # as if the folder alone did not keep them out
        (folder / ".s.PGSQL.5432").chmod(0o777)
        # Only root can become somebody else of the machine; others ask for a role that is not theirs.
        asked = url if os.geteuid() == 0 else url.replace("postgres:", "intruder:")
        assert "Peer authentication failed" in refusal(asked)


def refusal(url: str) -> str:
    """Return the error that a process of the user `nobody` gets, or of this one where this is not root's.

    It is forked, as the project may be in a folder that `nobody` can't read.
    """
    ours, theirs = multiprocessing.Pipe(duplex=False)

    def connect() -> None:
        if os.geteuid() == 0:
            os.setuid(pwd.getpwnam("nobody").pw_uid)
        try:
            psycopg.connect(url).close()
            theirs.send("")
        except psycopg.OperationalError as error:
            theirs.send(str(error))

    process = multiprocessing.get_context("fork").Process(target=connect)
    process.start()
    assert ours.poll(PATIENCE)
    process.join()
    return ours.recv()


@pytest.mark.slow
def test_a_folder_that_everybody_may_change_is_refused(tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    assert "Every user of this machine may change the folder" in refused(tmp_path / "open" / "data")


def test_folders_of_somebody_else_are_refused(tmp_path, monkeypatch):
    runtime = Path(tempfile.mkdtemp())  # shorter than `tmp_path`: a socket's path may have 100 characters
    monkeypatch.setattr(cluster, "_runtime_folder", lambda: runtime)
    own = pwd.getpwuid(os.geteuid())
    made = cluster.socket_folder(tmp_path / LONG, own)
    assert (made.parent, mode(made)) == (runtime, 0o700)
    (tmp_path / "data").mkdir()
    other = pwd.getpwnam("nobody")
    monkeypatch.setattr(os, "geteuid", lambda: other.pw_uid)
    with pytest.raises(cluster.CannotStart, match="Another user has made"):
        cluster.socket_folder(tmp_path / LONG, other)
    with pytest.raises(cluster.CannotStart, match="belongs to another user"):
        cluster.prepare_data_folder(tmp_path / "data", other)
    shutil.rmtree(runtime)


def test_a_path_that_is_too_long_everywhere_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_runtime_folder", lambda: tmp_path / LONG)
    with pytest.raises(cluster.CannotStart, match="choose a shorter one"):
        cluster.socket_folder(tmp_path / LONG, pwd.getpwuid(os.geteuid()))
