"""A real `serve` with the settings of env.example, and the proxies in front of it."""

import os
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.deploy.shipped import environment, text
from tests.servers import PATIENCE, Installation, is_listening, wait_for

METRICS_TOKEN = "a-token-for-the-metrics"


@dataclass
class Proxied:
    """An installation as guests see it: https://localhost:<port>."""

    installation: Installation
    https: int
    http: int
    certificate: str = ""

    @property
    def base(self) -> str:
        return f"https://localhost:{self.https}"


def deployed_environment(https: int) -> dict[str, str]:
    """env.example for localhost; mails are not sent."""
    filled = {name: value.replace("menu.example.com", "localhost") for name, value in environment().items()}
    return filled | {
        "APP_BASE_URL": f"https://localhost:{https}",
        "KITCHEN_SOCKET_URL": f"wss://localhost:{https}/sockets",
        "EMAIL_URL": "consolemail://",
        "METRICS_TOKEN": METRICS_TOKEN,
    }


@contextmanager
def deployed(folder: Path, https: int) -> Iterator[Installation]:
    """With the options of the systemd unit."""
    made = Installation(folder / "data", options=("--workers", "2"), environment=deployed_environment(https))
    made.start()
    code = (
        "from django.contrib.auth.models import User; User.objects.create_superuser('owner', password='a pass phrase');"
        "from restaurant.models import MenuItem; MenuItem.objects.create(name='Soup', price=5);"
        "from restaurant.tables.services import tables; tables.create(table_number=1, section='')"
    )
    made.manage("shell", "-v0", "-c", code)
    yield made
    made.end()


def replaced(name: str, changes: dict[str, str]) -> str:
    """A shipped file for another host and other ports. Everything that is replaced must be in it."""
    content = text(name)
    for old, new in changes.items():
        assert old in content, f"{name} has no {old!r}"
        content = content.replace(old, new)
    return content


def nginx_configuration(folder: Path, proxied: Proxied, pages: int, sockets: int) -> str:
    changes = {
        "    listen [::]:80;\n": "",
        "    listen [::]:443 ssl http2;\n": "",
        "listen 80;": f"listen 127.0.0.1:{proxied.http};",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{proxied.https} ssl http2;",
        "https://menu.example.com$": f"https://localhost:{proxied.https}$",
        "/etc/letsencrypt/live/menu.example.com/fullchain.pem": proxied.certificate,
        "/etc/letsencrypt/live/menu.example.com/privkey.pem": str(folder / "key.pem"),
        "menu.example.com": "localhost",
        "127.0.0.1:8000": f"127.0.0.1:{pages}",
        "127.0.0.1:8080": f"127.0.0.1:{sockets}",
    }
    (folder / "regulars.conf").write_text(replaced("nginx.conf", changes))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    user = "user root;" if os.getuid() == 0 else ""
    return (
        f"{user} daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{ worker_connections 4096; }}"
        f" http {{ {temporary} access_log off; include {folder}/regulars.conf; }}"
    )


@contextmanager
def running(command: list[str], port: int, folder: Path, **environment: str) -> Iterator[None]:
    with (folder / "proxy.log").open("w") as log:
        env = {"PATH": os.environ["PATH"] + ":/usr/sbin", "HOME": str(folder)} | environment
        process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
    try:
        wait_for(lambda: process.poll() is not None or is_listening(port), command[0])
        assert process.poll() is None, (folder / "proxy.log").read_text()
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


@contextmanager
def nginx(folder: Path, proxied: Proxied, pages: int, sockets: int) -> Iterator[Proxied]:
    proxied.certificate = str(folder / "certificate.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out", proxied.certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    (folder / "main.conf").write_text(nginx_configuration(folder, proxied, pages, sockets))
    command = ["nginx", "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "main.conf")]
    with running(command, proxied.https, folder):
        yield proxied


def speaks_https(proxied: Proxied) -> bool:
    with suppress(OSError), socket.create_connection(("localhost", proxied.https), 5) as plain:
        trust = ssl.create_default_context(cafile=proxied.certificate)
        with trust.wrap_socket(plain, server_hostname="localhost"):
            return True
    return False


@contextmanager
def caddy(folder: Path, proxied: Proxied, pages: int, sockets: int) -> Iterator[Proxied]:
    own = f"admin off\n\tdefault_bind 127.0.0.1\n\thttp_port {proxied.http}\n\thttps_port {proxied.https}\n\t"
    (folder / "Caddyfile").write_text(replaced("Caddyfile", {"skip_install_trust": f"{own}skip_install_trust"}))
    environment = {
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "REGULARS_HOST": "localhost",
        "REGULARS_PAGES": f"127.0.0.1:{pages}",
        "REGULARS_SOCKETS": f"127.0.0.1:{sockets}",
    }
    proxied.certificate = str(folder / "caddy/pki/authorities/local/root.crt")
    command = ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    with running(command, proxied.https, folder, **environment):
        wait_for(lambda: speaks_https(proxied), "Caddy's own certificate")
        yield proxied


PROXIES = {"nginx": nginx, "caddy": caddy}
