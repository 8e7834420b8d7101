"""What the loyalty programme's report compares members' purchases with. See "Loyalty programme report" in
docs/behaviour.md.
"""

from datetime import datetime
from decimal import Decimal

from restaurant.reports import today


def find(since: datetime, until: datetime) -> Decimal:
    return today.sales(since, until)
