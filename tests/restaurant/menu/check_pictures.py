"""Many pictures with wrong bytes in them."""

from tests.restaurant.menu.test_pictures import damage


def test_nonsense_in_a_picture_is_refused_or_shown_and_never_an_error():
    damage(200)
