"""The files in deploy/ name the same ports, paths, headers, commands and settings as the project does.

That they work is what `make deploy-check` tries, with the real programs.
"""

import argparse
import fnmatch
import json
import re
import shlex

import pytest
from django.conf import settings
from django.core.management import get_commands

from config.serving.environment import ALL_INTERFACES, add_options
from tests.deploy.shipped import DEPLOY, compose, container_instructions, environment, example, text
from tests.servers import ROOT
from web.middleware import BodyLimitMiddleware

SERVICE = text("systemd/regulars.service")
UNITS = sorted(path.name for path in (DEPLOY / "systemd").iterdir())


def options_of_serve(command: list[str]) -> argparse.Namespace:
    """As `serve` understands them. An option that it doesn't know is an error."""
    assert command[1:3] == ["manage.py", "serve"]
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_options(parser)
    return parser.parse_args(command[3:])


def exec_lines(unit: str) -> list[str]:
    return re.findall(r"^ExecStart=(.+)$", text(f"systemd/{unit}"), re.MULTILINE)


def test_every_setting_of_the_example_exists_and_the_example_names_one_host():
    documented = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs" / "configuration.md").read_text()))
    assert set(example()) - {"POSTGRES_PASSWORD"} <= documented
    assert {"APP_BASE_URL", "ALLOWED_HOSTS", "TRUSTED_PROXIES", "EMAIL_URL", "TIME_ZONE", "SECRET_KEY"} <= set(
        example()
    )
    assert example()["APP_BASE_URL"] == f"https://{example()['ALLOWED_HOSTS']}"
    assert example()["KITCHEN_SOCKET_URL"] == f"wss://{example()['ALLOWED_HOSTS']}/sockets"


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_a_proxy_forwards_to_the_ports_on_which_serve_listens(name):
    listening = options_of_serve(shlex.split(exec_lines("regulars.service")[0]))
    assert listening.kitchen_port is None
    ports = set(re.findall(r"127\.0\.0\.1:(\d+)", text(name)))
    assert ports == {str(listening.port), str(settings.KITCHEN_SOCKET_PORT)}
    assert "/sockets/" in text(name)


def test_nginx_passes_on_the_host_the_client_and_the_scheme_for_pages_and_sockets():
    # A location that sets a header of its own inherits none.
    for wanted in ("Host $host;", "X-Forwarded-For $remote_addr;", "X-Forwarded-Proto $scheme;"):
        assert text("nginx.conf").count(f"proxy_set_header {wanted}") == 2
    header, value = settings.SECURE_PROXY_SSL_HEADER or ("HTTP_X_FORWARDED_PROTO", "https")
    assert (header, value) == ("HTTP_X_FORWARDED_PROTO", "https")


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_a_proxy_lets_through_what_the_project_accepts_and_keeps_the_metrics_inside(name):
    limits = [int(size) * 1024 * 1024 for size in re.findall(r"_size (\d+)(?:m;|MiB)\n", text(name))]
    assert limits[-1] >= BodyLimitMiddleware.UPLOAD_LIMIT
    if name == "nginx.conf":
        assert limits[0] == BodyLimitMiddleware.LIMIT
    else:
        large, large_file = map(re.compile, re.findall(r"header_regexp Content-Length (.+)", text(name)))
        assert [bool(large.match(size)) for size in ("1048576", "1999999", "2000000", "10000000")] == [0, 0, 1, 1]
        sizes = (2_000_000, BodyLimitMiddleware.UPLOAD_LIMIT, 11_600_000, 12_000_000, 30_000_000, 100_000_000)
        assert [bool(large_file.match(str(size))) for size in sizes] == [0, 0, 1, 1, 1, 1]
    assert "/metrics" in text(name)


def test_units_start_commands_that_exist_in_the_folder_of_the_service():
    folder = re.search(r"^WorkingDirectory=(.+)$", SERVICE, re.MULTILINE)[1]
    for unit in (name for name in UNITS if name.endswith(".service")):
        assert f"WorkingDirectory={folder}\n" in text(f"systemd/{unit}")
        assert "User=regulars\n" in text(f"systemd/{unit}")
        for line in exec_lines(unit):
            command = re.search(r"manage\.py (\w+)", line)
            assert command is None or command[1] in get_commands()


def test_every_timer_has_its_service_and_every_other_service_its_timer():
    services = {name.removesuffix(".service") for name in UNITS if name.endswith(".service")} - {"regulars"}
    assert {name.removesuffix(".timer") for name in UNITS if name.endswith(".timer")} == services


def test_the_containers_timers_do_what_the_units_do():
    in_units = {name for unit in UNITS for name in re.findall(r"manage\.py (\w+)", text(f"systemd/{unit}"))}
    assert set(re.findall(r"manage\.py (\w+)", text("timers.sh"))) == in_units - {"serve"}


def test_the_image_holds_every_package_and_what_it_copies_is_not_ignored():
    copied = {line.split()[0] for line in container_instructions("COPY")}
    assert {"manage.py", "requirements.txt", "templates", "static"} <= copied
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    assert packages <= copied
    patterns = (ROOT / ".dockerignore").read_text().splitlines()
    kept = {line.removeprefix("!") for line in patterns if line.startswith("!")}
    assert all(any(fnmatch.fnmatch(name, each) for each in kept) for name in copied)
    assert all((ROOT / name).exists() for name in copied)


def test_the_image_starts_serve_with_options_that_it_knows_on_the_ports_that_it_opens():
    options = options_of_serve(json.loads(container_instructions("CMD")[0]))
    assert options.host in ALL_INTERFACES
    assert container_instructions("EXPOSE") == [f"{options.port} {settings.KITCHEN_SOCKET_PORT}"]


def test_the_services_of_compose_reach_each_other():
    services = compose()["services"]
    assert set(services) == {"db", "regulars", "timers", "proxy"}
    front = compose()["networks"]["front"]["ipam"]["config"][0]["subnet"]
    for name in ("regulars", "timers"):
        assert services[name]["environment"]["TRUSTED_PROXIES"] == front
        assert "@db:5432/" in services[name]["environment"]["DATABASE_URL"]
        assert "inside" in services[name]["networks"]
    assert services["proxy"]["environment"]["REGULARS_PAGES"] == "regulars:8000"
    assert services["proxy"]["environment"]["REGULARS_SOCKETS"] == f"regulars:{settings.KITCHEN_SOCKET_PORT}"
    variables = set(re.findall(r"\$\{([A-Z_]+)", text("compose.yaml")))
    assert variables <= set(environment())
    in_caddyfile = set(re.findall(r"\{\$([A-Z_]+):", text("Caddyfile")))
    assert in_caddyfile == set(services["proxy"]["environment"])


def test_the_key_of_the_example_is_the_one_that_settings_refuse():
    assert f'SECRET_KEY == "{example()["SECRET_KEY"]}"' in (ROOT / "config" / "settings.py").read_text()
