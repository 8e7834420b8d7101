"""Sums of the points of days that are over, which reports over many days add together."""

from django.db import models


class LedgerDay(models.Model):
    """A day of UTC whose transactions `services.sums` has summed up. Delete it to have them counted again."""

    day = models.DateField(primary_key=True)
    # Transactions that were taken back since are in the sums as they were before.
    summed_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.day}"


class PointsOfQuarter(models.Model):
    """The points of a quarter of an hour of a day, as `queries.points` counts them."""

    day = models.ForeignKey(LedgerDay, on_delete=models.CASCADE, related_name="quarters", db_index=False)
    quarter = models.DateTimeField()  # a time in it
    earned = models.BigIntegerField()
    redeemed = models.BigIntegerField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["day", "quarter"], name="points_of_quarter_once_a_day")]

    def __str__(self) -> str:
        return f"{self.quarter}"
