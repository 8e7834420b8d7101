"""Django's formats of dates and numbers, the same as Babel's in reports."""
