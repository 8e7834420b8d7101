"""Which pages there are a picture of: by audience, a name and an address; on screens, on paper and in the README."""

import json
from collections.abc import Iterator

from tests.servers import Installation

# Ids of the demonstration that make the best pictures: the most to see.
FIND = """
import json
from datetime import timedelta
from decimal import Decimal
from django.core import signing
from django.db.models import Count, F
from django.contrib.auth.models import Group, User
from loyalty.models import Location, Member, PointTransaction, Redemption, Reward
from loyalty.services import points
from loyalty.views import member_session
from qrservice.models import Code
from django.utils import timezone
from restaurant import queries
from restaurant.models import MenuItem, Order, OptionGroup, Table, TableSession
from restaurant.services import bills
order = Order.objects.filter(status="preparing").annotate(n=Count("items")).order_by("-n").first()
# Some rewards are ready and some still to come.
member = Member.objects.filter(tier="gold", points_balance__gte=500).order_by("points_balance").first()
ready = Order.objects.filter(status="ready").first()
# Of which something was cancelled, and the rest was paid.
told = Order.objects.filter(status="completed", changes__kind="cancelled").latest("created_at")
# This phone has ordered them, and the kitchen has begun to tick off the first.
Order.objects.filter(pk__in=[order.pk, ready.pk]).update(phone_key=queries.phone_key("gallery"))
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
MenuItem.objects.filter(name="Rhubarb Fool").update(sold_out_until=queries.tomorrow(timezone.now()))
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
signer = signing.get_cookie_signer(salt=member_session.MEMBER_COOKIE + member_session._SALT)
table = order.table.table_number
print(json.dumps({
    "order": str(order.pk), "ready": str(ready.pk), "told": str(told.pk),
    "table": table, "session": str(order.session_id),
    "dish": str(MenuItem.objects.filter(option_groups__isnull=False, picture__isnull=False).first().pk),
    "member": str(member.pk), "card": signer.sign(f"{member.pk}:{member.card_key}:gallery"),
    "location": str(place),
    "reward": str(Reward.objects.filter(points_required__lte=member.points_balance).first().pk),
    "active": Redemption.objects.filter(status="active").first().redemption_code,
    "used": Redemption.objects.filter(status="used").first().redemption_code,
    "code": str(Code.objects.first().pk),
    "served": ready.table.table_number,
    "item": str(MenuItem.objects.filter(picture__isnull=False).first().pk),
    "group": OptionGroup.objects.first().pk,
}, default=str))
"""

# A device with a camera whose browser reads codes, as tills have: the camera's browser has neither.
CAMERA = """
window.BarcodeDetector = class {
  static async getSupportedFormats() { return ["qr_code"]; }
};
navigator.mediaDevices.enumerateDevices = async () => [{ kind: "videoinput" }];
"""

GUEST = {
    "menu": "/table/{table}",
    "dish": "/table/{table}/dishes/{dish}",
    "cart": "/table/{table}/cart",
    "nothing-here": "/nothing-here",
    "sign-up": "/signup",
    "check-in-stranger": "/checkin/{location}",
    "card-by-mail": "/member-sign-in",
}
ORDERED = {
    "order": "/orders/{order}",
    "order-ready": "/orders/{ready}",
    "bill": "/table/{table}/bill?sessionId={session}",
}
MEMBER = {
    "card": "/member/{member}",
    "account": "/member/{member}/account",
    "card-code": "/member/{member}?show=card",
    "redeem": "/rewards/{reward}/redeem?customerId={member}",
    "rewards": "/rewards",
    "check-in": "/checkin/{location}",
    "menu-of-member": "/table/{table}",
}
STAFF = {
    "front-page-floor": "/",
    "floor": "/floor",
    "floor-table": "/floor/tables/{table}",
    "staff-order": "/floor/tables/{table}/order",
    "kitchen": "/kitchen",
    "station": "/kitchen/grill",
    "sold-out": "/menu/availability",
}
CASHIER = {
    "till": "/till",
    "till-found": "/till?q=an",
    "till-guest": "/member/{member}",
    "till-code": "/use/{active}",
    "till-code-used": "/use/{used}",
}
MANAGER = {
    "front-page-manager": "/",
    "set-up": "/setup",
    "staff": "/staff",
    "floor-plan": "/floor/plan?section=Main+room",
    "table-cards": "/tables/print",
    "reports": "/reports",
    "report-dashboard": "/reports/restaurant",
    "report-day": "/reports/restaurant/day",
    "report-menu": "/reports/restaurant/menu",
    "report-peak-hours": "/reports/restaurant/peak-hours",
    "report-table": "/reports/restaurant/tables/{table}",
    "report-loyalty": "/reports/loyalty",
    "report-segments": "/reports/loyalty/segments",
    "report-re-engagement": "/reports/loyalty/re-engagement",
    "report-member": "/reports/members/{member}",
}
ADMIN = {
    "admin": "/admin/",
    "admin-search": "/admin/search/?q=fe",
    "admin-orders": "/admin/restaurant/order/",
    "admin-order": "/admin/restaurant/order/{told}/change/",
    "admin-menu": "/admin/restaurant/menuitem/",
    "admin-dish": "/admin/restaurant/menuitem/{item}/change/",
    "admin-categories": "/admin/restaurant/category/",
    "admin-options": "/admin/restaurant/optiongroup/{group}/change/",
    "admin-tables": "/admin/restaurant/table/",
    "admin-members": "/admin/loyalty/member/",
    "admin-member": "/admin/loyalty/member/{member}/change/",
    "admin-rewards": "/admin/loyalty/reward/",
    "admin-programme": "/admin/loyalty/programme/",
    "admin-ledger": "/admin/loyalty/pointtransaction/",
    "admin-codes": "/admin/qrservice/code/",
    "admin-code": "/admin/qrservice/code/{code}/change/",
    "admin-venue": "/admin/config/venue/",
}
WITHOUT_SIGNING_IN = {"sign-in": "/sign-in"}
DEVELOPER = {"design": "/design", "design-light-accent": "/design?accent=f4d35e"}

# The first sheet, as it is printed.
ON_PAPER = {
    "print-cards": "/tables/print",
    "print-cards-letter": "/tables/print?paper=letter",
    "print-tents": "/tables/print?layout=tent",
    "print-stickers": "/tables/print?layout=sticker",
    "print-stickers-letter": "/tables/print?layout=sticker&paper=letter",
    "print-posters": "/tables/print?layout=page",
    "print-check-in": "/locations/{location}/print",
    "print-bill-80mm": "/table/{served}/bill",
    "print-bill": "/table/{served}/bill?paper=a4",
    "print-day": "/reports/restaurant/day",
}

# Who looks: a phone's cookies or a member of staff.
AUDIENCES = {
    "guest": GUEST,
    "ordered": ORDERED,
    "member": MEMBER,
    "floor": STAFF,
    "cashier": CASHIER,
    "manager": MANAGER | ON_PAPER,
    "owner": ADMIN,
    "stranger": WITHOUT_SIGNING_IN,
    "developer": DEVELOPER,
}


def addresses(found: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Audience, name, address."""
    for audience, pages in AUDIENCES.items():
        for name, address in pages.items():
            yield audience, name, address.format(**found)


def find(installation: Installation) -> dict[str, str]:
    return json.loads(installation.shell(FIND))
