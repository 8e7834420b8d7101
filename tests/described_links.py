"""How endpoints follow each other: links for the OpenAPI description, from which Schemathesis makes scenarios.

Schemathesis infers some by itself, from the names of fields; these are the ways that guests and staff go.
"""

from typing import Any

from tests.described import ITEM

CUSTOMER = "$response.body#/customerId"
ASKED_FOR = "$request.query.customerId"
REWARD = "$response.body#/rewards/0/id"
TABLE = "$request.path.table_number"
SESSION = "$response.body#/session/id"
CLOSED = "$response.body#/sessionId"
ORDER = "$response.body#/orderId"
CODE = "$response.body#/redemptionCode"
ANALYTICS = "$response.body#/analytics_id"

MENU, CART = "/table/{table_number}", "/table/{table_number}/cart"
PLACE, CLOSE = "/table/{table_number}/order", "/table/{table_number}/close"
REDEEM, CONFIRM = "/rewards/{reward_id}/redeem", "/use/{code}/confirm"
STATUS, CANCEL, APPROVE = "/orders/{order_id}/status", "/orders/{order_id}/cancel", "/orders/{order_id}/approve"
BILL, PAYMENTS, VOID = "/table/{table_number}/bill", "/table/{table_number}/payments", "/payments/{payment_id}/void"
CALLS, CALL_DONE, CALL_TAKE = "/table/{table_number}/calls", "/calls/{call_id}/done", "/calls/{call_id}/take"

# What is on the menu, at whatever price it has now.
ORDERED = {"body.items": [{"menuItemId": ITEM, "quantity": 1}], "body.expectedTotal": None}

# By the endpoint and status that begin a link: the next endpoint, and where its values come from.
LINKS: dict[tuple[str, str, str], list[tuple[str, str, dict[str, Any]]]] = {
    ("post", "/members", "201"): [
        ("get", "/member/{customer_id}", {"path.customer_id": CUSTOMER}),
        ("get", "/rewards", {"query.customerId": CUSTOMER}),
        ("get", "/checkin/{location_id}", {"query.member": CUSTOMER}),
        ("get", "/reports/members/{customer_id}", {"path.customer_id": CUSTOMER}),
        ("post", "/earn", {"body.customerId": CUSTOMER}),
        ("post", "/member-sign-in", {"body.customerId": CUSTOMER}),
        ("post", REDEEM, {"body.customerId": CUSTOMER}),
    ],
    ("post", "/earn", "200"): [
        ("get", "/member/{customer_id}", {"path.customer_id": "$request.body#/customerId"}),
        ("get", "/rewards", {"query.customerId": "$request.body#/customerId"}),
    ],
    ("get", "/rewards", "200"): [
        ("get", REDEEM, {"path.reward_id": REWARD, "query.customerId": ASKED_FOR}),
        ("post", REDEEM, {"path.reward_id": REWARD, "body.customerId": ASKED_FOR}),
    ],
    ("post", REDEEM, "200"): [("get", "/use/{code}", {"path.code": CODE}), ("post", CONFIRM, {"path.code": CODE})],
    ("get", "/use/{code}", "200"): [("post", CONFIRM, {"path.code": "$response.body#/redemption/code"})],
    ("post", "/tables", "201"): [
        ("get", MENU, {"path.table_number": "$response.body#/tableNumber"}),
        ("get", "/reports/restaurant/tables/{table_number}", {"path.table_number": "$response.body#/tableNumber"}),
    ],
    ("get", MENU, "200"): [
        ("get", CART, {"path.table_number": TABLE, "query.sessionId": SESSION}),
        ("post", CART, {"path.table_number": TABLE, "body.sessionId": SESSION}),
        ("put", CART, {"path.table_number": TABLE, "body.sessionId": SESSION}),
        ("patch", CART, {"path.table_number": TABLE, "body.sessionId": SESSION}),
        ("post", PLACE, {"path.table_number": TABLE, "body.sessionId": SESSION, **ORDERED}),
        ("get", CLOSE, {"path.table_number": TABLE, "query.sessionId": SESSION}),
        ("post", CLOSE, {"path.table_number": TABLE, "body.sessionId": SESSION}),
        ("post", CALLS, {"path.table_number": TABLE, "body.sessionId": SESSION}),
        ("get", BILL, {"path.table_number": TABLE, "query.sessionId": SESSION}),
    ],
    ("post", CALLS, "201"): [("post", path, {"path.call_id": "$response.body#/id"}) for path in (CALL_TAKE, CALL_DONE)],
    ("get", BILL, "200"): [("post", PAYMENTS, {"path.table_number": TABLE, "body.sessionId": SESSION})],
    ("post", PAYMENTS, "201"): [("post", VOID, {"path.payment_id": "$response.body#/id"})],
    ("post", PLACE, "200"): [
        ("get", "/orders/{order_id}", {"path.order_id": ORDER}),
        ("post", CANCEL, {"path.order_id": ORDER}),
        ("post", APPROVE, {"path.order_id": ORDER}),
        ("post", STATUS, {"path.order_id": ORDER}),
    ],
    ("post", STATUS, "200"): [("get", "/orders/{order_id}", {"path.order_id": "$request.path.order_id"})],
    ("get", "/kitchen", "200"): [("post", STATUS, {"path.order_id": "$response.body#/orders/0/orderId"})],
    ("get", "/floor", "200"): [
        (
            "post",
            CLOSE,
            {
                "path.table_number": "$response.body#/tables/0/tableNumber",
                "body.sessionId": "$response.body#/tables/0/session/id",
            },
        )
    ],
    ("post", CLOSE, "200"): [
        ("post", PLACE, {"path.table_number": TABLE, "body.sessionId": CLOSED}),
        ("get", CART, {"path.table_number": TABLE, "query.sessionId": CLOSED}),
        ("post", CLOSE, {"path.table_number": TABLE, "body.sessionId": CLOSED}),
    ],
    ("post", "/v1/generate/dynamic", "201"): [
        ("get", "/v1/analytics/{analytics_id}", {"path.analytics_id": ANALYTICS}),
        ("patch", "/v1/codes/{analytics_id}", {"path.analytics_id": ANALYTICS}),
    ],
}


def with_links(description: dict[str, Any]) -> dict[str, Any]:
    """The description, with these links added to its responses."""
    paths = description["paths"]
    for (method, path, status), targets in LINKS.items():
        links = paths[path][method]["responses"][status].setdefault("links", {})
        for next_method, next_path, values in targets:
            target = paths[next_path][next_method]["operationId"]
            links[f"{target}_from_{len(links)}"] = _link(target, values)
    return description


def _link(target: str, values: dict[str, Any]) -> dict[str, Any]:
    body = {name.removeprefix("body."): value for name, value in values.items() if name.startswith("body.")}
    link: dict[str, Any] = {
        "operationId": target,
        "parameters": {name: value for name, value in values.items() if not name.startswith("body.")},
    }
    return link | ({"requestBody": body} if body else {})
