"""Loading never overwrites anything, and leaves nothing behind where it fails."""

from collections import Counter
from decimal import Decimal
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError

from config import setup
from config.demo import codes, loading
from loyalty.models import Confirmation, Location, Member, Notification, PointTransaction, Programme, Redemption, Reward
from loyalty.points.queries.programme import current_programme
from qrservice import gateway
from qrservice.models import Code, Scan
from restaurant.models import MenuItem, Order, OrderingRules, OrderItem, Payment, Table, TableCall, TableSession

pytestmark = pytest.mark.slow

RESTAURANT = (Table, MenuItem, OrderingRules, TableSession, TableCall, Order, OrderItem, Payment)
LOYALTY = (Location, Member, PointTransaction, Notification, Redemption, Confirmation)


def snapshot() -> dict:
    models = (*RESTAURANT, *LOYALTY, Scan, User)
    rows = {model: set(map(repr, model._default_manager.values_list())) for model in models}
    return rows | {Code: set(Code.objects.values_list("analytics_id", flat=True))}


def test_a_second_load_changes_nothing_and_says_so(demo):
    before = snapshot()
    output = StringIO()
    call_command("load_demo", stdout=output)
    assert output.getvalue() == "There is a restaurant in this database already, so nothing was changed.\n"
    assert loading.load() is None
    with pytest.raises(CommandError, match="--scale wants an empty one"):
        call_command("load_demo", scale=1_000)
    assert snapshot() == before


def test_its_owner_is_not_told_to_set_it_up(demo):
    assert setup.hint(setup.left(User.objects.get(username="owner"))) is None


def test_a_database_with_anything_in_it_is_left_alone(db):
    makes = (
        lambda: Table.objects.create(table_number=40),
        lambda: MenuItem.objects.create(name="Soup", price=Decimal("5")),
        lambda: Member.objects.create(name="Ana", email="ana@example.com"),
        lambda: Reward.objects.create(name="Tea", points_required=10),
    )
    for make in makes:
        made = make()
        assert loading.load() is None, made
        assert not User.objects.exists()
        assert not Code.objects.exists()
        made.delete()


def test_points_and_tiers_follow_the_programme_that_the_owner_has_set_before(short_demo):
    set_before = Programme.objects.create(signup_bonus=250, points_per_unit=3, silver_from=300, gold_from=700)
    programme = current_programme()
    assert loading.load() is not None
    bonuses = PointTransaction.objects.filter(type="earn", order_total=None)
    assert set(bonuses.values_list("points", flat=True)) == {set_before.signup_bonus}
    lifetime: Counter = Counter()
    for purchase in PointTransaction.objects.standing().purchases().order_by("created_at"):
        tier = programme.tier_of(250 + lifetime[purchase.customer_id])
        assert purchase.points == programme.points_for(purchase.order_total, tier)
        lifetime[purchase.customer_id] += purchase.points
    for member in Member.objects.all():
        assert member.tier == programme.tier_of(member.lifetime_points)
    call_command("check_ledger", verbosity=0)


@pytest.mark.parametrize("broken", ["scans", "make"])
def test_an_interrupted_load_leaves_nothing_behind(short_demo, monkeypatch, broken):
    works = getattr(codes, broken)

    def is_interrupted(*args):
        raise KeyboardInterrupt

    def makes_one(*args):
        yield next(works(*args))
        raise KeyboardInterrupt

    monkeypatch.setattr(codes, broken, makes_one if broken == "make" else is_interrupted)
    with pytest.raises(KeyboardInterrupt):
        loading.load()
    assert loading.is_empty()
    assert not User.objects.exists()
    assert not Code.objects.exists()
    with pytest.raises(CommandError, match="nothing was loaded"):
        call_command("load_demo")
    monkeypatch.setattr(codes, broken, works)
    assert loading.load() is not None


def test_the_command_says_in_a_sentence_that_the_code_service_failed(short_demo, monkeypatch):
    def is_down(**values):
        raise gateway.Unavailable("it does not answer")

    monkeypatch.setattr(gateway, "create_code", is_down)
    with pytest.raises(CommandError, match="nothing was loaded: it does not answer"):
        call_command("load_demo")
    assert loading.is_empty()


def test_who_loads_at_the_same_moment_and_is_second_changes_nothing(short_demo, monkeypatch):
    answers = iter([True, False])
    monkeypatch.setattr(loading, "is_empty", lambda: next(answers))
    assert loading.load() is None
    assert not Table.objects.exists()
    assert not Code.objects.exists()


def test_displays_are_told_of_every_order_that_the_kitchen_has_to_do(demo, demonstration):
    open_orders = Order.objects.filter(status__in=Order.OPEN)
    assert demonstration.announced
    assert {(event["type"], event["orderId"]) for event in demonstration.announced} == {
        ("new_order", str(pk)) for pk in open_orders.values_list("pk", flat=True)
    }
