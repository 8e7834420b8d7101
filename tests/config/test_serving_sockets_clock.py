"""The socket server while the clock of its machine is set back."""

import os
import subprocess
import sys

import pytest

from config.serving.heartbeat import FOLDER
from tests.servers import ROOT, wait_for

pytestmark = pytest.mark.slow

SERVER = """
import os, time
true_time, is_set_back = time.time, os.environ["IS_SET_BACK"]
time.time = lambda: true_time() - 3600 * os.path.exists(is_set_back)
from config.serving import websockets
websockets.serve(None, "tcp:0:interface=127.0.0.1")
"""


def test_its_heart_beats_on_when_the_clock_is_set_back_by_an_hour(tmp_path):
    beats, is_set_back = tmp_path / "beats", tmp_path / "is_set_back"
    beats.mkdir()
    environment = {FOLDER: str(beats), "IS_SET_BACK": str(is_set_back), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    with subprocess.Popen([sys.executable, "-c", SERVER], cwd=ROOT, env=os.environ | environment) as server:
        try:
            wait_for(lambda: any(beats.iterdir()), "the first beat", 30)
            [file] = beats.iterdir()
            is_set_back.touch()
            for _ in range(3):
                latest = file.stat().st_mtime_ns
                wait_for(lambda latest=latest: file.stat().st_mtime_ns != latest, "another beat", 20)
        finally:
            server.kill()
