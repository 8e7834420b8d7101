"""Real servers for tests: processes on loopback ports of their own, ended by whoever started them."""

import contextlib
import fcntl
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
import requests
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent
# The shell draws pages and no windows of its own, and takes a third of the time.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
PATIENCE = 60.0  # seconds
FIRST_LOG = "first_start.log"  # of a data folder that is copied
START = 240.0  # seconds: a busy machine loads the demonstration for minutes
NOWHERE = "/checkin/00000000-0000-4000-8000-000000000001"  # asks the database: 404
# This process's own, in an order that no other run has: the system gives none of them to an outgoing connection.
PORTS = list(range(20_000 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 16, 32_000, 16))
random.SystemRandom().shuffle(PORTS)
# Runs what it is sent, a JSON string a line, and answers with what that printed.
SHELL = """
import contextlib, io, json, sys
from django.db import connections
for line in sys.stdin:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(json.loads(line), {})
    connections.close_all()
    print(json.dumps(printed.getvalue()), flush=True)
"""
# Prints the name and the value of a cookie.
SIGN_IN = """
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
browser = Client()
browser.force_login(User.objects.get(username={username!r}), backend=settings.AUTHENTICATION_BACKENDS[-1])
print(settings.SESSION_COOKIE_NAME, browser.cookies[settings.SESSION_COOKIE_NAME].value)
"""


def free_port() -> int:
    """A port on which nobody listens, at no address of this machine, and that is given only once."""
    while True:
        port = PORTS.pop()
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("", port))
            return port


def wait_for(condition, what: str, patience: float = PATIENCE):
    deadline = time.monotonic() + patience
    while True:
        if result := condition():
            return result
        assert time.monotonic() < deadline, f"waited {patience:.0f} s in vain for {what}"
        time.sleep(0.02)


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def socket_url(folder: str, name: str) -> str:
    return f"postgresql://postgres:@/{name}?host={quote(folder, safe='/')}"


def database_url() -> str:
    return socket_url(connection.settings_dict["OPTIONS"]["host"], connection.settings_dict["NAME"])


def socket_server(*, files: int = 0, **environment: str) -> contextlib.AbstractContextManager[int]:
    """One kitchen socket process on the test database; yields its port. `files`: its soft limit of open files."""
    return _server("sockets", environment, files=files)


def http_server(*, log: Path | None = None, **environment: str) -> contextlib.AbstractContextManager[int]:
    """One HTTP process on the test database, whose APP_BASE_URL is its own address; yields its port."""
    return _server("http", environment, log)


@contextlib.contextmanager
def _server(kind: str, environment: dict[str, str], log: Path | None = None, files: int = 0) -> Iterator[int]:
    port = free_port()
    own = {"DATABASE_URL": database_url()}
    if kind == "http":
        own["APP_BASE_URL"] = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "tests.run_server", kind, "--port", str(port), "--with-parent"]
    if files:
        command = ["sh", "-c", f'ulimit -Sn {files} && exec "$@"', "sh", *command]
    with log.open("w") if log else contextlib.nullcontext() as errors:
        process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | own | environment, stdin=subprocess.PIPE, stderr=errors
        )
    try:
        wait_for(lambda: is_listening(port), f"the {kind} server")
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)


