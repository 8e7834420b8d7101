"""The programme's settings: one row, with a description of what a guest gets."""

from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty import rules
from loyalty.points.models import Programme
from loyalty.points.queries.expiry import expired_already
from web.admin import OneRowAdmin, with_values
from web.money import worth
from web.money_field import MoneyInput, one_unit
from web.templatetags.moments import whole_day
from web.templatetags.money import format_money
from web.templatetags.reports import shown

WEEKLY = Decimal(40)  # euros that the guest of the preview spends
_MOST_WEEKS = 78  # beyond it, years
_HALVED = 5  # years: until then half of one is a difference


def weeks_to_tiers(programme: Programme, *, weekly: Decimal) -> dict[str, int | None]:
    """Return after how many weeks a guest who spends `weekly`, once a week, reaches silver, gold and platinum.

    None: never. The bonus counts, so somebody may begin in a tier: after 0 weeks.
    """
    lifetime, weeks = programme.signup_bonus, 0
    reached: dict[str, int | None] = {}
    for tier in list(reversed(programme.tiers))[1:]:
        points = programme.points_for(weekly, programme.tier_of(lifetime))
        missing = max(tier.threshold - lifetime, 0)
        if missing and (not points or None in reached.values()):
            reached[tier.name] = None
            continue
        more_weeks = -(-missing // points) if missing else 0
        lifetime, weeks = lifetime + more_weeks * points, weeks + more_weeks
        reached[tier.name] = weeks
    return reached


def preview(programme: Programme) -> list[str]:
    """Return sentences about what these settings mean for a guest."""
    weekly = worth(WEEKLY)
    by_tier = {tier.name: programme.points_for(weekly, tier.name) for tier in programme.tiers}
    values = {"money": format_money(weekly), "bonus": programme.signup_bonus} | by_tier
    sentence = ngettext(
        "Joining gives %(bonus)d point. A bill of %(money)s gives %(bronze)d in bronze, %(silver)d in silver, "
        "%(gold)d in gold and %(platinum)d in platinum.",
        "Joining gives %(bonus)d points. A bill of %(money)s gives %(bronze)d in bronze, %(silver)d in silver, "
        "%(gold)d in gold and %(platinum)d in platinum.",
        programme.signup_bonus,
    )
    tiers = _("Silver begins at %(silver)s lifetime points, gold at %(gold)s and platinum at %(platinum)s.")
    begins = {tier.name: shown(tier.threshold, "number") for tier in programme.tiers}
    weeks = {tier: _after(number) for tier, number in weeks_to_tiers(programme, weekly=weekly).items()}
    way = _("A guest who spends %(money)s a week reaches silver %(silver)s, gold %(gold)s and platinum %(platinum)s.")
    reached = way % {"money": values["money"], **weeks}
    return [sentence % values, tiers % begins, reached, _expiry(programme.expires_after_months)]


def _expiry(months: int | None) -> str:
    if months is None:
        return _("Points don't expire.")
    zone = ZoneInfo(settings.TIME_ZONE)
    day = rules.expires_on(timezone.now(), months, zone)
    sentence = ngettext(
        "Points expire %(months)d month after they came onto the card: those of today on %(day)s. The oldest are spent "
        "first. Cards say beforehand what expires when.",
        "Points expire %(months)d months after they came onto the card: those of today on %(day)s. The oldest are "
        "spent first. Cards say beforehand what expires when.",
        months,
    )
    return sentence % {"months": months, "day": whole_day(day)}


def warning(programme: Programme) -> str:
    """Return how many points would be lost at once; empty where none are, or where they are too many to count."""
    months = programme.expires_after_months
    lost = expired_already(months=months, now=timezone.now()) if months is not None else None
    if not lost or not lost[0]:
        return ""
    points, members = lost
    sentence = ngettext(
        "%(points)s points of %(members)s member are older: they expire in the coming night.",
        "%(points)s points of %(members)s members are older: they expire in the coming night.",
        members,
    )
    return sentence % {"points": shown(points, "number"), "members": shown(members, "number")}


def _after(weeks: int | None) -> str:
    if weeks is None:
        return _("never")
    if not weeks:
        return _("at once")
    if weeks <= _MOST_WEEKS:
        return ngettext("after about %(number)d week", "after about %(number)d weeks", weeks) % {"number": weeks}
    years, half = divmod(round(weeks / 26), 2)
    if half and years < _HALVED:
        return _("after about %(years)d½ years") % {"years": years}
    years = round(weeks / 52)
    return ngettext("after about %(number)d year", "after about %(number)d years", years) % {"number": years}


@admin.register(Programme)
class ProgrammeAdmin(OneRowAdmin):
    fieldsets = [
        (
            gettext_lazy("Points"),
            {"fields": ["signup_bonus", "points_per_unit", "expires_after_months", "confirm_above"]},
        ),
        (
            gettext_lazy("Tiers"),
            {
                "fields": [
                    ("silver_from", "silver_multiplier"),
                    ("gold_from", "gold_multiplier"),
                    ("platinum_from", "platinum_multiplier"),
                ],
                "description": gettext_lazy(
                    "Tiers are reached by lifetime points. A change moves nobody until their next points."
                ),
            },
        ),
        (gettext_lazy("What this means for a guest"), {"fields": ["meaning"]}),
    ]
    readonly_fields = ["meaning"]

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "confirm_above":
            kwargs |= {"label": _("Confirm bills above"), "widget": MoneyInput()}
        elif db_field.name == "expires_after_months":
            kwargs["label"] = _("Points expire after")
            kwargs["help_text"] = _(
                "In months. Points that are older already expire in the night after you have set this."
            )
        elif db_field.name == "points_per_unit":
            kwargs["label"] = _("Points per %(money)s") % {"money": one_unit()}
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        message = super().construct_change_message(request, form, formsets, add)
        shapes = {
            "silver_from": _("points for silver from %(was)s to %(now)s"),
            "gold_from": _("points for gold from %(was)s to %(now)s"),
            "platinum_from": _("points for platinum from %(was)s to %(now)s"),
        }
        return message if add else with_values(message, form, shapes)

    @admin.display(description=gettext_lazy("as it is saved"))
    def meaning(self, programme: Programme) -> str:
        return " ".join(preview(programme))

    def save_model(self, request: HttpRequest, obj: Programme, form: Any, change: bool) -> None:
        """Say how many points expire in the night: until then the rule can be changed again."""
        super().save_model(request, obj, form, change)
        if sentence := warning(obj):
            messages.warning(request, sentence)
