"""Bodies and query strings that no browser sends: in another charset, of a length that none has, with half a character.

What is in any charset but UTF-8 is refused before anything decodes it.
"""

import encodings
import json

import pytest
from rest_framework.test import APIClient

from config.wsgi import LONGEST_PARAMETERS
from loyalty.models import Member
from tests.described import make_credentials, make_venue
from tests.reading import read
from tests.web.addresses import UNSAFE, addresses
from tests.web.server import Answer, call

pytestmark = pytest.mark.django_db

FORM, JSON = "application/x-www-form-urlencoded", "application/json"
MULTIPART = "multipart/form-data; boundary=B"
CHARSETS = [
    "utf-7",
    "punycode",
    "zip",
    "hex",
    "rot13",
    "undefined",
    "latin-1",
    "utf-16",
    "idna",
    "no-such",
    "",
    "utf_8",
]
ELSEWHERE = [("post", "/admin/login/"), ("post", "/sign-in"), ("post", "/nowhere")]
LONE = "\ud800"


def part(name: str, value: str) -> bytes:
    return f"--B\r\nContent-Disposition: form-data; {name}\r\n\r\n{value}\r\n".encode()


def everything_that_is_sent() -> list[tuple[str, str]]:
    """Methods and paths of all that takes a body."""
    return [(method, view.path) for view in addresses() for method in view.methods if method in UNSAFE] + ELSEWHERE


# --- charsets ---------------------------------------------------------------------------------------


def test_a_body_in_another_charset_is_refused_everywhere(api):
    wrong = []
    for method, path in everything_that_is_sent():
        for kind in (FORM, MULTIPART, JSON):
            response = api.generic(method.upper(), path, b"{}", content_type=f"{kind}; charset=utf-7")
            if response.status_code != 400 or "UTF-8" not in response.json()["error"]:
                wrong.append((method, path, kind, response.status_code))
    assert wrong == []


def test_whichever_charset_it_is(api):
    body = part('name="email"', "+2AA-@example.com") + part('name="name"', "+2AA-") + b"--B--\r\n"
    wrong = []
    for charset in CHARSETS:
        for kind in (FORM, MULTIPART, JSON):
            response = api.generic("POST", "/members", body, content_type=f"{kind}; charset={charset}")
            if (
                response.status_code != 400
                or set(response.json()) != {"error"}
                or "UTF-8" not in response.json()["error"]
            ):
                wrong.append((charset, kind, response.status_code))
    assert wrong == []
    assert not Member.objects.exists()


def test_utf_8_may_be_named(api):
    for number, charset in enumerate(["utf-8", "UTF-8", '"utf-8"', "utf8"]):
        body = json.dumps({"email": f"zoe{number}@example.com", "name": "Zoë"}, ensure_ascii=False).encode()
        response = api.generic("POST", "/members", body, content_type=f"{JSON}; charset={charset}")
        assert response.status_code == 201, charset
    assert set(Member.objects.values_list("name", flat=True)) == {"Zoë"}


def test_a_query_string_that_is_not_utf_8_is_refused(cashier):
    for query in ("q=\xff", "q=\xc3", "\xff=q", "q=a&x=\xe9t\xe9", "q=\xed\xa0\x80"):
        response = cashier.get("/till", QUERY_STRING=query)
        assert (response.status_code, set(response.json())) == (400, {"error"}), query


def test_any_other_query_string_is_read_and_can_be_looked_for(cashier):
    for query in ("q=%C3%A9", "q=\xc3\xa9", "q=100%", "q=%zz", "q=%ED%A0%80", "q=%FF", "q=+2AA-", ""):
        assert cashier.get("/till", QUERY_STRING=query).status_code == 200, query


def test_a_browser_gets_a_page(browser_client):
    response = browser_client.get("/signup", QUERY_STRING="location=\xff")
    assert response.status_code == 400
    assert "not in UTF-8" in read(response)


# --- before there is a request of Django's ----------------------------------------------------------


def enrol(body: bytes = b"{}", kind: str = JSON, **environ: str) -> Answer:
    return call("/members", body, REQUEST_METHOD="POST", CONTENT_TYPE=kind, **environ)


def is_refused_unread(answer: Answer) -> bool:
    return (answer.status, answer.read) == ("400", 0) and "UTF-8" in json.loads(answer.body)["error"]


def test_a_query_string_is_not_decoded_in_another_charset():
    """Django decodes it while it makes its request."""
    for charset in CHARSETS:
        found = call("/signup", QUERY_STRING="location=%2B2AA-", CONTENT_TYPE=f"text/plain; charset={charset}")
        assert is_refused_unread(found), charset


