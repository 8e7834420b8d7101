"""The addresses of codes' images: status, headers, caching."""

import pytest

from qrservice import gateway
from qrservice.models import Code
from tests import decoder
from tests.qrservice import pictures
from tests.reading import read

pytestmark = pytest.mark.django_db

ENDINGS = {"": "image/png", ".svg": "image/svg+xml", ".pdf": "application/pdf"}


@pytest.fixture
def code(db) -> Code:
    gateway.create_code(redirect_url="https://example.com/")
    return Code.objects.get()


@pytest.fixture(params=ENDINGS, ids=["png", "svg", "pdf"])
def path(request, code) -> str:
    return f"/qr/{code.slug}{request.param}"


def says(response) -> str | None:
    """What the picture in a response says, whatever its form."""
    drawn = {
        "image/png": decoder.picture,
        "image/svg+xml": lambda svg: pictures.from_svg(svg, 512),
        "application/pdf": lambda pdf: pictures.from_pdf(pdf, 512),
    }[response["Content-Type"]](response.content)
    return pictures.read(drawn)


def test_every_form_says_the_short_address(client, code, path):
    response = client.get(path)
    assert response.status_code == 200
    assert response["Content-Type"] == ENDINGS[path.removeprefix(f"/qr/{code.slug}")]
    assert says(response) == f"HTTP://127.0.0.1:8000/Q/{code.slug}"


def test_a_png_has_the_asked_size(client, code):
    for size in (64, 100, 4096):
        response = client.get(f"/qr/{code.slug}?size={size}")
        assert decoder.picture(response.content).shape == (size, size)
        assert says(response) == f"HTTP://127.0.0.1:8000/Q/{code.slug}"
        assert response["Content-Disposition"] == f'inline; filename="qr-{code.slug}-{size}.png"'


def test_a_png_has_512_pixels_if_not_asked(client, code):
    response = client.get(f"/qr/{code.slug}")
    assert decoder.picture(response.content).shape == (512, 512)
    assert response.content == client.get(f"/qr/{code.slug}?size=512").content


NO_SIZES = ["63", "4097", "0", "-5", "+512", "abc", "", "1e3", "512.0", "512%20", "٥١٢", "²²²", "9" * 50, "%00"]


def test_another_size_is_400_with_a_sentence_and_no_query(client, code, django_assert_num_queries, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "code": "100000/day"}
    client.get(f"/qr/{code.slug}")  # leases what counts requests, which is a query now and then
    for size in NO_SIZES:
        with django_assert_num_queries(0):
            response = client.get(f"/qr/{code.slug}?size={size}")
        assert (response.status_code, response["Content-Type"]) == (400, "text/plain; charset=utf-8"), size
        assert response.content == b"size must be a whole number of pixels from 64 to 4096."
        assert "Cache-Control" not in response


def test_a_size_that_is_too_small_for_a_long_address_is_400_and_names_the_smallest(client, code, settings):
    settings.APP_BASE_URL = "https://example.com/" + "a-path/" * 25
    response = client.get(f"/qr/{code.slug}?size=64")
    assert (response.status_code, response.content) == (400, b"This code needs an image of 65 pixels or more.")
    assert "Cache-Control" not in response
    assert says(client.get(f"/qr/{code.slug}?size=65")) == f"{settings.APP_BASE_URL}/q/{code.slug}"


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_picture_of_nothing_is_a_page_with_404_whatever_the_caller_has(client, db, ending):
    for slug in ("ZZZZZZZZ", "Z", "%00", "x" * 500, "ünknown", "AAAAAAAA.png", "AAAAAAAA.svg.svg"):
        for headers in ({}, {"if-none-match": "*"}):
            response = client.get(f"/qr/{slug}{ending}", headers=headers)
            assert response.status_code == 404, slug
            assert "We don't recognise this code" in read(response)
            assert "ETag" not in response
            assert "public" not in response.get("Cache-Control", "")


def test_a_slug_is_read_without_regard_to_case(client, code, path):
    assert client.get(path.replace(code.slug, code.slug.lower())).content == client.get(path).content


def test_a_disabled_code_has_its_picture(client, code, path):
    Code.objects.update(status="disabled")
    assert says(client.get(path)) == f"HTTP://127.0.0.1:8000/Q/{code.slug}"


def test_a_picture_may_be_kept_for_a_year(client, path):
    response = client.get(path)
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response["ETag"].startswith('"'), "a strong one"
    assert "Cookie" not in response.get("Vary", "")
    assert says(response)


def test_a_vector_form_has_a_file_name(client, code):
    for ending in (".svg", ".pdf"):
        response = client.get(f"/qr/{code.slug}{ending}")
        assert response["Content-Disposition"] == f'inline; filename="qr-{code.slug}{ending}"'
        assert says(response)


def test_whoever_has_the_picture_gets_304_and_no_picture_is_made(client, path, monkeypatch):
    etag = client.get(path)["ETag"]
    monkeypatch.delattr("qrservice.images.modules")
    for known in (etag, f"W/{etag}", f'"other", {etag}', f'"other",W/{etag} , "third"', "*"):
        response = client.get(path, headers={"if-none-match": known})
        assert (response.status_code, response.content) == (304, b""), known
        assert (response["ETag"], response["Cache-Control"]) == (etag, "public, max-age=31536000, immutable")


def test_whoever_has_another_picture_gets_this_one(client, path):
    first = client.get(path)
    bare = first["ETag"].strip('"')
    for known in ('"other"', 'W/"other", "third"', bare, f'"{bare}x"', ""):
        response = client.get(path, headers={"if-none-match": known})
        assert (response.status_code, response.content) == (200, first.content), known


def test_what_was_sent_compressed_is_known_too(client, code):
    svg = f"/qr/{code.slug}.svg"
    sent = client.get(svg, headers={"accept-encoding": "gzip"})
    assert sent["Content-Encoding"] == "gzip"
    again = client.get(svg, headers={"accept-encoding": "gzip", "if-none-match": sent["ETag"]})
    assert again.status_code == 304


def test_a_condition_that_does_not_hold_is_412_and_not_kept(client, path):
    response = client.get(path, headers={"if-match": '"other"'})
    assert response.status_code == 412
    assert "Cache-Control" not in response


def test_every_picture_has_an_etag_of_its_own(client, code, settings):
    addresses = [f"/qr/{code.slug}{rest}" for rest in ("", "?size=513", ".svg", ".pdf")]
    etags = [client.get(address)["ETag"] for address in addresses]
    settings.APP_BASE_URL = "https://qr.example.com"
    etags += [client.get(address)["ETag"] for address in addresses]
    assert len(set(etags)) == 8
    assert client.get(f"/qr/{code.slug}?size=512")["ETag"] == client.get(f"/qr/{code.slug}")["ETag"]


def test_head_is_get_without_the_body(client, path):
    head, get = client.head(path), client.get(path)
    assert (head.status_code, head.content) == (200, b"")
    own = {"Content-Length": "", "X-Request-ID": ""}  # of each response
    assert {**head.headers, **own} == {**get.headers, **own}
    assert head["Content-Length"] == str(len(get.content))
    assert client.head(path, headers={"if-none-match": get["ETag"]}).status_code == 304
    assert says(get)


def test_a_picture_can_only_be_read(client, path):
    for method in ("post", "put", "patch", "delete", "options"):
        assert getattr(client, method)(path).status_code == 405
