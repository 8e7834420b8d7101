"""What loyalty's pages show of the restaurant: see `loyalty.restaurant`."""

import re
from collections.abc import Collection
from decimal import Decimal
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from loyalty import gateway as loyalty
from restaurant.billing.queries import bill_of
from restaurant.billing.services import adjustments, rewards
from restaurant.menu import queries as menu_queries
from restaurant.menu.models import MenuItem
from restaurant.menu.views import menu_sections
from restaurant.ordering.queries.points import orders_at_tables
from restaurant.ordering.queries.usual import usual_of
from restaurant.ordering.services import order_points
from restaurant.reports.queries import placed
from web.templatetags.money import money
from web.windows import Window

MOST_DISHES = 3


class Restaurant(loyalty.Restaurant):
    def usual_dishes(self, member_id: str) -> list[loyalty.Dish]:
        """Those that are on the menu. See "Suggested dishes" in docs/behaviour/restaurant.md."""
        usual = usual_of(member_id)
        if not usual.times:
            return []
        dishes = menu_queries.menu_state().catalogue.dishes
        names = [(dishes[item_id].item.name, times) for item_id, times in usual.times.items() if item_id in dishes]
        return [loyalty.Dish(name, times, usual.orders, _report_of(name)) for name, times in names[:MOST_DISHES]]

    def pictures(self, rewards: Collection[str], *, large: bool) -> dict[str, str]:
        """By these, such as `House Tiramisu and two coffees`, the picture of the dish with the longest name among them.

        Only what is stored here: a reward's page loads nothing from elsewhere.
        See "Rewards list" in docs/behaviour/loyalty.md.
        """
        items = [dish.item for dish in menu_queries.menu_state().catalogue.dishes.values()]
        with_picture = [item for item in items if item.picture and not item.image_url]
        with_picture.sort(key=lambda item: -len(item.name))
        pictures = {reward: _picture_of(reward, with_picture, large=large) for reward in rewards}
        return {reward: picture for reward, picture in pictures.items() if picture}

    def use_reward(self, *, name: str, is_used: bool, **values: Any) -> tuple[loyalty.OnBill | None, str]:
        session, adjustment = rewards.use(name=name, is_used=is_used, **values)
        number = session.table.table_number
        if adjustment is None:
            sentence = _("Nothing was taken off the bill of table %(number)s: it has no dish for “%(reward)s”.")
            if is_used:
                sentence = _("Nothing was taken off the bill of table %(number)s: the code was used before.")
            return None, sentence % {"number": number, "reward": name}
        bill = bill_of(session)
        sentence = _("%(amount)s taken off the bill of table %(number)s.")
        values = {"amount": money(-adjustment.value), "number": number}
        return loyalty.OnBill(adjustment.value, bill.total, bill.due), sentence % values

    def take_back_reward(self, *, code: str, by: str) -> None:
        adjustments.void_reward(code=code, by=by)

    def points_at_tables(self, member_id: str) -> list[loyalty.AtTable]:
        orders = orders_at_tables(member_id)
        card = loyalty.card(member_id) if loyalty.collects_at_tables() else None
        at_tables = []
        for session, its in groupby(orders, key=lambda order: order.session):
            listed = list(its)
            given = [order.collected_at for order in listed if order.collected_at is not None]
            points = sum(order.points_collected or 0 for order in listed) + loyalty.points_for(
                (order.earns_on for order in listed if order.collected_at is None), card
            )
            at = max(given) if len(given) == len(listed) else None
            at_tables.append(loyalty.AtTable(session.table.table_number, str(session.pk), points, at))
        return [each for each in at_tables if each.points]

    def settle(self, *, member_id: str, session_id: str) -> list[str]:
        return order_points.settle(session_id=session_id, collector=member_id)

    def merge_cards(self, *, gone: str, kept: str) -> None:
        order_points.merge_cards(gone=gone, kept=kept)

    def sales(self, window: Window) -> Decimal:
        return placed.total(window).revenue


def _report_of(name: str) -> str:
    """Of all dishes, and in its list this one."""
    return f"{reverse('report_menu')}?{urlencode({'q': name})}#all-title"


def _picture_of(reward: str, items: list[MenuItem], *, large: bool) -> str:
    item = next((item for item in items if _is_named(item.name, reward)), None)
    if item is None:
        return ""
    picture = menu_sections.large_picture(item) if large else menu_sections.list_picture(item)
    return picture.src if picture else ""


def _is_named(name: str, reward: str) -> bool:
    if name.casefold() not in reward.casefold():  # which nearly all are not, and a menu may be long
        return False
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", reward, re.IGNORECASE))
