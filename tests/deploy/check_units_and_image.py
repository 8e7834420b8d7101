"""systemd's own check of the units, and the image's steps without a container engine. Run by `make deploy-check`."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from config.serving.environment import ALL_INTERFACES
from tests.deploy.shipped import DEPLOY, compose, container_instructions, environment
from tests.servers import PATIENCE, ROOT, START, free_port, wait_for

UNITS = sorted(path.name for path in (DEPLOY / "systemd").iterdir())


@pytest.fixture
def units(tmp_path) -> list[Path]:
    """Copies that name this checkout."""
    for name in UNITS:
        content = (DEPLOY / "systemd" / name).read_text()
        content = content.replace("/srv/regulars/.venv/bin/python", sys.executable).replace("/srv/regulars", str(ROOT))
        (tmp_path / name).write_text(content)
    return sorted(tmp_path.iterdir())


def test_systemd_finds_nothing_wrong_with_the_units(units):
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, units)], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout + run.stderr) == (0, "")


def test_systemd_would_find_a_mistake_in_a_unit(units):
    service = next(path for path in units if path.name == "regulars.service")
    service.write_text(service.read_text().replace("Restart=always", "Restart=sometimes"))
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(service)], capture_output=True, text=True, check=False
    )
    assert "sometimes" in run.stderr


def test_systemd_understands_the_times(units):
    times = [time for path in units for time in re.findall(r"^OnCalendar=(.+)$", path.read_text(), re.MULTILINE)]
    assert len(times) == 2
    for time in times:
        subprocess.run(["systemd-analyze", "calendar", time], check=True, capture_output=True)


@pytest.fixture
def image(tmp_path) -> Path:
    """What the Containerfile copies, and nothing else."""
    folder = tmp_path / "srv"
    for line in container_instructions("COPY"):
        source, target = line.split()
        destination = folder / (source if target in {".", "./"} else target)
        destination.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, destination, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, destination)
    return folder


@pytest.fixture
def container(tmp_path, image):
    """The environment of compose's service, without its PostgreSQL and its network."""
    given = environment() | compose()["services"]["regulars"]["environment"]
    binaries = tmp_path / "bin"
    binaries.mkdir()
    (binaries / "python").symlink_to(sys.executable)
    return given | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "DATA_DIR": str(tmp_path / "data"),
        "DATABASE_URL": "",
        "EMAIL_URL": "consolemail://",
        "BACKUPS": str(tmp_path),
    }


def test_the_images_command_serves_and_its_timers_make_a_backup(image, container, tmp_path):
    command = json.loads(container_instructions("CMD")[0])
    ports = free_port(), free_port()
    own = ["--port", str(ports[0]), "--kitchen-port", str(ports[1])]
    log = (tmp_path / "log").open("w")
    serve = subprocess.Popen(
        [("127.0.0.1" if part in ALL_INTERFACES else part) for part in command] + own,
        cwd=image,
        env=container,
        stdout=log,
        stderr=log,
    )
    try:
        output = tmp_path / "log"
        wait_for(lambda: "Ctrl-C" in output.read_text() or serve.poll() is not None, "serve", START)
        headers = {"Host": "menu.example.com", "X-Forwarded-Proto": "https"}
        address = f"http://127.0.0.1:{ports[0]}/sign-in"
        page = requests.get(address, headers=headers, allow_redirects=False, timeout=PATIENCE)
        assert page.status_code == 301, "this address is not the proxy's, and not believed"
        health = compose()["services"]["regulars"]["healthcheck"]["test"][1:]
        check = [part.replace(":8000", f":{ports[0]}") for part in health]
        subprocess.run(check, env=container, check=True)
        subprocess.run(["sh", "deploy/timers.sh", "once"], cwd=image, env=container, check=True, stdout=log, stderr=log)
        assert len(list(tmp_path.glob("regulars-*.dump"))) == 1
    finally:
        serve.terminate()
        assert serve.wait(PATIENCE) == 0
    assert shlex.join(command).startswith("python manage.py serve")
