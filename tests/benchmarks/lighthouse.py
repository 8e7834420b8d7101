"""Lighthouse's scores of the guests' pages: performance, accessibility, best practices and SEO, 98 or more each.

    .venv/bin/python -m tests.benchmarks.lighthouse

Lighthouse's own preset (a slow phone on a slow network), Debian's Chromium, an installation with the demonstration
restaurant. Lighthouse comes by npm, into a folder that is deleted afterwards. The cart and the card get the cookies of
a phone that chose something and of one that enrolled.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import requests

from tests.benchmarks.figures import record
from tests.servers import CHROMIUM, installed

VERSION = "12.8.2"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")


def cookies(phone: requests.Session) -> dict[str, str]:
    return {"Cookie": "; ".join(f"{cookie.name}={cookie.value}" for cookie in phone.cookies)}


def pages(base: str) -> dict[str, tuple[str, dict[str, str]]]:
    """The address and request headers of each page."""
    phone = requests.Session()
    menu = phone.get(f"{base}/table/2", timeout=10).json()
    dishes = [item["id"] for items in menu["menu"].values() for item in items][:4]
    for dish in dishes:
        phone.post(f"{base}/table/2/cart", json={"menuItemId": dish}, timeout=10).raise_for_status()
    body = {"sessionId": menu["session"]["id"], "items": [{"menuItemId": dish} for dish in dishes]}
    order = requests.post(f"{base}/table/2/order", json=body, timeout=10).json()["orderId"]
    guest = requests.Session()
    who = {"email": "lighthouse@example.com", "name": "Augustin Fresnel"}
    card = guest.post(f"{base}/members", json=who, timeout=10).json()["customerId"]
    return {
        "menu": (f"{base}/table/2", {}),
        "cart": (f"{base}/table/2/cart", cookies(phone)),
        "order": (f"{base}/orders/{order}", {}),
        "card": (f"{base}/member/{card}", cookies(guest)),
        "sign-up": (f"{base}/signup", {}),
    }


def report(folder: Path, address: str, headers: dict[str, str]) -> dict:
    (folder / "headers.json").write_text(json.dumps(headers))
    command = [
        str(folder / "node_modules" / ".bin" / "lighthouse"),
        address,
        "--quiet",
        "--output=json",
        "--output-path=stdout",
        f"--only-categories={','.join(CATEGORIES)}",
        f"--extra-headers={folder / 'headers.json'}",
        "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
    ]
    env = os.environ | {"CHROME_PATH": CHROMIUM or ""}
    return json.loads(subprocess.check_output(command, env=env, cwd=folder, stderr=subprocess.DEVNULL))


def show(name: str, result: dict) -> None:
    scores = {category: round(100 * (result["categories"][category]["score"] or 0)) for category in CATEGORIES}
    for category, score in scores.items():
        record(f"{name}, {category}", score, "points", reference=98, compared_with="goal")
    for category in CATEGORIES:
        for reference in result["categories"][category]["auditRefs"]:
            audit = result["audits"][reference["id"]]
            if reference["weight"] and audit["score"] is not None and audit["score"] < 0.9:
                print(f"          {category}: {audit['title']} {audit.get('displayValue', '')}")


def main() -> None:
    if shutil.which("npm") is None or CHROMIUM is None:
        sys.exit("Lighthouse needs npm and Chromium: apt install npm chromium")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.check_call(["npm", "install", "--silent", "--no-fund", f"lighthouse@{VERSION}"], cwd=folder)
        with installed() as installation:
            for page, (address, headers) in pages(installation.base).items():
                show(page, report(folder, address, headers))


if __name__ == "__main__":
    main()
