"""A docket as ESC/POS. Alone in importing the library, which takes a third of a second."""

import os
import shutil

from escpos import capabilities
from escpos.magicencode import Encoder
from escpos.printer import Dummy

from restaurant.kitchen.printing.characters import PAGES
from restaurant.kitchen.printing.layout import Line

if "ESCPOS_CAPABILITIES_PICKLE_DIR" not in os.environ:
    # A new temporary folder at every start, which the library leaves behind.
    shutil.rmtree(capabilities.pickle_dir, ignore_errors=True)

# What a docket that broke off may have left behind: a command that waits for its last bytes, and answers that nobody
# has asked for.
CLEAN = b"\x00\x00\x00"
NO_AUTOMATIC_STATUS = b"\x1da\x00"
PULSE = CLEAN + b"\x1bp\x00\x19\xfa"  # opens the drawer at the first connector


def to_bytes(lines: list[Line]) -> bytes:
    printer = Dummy(magic_encode_args={"encoder": Encoder(PAGES)})
    printer.hw("INIT")
    for line in lines:
        printer.set(
            custom_size=True, width=line.width, height=line.height, bold=line.bold, invert=line.inverted, align="left"
        )
        printer.textln(line.text)
    printer.set(custom_size=True, width=1, height=1, bold=False, invert=False)
    printer.cut(mode="PART")  # on a small bridge, so that dockets don't fall
    output: bytes = printer.output
    return CLEAN + NO_AUTOMATIC_STATUS + output
