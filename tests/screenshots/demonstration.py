"""What the demonstration has for the gallery: which ids have the most to see, and whose browsers see it."""

import json

from tests.servers import Installation

# Ids of the demonstration that make the best pictures: the most to see.
FIND = """
import json
from datetime import timedelta
from decimal import Decimal
from django.core import signing
from django.db.models import Count, F
from django.contrib.auth.models import Group, User
from loyalty.models import Confirmation, Location, Member, PointTransaction, Redemption, Reward
from loyalty.points.services import points
from loyalty.members.views import member_session
from qrservice.models import Code
from django.utils import timezone
from restaurant.menu.queries import tomorrow
from restaurant.ordering.queries.orders import phone_key
from restaurant.models import CashDrawer, MenuItem, Order, OptionGroup, Table, TableSession
from restaurant.billing.services import bills, drawers
order = Order.objects.filter(status="preparing").annotate(n=Count("items")).order_by("-n").first()
# Some rewards are ready and some still to come, and of one there is a code and points for another.
golden = Member.objects.filter(tier="gold", points_balance__gte=500).order_by("points_balance")
again = {"redemptions__status": "active", "redemptions__reward__points_required__lte": F("points_balance")}
member = golden.filter(**again).first()
held = member.redemptions.filter(status="active").values("reward")
ready = Order.objects.filter(status="ready").first()
# Of which something was cancelled, and the rest was paid.
told = Order.objects.filter(status="completed", changes__kind="cancelled").latest("created_at")
# This phone has ordered them, and the kitchen has begun to tick off the first.
Order.objects.filter(pk__in=[order.pk, ready.pk]).update(phone_key=phone_key("gallery"))
order.items.filter(position__lt=2).update(done_at=timezone.now())
# A waiter took the one that is ready, and this member collects its points.
Order.objects.filter(pk=ready.pk).update(placed_by="floor", collector=str(member.pk))
bills.give_number(ready.session_id)
# The other is late.
Order.objects.filter(pk=order.pk).update(created_at=order.created_at - timedelta(minutes=2))
# Its page says how long orders take at this hour, also at night.
now = timezone.now()
done = Order.objects.filter(status="completed", created_at__lt=now - timedelta(days=2))
slow = done.filter(ready_at__gt=F("created_at") + timedelta(minutes=9)).order_by("-created_at")[:12]
for number, each in enumerate(slow):
    moved = now - timedelta(days=1, minutes=4 * number) - each.created_at
    times = {name: F(name) + moved for name in ("created_at", "ready_at", "served_at", "completed_at")}
    Order.objects.filter(pk=each.pk).update(**times)
# This card's owner has been at a table before, and has a usual.
before = Order.objects.filter(status="completed", collector="", items__menu_item__picture__isnull=False)
habit = before.annotate(n=Count("items")).order_by("-n", "-created_at").values_list("pk", flat=True)[:6]
Order.objects.filter(pk__in=list(habit)).update(collector=str(member.pk), collected_at=F("completed_at"))
# What is counted, and what comes back by itself.
MenuItem.objects.filter(name="Jellied Pig's Ear").update(portions=3)
MenuItem.objects.filter(name="Whole Sea Bream").update(portions=12)
MenuItem.objects.filter(name="Rhubarb Fool").update(sold_out_until=tomorrow(timezone.now()))
# The cashier has served these guests in the last minutes.
guests = Member.objects.exclude(pk=member.pk).filter(erased_at=None).order_by("-last_activity_at")[5:10]
place = Location.objects.first().pk
for number, guest in enumerate(guests):
    award = points.award(
        member_id=str(guest.pk), location_id=str(place), order_total=Decimal("24.00") + number * Decimal("13.75"),
        staff_id="cashier", recorded_by="cashier", key=None,
    )
    at = timezone.now() - timedelta(minutes=3 * number + 1)
    PointTransaction.objects.filter(pk=award.transaction_id).update(created_at=at)
    Member.objects.filter(pk=guest.pk).update(last_activity_at=at)
# More than ten work here, one has yet to come, and one is gone.
staff = (
    ("Aoife Byrne", "Floor", 1, True), ("Ben Okafor", "Floor", 0, True), ("Dara Quinn", "Cashiers", 3, True),
    ("Elif Demir", "Floor", 2, True), ("Giulia Conti", "Floor", 1, True), ("Jonas Weber", "Managers", 0, True),
    ("Luca Ferri", "Floor", 60, False), ("Niamh Daly", "Floor", None, True), ("Sorcha Flynn", "Cashiers", 5, True),
)
for name, group, days, active in staff:
    first, last = name.split()
    seen = None if days is None else timezone.now() - timedelta(days=days, hours=2)
    user = User.objects.create(
        username=first.lower(), first_name=first, last_name=last, last_login=seen, is_active=active
    )
    user.groups.add(Group.objects.get(name=group))
# Cash lies in one drawer, and another was closed with too little in it.
bar, terrace = (CashDrawer.objects.create(name=name) for name in ("Bar", "Terrace"))
for drawer in (bar, terrace):
    drawers.open_day(drawer_id=drawer.pk, float=Decimal(150), user_name="cashier")
cashier = User.objects.get(username="cashier")
drawers.move(drawer_id=bar.pk, kind="out", amount=Decimal("12.50"), reason="Flowers", user=cashier)
drawers.close_day(drawer_id=terrace.pk, counted=Decimal("149.50"), user_name="cashier")
earned = PointTransaction.objects.filter(type="earn", order_total__isnull=False).earliest("created_at")
signer = signing.get_cookie_signer(salt=member_session.MEMBER_COOKIE + member_session._SALT)
table = order.table.table_number
print(json.dumps({
    "order": str(order.pk), "ready": str(ready.pk), "told": str(told.pk),
    "table": table, "session": str(order.session_id),
    "dish": str(MenuItem.objects.filter(option_groups__isnull=False, picture__isnull=False).first().pk),
    "member": str(member.pk), "card": signer.sign(f"{member.pk}:{member.card_key}:gallery"),
    "location": str(place),
    "reward": str(Reward.objects.filter(pk__in=held, points_required__lte=member.points_balance).first().pk),
    "unheld": str(Reward.objects.exclude(pk__in=held).first().pk),
    "active": Redemption.objects.filter(status="active").first().redemption_code,
    "used": Redemption.objects.filter(status="used").first().redemption_code,
    "confirmation": str(Confirmation.objects.first().pk),
    "code": str(Code.objects.first().pk),
    "earned": str(earned.pk), "earner": str(earned.customer_id),
    "owner": User.objects.get(username="owner").pk,
    "served": ready.table.table_number,
    "drawer": bar.pk, "closed_drawer": terrace.pk,
    "item": str(MenuItem.objects.filter(picture__isnull=False).first().pk),
    "group": OptionGroup.objects.first().pk,
}, default=str))
"""


def find(installation: Installation) -> dict[str, str]:
    return json.loads(installation.shell(FIND))


def cookies(installation: Installation, ids: dict[str, str]) -> dict[str, list[dict[str, str]]]:
    """Of each audience's browser."""
    card = {"name": "member", "value": ids["card"], "url": installation.base}
    phone = {"name": "sessionId", "value": "gallery", "url": installation.base}
    of: dict[str, list[dict]] = {"guest": [], "stranger": [], "ordered": [phone], "member": [card]}
    of |= {name: [installation.cookie(name)] for name in ("floor", "cashier", "manager", "owner")}
    # A till of which the location has been chosen, as on all days but the first.
    of["cashier"].append({"name": "till_location", "value": ids["location"], "url": installation.base})
    return of
