"""The demonstration restaurant is whole, believable and consistent, and never overwrites anything."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import StringIO
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, models
from django.db.models import Count, F, Max, Min, Q, Sum, Window
from django.db.models.functions import Coalesce, ExtractHour, ExtractIsoWeekDay
from django.utils import timezone

from config import demo
from config.demo import codes, loading, place, plan, regulars, visits
from config.groups import GROUPS
from loyalty.models import Location, Member, PointTransaction, Redemption, Reward
from qrservice import gateway
from qrservice.models import Account, Code, Scan
from restaurant import queries
from restaurant.models import MenuItem, Order, OrderItem, Table, TableSession

BASE = "http://127.0.0.1:8000"
CATEGORIES = [
    "Aperitivi",
    "Bites & Small Plates",
    "Charcoal Grill",
    "Fresh Pasta",
    "Garden Sides",
    "Sweets",
    "Tea & Coffee",
    "Wine, Beer & Softs",
]
MULTIPLIERS = {"bronze": Decimal(1), "silver": Decimal("1.25"), "gold": Decimal("1.5"), "platinum": Decimal(2)}


def tier_of(lifetime_points: int) -> str:
    thresholds = {"platinum": 10_000, "gold": 5_000, "silver": 1_000, "bronze": 0}
    return next(tier for tier, least in thresholds.items() if lifetime_points >= least)


def empty_the_database() -> None:
    roots = (Table, MenuItem, Member, Location, Reward, Account)
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(model._meta.db_table for model in roots)} CASCADE")
    User.objects.all().delete()


@pytest.fixture(scope="module")
def staff(django_db_setup, django_db_blocker):
    """Loaded once for all tests of this file; each of them works in a transaction that is rolled back."""
    with django_db_blocker.unblock():
        empty_the_database()
        loaded = demo.load(progress=False)
        assert loaded is not None
        try:
            yield loaded
        finally:
            empty_the_database()


@pytest.fixture
def house(staff, db):
    return staff


@pytest.fixture
def empty_house(staff, db, monkeypatch):
    """Nothing is there, and what can be loaded has few members and a short past, for speed."""
    empty_the_database()
    monkeypatch.setattr(visits, "HISTORY_DAYS", 3)
    monkeypatch.setattr(regulars, "HABITS", [regulars.Habit(5, (2, 9), (20, 60), (50, 200), (1, 1, 1, 1, 0))])


# --- what is there --------------------------------------------------------------------------------


def test_it_has_tables_in_three_sections(house):
    tables = list(Table.objects.all())
    assert [table.table_number for table in tables] == list(range(1, 15))
    assert {table.section for table in tables} == {"Window", "Main room", "Terrace"}
    assert all(table.capacity for table in tables)


def test_its_menu_reads_in_the_order_of_a_meal(house):
    assert list(queries.menu()) == CATEGORIES
    assert 40 <= MenuItem.objects.count() <= 50
    assert 1 <= MenuItem.objects.filter(available=False).count() <= 2
    assert not MenuItem.objects.filter(Q(description="") | Q(price__lte=0)).exists()


def test_it_has_rewards_of_every_type(house):
    rewards = list(Reward.objects.all())
    assert len(rewards) == 6
    assert {reward.reward_type for reward in rewards} == set(Reward.Type.values)
    for reward in rewards:
        key = "discount_percent" if reward.reward_type == Reward.Type.DISCOUNT else "item"
        assert list(reward.reward_value) == [key]


def test_it_has_members_in_every_tier_and_in_every_window_of_the_reports(house):
    assert Member.objects.count() == 300
    assert set(Member.objects.values_list("tier", flat=True)) == set(Member.Tier.values)
    now = timezone.now()
    for youngest, oldest in ((0, 30), (31, 60), (61, 90), (91, 180), (181, 400)):
        window = (now - timedelta(days=oldest), now - timedelta(days=youngest))
        assert Member.objects.filter(last_activity_at__range=window).count() >= 10, f"{youngest} to {oldest} days"


def test_every_code_leads_to_what_it_belongs_to(house):
    expected = {}
    for table in Table.objects.all():
        metadata = {"table_number": table.table_number, "section": table.section, "type": "restaurant_table"}
        expected[table.qr_analytics_id] = (f"{BASE}/table/{table.table_number}", metadata)
    for location in Location.objects.all():
        metadata = {"location_id": str(location.pk), "location_name": location.name, "type": "earn_points"}
        expected[location.earn_qr_analytics_id] = (f"{BASE}/checkin/{location.pk}", metadata)
    for member in Member.objects.all():
        metadata = {"customer_id": str(member.pk), "type": "loyalty_member"}
        expected[member.qr_analytics_id] = (f"{BASE}/member/{member.pk}", metadata)
    for redemption in Redemption.objects.all():
        metadata = {
            "redemption_id": str(redemption.pk),
            "customer_id": str(redemption.customer_id),
            "reward_id": str(redemption.reward_id),
            "type": "reward_redemption",
        }
        expected[redemption.qr_analytics_id] = (f"{BASE}/use/{redemption.redemption_code}", metadata)
    assert {code.analytics_id: (code.redirect_url, code.metadata) for code in Code.objects.all()} == expected


def test_a_table_knows_the_addresses_of_its_code(house):
    for table in Table.objects.all():
        slug = Code.objects.get(analytics_id=table.qr_analytics_id).slug
        assert (table.short_url, table.qr_code_url) == (f"{BASE}/q/{slug}", f"{BASE}/qr/{slug}")


# --- members and points ---------------------------------------------------------------------------


def test_the_ledger_balances_for_every_member(house):
    earned = Q(transactions__type=PointTransaction.Type.EARN)
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


def test_no_balance_was_ever_negative(house):
    running = Window(Sum("points"), partition_by="customer", order_by="created_at")
    assert not PointTransaction.objects.annotate(running=running).filter(running__lt=0).exists()
    assert not PointTransaction.objects.values("customer", "created_at").annotate(n=Count("id")).filter(n__gt=1)


def test_points_follow_the_tier_at_the_moment_of_the_purchase(house):
    lifetime: Counter = Counter()
    for each in PointTransaction.objects.filter(type="earn").order_by("created_at"):
        if each.order_total is None:
            assert (each.points, each.location_id, lifetime[each.customer_id]) == (100, None, 0)
        else:
            assert each.location_id is not None
            assert each.points == int(int(each.order_total) * MULTIPLIERS[tier_of(lifetime[each.customer_id])])
        lifetime[each.customer_id] += each.points
    assert all(member.tier == tier_of(lifetime[member.pk]) for member in Member.objects.all())


def test_redemptions_were_paid_for_and_are_in_every_state(house):
    now = timezone.now()
    redemptions = list(Redemption.objects.select_related("reward"))
    assert {each.status for each in redemptions} == set(Redemption.Status.values)
    for each in redemptions:
        assert each.points_spent == each.reward.points_required
        assert each.expires_at == each.created_at + timedelta(days=30)
        assert (each.used_at is not None) == (each.status == Redemption.Status.USED)
        assert each.used_at is None or each.created_at < each.used_at <= each.expires_at
        assert (each.status == Redemption.Status.EXPIRED) == (each.used_at is None and each.expires_at < now)
    paid = PointTransaction.objects.filter(type="redeem").values_list("customer", "created_at", "points")
    assert Counter(paid) == Counter((each.customer_id, each.created_at, -each.points_spent) for each in redemptions)


# --- tables and orders ----------------------------------------------------------------------------


def test_sessions_count_exactly_what_is_stored(house):
    wrong = TableSession.objects.annotate(
        count=Count("orders"), revenue=Coalesce(Sum("orders__total"), Decimal(0))
    ).exclude(total_orders=F("count"), total_revenue=F("revenue"))
    assert not wrong.exists()
    assert not Order.objects.exclude(table=F("session__table")).exists()


def test_scans_of_a_table_fall_into_its_sessions_as_often_as_these_say(house):
    for table in Table.objects.all():
        scans = list(Scan.objects.filter(code__analytics_id=table.qr_analytics_id).values_list("scanned_at", flat=True))
        counted = 0
        for session in table.sessions.all():
            end = session.ended_at or timezone.now()
            inside = [moment for moment in scans if session.started_at <= moment < end]
            assert (min(inside), len(inside)) == (session.started_at, session.total_scans)
            counted += len(inside)
        assert counted == len(scans)


def test_order_totals_are_the_sums_of_their_lines(house):
    lines = Sum(F("items__price") * F("items__quantity"))
    assert not Order.objects.annotate(lines=lines, count=Count("items")).exclude(total=F("lines")).exists()
    assert Order.objects.annotate(count=Count("items")).filter(count__range=(1, 6)).count() == Order.objects.count()
    assert not OrderItem.objects.exclude(price=F("menu_item__price"), name=F("menu_item__name")).exists()
    assert OrderItem.objects.exclude(special_instructions="").exists()


def test_past_orders_are_completed_and_past_sessions_ended(house):
    past = Order.objects.exclude(status__in=Order.OPEN)
    assert not past.exclude(status="completed", completed_at__gt=F("created_at")).exists()
    assert not past.exclude(completed_at__lt=F("session__ended_at")).exists()
    assert not Order.objects.exclude(created_at__gt=F("session__started_at")).exists()


def test_no_two_parties_share_a_table(house):
    for table in Table.objects.all():
        for one, next_one in pairwise(table.sessions.order_by("started_at")):
            assert one.ended_at is not None
            assert one.ended_at < next_one.started_at


def test_three_orders_are_in_the_kitchen_and_table_one_is_free(house):
    tickets = queries.open_orders()
    assert [(each["tableNumber"], each["status"]) for each in tickets] == [
        (3, "ready"),
        (7, "preparing"),
        (12, "pending"),
    ]
    assert Order.objects.filter(status__in=Order.OPEN, completed_at=None).count() == 3
    open_at = TableSession.objects.filter(ended_at=None).values_list("table__table_number", flat=True)
    assert sorted(open_at) == [3, 7, 12]


def test_weekdays_and_hours_are_those_of_a_restaurant(house):
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    orders = Order.objects.filter(created_at__lt=today, status="completed")
    by_time = orders.annotate(day=ExtractIsoWeekDay("created_at"), hour=ExtractHour("created_at"))
    counts = Counter(by_time.values_list("day", "hour"))
    assert {day for day, _ in counts} == {2, 3, 4, 5, 6, 7}, "closed on Mondays"
    assert {hour for _, hour in counts} <= {12, 13, 14, 18, 19, 20, 21, 22}
    assert {day for (day, _), _ in counts.most_common(2)} <= {5, 6}, "Fridays and Saturdays are busiest"


def test_some_dishes_sell_well_and_one_never(house):
    sold = MenuItem.objects.annotate(sold=Coalesce(Sum("order_items__quantity"), 0)).values_list("sold", flat=True)
    assert 0 in sold
    assert max(sold) > 10 * min(number for number in sold if number)


def test_nothing_lies_in_the_future(house):
    now = timezone.now()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, models.DateTimeField) and field.name not in {"expires_at", "expiry", "expire_date"}:
                assert not model._default_manager.filter(**{f"{field.name}__gt": now}).exists(), f"{model} {field}"


# --- staff ----------------------------------------------------------------------------------------


def test_staff_can_do_what_their_group_says(house):
    by_name = {user.username: user for user in house.users}
    assert list(by_name) == ["cashier", "floor", "manager", "owner"]
    for name, group in (("cashier", "Cashiers"), ("floor", "Floor"), ("manager", "Managers")):
        user = User.objects.get(username=name)
        assert user.get_all_permissions() == set(GROUPS[group])
        assert user.check_password(by_name[name].password)
        assert user.get_full_name() == by_name[name].name
    assert User.objects.get(username="owner").is_superuser


def test_the_admin_opens_for_the_manager_and_the_owner_alone(house, client):
    for name, status in (("cashier", 302), ("floor", 302), ("manager", 200), ("owner", 200)):
        client.force_login(User.objects.get(username=name), backend="django.contrib.auth.backends.ModelBackend")
        assert client.get("/admin/").status_code == status, name


def test_passwords_have_sixty_random_bits_and_are_not_in_a_log(house):
    for user in house.users:
        letters = user.password.replace("-", "")
        assert len(letters) == 12
        assert set(letters) <= set("abcdefghijkmnpqrstuvwxyz23456789")
        assert user.password not in repr(house)
        assert user.password in str(house)


def test_passwords_differ_between_two_loads(house, empty_house):
    again = demo.load(progress=False)
    passwords = {user.password for each in (house, again) for user in each.users}
    assert len(passwords) == 8


def test_who_was_here_before_keeps_name_and_password(empty_house):
    User.objects.create_superuser("owner", password="was here before")
    staff = demo.load(progress=False)
    assert [user.username for user in staff.users] == ["cashier", "floor", "manager", "owner2"]
    assert User.objects.get(username="owner").check_password("was here before")


# --- loading --------------------------------------------------------------------------------------


def snapshot() -> dict:
    kinds = (Table, MenuItem, TableSession, Order, OrderItem, Member, PointTransaction, Redemption, Code, Scan, User)
    return {model: set(model._default_manager.values_list()) for model in kinds if model is not Code} | {
        Code: set(Code.objects.values_list("analytics_id", flat=True))
    }


def test_a_second_load_changes_nothing_and_says_so(house):
    before = snapshot()
    output = StringIO()
    call_command("load_demo", stdout=output)
    assert output.getvalue() == "There is a restaurant in this database already, so nothing was changed.\n"
    assert demo.load(progress=False) is None
    assert snapshot() == before


@pytest.mark.parametrize(
    "somebody_made",
    [
        lambda: Table.objects.create(table_number=40),
        lambda: MenuItem.objects.create(name="Soup", price=Decimal("5")),
        lambda: Member.objects.create(name="Ana", email="ana@example.com"),
        lambda: Reward.objects.create(name="Tea", points_required=10),
    ],
)
def test_a_database_with_anything_in_it_is_left_alone(empty_house, somebody_made):
    somebody_made()
    assert demo.load(progress=False) is None
    assert not User.objects.exists()
    assert not Code.objects.exists()


def test_the_command_prints_the_passwords(empty_house):
    output = StringIO()
    call_command("load_demo", stdout=output)
    assert place.VENUE_NAME in output.getvalue()
    words = output.getvalue().split()
    for name in ("cashier", "floor", "manager", "owner"):
        assert User.objects.get(username=name).check_password(words[words.index(name) + 1])


@pytest.mark.parametrize("broken", ["scans", "make"])
def test_an_interrupted_load_leaves_nothing_behind(empty_house, monkeypatch, broken):
    works = getattr(codes, broken)

    def is_interrupted(*args):
        raise KeyboardInterrupt

    def makes_one(*args):
        yield next(works(*args))
        raise KeyboardInterrupt

    monkeypatch.setattr(codes, broken, makes_one if broken == "make" else is_interrupted)
    with pytest.raises(KeyboardInterrupt):
        demo.load(progress=False)
    assert loading.is_empty()
    assert not User.objects.exists()
    assert not Code.objects.exists()
    with pytest.raises(CommandError, match="nothing was loaded"):
        call_command("load_demo")
    monkeypatch.setattr(codes, broken, works)
    assert demo.load(progress=False) is not None


def test_the_command_says_in_a_sentence_that_the_code_service_failed(empty_house, monkeypatch):
    def is_down(**values):
        raise gateway.Unavailable("it does not answer")

    monkeypatch.setattr(gateway, "create_code", is_down)
    with pytest.raises(CommandError, match="nothing was loaded: it does not answer"):
        call_command("load_demo")
    assert loading.is_empty()


def test_who_loads_at_the_same_moment_and_is_second_changes_nothing(empty_house, monkeypatch):
    answers = iter([True, False])
    monkeypatch.setattr(loading, "is_empty", lambda: next(answers))
    assert demo.load(progress=False) is None
    assert not Table.objects.exists()
    assert not Code.objects.exists()


# --- the history, whenever it is drawn ------------------------------------------------------------


MOMENTS = [
    pytest.param(datetime(2026, 11, 23, 3, 0, tzinfo=UTC), "UTC", id="Monday night"),
    pytest.param(datetime(2026, 11, 21, 20, 30, tzinfo=UTC), "Europe/Dublin", id="Saturday evening"),
    pytest.param(datetime(2026, 12, 1, 10, 30, tzinfo=UTC), "Pacific/Auckland", id="Auckland, before midnight"),
    pytest.param(datetime(2026, 12, 1, 11, 4, tzinfo=UTC), "Pacific/Auckland", id="Auckland, just after midnight"),
    pytest.param(datetime(2026, 3, 29, 12, 0, tzinfo=UTC), "Europe/Dublin", id="the clocks went forward"),
    pytest.param(datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC), "America/St_Johns", id="29 February"),
]


@pytest.mark.parametrize(("now", "zone"), MOMENTS)
def test_at_any_moment_today_has_orders_and_the_future_none(now, zone):
    drawn = plan.draw(now, ZoneInfo(zone))
    diary, book = drawn.diary, drawn.book
    today = now.astimezone(ZoneInfo(zone)).date()
    assert any(order.created_at.astimezone(ZoneInfo(zone)).date() == today for order in diary.orders)
    moments = [
        *(session.ended_at or session.started_at for session in diary.sessions),
        *(order.completed_at or order.created_at for order in diary.orders),
        *(sighting.at for sighting in (*diary.sightings, *book.sightings)),
        *(transaction.created_at for transaction in book.transactions),
        *(redemption.used_at or redemption.created_at for redemption in book.redemptions),
    ]
    assert max(moments) <= now
    assert min(order.created_at for order in diary.orders) > now - timedelta(days=62)
    assert {member.tier for member in book.members} == set(Member.Tier.values)
    for one, next_one in pairwise(book.transactions):
        assert one.customer is not next_one.customer or one.created_at < next_one.created_at


def test_the_same_moment_gives_the_same_history():
    def history():
        drawn = plan.draw(datetime(2026, 11, 21, 20, 30, tzinfo=UTC), ZoneInfo("UTC"))
        orders = [(each.table.table_number, each.created_at, each.total) for each in drawn.diary.orders]
        points = [(each.customer.email, each.created_at, each.points) for each in drawn.book.transactions]
        return orders, points, [(each.at, each.city) for each in drawn.diary.sightings]

    assert history() == history()
