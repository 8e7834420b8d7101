"""Babel writes the dates of reports, Django those of the admin: both shorten the months in the same way."""

from datetime import date

import pytest
from babel.dates import format_date
from django.utils.formats import date_format
from django.utils.translation import override

from web.templatetags.money import locale
from web.templatetags.plots import short_name
from web.templatetags.reports import shown


@pytest.mark.parametrize("month", range(1, 13))
def test_a_date_in_a_report_is_written_as_in_the_admin(month):
    day = date(2026, month, 1)
    with override("en-gb"):
        assert shown(day, "date") == date_format(day, "j M Y")
        assert short_name(day) == date_format(day, "j M")
        assert format_date(day, "LLL", locale=locale()) == date_format(day, "M")  # alone, below a bar


def test_other_languages_keep_their_own_months():
    with override("de"):
        assert short_name(date(2026, 9, 1)) == "1. Sept."
