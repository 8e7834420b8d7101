"""`/healthz` and `/readyz`."""

import contextlib
import logging
import socket
import threading

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from config.views import health

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch):
    monkeypatch.setattr(health, "_latest", None)


@contextlib.contextmanager
def answering(monkeypatch, first_line: bytes):
    """Run a server on the socket server's port that answers with this line."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        monkeypatch.setenv(health.SOCKETS_AT, f"127.0.0.1 {listening.getsockname()[1]}")

        def answer() -> None:
            while True:
                try:
                    connected, _ = listening.accept()
                except OSError:
                    return
                with connected:
                    connected.recv(1000)
                    connected.sendall(first_line + b"\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        yield


@pytest.fixture
def sockets(monkeypatch):
    """Run a socket server that answers plain HTTP as ours does."""
    with answering(monkeypatch, b"HTTP/1.1 426 Upgrade Required"):
        yield


@pytest.fixture
def no_sockets(monkeypatch):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setenv(health.SOCKETS_AT, f"127.0.0.1 {unused.getsockname()[1]}")
        yield


def test_a_process_that_answers_is_alive_without_asking_the_database(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.get("/healthz", headers={"host": "10.0.0.5"})
    assert (response.status_code, response.json(), response["Cache-Control"]) == (200, {"status": "ok"}, "no-store")


def test_ready_means_database_migrations_and_sockets(client, sockets):
    response = client.get("/readyz", headers={"host": "10.0.0.5"})
    assert (response.status_code, response.json()) == (200, {"database": True, "migrations": True, "sockets": True})


def test_without_the_socket_server_it_is_not_ready(client, no_sockets):
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (503, {"database": True, "migrations": True, "sockets": False})


def test_with_another_server_on_the_port_of_the_sockets_it_is_not_ready(client, monkeypatch):
    with answering(monkeypatch, b"HTTP/1.1 200 OK"):
        response = client.get("/readyz")
    assert (response.status_code, response.json()["sockets"]) == (503, False)


def test_with_a_migration_missing_it_is_not_ready(client, sockets):
    MigrationRecorder(connection).record_unapplied(*max(key for key in health._needed() if key[0] == "restaurant"))
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (503, {"database": True, "migrations": False, "sockets": True})


def test_without_the_database_it_is_alive_and_not_ready(client, sockets, monkeypatch):
    def away(self):
        raise OperationalError("the server is away")

    monkeypatch.setattr(MigrationRecorder, "applied_migrations", away)
    assert client.get("/healthz").status_code == 200
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (503, {"database": False, "migrations": False, "sockets": True})


def test_neither_is_logged_nor_limited(client, no_sockets, settings, caplog):
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1/min")
    with caplog.at_level(logging.DEBUG, "django.request"):
        answers = [client.get(path).status_code for path in ("/healthz", "/readyz") for _ in range(20)]
    assert answers == [200] * 20 + [503] * 20
    assert not caplog.records


def test_many_questions_are_one_question_to_the_database(client, sockets, django_assert_max_num_queries):
    with django_assert_max_num_queries(2):
        for _ in range(10):
            client.get("/readyz")


def test_only_reading_is_answered(client):
    assert client.post("/healthz").status_code == 404
