from django.db import models


class Permits(models.Model):
    """Requests granted in one window of a limit: see `web.throttling`. Lost in a crash of the database, by choice."""

    key = models.CharField(max_length=250, primary_key=True)
    ends_at = models.DateTimeField(db_index=True)
    granted = models.BigIntegerField()

    class Meta:
        db_table = "web_permits"

    def __str__(self) -> str:
        return self.key
