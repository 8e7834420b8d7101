"""Which pages there are a picture of: by audience, a name and an address; on screens, on paper and in the README."""

from collections.abc import Iterator

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
    "no-such-table": "/table/999",
    "no-such-code": "/q/00000000",
    "front-page": "/",
    "sign-up": "/signup",
    "check-in-stranger": "/checkin/{location}",
    "card-by-mail": "/member-sign-in",
}
ORDERED = {
    "order": "/orders/{order}",
    "order-ready": "/orders/{ready}",
    "collect": "/orders/{order}/collect",
    "bill": "/table/{table}/bill?sessionId={session}",
}
MEMBER = {
    "card": "/member/{member}",
    "account": "/member/{member}/account",
    "erase": "/member/{member}/erase",
    "card-code": "/member/{member}?show=card",
    "redeem": "/rewards/{reward}/redeem?customerId={member}",
    "redeem-first": "/rewards/{unheld}/redeem?customerId={member}",
    "rewards": "/rewards",
    "check-in": "/checkin/{location}",
    "menu-of-member": "/table/{table}",
}
STAFF = {
    "front-page-floor": "/",
    "floor": "/floor",
    "floor-my-tables": "/floor/mine",
    "floor-table": "/floor/tables/{table}",
    "staff-order": "/floor/tables/{table}/order",
    "kitchen": "/kitchen",
    "station": "/kitchen/grill",
    "sold-out": "/menu/availability",
    "session": "/table/{table}/close?sessionId={session}",
    "cancel-order": "/orders/{order}/cancel",
    "earlier-orders": "/orders/earlier",
    "attention": "/attention",
    "password": "/password",
    "account": "/account",
    "own-pin": "/account/pin",
    "bill-of-staff": "/table/{served}/bill",
    "receipt": "/table/{served}/receipt",
}
CASHIER = {
    "till": "/till",
    "till-found": "/till?q=an",
    "till-guest": "/member/{member}",
    "till-code": "/use/{active}",
    "till-code-used": "/use/{used}",
    "till-confirmed": "/confirmations/{confirmation}",
    "drawers": "/drawers",
    "drawer": "/drawers/{drawer}",
    "drawer-closed": "/drawers/{closed_drawer}",
    "drawer-z": "/drawers/{closed_drawer}/z/1",
    "bills": "/bills",
}
MANAGER = {
    "front-page-manager": "/",
    "set-up": "/setup",
    "staff": "/staff",
    "account-manager": "/account",
    "second-step-add": "/account/second-step",
    "shared-devices": "/staff/devices",
    "floor-plan": "/floor/plan?section=Main+room",
    "table-range": "/tables/range",
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
    "admin-nothing-found": "/admin/restaurant/order/?q=none-of-them",
    "admin-menu-import": "/admin/restaurant/menuitem/import/",
    "admin-dish-added": "/admin/restaurant/menuitem/add/",
    "admin-options-added": "/admin/restaurant/optiongroup/add/",
    "admin-history": "/admin/restaurant/optiongroup/{group}/history/",
    "admin-deleted": "/admin/restaurant/optiongroup/{group}/delete/",
    "admin-opening-hours": "/admin/restaurant/openinghours/",
    "admin-points": "/admin/loyalty/member/{member}/points/",
    "admin-take-back": "/admin/loyalty/member/{earner}/take-back/{earned}/",
    "admin-users": "/admin/auth/user/",
    "admin-password": "/admin/auth/user/{owner}/password/",
}
WITHOUT_SIGNING_IN = {"sign-in": "/sign-in"}

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

# After something was done there (tests/screenshots/steps.py). What is sent by it stays: none of these has a picture.
STATES = {
    "guest": {
        "menu-searched": "/table/{table}",
        "menu-allergies": "/table/{table}",
        "menu-removed": "/table/{table}",
        "sheet": "/table/{table}",
        "sheet-refused": "/table/{table}",
        "sheet-chosen": "/table/{table}",
        "cart-noted": "/table/{table}/cart",
        "cart-called": "/table/{table}/cart",
        "order-placed": "/table/{table}/cart",
        "cart-ordered": "/table/{table}/cart",
        "cart-emptied": "/table/{table}",
        "sign-up-refused": "/signup",
        "menu-without": "/table/{table}?without=nuts&without=milk",  # which the phone remembers
    },
    "ordered": {
        "order-called": "/orders/{ready}",
        "order-offline": "/orders/{order}",
        "bill-equally": "/table/{table}/bill?sessionId={session}",
        "bill-together": "/table/{table}/bill?sessionId={session}",
    },
    "member": {
        "check-in-again": "/checkin/{location}",
        "account-saved": "/member/{member}/account",
        "account-refused": "/member/{member}/account",
        "redeem-another": "/rewards/{reward}/redeem?customerId={member}",
    },
    "stranger": {"sign-in-shown": "/sign-in"},
    "floor": {
        "header-needs": "/floor",
        "header-person": "/floor",
        "floor-plan-of-a-section": "/floor?section=Terrace",
        "floor-unfolded": "/floor",
        "floor-table-unfolded": "/floor/tables/{served}",
        "cancel-order-unfolded": "/orders/{order}/cancel",
        "staff-order-searched": "/floor/tables/{table}/order",
        "staff-order-refused": "/floor/tables/{table}/order",
        "staff-order-running": "/floor/tables/{table}/order",
        "sold-out-opened": "/menu/availability",
        "kitchen-dialog": "/kitchen",
        "kitchen-recall": "/kitchen",
        "kitchen-sold-out": "/kitchen",
        "kitchen-started": "/kitchen",
    },
    "cashier": {
        "till-nobody": "/till?q=nobody-has-this-name",
        "till-refused": "/member/{member}",
        "till-question": "/member/{member}",
        "till-added": "/member/{member}",
    },
    "manager": {
        "header-places": "/reports",
        "floor-plan-of-a-section": "/floor/plan?section=Terrace",
        "bill-shared": "/table/{served}/bill",
        "table-cards-tents": "/tables/print?layout=tent&paper=letter",
        "staff-refused": "/staff",
        "staff-password": "/staff",
        "tables-added": "/tables/range",
        "report-year": "/reports/restaurant?days=28&compare=year",
        "report-hours-of-a-year": "/reports/restaurant/peak-hours?days=365",
        "report-letter": "/reports/loyalty/re-engagement?offer=discount",
    },
    "owner": {
        "admin-menu-changed": "/admin/restaurant/menuitem/",
        "admin-menu-previewed": "/admin/restaurant/menuitem/import/",
        "admin-dish-cropped": "/admin/restaurant/menuitem/{item}/change/",
        "admin-choice-removed": "/admin/restaurant/optiongroup/{group}/change/",
    },
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
}


def addresses(ids: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Audience, name, address."""
    for audience, pages in AUDIENCES.items():
        for name, address in pages.items():
            yield audience, name, address.format(**ids)
