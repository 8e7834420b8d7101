"""Days at the till without plan, as Hypothesis makes them up: the same ones in each run."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from loyalty.errors import NotEnoughPoints
from loyalty.models import Member, PointTransaction, Programme, Redemption, Reward
from loyalty.points.services import points
from loyalty.rewards.services import redemptions
from tests.conftest import make_user
from tests.loyalty.making import change, enrol, make_location, make_reward, with_token
from web.money import rounded

PRICES = st.sampled_from([0, 1, 50, 100, 250, 3000])
TOTALS = st.one_of(
    st.sampled_from([0.01, 0.995, 1, 99.99, 900, 4000.5, 9999]),
    st.floats(0.01, 3000, allow_nan=False).map(lambda total: round(total, 3)),
)
KEYS = st.one_of(st.none(), st.sampled_from("abc"))


class LedgerMachine(RuleBasedStateMachine):
    """A day at the till, without plan. `balances` are those that we expect."""

    members = Bundle("members")
    rewards = Bundle("rewards")
    calls = Bundle("calls")  # requests with a key, and their responses

    def __init__(self) -> None:
        super().__init__()
        # A savepoint of the test's transaction: the gateway refuses to be called in a block of anyone else's.
        self.start = transaction.savepoint()
        cache.clear()
        self.till = with_token(make_user("Cashiers"))
        self.location = make_location()
        self.balances: dict = {}
        self.first_calls: dict = {}  # by member, path and key: body and response of the first call
        self.taken_back: dict = {}  # by purchase: the first response

    def teardown(self) -> None:
        try:
            call_command("check_ledger", verbosity=0)  # once a day: the invariant below holds after each step
        finally:
            transaction.savepoint_rollback(self.start)

    # --- what happens -----------------------------------------------------------------------------

    @initialize(target=rewards)
    def open(self):
        return multiple(make_reward("Coffee", 100), make_reward("Dinner", 250))

    @initialize(target=members)
    def first_guest(self):
        return self.enrol()

    @precondition(lambda self: len(self.balances) < 3)
    @rule(target=members)
    def enrol(self):
        _phone, member = enrol(f"m{len(self.balances)}@example.com")
        self.balances[member.pk] = 100
        return member.pk

    @rule(target=calls, member=members, total=TOTALS, key=KEYS)
    def earn(self, member, total, key):
        body = {"customerId": str(member), "locationId": str(self.location.pk), "orderTotal": total}
        response = self.post("/earn", body, key)
        if self.is_first("/earn", body, key, response):
            assert response.status_code == 200
            self.balances[member] += response.json()["pointsEarned"]
            assert response.json()["newBalance"] == self.balances[member]
            stored = Member.objects.get(pk=member)
            assert stored.tier == response.json()["tier"] == Programme().tier_of(stored.lifetime_points)
        return ("/earn", body, key) if key else multiple()

    @rule(target=calls, member=members, reward=rewards, key=KEYS)
    def redeem(self, member, reward, key):
        path, body = f"/rewards/{reward.pk}/redeem", {"customerId": str(member)}
        response = self.post(path, body, key)
        if not self.is_first(path, body, key, response):
            return multiple()
        price = Reward.objects.get(pk=reward.pk).points_required
        missing = price - self.balances[member]
        if missing > 0:
            assert (response.status_code, response.json()["pointsNeeded"]) == (400, missing)
            return multiple()
        assert response.status_code == 200
        self.balances[member] -= price
        return (path, body, key) if key else multiple()

    @rule(call=calls)
    def repeat(self, call):
        path, body, key = call
        assert not self.is_first(path, body, key, self.post(path, body, key))

    @rule(data=st.data())
    def confirm(self, data):
        redemption = self.one_of(data, Redemption.objects.all())
        if redemption:
            response = self.till.post(f"/use/{redemption.redemption_code.lower()}/confirm", {}, format="json")
            assert response.status_code == (409 if redemption.status == "cancelled" else 200)

    @rule(data=st.data())
    def undo(self, data):
        redemption = self.one_of(data, Redemption.objects.all())
        if redemption:
            was_confirmed = redemption.status in ("used", "active") and redemption.confirmations.exists()
            response = self.till.post(f"/use/{redemption.redemption_code}/undo", {}, format="json")
            assert response.status_code == (200 if was_confirmed else 409)

    @rule(data=st.data())
    def cancel(self, data):
        redemption = self.one_of(data, Redemption.objects.all())
        if redemption:
            response = self.till.post(f"/use/{redemption.redemption_code}/cancel", {}, format="json")
            assert response.status_code == (200 if redemption.status in ("active", "cancelled") else 409)
            if redemption.status == "active":
                self.balances[redemption.customer_id] += redemption.points_spent
                assert response.json()["newBalance"] == self.balances[redemption.customer_id]

    @rule(data=st.data())
    def take_back(self, data):
        purchase = self.one_of(data, PointTransaction.objects.purchases())
        if purchase:
            response = self.till.post(f"/transactions/{purchase.pk}/reverse", {}, format="json")
            assert response.status_code == 200
            if purchase.pk not in self.taken_back:
                self.taken_back[purchase.pk] = response.content
                taken = min(purchase.points, self.balances[purchase.customer_id])
                self.balances[purchase.customer_id] -= taken
                assert response.json()["pointsTaken"] == taken
                assert response.json()["newBalance"] == self.balances[purchase.customer_id]
            assert response.content == self.taken_back[purchase.pk]

    @staticmethod
    def one_of(data, rows):
        """Return one of the rows, None where there are none."""
        found = list(rows.order_by("created_at"))
        return found[data.draw(st.sampled_from(range(len(found))))] if found else None

    @rule(days=st.sampled_from([1, 29, 31]))
    def expire(self, days):
        redemptions.expire_overdue(now=timezone.now() + timedelta(days=days))

    @rule(member=members, amount=st.sampled_from([-5000, -100, -1, 1, 50, 2000]))
    def adjust(self, member, amount):
        row = Member.objects.get(pk=member)
        if self.balances[member] + amount < 0:
            with pytest.raises(NotEnoughPoints):
                points.adjust(member=row, points=amount, reason="a whim", staff_id="anna")
            return
        points.adjust(member=row, points=amount, reason="a whim", staff_id="anna")
        self.balances[member] += amount

    @rule(reward=rewards, price=PRICES)
    def change_the_price(self, reward, price):
        change(reward, points_required=price)

    # --- how it is posted -------------------------------------------------------------------------

    def post(self, path, body, key):
        return self.till.post(path, body, format="json", headers={"Idempotency-Key": key} if key else {})

    def is_first(self, path, body, key, response) -> bool:
        """Is this the first call of its key that was accepted? Of a repeat, checks the response."""
        if key is None:
            return True
        scope = (body["customerId"], "earn" if path == "/earn" else "redeem", key)
        if scope not in self.first_calls:
            if response.status_code == 200:
                self.first_calls[scope] = (path, self.rounded(body), response.content)
            return True
        first_path, first_body, first_response = self.first_calls[scope]
        if (first_path, first_body) == (path, self.rounded(body)):
            assert (response.status_code, response.content) == (200, first_response)
        else:
            assert response.status_code == 409
        return False

    @staticmethod
    def rounded(body: dict) -> dict:
        if "orderTotal" not in body:
            return body
        return {**body, "orderTotal": rounded(Decimal(str(body["orderTotal"])))}

    # --- what always holds ------------------------------------------------------------------------

    @invariant()
    def every_balance_is_the_sum_of_its_transactions(self):
        rows = list(PointTransaction.objects.values_list("customer", "type", "points"))
        standing = list(PointTransaction.objects.standing().values_list("customer", "type", "points"))
        spent = list(Redemption.objects.exclude(status="cancelled").values_list("customer", "points_spent"))
        for member in Member.objects.all():
            own = [(kind, points) for customer, kind, points in rows if customer == member.pk]
            assert member.points_balance == self.balances[member.pk] == sum(points for _kind, points in own)
            assert member.points_balance >= 0
            own_standing = [(kind, points) for customer, kind, points in standing if customer == member.pk]
            assert member.lifetime_points == sum(points for kind, points in own_standing if kind == "earn")
            assert member.tier == Programme().tier_of(member.lifetime_points)
            redeemed = -sum(points for kind, points in own_standing if kind == "redeem")
            assert redeemed == sum(points for customer, points in spent if customer == member.pk)


def run(days: int, steps: int = 25) -> None:
    """Play so many days of so many steps."""
    bounds = settings(
        max_examples=days, stateful_step_count=steps, derandomize=True, deadline=None, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    run_state_machine_as_test(LedgerMachine, settings=bounds)
    assert not Member.objects.exists()
