"""Schemathesis reads the OpenAPI description and sends each endpoint what it allows and what it does not.

No answer may be a 5xx, have a status or a type of content that is not described, or another shape. Of the ids that it
sends, many are those of what exists here, so that it gets past the 404s.
"""

import uuid
from datetime import timedelta

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.models import StaffToken
from config.wsgi import application
from loyalty.models import Confirmation, Location, Member, PointTransaction, Redemption, Reward
from loyalty.views import member_session
from qrservice.services import codes, keys
from restaurant.models import Order, OrderItem, TableSession
from tests.conftest import PAGE, make_item, make_table, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = 8  # an endpoint, besides the boundary values that Schemathesis works out itself


def _id(number: int) -> str:
    return str(uuid.UUID(int=number, version=4))


RICH, POOR, CHEAP, DEAR, HERE, CONFIRMED, ITEM, SESSION, ORDER = map(_id, range(1, 10))
CODES = ["RWD-ACTIVE", "RWD-USED00", "RWD-LATE00"]
TABLE = 7
ANALYTICS_ID = "an-analytics-id"

# What exists, by the names of the parameters and fields that can mean it.
KNOWN = {
    "customer": ([RICH, POOR], ["path.customer_id", "query.customerId", "query.member", "body.customerId"]),
    "location": ([HERE], ["path.location_id", "query.location", "body.locationId"]),
    "reward": ([CHEAP, DEAR], ["path.reward_id"]),
    "code": (CODES, ["path.code"]),
    "confirmation": ([CONFIRMED], ["path.confirmation_id"]),
    "table": ([str(TABLE)], ["path.table_number"]),
    "session": ([SESSION], ["query.sessionId", "body.sessionId"]),
    "order": ([ORDER], ["path.order_id"]),
    "item": ([ITEM], ["body.menuItemId", "body.items[*].menuItemId"]),
    "analytics": ([ANALYTICS_ID], ["path.analytics_id"]),
}
CONFIG = schemathesis.Config.from_dict(
    {
        "seed": 4,
        "generation": {"deterministic": True, "database": "none", "no-shrink": True},
        "dictionaries": {name: {"values": values} for name, (values, _places) in KNOWN.items()},
        "parameters": {
            place: {"dictionary": name, "probability": 0.7} for name, (_, places) in KNOWN.items() for place in places
        },
    }
)


def _description() -> dict:
    """As it is served, with an example of every id: where one value is tried out, the others are good."""
    description = SchemaGenerator().get_schema(public=True)
    examples = {place.replace("items[*].", ""): values[0] for values, places in KNOWN.values() for place in places}
    operations = [each for path in description["paths"].values() for each in path.values()]
    parameters = [each for operation in operations for each in operation.get("parameters", ())]
    found = [(f"{each['in']}.{each['name']}", each) for each in parameters]
    for component in description["components"]["schemas"].values():
        found += [(f"body.{name}", each) for name, each in component.get("properties", {}).items()]
    for place, described in found:
        if place in examples:
            described["example"] = examples[place]
    return description


schema = schemathesis.openapi.from_dict(_description(), config=CONFIG)
PLAIN = {"Accept-Encoding": "identity"}  # nothing here would unpack a compressed answer
bounded = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True)
def _no_limits(settings):

    rates = dict.fromkeys(settings.RATE_LIMITS, "1000000/min")
    settings.RATE_LIMITS = rates


@pytest.fixture(autouse=True)
def _requests_leave_the_test_its_transaction():
    """As Django's test client does: a server closes connections that are in the middle of one."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(autouse=True)
def _a_venue():
    """Something of everything, under the ids above."""
    location = Location.objects.create(pk=HERE, name="Corner")
    rich = Member.objects.create(pk=RICH, email="rich@example.com", name="Rosa", points_balance=9000)
    Member.objects.create(pk=POOR, email="poor@example.com", name="Paul")
    PointTransaction.objects.create(customer=rich, type="earn", points=9000, location=location, order_total=9000)
    cheap = Reward.objects.create(pk=CHEAP, name="Espresso", points_required=1, reward_value={"item": "Espresso"})
    Reward.objects.create(pk=DEAR, name="Dinner", points_required=2_000_000_000)
    now = timezone.now()
    common = {"customer": rich, "reward": cheap, "points_spent": 1, "expires_at": now + timedelta(days=1)}
    redemption = Redemption.objects.create(redemption_code=CODES[0], **common)
    Redemption.objects.create(redemption_code=CODES[1], status="used", used_at=now, **common)
    Redemption.objects.create(redemption_code=CODES[2], status="expired", **common)
    Confirmation.objects.create(pk=CONFIRMED, redemption=redemption, message="Confirmed", found="active")
    soup, table = make_item(pk=ITEM), make_table(TABLE)
    session = TableSession.objects.create(pk=SESSION, table=table)
    order = Order.objects.create(pk=ORDER, table=table, session=session, total=9.5)
    OrderItem.objects.create(order=order, menu_item=soup, name=soup.name, price=soup.price, quantity=1)


@pytest.fixture
def credentials(_a_venue) -> dict[str, str]:
    """A manager's, and an API key's."""
    account = keys.account_named("Trattoria")
    code = codes.create(account=account, redirect_url="https://example.com", metadata={})
    type(code).objects.filter(pk=code.pk).update(analytics_id=ANALYTICS_ID)
    _, token = StaffToken.objects.create(user=make_user("Managers"))
    return {"Authorization": f"Token {token}", "X-API-Key": keys.create(account=account)[1]}


@schema.parametrize()
@bounded
def test_to_a_stranger(case):
    case.call_and_validate(app=application, headers=PLAIN, checks=CHECKS)


@schema.parametrize()
@bounded
def test_to_a_manager(case, credentials):
    case.call_and_validate(app=application, headers=PLAIN | credentials, checks=CHECKS)


@schema.include(path_regex="^/(member|rewards|checkin|signup)").parametrize()
@bounded
def test_to_a_member(case):
    answer = HttpResponse()
    member_session.sign_in(answer, Member.objects.get(pk=RICH))
    cookies = {member_session.MEMBER_COOKIE: answer.cookies[member_session.MEMBER_COOKIE].value}
    case.call_and_validate(app=application, headers=PLAIN, cookies=cookies, checks=CHECKS)


@schema.parametrize()
@bounded
def test_to_a_manager_s_browser(case, credentials):
    case.call_and_validate(app=application, headers=PLAIN | credentials | {"Accept": PAGE}, checks=[not_a_server_error])
