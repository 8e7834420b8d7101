"""`make sweep`: what is exhaustive and takes long, step after step, and a table of what came of each.

It goes on after a step that fails, and fails at the end. What a step printed is in var/sweep.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "var" / "sweep"
MINUTES = 30.0  # for all of them
PYTEST = (sys.executable, "-m", "pytest", "-o", "python_files=check_*.py", "-n")
STEPS = {
    "checks": (*PYTEST, os.environ.get("TEST_PROCESSES", "3"), "--ignore=tests/deploy"),
    "generated requests": ("make", "fuzz", "CASES=20000", "MINUTES=4"),
    "deployment": ("make", "deploy-check"),
    "faults": ("make", "faults"),
}
if (ROOT / "var" / "screenshots" / "accepted").exists():  # made by `python -m tests.screenshots --accept`
    taken = f"{sys.executable} -m tests.screenshots"
    STEPS["screenshots"] = ("sh", "-c", f"{taken} && {taken} --compare")


def run(name: str, command: tuple[str, ...], seconds: float) -> str:
    """What came of it, in a word or two."""
    with (LOGS / f"{name.replace(' ', '_')}.log").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            return "ok" if process.wait(max(seconds, 1)) == 0 else "FAILED"
        except subprocess.TimeoutExpired:
            return "NO TIME LEFT"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)  # as by Ctrl-C: tests stop what they have started
                process.wait()


def last_line(name: str) -> str:
    lines = (LOGS / f"{name.replace(' ', '_')}.log").read_text(errors="replace").split("\n")
    return next((line.strip("= ") for line in reversed(lines) if line.strip()), "")[:80]


def main() -> None:
    chosen = {name: STEPS[name] for name in sys.argv[1:]} or STEPS
    LOGS.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    rows = []
    for name, command in chosen.items():
        print(f"{name} ...", flush=True)
        at = time.monotonic()
        result = run(name, command, MINUTES * 60 - (at - began))
        rows.append((name, result, f"{time.monotonic() - at:.0f} s", last_line(name)))
    for name, result, seconds, line in rows:
        print(f"{name:<20} {result:<13} {seconds:>7}  {line}")
    print(f"{(time.monotonic() - began) / 60:.1f} minutes; the logs are in {LOGS.relative_to(ROOT)}")
    sys.exit(any(result != "ok" for _, result, *_ in rows))


if __name__ == "__main__":
    main()
