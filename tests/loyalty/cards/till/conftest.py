import pytest

from loyalty.models import Member, Redemption
from loyalty.rewards.services import redemptions
from tests.loyalty.making import make_reward


@pytest.fixture
def redemption(mia: Member) -> Redemption:
    """A coffee that Mia has redeemed."""
    coffee = make_reward("Coffee on Us", reward_value={"item": "Any coffee"})
    redemptions.redeem(member_id=str(mia.pk), reward_id=str(coffee.pk))
    return Redemption.objects.get()
