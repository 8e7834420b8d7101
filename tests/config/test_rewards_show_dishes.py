"""A reward that names a dish has the dish's picture: "Rewards list" in docs/behaviour/loyalty.md."""

import io
from collections.abc import Iterator

import pytest
from PIL import Image

from loyalty.models import Reward
from restaurant.menu.services import pictures
from restaurant.models import MenuItem
from tests.config.collecting import browser_of, phone_with_card
from tests.conftest import make_item
from tests.reading import Part, read

pytestmark = pytest.mark.django_db


def pictured(name: str, colour: str) -> MenuItem:
    file = io.BytesIO()
    Image.new("RGB", (800, 600), colour).save(file, "PNG")
    file.seek(0)
    item = make_item(name)
    pictures.attach(item, pictures.versions(file))
    return item


def reward(name: str, item: str, points: int = 50) -> Reward:
    return Reward.objects.create(name=name, points_required=points, reward_value={"item": item})


def shown(page: Part) -> dict[str, str | None]:
    """By the reward's name, the address of its picture."""
    rewards = [item for item in page.all("item") if item.all("heading")]
    return {reward.names("heading")[0]: next(pictures_in(reward), None) for reward in rewards}


def pictures_in(part: Part) -> Iterator[str]:
    return (image["src"] for image in part.all("image") if "/pictures/" in (image.get("src") or ""))


@pytest.fixture
def phone():
    return browser_of(phone_with_card()[0])


def test_the_longest_name_among_the_reward_s_words_is_the_dish(phone):
    for name, colour in (("Tiramisu", "red"), ("House Tiramisu", "green"), ("Tea", "blue")):
        pictured(name, colour)
    reward("Two Spoons", "house tiramisu and two coffees")
    reward("Steak", "Steak")  # not the tea in it
    pictures = shown(read(phone.get("/rewards")))
    item = MenuItem.objects.get(name="House Tiramisu")
    assert pictures == {"Two Spoons": f"/pictures/{item.picture.widths[0]['digest']}.webp", "Steak": None}
    assert phone.get(pictures["Two Spoons"]).status_code == 200


def test_a_picture_from_elsewhere_or_none_leaves_the_sign(phone):
    make_item("Focaccia", image_url="https://pictures.example/focaccia.jpg")
    make_item("Espresso")
    reward("Bread", "Focaccia")
    reward("Coffee", "Espresso")
    Reward.objects.create(name="Off", points_required=50, reward_value={"discount_percent": 10})
    Reward.objects.create(name="Odd", points_required=50, reward_value=["Espresso"])
    page = phone.get("/rewards")
    assert list(shown(read(page)).values()) == [None] * 4
    assert "pictures.example" not in page.text


def test_the_question_before_redeeming_shows_it_large(db):
    item = pictured("Focaccia", "red")
    bread, off = reward("Bread", "Focaccia"), Reward.objects.create(name="Off", points_required=50)
    caller, member = phone_with_card()
    own = browser_of(caller)
    large = [*pictures_in(read(own.get(f"/rewards/{bread.pk}/redeem?customerId={member.pk}")))]
    assert large == [f"/pictures/{item.picture.widths[-1]['digest']}.webp"]
    assert item.picture.widths[-1]["width"] > item.picture.widths[0]["width"]
    assert [*pictures_in(read(own.get(f"/rewards/{off.pk}/redeem?customerId={member.pk}")))] == []


def test_the_card_its_codes_and_the_way_to_a_card_show_it_too(db):
    pictured("Focaccia", "red")
    bread = reward("Bread", "Focaccia")
    caller, member = phone_with_card()
    own = browser_of(caller)
    assert shown(read(own.get(f"/member/{member.pk}")))["Bread"]
    redeemed = caller.post(f"/rewards/{bread.pk}/redeem", {"customerId": str(member.pk)}, format="json")
    assert redeemed.status_code == 200
    Reward.objects.update(available=False)
    assert [*pictures_in(read(own.get(f"/member/{member.pk}")))]  # beside its code
    Reward.objects.update(available=True)
    own.cookies.clear()
    assert [*pictures_in(read(own.get("/signup")))]