@dataclass
class Installation:
    """`manage.py serve` in a data folder of its own, as a newcomer would start it."""

    data_dir: Path
    options: tuple[str, ...] = ("--demo",)
    host: str = "127.0.0.1"
    environment: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    kitchen_port: int = field(default_factory=free_port)
    process: subprocess.Popen | None = None
    _shell: subprocess.Popen | None = None

    @property
    def base(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def sockets(self) -> str:
        return f"ws://{self.host}:{self.kitchen_port}"

    @property
    def log(self) -> Path:
        return self.data_dir / "serve.log"

    @property
    def output(self) -> str:
        return self.log.read_text()

    @property
    def passwords(self) -> dict[str, str]:
        """Of the demonstration's staff, as the start that loaded it printed them."""
        return dict(re.findall(r"^  (cashier|floor|manager|owner) +(\S+)", self.output, re.MULTILINE))

    def env(self) -> dict[str, str]:
        # Only what a fresh shell has: nothing of the test run's own settings.
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        return kept | {"DATA_DIR": str(self.data_dir)} | self.environment

    def copy_data(self, used: Path) -> "Installation":
        """Begin with a copy of a data folder that was used before: making one is most of a first start."""
        subprocess.run(["cp", "-a", used, self.data_dir], check=True)  # PostgreSQL insists on the owner
        return self

    def start(self) -> "Installation":
        self.data_dir.mkdir(parents=True, exist_ok=True)
        ports = ["--host", self.host, "--port", str(self.port), "--kitchen-port", str(self.kitchen_port)]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", *ports, *self.options],
                cwd=ROOT,
                env=self.env(),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            wait_for(lambda: "Ctrl-C" in self.output or self.process.poll() is not None, "serve", START)
        except BaseException:
            self.stop(signal.SIGTERM)
            raise
        return self

    def manage(self, *arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.check_output(command, cwd=ROOT, env=self.env(), text=True)

    def shell(self, code: str) -> str:
        """What `code` prints, in a `manage.py shell` that stays open while this runs: a new one takes a second.

        Where nothing runs it starts the embedded database, until `close_shell`.
        """
        if self._shell is None:
            running = {"DATABASE_URL": self.database_url()} if self.process else {}
            self._shell = subprocess.Popen(
                [sys.executable, "manage.py", "shell", "-v0", "-c", SHELL],
                cwd=ROOT,
                env=self.env() | running,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        print(json.dumps(code), file=self._shell.stdin, flush=True)
        answer = self._shell.stdout.readline()
        if not answer:
            self._shell = None  # the next test gets another one
        assert answer, "the shell has ended: its traceback is above"
        return json.loads(answer).strip()

    def cookie(self, username: str) -> dict[str, str]:
        """Of a browser in which they have signed in. Without the form, whose hash of a password takes half a second."""
        code = SIGN_IN.format(username=username)
        name, value = self.shell(code).split()
        return {"name": name, "value": value, "url": self.base}

    def token(self, username: str) -> str:
        """A new staff token."""
        return self.shell(f"from django.core import management as m; m.call_command('create_token', {username!r})")

    def close_shell(self) -> None:
        if self._shell is not None:
            self._shell.communicate()
            self._shell = None

    def database_url(self) -> str:
        """Of the embedded PostgreSQL that runs, for another machine of the same restaurant, or as it was given."""
        if "DATABASE_URL" in self.environment:
            return self.environment["DATABASE_URL"]
        lines = (self.data_dir / "postgres" / "postmaster.pid").read_text().splitlines()
        return socket_url(lines[4], "regulars")

    def stop(self, number: int = signal.SIGINT) -> int:
        self.close_shell()
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def end(self) -> None:
        """Stop it; it says that nothing went wrong, and nothing of it stays."""
        assert self.stop() == 0, self.output
        assert self.left_behind() == []

    def server(self, kind: str) -> psutil.Process:
        """The process of one of the two servers: `http` or `sockets`."""
        return next(iter(self.servers(kind)))

    def servers(self, kind: str) -> list[psutil.Process]:
        """One, or none while it is started again."""
        children = psutil.Process(self.process.pid).children()
        return [child for child in children if child.status() != psutil.STATUS_ZOMBIE and kind in child.cmdline()]

    def postmaster(self) -> psutil.Process:
        """PostgreSQL's first process."""
        return psutil.Process(int((self.data_dir / "postgres" / "postmaster.pid").read_text().split()[0]))

    def status(self, path: str = NOWHERE, timeout: float = PATIENCE, session: requests.Session | None = None) -> int:
        """Of a GET; 0 where nothing answers."""
        try:
            return (session or requests).get(self.base + path, timeout=timeout).status_code
        except requests.RequestException:
            return 0

    def has_sockets(self) -> bool:
        """Whether the socket server answers."""
        try:
            return requests.get(f"http://{self.host}:{self.kitchen_port}/", timeout=PATIENCE).status_code == 426
        except requests.RequestException:
            return False

    def left_behind(self) -> list[str]:
        """Processes of this installation that still run, its PostgreSQL included."""
        lines = []
        for process in psutil.process_iter(["pid", "cmdline", "environ", "status"]):
            info = process.info
            if info["pid"] == os.getpid() or info["status"] == psutil.STATUS_ZOMBIE:
                continue
            in_folder = (info["environ"] or {}).get("DATA_DIR") == str(self.data_dir)
            if in_folder or str(self.data_dir) in " ".join(info["cmdline"] or []):
                lines.append(f"{info['pid']} {' '.join(info['cmdline'] or [])}")
        return lines


@contextlib.contextmanager
def installed(options: tuple[str, ...] = ("--demo",), **values: Any) -> Iterator[Installation]:
    """An installation in a temporary folder, which runs meanwhile. For programs; tests use `tmp_path`."""
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "data", options, **values).start()
        try:
            yield installation
        finally:
            installation.stop()


def used_data(base: Path) -> Path:
    """The data folder of a newcomer's first start, which has ended. Made once in `base`, for all of a test run."""
    folder = base / "used_data"
    with (base / "used_data.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / FIRST_LOG).exists():
            made = Installation(folder, options=(), host="localhost").start()
            made.end()
            shutil.copy(made.log, folder / FIRST_LOG)
    return folder
