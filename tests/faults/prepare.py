"""What the load needs, made in the installation's own process: `manage.py shell -c "from tests.faults..."`."""

import json

GUESTS = 4
TILLS = 2


def prepare() -> None:
    """Print tables' sessions, a menu item, members, a location, a code's slug and a token as JSON."""
    from django.contrib.auth.models import User

    from config.models import StaffToken
    from loyalty.models import Location, Member
    from qrservice.models import Code
    from restaurant.models import MenuItem, TableSession
    from restaurant.tables.services import tables

    made = [tables.create(table_number=number, section="") for number in range(1, GUESTS + 1)]
    owner = User.objects.create_superuser("owner", password="x")
    print(
        json.dumps(
            {
                "sessions": [str(TableSession.objects.create(table=table).pk) for table in made],
                "item": str(MenuItem.objects.create(name="Soup", price="5.00").pk),
                "members": [
                    str(Member.objects.create(email=f"{number}@example.com", name="Guest").pk)
                    for number in range(TILLS)
                ],
                "location": str(Location.objects.create(name="Bar").pk),
                "slug": Code.objects.order_by("pk").values_list("slug", flat=True)[0],
                "token": StaffToken.objects.create(user=owner, name="faults")[1],
            }
        )
    )
