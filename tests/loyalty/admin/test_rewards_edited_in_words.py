from loyalty.models import Reward
from tests.conftest import undone
from tests.loyalty.admin.pages import found, list_of, make_redemption, page_of, text_of, words_of
from tests.loyalty.making import make_reward
from tests.reading import read

ADD = "/admin/loyalty/reward/add/"


def form(**values) -> dict:
    start = {"name": "Cake", "description": "", "points_required": "150", "available": "on"}
    return start | {"reward_type": "free_item", "percentage": "", "item": "A slice of cake"} | values


def test_a_reward_is_made_without_any_json(managers_browser, subtests):
    for values, stored in [
        ({}, {"item": "A slice of cake"}),
        ({"reward_type": "experience", "item": "A tour"}, {"item": "A tour"}),
        ({"reward_type": "discount", "percentage": "20", "item": ""}, {"discount_percent": 20}),
    ]:
        with subtests.test(values=values, stored=stored), undone():
            assert managers_browser.post(ADD, form(**values)).status_code == 302
            reward = Reward.objects.get()
            assert (reward.name, reward.points_required, reward.available, reward.reward_value) == (
                "Cake",
                150,
                True,
                stored,
            )


def test_a_reward_that_makes_no_sense_is_refused_in_words(managers_browser, subtests):
    for values, sentence in [
        ({"item": ""}, "A reward of the type “free item” needs this."),
        ({"reward_type": "experience", "item": " "}, "A reward of the type “experience” needs this."),
        ({"reward_type": "discount", "item": ""}, "A reward of the type “discount” needs this."),
        ({"percentage": "20"}, "“free item” only has “What the guest gets”: please leave “Percentage off” empty."),
        ({"reward_type": "discount", "percentage": "20"}, "please leave “What the guest gets” empty."),
        ({"reward_type": "discount", "percentage": "0", "item": ""}, "greater than or equal to 1"),
        ({"reward_type": "discount", "percentage": "101", "item": ""}, "less than or equal to 100"),
        ({"reward_type": "voucher"}, "Select a valid choice."),
        ({"points_required": "0"}, "greater than or equal to 1"),
        ({"points_required": "2147483648"}, "less than or equal to 2147483647"),
        ({"name": ""}, "This field is required."),
    ]:
        with subtests.test(values=values, sentence=sentence), undone():
            assert sentence in words_of(managers_browser.post(ADD, form(**values)))
            assert Reward.objects.count() == 0


def test_what_is_stored_is_shown_and_saved_again_as_it_was(managers_browser):
    reward = make_reward(reward_type="discount", reward_value={"discount_percent": 15, "note": "unchanged"})
    assert 'name="percentage" value="15"' in text_of(managers_browser.get(page_of(reward)))
    values = form(name="Less", reward_type="discount", percentage="15", item="")
    assert managers_browser.post(page_of(reward), values).status_code == 302
    reward.refresh_from_db()
    assert (reward.name, reward.reward_value) == ("Less", {"discount_percent": 15, "note": "unchanged"})


def test_a_reward_turns_from_an_item_into_a_discount(managers_browser, reward):
    managers_browser.post(page_of(reward), form(reward_type="discount", percentage="15", item=""))
    reward.refresh_from_db()
    assert (reward.reward_type, reward.reward_value) == ("discount", {"discount_percent": 15})


def test_an_odd_value_from_elsewhere_breaks_no_page(managers_browser, subtests):
    for odd in [{}, [], {"discount_percent": 10, "item": "both"}, "text", {"discount_percent": "x"}]:
        with subtests.test(odd=odd), undone():
            reward = make_reward(reward_value=odd)
            assert managers_browser.get(page_of(reward)).status_code == 200
            assert managers_browser.get(list_of("reward")).status_code == 200


def test_the_list_says_what_a_reward_is_worth_and_how_often_it_was_redeemed(managers_browser, member, reward):
    make_reward("Less", 300, reward_type="discount", reward_value={"discount_percent": 15})
    for code in ("RWD-AAAAAA", "RWD-BBBBBB"):
        make_redemption(member, reward, code)
    rows = managers_browser.get(list_of("reward")).context["cl"].result_list
    assert [row.times_redeemed for row in rows] == [2, 0]
    page = words_of(managers_browser.get(list_of("reward")))
    for words in ("15% off", "coffee", "free item", "discount"):
        assert words in page


def test_rewards_are_found_and_filtered(managers_browser, reward):
    other = make_reward("Less", 300, reward_type="discount", available=False)
    assert found(managers_browser, "reward", q="less") == [other]
    assert found(managers_browser, "reward", reward_type__exact="discount") == [other]
    assert found(managers_browser, "reward", available__exact="1") == [reward]


def test_a_reward_that_was_redeemed_can_not_be_deleted(owners_browser, member, reward):
    make_redemption(member, reward)
    address = page_of(reward).replace("change", "delete")
    assert owners_browser.post(address, {"post": "yes"}).status_code == 403
    assert Reward.objects.count() == 1


def test_cashiers_edit_no_rewards(cashiers_browser, reward):
    assert cashiers_browser.get(list_of("reward")).status_code == 403
    assert cashiers_browser.post(ADD, form()).status_code == 403
    assert cashiers_browser.post(page_of(reward), form()).status_code == 403


def test_rewards_are_taken_off_and_put_back_in_the_list(managers_browser, reward):
    listed = list_of("reward")
    forms = read(managers_browser.get(listed)).all("form")
    sent = next(form for form in forms if form.get("id") == "changelist-form").fields()
    assert sent.pop("form-0-available") == "on"
    managers_browser.post(listed, sent | {"_save": "Save"})
    reward.refresh_from_db()
    assert not reward.available
    managers_browser.post(listed, sent | {"form-0-available": "on", "_save": "Save"})
    reward.refresh_from_db()
    assert reward.available
