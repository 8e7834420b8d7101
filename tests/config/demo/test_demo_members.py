"""The demonstration's members: a ledger that balances, and somebody for every page and report."""

from collections import Counter
from datetime import timedelta
from decimal import Decimal
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.db.models import Count, F, Max, Min, Q, Sum, Window
from django.db.models.functions import Coalesce
from django.utils import timezone

from config.demo import example_member
from loyalty.members.queries import local_text
from loyalty.models import Confirmation, Location, Member, Notification, PointTransaction, Redemption, Reward
from loyalty.points.services import enrolment, points
from loyalty.rewards.services import confirmations, redemptions
from restaurant.models import Order
from tests.conftest import signed_in

pytestmark = pytest.mark.slow

MULTIPLIERS = {"bronze": Decimal(1), "silver": Decimal("1.25"), "gold": Decimal("1.5"), "platinum": Decimal(2)}


def tier_of(lifetime_points: int) -> str:
    thresholds = {"platinum": 10_000, "gold": 5_000, "silver": 1_000, "bronze": 0}
    return next(tier for tier, least in thresholds.items() if lifetime_points >= least)


def test_it_has_members_in_every_tier_and_in_every_window_of_the_reports(demo):
    assert Member.objects.count() == 300
    assert set(Member.objects.values_list("tier", flat=True)) == set(Member.Tier.values)
    now = timezone.now()
    for youngest, oldest in ((0, 30), (31, 60), (61, 90), (91, 180), (181, 400)):
        window = (now - timedelta(days=oldest), now - timedelta(days=youngest))
        assert Member.objects.filter(last_activity_at__range=window).count() >= 10, f"{youngest} to {oldest} days"


def test_the_ledger_balances_for_every_member(demo):
    output = StringIO()
    call_command("check_ledger", stdout=output)
    assert output.getvalue() == "The ledger balances: 300 members.\n"
    earned = Q(transactions__type=PointTransaction.Type.EARN, transactions__reversals=None)
    wrong = Member.objects.annotate(
        balance=Coalesce(Sum("transactions__points"), 0),
        lifetime=Coalesce(Sum("transactions__points", filter=earned), 0),
        last_earned=Max("transactions__created_at", filter=earned),
        first=Min("transactions__created_at"),
    ).exclude(
        points_balance=F("balance"),
        lifetime_points=F("lifetime"),
        last_activity_at=F("last_earned"),
        created_at=F("first"),
    )
    assert not wrong.exists()


def test_no_balance_was_ever_negative(demo):
    running = Window(Sum("points"), partition_by="customer", order_by="created_at")
    assert not PointTransaction.objects.annotate(running=running).filter(running__lt=0).exists()
    assert not PointTransaction.objects.values("customer", "created_at").annotate(n=Count("id")).filter(n__gt=1)


def test_points_follow_the_tier_at_the_moment_of_the_purchase(demo):
    lifetime: Counter = Counter()
    collected = set(Order.objects.filter(collected_at__isnull=False).values_list("collected_at", flat=True))
    for row in PointTransaction.objects.filter(Q(type="earn") | Q(reverses__type="earn")).order_by("created_at"):
        if row.type == "reversal":
            assert (row.points, row.order_total) == (-row.reverses.points, -row.reverses.order_total)
        elif row.order_total is None:
            assert (row.points, row.location_id, lifetime[row.customer_id]) == (100, None, 0)
        else:
            assert row.location_id is not None
            assert row.staff_id in ({""} if row.created_at in collected else {"cashier", "stall"})
            assert row.points == int(int(row.order_total) * MULTIPLIERS[tier_of(lifetime[row.customer_id])])
        lifetime[row.customer_id] += row.points
    assert all(member.tier == tier_of(lifetime[member.pk]) for member in Member.objects.all())


def test_redemptions_were_paid_for_and_each_status_occurs(demo):
    now = timezone.now()
    redemptions = list(Redemption.objects.select_related("reward"))
    assert {redemption.status for redemption in redemptions} == {"active", "used", "expired", "cancelled"}
    for redemption in redemptions:
        assert redemption.points_spent == redemption.reward.points_required
        assert redemption.expires_at == redemption.created_at + timedelta(days=30)
        assert (redemption.used_at is not None) == (redemption.status == Redemption.Status.USED)
        assert redemption.used_at is None or redemption.created_at < redemption.used_at <= redemption.expires_at
        is_overdue = redemption.used_at is None and redemption.expires_at < now
        assert (redemption.status == Redemption.Status.EXPIRED) == is_overdue
    paid = PointTransaction.objects.filter(type="redeem").values_list("customer", "created_at", "points")
    assert Counter(paid) == Counter((row.customer_id, row.created_at, -row.points_spent) for row in redemptions)


def test_some_rewards_wait_and_some_must_be_fetched_soon(demo):
    waiting = Redemption.objects.filter(status="active", expires_at__gt=timezone.now())
    assert waiting.count() >= 10
    assert waiting.filter(expires_at__lt=timezone.now() + timedelta(days=3)).exists()


# --- confirmations --------------------------------------------------------------------------------


def test_each_used_reward_was_handed_out_by_somebody_somewhere(demo):
    confirmations = Confirmation.objects.select_related("redemption__reward")
    assert not confirmations.exclude(staff_id__in=["cashier", "stall"], location__isnull=False).exists()
    places = confirmations.order_by().values("staff_id").annotate(number=Count("location", distinct=True))
    assert {place["number"] for place in places} == {1}  # nobody is at two places
    for confirmation in confirmations.filter(found="active"):
        assert confirmation.message == f"Confirmed: {confirmation.redemption.reward.name}"
    latest = Redemption.objects.annotate(
        latest=Max("confirmations__created_at", filter=Q(confirmations__undone_at=None))
    )
    assert not latest.filter(status="used").exclude(used_at=F("latest")).exists()
    assert not latest.exclude(status="used").filter(latest__isnull=False).exists()


