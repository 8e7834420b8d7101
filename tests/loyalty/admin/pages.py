"""The admin's pages about loyalty: their addresses, and what is read there."""

import csv
import io
from datetime import timedelta

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from loyalty.models import Redemption
from tests.reading import read

MODELS = ["member", "reward", "location", "redemption", "pointtransaction", "notification"]


def list_of(model: str) -> str:
    return reverse(f"admin:loyalty_{model}_changelist")


def page_of(row) -> str:
    return reverse(f"admin:loyalty_{row._meta.model_name}_change", args=[row.pk])


def text_of(response) -> str:
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def words_of(response) -> str:
    return read(text_of(response)).text


def found(client: Client, model: str, **by) -> list:
    """Return the rows that the list shows."""
    response = client.get(list_of(model), by)
    assert response.status_code == 200, response.headers
    return list(response.context["cl"].result_list)


def exported(client: Client, model: str, **by) -> list[list[str]]:
    """Return the file that the link beside the list gives, as rows of cells."""
    response = client.get(read(client.get(list_of(model), by)).all("link", "Download CSV")[0]["href"])
    assert response.status_code == 200
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    text = response.getvalue().decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def make_redemption(member, reward, code: str = "RWD-AAAAAA", **values) -> Redemption:
    expires_at = timezone.now() + timedelta(days=30)
    return Redemption.objects.create(
        customer=member,
        reward=reward,
        points_spent=reward.points_required,
        redemption_code=code,
        **{"expires_at": expires_at, **values},
    )
