"""Babel writes the dates of reports, Django those of the admin: both shorten the months in the same way."""

from datetime import date

from babel.dates import format_date
from django.utils.formats import date_format

from web.formats import locale
from web.templatetags.plots import short_name
from web.templatetags.reports import shown


def test_a_date_in_a_report_is_written_as_in_the_admin():
    for month in range(1, 13):
        day = date(2026, month, 1)
        assert shown(day, "date") == date_format(day, "j M Y")
        assert short_name(day) == date_format(day, "j M")
        assert format_date(day, "LLL", locale=locale()) == date_format(day, "M")  # alone, below a bar
