"""The demonstration restaurant: a menu, tables, members and a believable past (`load_demo`).

`serve` reads its name before there are any settings, so this module must not need Django.
"""

VENUE_NAME = "Fig & Fennel"