def test_one_purchase_was_taken_back_one_reward_cancelled_and_one_confirmation_undone(demo):
    taken_back = PointTransaction.objects.get(type="reversal", order_total__isnull=False).reverses
    cancelled = Redemption.objects.get(status="cancelled")
    undone = Confirmation.objects.get(undone_at__isnull=False)
    member = Member.objects.get(name=example_member.NAME)
    assert {taken_back.customer, cancelled.customer, undone.redemption.customer} == {member}
    assert undone.created_at < undone.undone_at
    assert (undone.redemption.status, undone.undone_by) == ("active", "cashier")
    # Their rows hold what a repeat of the request is told.
    manager = signed_in(User.objects.get(username="manager"))
    again = manager.post(f"/transactions/{taken_back.pk}/reverse")
    assert (again.status_code, again.json()["pointsTaken"], again.json()["tier"]) == (200, taken_back.points, "gold")
    assert manager.post(f"/use/{cancelled.redemption_code}/cancel").status_code == 200


def test_three_rewards_were_handed_out_twice(demo):
    twice = Redemption.objects.annotate(count=Count("confirmations")).exclude(count__lt=2)
    assert len(twice) == 3
    for redemption in twice:
        first, again = redemption.confirmations.all()
        assert (first.found, again.found, again.created_at) == ("active", "used", redemption.used_at)
        assert first.location != again.location
        assert again.message == (
            f"Attention: this code was already used on {local_text(first.created_at)}. "
            f"It was for: {redemption.reward.name}"
        )


# --- notifications --------------------------------------------------------------------------------


def test_each_new_tier_was_told_once_and_nothing_is_left_to_mail(demo):
    steps = ["bronze", "silver", "gold", "platinum"]
    count = Counter(Notification.objects.values_list("customer", flat=True))
    for member in Member.objects.all():
        assert count[member.pk] == steps.index(member.tier)
    for notification in Notification.objects.select_related("customer"):
        before = notification.customer.transactions.filter(created_at__lte=notification.created_at, type="earn")
        tier = tier_of(before.aggregate(sum=Sum("points"))["sum"])
        assert (notification.title, notification.type) == (f"Welcome to {tier}", "tier_upgrade")
        assert notification.message == f"You have reached {tier.upper()}. Thank you for coming back."
    assert not Notification.objects.exclude(sent_at__gte=F("created_at"), attempts=1).exists()
    call_command("send_notifications", stdout=StringIO())
    assert mail.outbox == []


# --- what the services write ----------------------------------------------------------------------


def test_the_history_reads_as_if_the_services_had_written_it(demo):
    """Take the same steps by the services: every description and every text must have occurred before."""
    known = {model: set(texts(model)) for model in (PointTransaction, Notification, Confirmation)}
    member = enrolment.enrol(email="new@example.com", name="New")
    location, reward = Location.objects.get(name__endswith="Orchard Row"), Reward.objects.first()
    points.award(member_id=member.pk, location_id=location.pk, order_total=Decimal(1000), staff_id="cashier")
    code = redemptions.redeem(member_id=member.pk, reward_id=str(reward.pk)).code
    confirmations.confirm(code=code, staff_id="cashier", location_id=location.pk)
    confirmations.undo(code=code, recorded_by="cashier")
    assert all(set(texts(model)) == known[model] for model in known)


def texts(model) -> list[tuple]:
    fields = {
        PointTransaction: ("type", "description", "staff_id"),
        Notification: ("type", "title", "message"),
        Confirmation: ("found", "message", "staff_id"),
    }
    return list(model.objects.values_list(*fields[model]))


# --- somebody for every report --------------------------------------------------------------------


def days_since(moment) -> int:
    return (timezone.now() - moment).days


def segment_of(days: int, transactions: int, spend: Decimal) -> str:
    rules = {
        "champions": days <= 30 and transactions >= 4 and spend >= 200,
        "loyal": days <= 30 and transactions >= 2,
        "potential_loyalist": days <= 60 and spend >= 100,
        "at_risk": days > 90 and spend >= 100,
        "hibernating": days > 180,
        "new_or_casual": True,
    }
    return next(segment for segment, holds in rules.items() if holds)


def test_every_segment_has_members(demo):
    earned = Q(transactions__type="earn")
    everybody = Member.objects.annotate(
        earns=Count("transactions", filter=earned), spent=Coalesce(Sum("transactions__order_total"), Decimal(0))
    )
    sizes = Counter(segment_of(days_since(member.last_activity_at), member.earns, member.spent) for member in everybody)
    for segment in ("champions", "loyal", "potential_loyalist", "at_risk", "hibernating", "new_or_casual"):
        assert sizes[segment] >= 2, segment


def test_every_offer_has_members_to_win_back(demo):
    now = timezone.now()
    window = (now - timedelta(days=180), now - timedelta(days=30))
    targets = Member.objects.filter(last_activity_at__range=window, lifetime_points__gte=100)
    offers = Counter(
        "reminder"
        if target.points_balance >= 500
        else "bonus_points"
        if days_since(target.last_activity_at) > 90
        else "discount"
        for target in targets
    )
    assert min(offers[offer] for offer in ("reminder", "bonus_points", "discount")) >= 2


def test_every_tier_has_somebody_who_was_here_this_week(demo):
    active = Member.objects.filter(last_activity_at__gt=timezone.now() - timedelta(days=7))
    assert set(active.values_list("tier", flat=True)) == set(Member.Tier.values)
