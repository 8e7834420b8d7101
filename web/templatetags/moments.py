"""Filters for short forms of dates and times: see `web.moments`."""

from django import template

from web.moments import ago, recent, recent_day, short_day

register = template.Library()
register.filter("ago", ago)
register.filter("recent", recent)
register.filter("recent_day", recent_day)
register.filter("short_day", short_day)