def test_nothing_is_read_in_a_charset_that_takes_quadratic_time():
    body = part('name="email"', "é" * 1000) + b"--B--\r\n"
    for kind in (FORM, MULTIPART):
        for named in (
            "charset=punycode",
            'charset="punycode"',
            " CharSet = punycode ",
            "charset=utf-8; charset=punycode",
        ):
            assert is_refused_unread(enrol(body, f"{kind}; {named}")), (kind, named)


def test_names_of_charsets_are_not_remembered():
    enrol(kind=f"{JSON}; charset=first")
    before = len(encodings._cache)
    for number in range(20):
        assert is_refused_unread(enrol(kind=f"{JSON}; charset=x{number}"))
    assert len(encodings._cache) == before


def test_more_parameters_than_any_browser_sends_are_refused_unread():
    longest = "a" * LONGEST_PARAMETERS
    assert "fields" in json.loads(enrol(kind=f"{JSON};{longest}").body)
    for parameters in (f"{longest}b", "a=b;" * 90_000, ";" * 300_000, ' x="' + "a" * 300_000, "a;" * 100_000):
        assert is_refused_unread(enrol(kind=f"{JSON};{parameters}")), parameters[:9]


def test_a_charset_in_the_extended_form_is_not_looked_at():
    for charset in ("charset*=no-such''x", "charset*=utf-8''a%00b", "charset*0*=x; charset*1=y"):
        found = enrol(kind=f"{JSON}; {charset}")
        assert (found.status, set(json.loads(found.body)["fields"])) == ("400", {"email", "name"}), charset


def test_a_body_in_pieces_is_asked_for_its_length():
    found = enrol(b'{"email"', HTTP_TRANSFER_ENCODING="chunked", CONTENT_LENGTH="")
    assert found.status == "411"
    assert "Content-Length" in json.loads(found.body)["error"]


def test_a_length_that_no_body_has():
    for length in ("\xb2", "-1", "1,1", "abc", "99999999999"):
        found = enrol(CONTENT_LENGTH=length)
        assert (found.status, list(json.loads(found.body))) == ("413", ["error"]), length


# --- half a surrogate pair, which the database can't store ------------------------------------------

FIELDS = [
    "email", "name", "phone", "customerId", "locationId", "staffId", "orderTotal", "sessionId", "items", "status",
    "section", "tableNumber", "capacity", "menuItemId", "quantity", "expectedPoints", "location", "metadata", LONE,
]  # fmt: skip
VALUES = [LONE, [LONE], {LONE: LONE}, [{"menuItemId": LONE, "specialInstructions": LONE}]]
ODD_NAME = "--B\r\nContent-Disposition: form-data; name*=utf-7''{}%2B2AA-\r\n\r\nx\r\n--B--\r\n"


@pytest.fixture
def staff(settings) -> APIClient:
    """A program with every right, and no limit."""
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1000000/min")
    make_venue()
    return APIClient(headers=make_credentials())


@pytest.mark.slow
def test_half_a_character_in_json_is_never_a_failure(staff):
    wrong = []
    for method, path in everything_that_is_sent():
        for value in (VALUES[0], VALUES[-1]):
            body = json.dumps(dict.fromkeys(FIELDS, value))
            response = staff.generic(method.upper(), path, body, content_type=JSON)
            if response.status_code >= 500:
                wrong.append((method, path, value, response.content[:100]))
    assert wrong == []


@pytest.mark.slow
def test_nor_is_it_in_any_single_field(staff):
    endpoints = ["/members", "/member-sign-in", "/earn", "/tables", "/table/7/order", "/table/7/cart", "/table/7/close"]
    wrong = []
    for path in endpoints:
        for body in [*({name: LONE} for name in FIELDS), *({"items": value} for value in VALUES)]:
            response = staff.generic("POST", path, json.dumps(body), content_type=JSON)
            if response.status_code not in {400, 404, 409}:
                wrong.append((path, body, response.status_code))
    assert wrong == []


@pytest.mark.slow
def test_nor_is_it_in_the_name_of_a_form_s_field(staff, api):
    wrong = []
    for method, path in everything_that_is_sent():
        for client in (staff, api):
            for name in ("", "menuItemId"):
                body = ODD_NAME.format(name).encode()
                response = client.generic(method.upper(), path, body, content_type=MULTIPART)
                if response.status_code >= 500:
                    wrong.append((method, path, name, response.content[:100]))
    assert wrong == []


def test_it_is_refused_in_the_metadata_of_a_code(staff):
    for metadata in (LONE, {"a": LONE}, {LONE: "a"}, {"a": [{"b": LONE}]}, {"a": "\0"}):
        body = json.dumps({"redirect_url": "https://example.com/", "metadata": metadata})
        response = staff.generic("POST", "/v1/generate/dynamic", body, content_type=JSON)
        assert response.status_code == 400, ascii(metadata)
