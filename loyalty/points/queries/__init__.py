"""Reading the ledger and the programme."""

from loyalty.points.queries.activity import Line, activity, lines_of_card, reversible_purchases
from loyalty.points.queries.expiry import Expiring, expired_already, expiring, expiry_limit, members_with_expired_points
from loyalty.points.queries.locations import CheckIn, check_in, location, locations
from loyalty.points.queries.member_search import SEARCH_ROWS, members_named, search_members
from loyalty.points.queries.points import NONE, Points
from loyalty.points.queries.programme import PROGRAMME_FIELDS, UnusualAward, programme, unusual_award
from loyalty.points.queries.search import Found, all_lines_with, lines_with
from loyalty.points.queries.wrong_sums import days_of_points

__all__ = [
    "NONE",
    "PROGRAMME_FIELDS",
    "SEARCH_ROWS",
    "CheckIn",
    "Expiring",
    "Found",
    "Line",
    "Points",
    "UnusualAward",
    "activity",
    "all_lines_with",
    "check_in",
    "days_of_points",
    "expired_already",
    "expiring",
    "expiry_limit",
    "lines_of_card",
    "lines_with",
    "location",
    "locations",
    "members_named",
    "members_with_expired_points",
    "programme",
    "reversible_purchases",
    "search_members",
    "unusual_award",
]
