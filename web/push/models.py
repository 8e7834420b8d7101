"""Phones that hear of something while they are locked, and what they are told."""

from datetime import datetime
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.utils import timezone


class PushKey(models.Model):
    """One row: the key with which this installation signs what it sends. Its private part is shown nowhere."""

    private = models.TextField()  # PEM
    public = models.CharField(max_length=100)  # a point, uncompressed, in base64url

    class Meta:
        default_permissions = ()
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="push_key_is_one_row")]

    def __str__(self) -> str:
        return "the key of push messages"


class Subscription(models.Model):
    """A browser that takes messages: for one of the staff, for a guest who waits for an order, or for both."""

    endpoint = models.CharField(max_length=1000, unique=True)  # who knows it may send: as secret as a password
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")
    order = models.UUIDField(null=True, db_index=True)
    device = models.UUIDField(null=True)  # which staff share: it is for whoever was the last to sign in there
    language = models.CharField(max_length=10)  # of the page that subscribed it
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.pk} at {self.service}"

    @property
    def service(self) -> str:
        """The push service: scheme, host, and port if there is one."""
        parts = urlsplit(self.endpoint)
        return f"{parts.scheme}://{parts.netloc}"


class Push(models.Model):
    """A message to one phone about something that began at `since`, once for each of its stages."""

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="pushes")
    kind = models.CharField(max_length=20)
    subject = models.CharField(max_length=64, blank=True, default="")  # the id of what it is about
    stage = models.CharField(max_length=10, blank=True, default="")
    since = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    # When to send it, or to try again; None once it was sent or given up.
    next_at = models.DateTimeField(null=True, default=timezone.now)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["subscription", "kind", "subject", "stage", "since"], name="push_once_for_each_stage"
            )
        ]
        indexes = [models.Index(fields=["subject"], name="push_by_subject")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"

    @property
    def key(self) -> tuple[str, str, str, datetime]:
        """What it is about, as `Due.key`."""
        return self.kind, self.subject, self.stage, self.since
