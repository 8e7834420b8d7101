from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission

from loyalty.models import Reward
from tests.conftest import make_user, undone, unknown_id
from tests.loyalty.admin.pages import exported, found, list_of, make_redemption, page_of, text_of, words_of
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
    assert f"?reward__id__exact={reward.pk}" in text_of(managers_browser.get(list_of("reward")))


def test_rewards_are_found_and_filtered(managers_browser, reward):
    other = make_reward("Less", 300, reward_type="discount", available=False)
    assert found(managers_browser, "reward", q="less") == [other]
    assert found(managers_browser, "reward", reward_type__exact="discount") == [other]
    assert found(managers_browser, "reward", available__exact="1") == [reward]


def switch(client, reward, available: str, **more):
    return client.post(f"/admin/loyalty/reward/{reward.pk}/availability/", {"available": available, **more})


def test_a_reward_is_taken_off_and_put_back_by_a_button_of_the_list(managers_browser, reward):
    for value, words, after in (("no", "Available", False), ("yes", "Not available", True)):
        button = read(managers_browser.get(list_of("reward"))).one("button", f"{reward.name}: {words}")
        assert button["value"] == value
        assert button["formaction"] == f"/admin/loyalty/reward/{reward.pk}/availability/"
        for _twice in range(2):  # a double click does not switch back
            answer = switch(managers_browser, reward, value, list_query="available__exact=1")
            assert answer["Location"] == f"{list_of('reward')}?available__exact=1#available-{reward.pk}"
            reward.refresh_from_db()
            assert reward.available is after
    written = LogEntry.objects.filter(object_id=str(reward.pk)).order_by("pk")
    assert [entry.change_message for entry in written] == ["Not available.", "Available again."]


def test_only_who_may_change_rewards_switches_them(cashiers_browser, browser_client, reward):
    assert switch(cashiers_browser, reward, "no").status_code == 403
    looker = make_user("Cashiers", username="looker")
    looker.is_staff = True
    looker.save()
    looker.user_permissions.add(Permission.objects.get(codename="view_reward"))
    browser_client.force_login(looker)
    assert "menu-switch" not in text_of(browser_client.get(list_of("reward")))
    assert switch(browser_client, reward, "no").status_code == 403
    reward.refresh_from_db()
    assert reward.available


def test_a_switch_of_a_reward_that_is_gone_or_of_no_sense_changes_nothing(managers_browser, reward):
    assert switch(managers_browser, reward, "perhaps").status_code == 302
    assert managers_browser.get(f"/admin/loyalty/reward/{reward.pk}/availability/").status_code == 302
    gone = make_reward()
    gone.delete()
    gone.pk = unknown_id()
    assert switch(managers_browser, gone, "no").status_code == 302
    assert "This reward is gone." in words_of(managers_browser.get(list_of("reward")))
    reward.refresh_from_db()
    assert reward.available


def test_a_reward_that_was_redeemed_can_not_be_deleted(owners_browser, member, reward):
    make_redemption(member, reward)
    address = page_of(reward).replace("change", "delete")
    assert owners_browser.post(address, {"post": "yes"}).status_code == 403
    assert Reward.objects.count() == 1


def test_cashiers_edit_no_rewards(cashiers_browser, reward):
    assert cashiers_browser.get(list_of("reward")).status_code == 403
    assert cashiers_browser.post(ADD, form()).status_code == 403
    assert cashiers_browser.post(page_of(reward), form()).status_code == 403


def test_an_item_that_the_name_says_is_left_out_of_the_list_and_not_of_the_file(managers_browser):
    make_reward(name="A Free Coffee", reward_value={"item": "coffee"})
    assert "A Free Coffee free item –" in words_of(managers_browser.get(list_of("reward")))
    assert exported(managers_browser, "reward")[1][:2] == ["A Free Coffee", "coffee"]
    make_reward(name="10% Off Your Bill", reward_type="discount", reward_value={"discount_percent": 10})
    assert "10% Off Your Bill discount 10% off" in words_of(managers_browser.get(list_of("reward")))
    assert ["10% Off Your Bill", "10% off"] in [row[:2] for row in exported(managers_browser, "reward")]
    make_reward(name="Treat", reward_type="discount", reward_value={"discount_percent": 15})
    assert "Treat discount 15% off" in words_of(managers_browser.get(list_of("reward")))
