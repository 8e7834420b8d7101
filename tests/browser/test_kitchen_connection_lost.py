"""The kitchen display loses its connection, says so, and misses nothing.

A longer outage only means a longer wait for the next attempt, which stops growing after 12 seconds.
"""

import contextlib
import re
import subprocess
import sys
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.kitchen import LIVE, SOON, Orders, open_display, shown, wait_until_shown
from tests.servers import ROOT, Installation, free_port, is_listening, wait_for

pytestmark = pytest.mark.browser

RED_WITHIN = 10_000  # milliseconds
OUTAGE = 13  # seconds
COUNT_TONES = """
    window.tones = 0;
    const create = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () { window.tones += 1; return create.call(this); };
"""


@pytest.fixture(scope="module")
def orders(installation) -> Orders:
    return Orders(installation)


@pytest.fixture(autouse=True)
def _a_table_and_a_few_orders(orders):
    orders.serve_all()
    orders.sit_down()
    orders.place_many(3)


def expect_red(page: Page, words: str) -> None:
    banner = page.locator("#connection-banner")
    expect(banner).to_be_visible(timeout=RED_WITHIN)
    expect(banner).to_contain_text("NOT CONNECTED since")
    expect(banner).to_contain_text(words)
    expect(banner).to_have_css("background-color", "rgb(201, 25, 13)")
    expect(page.locator("#connection-text")).to_have_text("Not connected")


def expect_calm(page: Page, seconds: float = 12) -> None:
    expect(page.locator("#connection-banner")).to_be_hidden(timeout=seconds * 1000)
    expect(page.locator("#connection-text")).to_have_text(LIVE)


def test_it_shows_the_age_of_the_last_update(windows, installation):
    page = open_display(windows, installation)
    ages = set()
    for _ in range(12):
        text = page.locator("#connection-text").inner_text()
        ages.add(int(re.fullmatch(r"Updated (\d+) s ago", text)[1]))
        page.wait_for_timeout(400)
    assert max(ages) <= 5
    assert len(ages) >= 3  # it counts up, and restarts with every update


def test_thirty_orders_while_everything_is_cut_off(windows, installation, orders):
    page = open_display(windows, installation)
    page.add_init_script(COUNT_TONES)
    page.reload()
    page.locator(".column-heading").first.click()  # lets it sound
    expect(page.locator("#sound-text")).to_have_text("Sound on")
    before = orders.by_status()
    started, served, _ = before["pending"]
    wait_until_shown(page, before)
    began = time.monotonic()
    page.context.set_offline(True)
    orders.place_many(15)
    orders.move(started, "preparing")
    orders.move(served, "served")
    expect_red(page, "Orders may be missing")
    orders.place_many(15)
    page.wait_for_timeout(max(0, began + OUTAGE - time.monotonic()) * 1000)
    assert shown(page) == before  # what it last knew, and the banner over it
    assert page.evaluate("tones") == 0

    page.context.set_offline(False)
    wait_until_shown(page, orders.by_status())
    assert sum(map(len, shown(page).values())) == 32
    assert shown(page)["preparing"] == [started]
    expect_calm(page)
    expect(page.locator("#announcer")).to_have_text("30 new orders")
    page.wait_for_timeout(3000)
    assert page.evaluate("tones") in {2, 4}  # one chime of two tones, or two; not thirty


def test_only_the_socket_is_lost(windows, installation, orders):
    page = open_display(windows, installation)
    sockets, is_cut = [], False

    def through(route) -> None:
        if is_cut:
            route.close()
            return
        route.connect_to_server()
        sockets.append(route)

    page.route_web_socket(re.compile("^ws:"), through)
    page.reload()
    page.wait_for_selector(".ticket")
    expect(page.locator("#connection-text")).to_have_text(LIVE)
    is_cut = True
    sockets[0].close()
    orders.place_many(30)
    expect_red(page, "New orders may appear up to 5 s late")
    wait_until_shown(page, orders.by_status())  # the open orders are read anew all the same
    expect(page.locator("#connection-banner")).to_be_visible()
    is_cut = False
    expect_calm(page)
    newest = orders.place()
    expect(page.locator(f'[data-order="{newest}"]')).to_be_visible(timeout=SOON)
    assert len(sockets) == 2


def test_a_socket_that_is_open_and_silent_is_found_out(windows, installation, orders):
    page = open_display(windows, installation)
    opened = []
    page.route_web_socket(re.compile("^ws:"), lambda route: opened.append(route.url))  # and nothing is passed on
    page.reload()
    page.wait_for_selector(".ticket")
    page.wait_for_timeout(2500)
    orders.place()
    wait_until_shown(page, orders.by_status())
    page.wait_for_timeout(4500)
    assert len(opened) == 2  # it did not wait for the socket to say that it is dead


class Servers:
    """The two servers of one more machine, each on its own, on the installation's database."""

    def __init__(self, installation: Installation, processes: contextlib.ExitStack) -> None:
        self.processes, self.port, self.socket_port = processes, free_port(), free_port()
        self.environment = installation.env() | {
            "DATABASE_URL": installation.database_url(),
            "APP_BASE_URL": f"http://127.0.0.1:{self.port}",
            "KITCHEN_SOCKET_PORT": str(self.socket_port),
        }

    def start(self, kind: str) -> subprocess.Popen:
        port = self.port if kind == "http" else self.socket_port
        command = [sys.executable, "-m", "config.serving.servers", kind, "--port", str(port)]
        process = subprocess.Popen(command, cwd=ROOT, env=self.environment)
        self.processes.callback(process.wait, 15)
        self.processes.callback(process.terminate)
        wait_for(lambda: is_listening(port), f"the {kind} server")
        return process


def test_the_socket_server_is_killed_and_started_again(windows, installation, orders):
    with contextlib.ExitStack() as processes:
        servers = Servers(installation, processes)
        servers.start("http")
        sockets = servers.start("sockets")
        page = windows.open()
        page.goto(f"http://127.0.0.1:{servers.port}/kitchen")
        page.fill("[name=username]", "floor")
        page.fill("[name=password]", installation.passwords["floor"])
        page.click("main form .button")
        wait_until_shown(page, orders.by_status())
        expect_calm(page)

        sockets.kill()
        sockets.wait(10)
        orders.place_many(30)
        expect_red(page, "New orders may appear up to 5 s late")
        wait_until_shown(page, orders.by_status())

        servers.start("sockets")
        expect_calm(page)
        newest = orders.place()
        expect(page.locator(f'[data-order="{newest}"]')).to_be_attached(timeout=SOON)  # by the socket, not by asking
        wait_until_shown(page, orders.by_status())
