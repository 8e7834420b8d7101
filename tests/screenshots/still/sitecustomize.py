"""Every Python process of the gallery imports this before anything else: its clock stands, and chance repeats itself.

So pages differ from one run to the next only by what was changed in them.
"""

import _random
import os
import sys
from datetime import UTC, datetime

# By what the process is for: `serve`, `shell`. What draws from it later (`secrets`, `uuid`) gets the same again.
chance = _random.Random(int.from_bytes(" ".join(sys.orig_argv[1:3]).encode(), "big"))
os.urandom = lambda size: chance.getrandbits(8 * size).to_bytes(size, "big") if size else b""

import time_machine  # noqa: E402

time_machine.travel(datetime.fromtimestamp(int(os.environ["STANDS_AT"]), UTC), tick=False).start()
