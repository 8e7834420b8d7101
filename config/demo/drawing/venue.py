"""The venue's logo, and the table that guests see at the head of the menu."""

import io
import math
from collections.abc import Callable
from pathlib import Path
from random import Random

import resvg_py
from PIL import Image

from config.demo import looks
from config.demo.drawing import bites, cups, pasta, sides
from config.demo.drawing.colours import BASIL, BLUE_GLAZE, CREAM, FENNEL, FIG, FIG_FLESH, FIG_SKIN, LEAF_GLAZE, STONE
from config.demo.drawing.shapes import MIDDLE, curve, fill, grown, line, mirrored, moved, oval, ring
from config.demo.drawing.tableware import board, pan, plate
from config.services.looks import cover, logo

_WIDE, _HIGH = 1800, 720
_HEART = 56  # of the fig


def store() -> dict[Path, int]:
    """The bytes of each file."""
    made_logo, made_cover = logo(_png(logo_svg(), 1024)), cover(_png(cover_svg(), 2400))
    files = {looks.LOGO: made_logo.page, looks.MAIL_LOGO: made_logo.mail}
    files |= {looks.cover_path(each.width): each for each in made_cover}
    return {path: path.write_bytes(version.data) for path, version in files.items()}


def _png(svg: str, width: int) -> io.BytesIO:
    file = io.BytesIO()
    Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width)))).save(file, "PNG")
    file.seek(0)
    return file


# --- the logo -------------------------------------------------------------------------------------


def logo_svg() -> str:
    """A fig, cut in half, and a frond of fennel as its heart. Without a ground."""
    right = [(0, -196), (16, -186), (22, -140), (50, -84), (112, -18), (150, 62), (136, 138), (78, 188), (0, 202)]
    skin = curve(mirrored(right))
    flesh = curve(mirrored([(0, -92), (24, -66), (82, 0), (116, 66), (106, 124), (62, 162), (0, 172)]))
    seeds = "".join(
        fill(oval(x, y, 8, 5, math.degrees(math.atan2(y - _HEART, x))), FENNEL.light)
        for x, y in moved(ring(78, 92, 15), 0, _HEART, 84)
    )
    heart = line(curve([(0, 128), (-3, 60), (0, -10)], closed=False), BASIL.light, 9)
    for up, far in ((96, 26), (66, 32), (36, 30), (10, 20)):
        for side in (-1, 1):
            tip = (side * far, up - far * 1.1)
            heart += line(curve([(-1, up), (side * far * 0.5, up - far * 0.4), tip], closed=False), BASIL.light, 7)
    drawn = fill(skin, FIG_SKIN.base) + fill(flesh, FIG_FLESH.base) + seeds + heart
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-210 -210 420 420">{drawn}</svg>'


# --- the cover ------------------------------------------------------------------------------------


def cover_svg() -> str:
    """A laid table, seen from above. What matters lies in the middle: wide screens see no more of its height."""
    cloth = fill(f"M0 0H{_WIDE}V{_HIGH}H0Z", FIG.base)
    window = fill("M0 0H760L1800 560V720H1240L0 60Z", FIG.light, 0.55)
    drawn = "".join(
        (
            _dish(-40, 180, 0.86, plate(CREAM, FIG.base), pasta.tagliatelle_al_ragu),
            _dish(-60, 690, 0.7, board(700, 580), bites.rosemary_focaccia),
            _dish(500, 420, 0.9, plate(LEAF_GLAZE), bites.burrata_and_charred_figs),
            _dish(880, 120, 0.62, pan(290), sides.rosemary_potatoes),
            _dish(960, 640, 0.62, plate(BLUE_GLAZE), pasta.rigatoni_alla_norma),
            _dish(1330, 350, 0.9, plate(STONE), pasta.cacio_e_pepe),
            _dish(1800, 110, 0.72, plate(CREAM, BLUE_GLAZE.base), bites.salt_cod_fritters),
            _dish(1790, 660, 0.8, cups.saucer(CREAM), cups.flat_white),
        )
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {_HIGH}">{cloth}{window}{drawn}</svg>'


def _dish(x: float, y: float, size: float, crockery: str, food: Callable[[Random], str]) -> str:
    """Its middle is at (x, y)."""
    drawn = crockery + grown(food(Random(food.__name__)), 1.12)
    left, top = x - MIDDLE[0] * size, y - MIDDLE[1] * size
    return f'<g transform="translate({left:.1f} {top:.1f}) scale({size:g})">{drawn}</g>'
