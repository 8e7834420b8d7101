import pytest

from loyalty.models import Location, Member, Redemption, Reward
from loyalty.services import members, redemptions
from tests.conftest import make_user
from tests.loyalty.till.counter import Till


@pytest.fixture
def till(browser_client) -> Till:
    browser_client.force_login(make_user("Cashiers"))
    return Till(browser_client)


@pytest.fixture
def place(db) -> Location:
    return Location.objects.create(name="Orchard Row")


@pytest.fixture
def mia(db) -> Member:
    return members.enrol(email="mia.kelly@example.com", name="Mia Kelly", phone="+353 85 555 0134")


@pytest.fixture
def redemption(mia) -> Redemption:
    coffee = Reward.objects.create(name="Coffee on Us", points_required=100, reward_value={"item": "Any coffee"})
    redemptions.redeem(member_id=str(mia.pk), reward_id=str(coffee.pk))
    return Redemption.objects.get()
