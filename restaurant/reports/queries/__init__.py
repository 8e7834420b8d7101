"""What was ordered and sold, as reports count it."""

from restaurant.reports.queries.sold import Sold
from restaurant.reports.queries.wrong_sums import days_of_sales

__all__ = [
    "Sold",
    "days_of_sales",
]
