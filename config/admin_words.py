"""What the admin calls its pages: the words of a restaurant, where Django would write a model's name."""

from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Words:
    """Of one model. `one` and `many` follow a number; `about` says what the page is for; `empty` is the list without a
    row, with the next step. `is_single`: there is one row, and no list."""

    title: Text
    one: Text
    many: Text
    add: Text = ""
    new: Text = ""
    about: Text = ""
    empty: Text = ""
    is_single: bool = False


_WORDS = {
    "restaurant.menuitem": Words(
        gettext_lazy("Menu"),
        gettext_lazy("dish"),
        gettext_lazy("dishes"),
        gettext_lazy("Add a dish"),
        gettext_lazy("New dish"),
        gettext_lazy("Dishes and drinks, prices and pictures"),
        gettext_lazy("No dishes yet. Add the first one, or import the menu from a spreadsheet."),
    ),
    "restaurant.category": Words(
        gettext_lazy("Categories"),
        gettext_lazy("category"),
        gettext_lazy("categories"),
        gettext_lazy("Add a category"),
        gettext_lazy("New category"),
        gettext_lazy("Their order, hours and stations"),
        gettext_lazy("No categories yet. Add one such as Starters; dishes without one are under “Other”."),
    ),
    "restaurant.optiongroup": Words(
        gettext_lazy("Options"),
        gettext_lazy("group of options"),
        gettext_lazy("groups of options"),
        gettext_lazy("Add options"),
        gettext_lazy("New options"),
        gettext_lazy("Sizes, sides and how it is done"),
        gettext_lazy("No options yet. Add a group such as “How done”, then choose it on the page of a dish."),
    ),
    "restaurant.order": Words(
        gettext_lazy("Orders"),
        gettext_lazy("order"),
        gettext_lazy("orders"),
        about=gettext_lazy("Everything that was ordered"),
        empty=gettext_lazy("No orders yet. They appear here when a guest scans a table's code and orders."),
    ),
    "restaurant.table": Words(
        gettext_lazy("Tables"),
        gettext_lazy("table"),
        gettext_lazy("tables"),
        gettext_lazy("Add a table"),
        gettext_lazy("New table"),
        gettext_lazy("Numbers, sections and QR cards"),
        gettext_lazy("No tables yet. Add several at once, such as 1 to 20, and print their cards."),
    ),
    "restaurant.tablesession": Words(
        gettext_lazy("Table sessions"),
        gettext_lazy("session"),
        gettext_lazy("sessions"),
        about=gettext_lazy("Who sat where, and for how long"),
        empty=gettext_lazy("No sessions yet. One begins when a guest scans a table's code."),
    ),
    "restaurant.payment": Words(
        gettext_lazy("Payments"),
        gettext_lazy("payment"),
        gettext_lazy("payments"),
        about=gettext_lazy("What was paid, how and to whom"),
        empty=gettext_lazy("No payments yet. They are taken on a table's bill."),
    ),
    "restaurant.openinghours": Words(
        gettext_lazy("Opening hours"),
        gettext_lazy("line of hours"),
        gettext_lazy("lines of hours"),
        gettext_lazy("Add hours"),
        gettext_lazy("New opening hours"),
        gettext_lazy("When guests can order"),
        gettext_lazy("No hours yet. Add them once for several days."),
    ),
    "restaurant.orderingrules": Words(
        gettext_lazy("Ordering rules"),
        gettext_lazy("set of rules"),
        gettext_lazy("sets of rules"),
        gettext_lazy("Set the rules"),
        gettext_lazy("Ordering rules"),
        gettext_lazy("Who may order, approval and VAT"),
        is_single=True,
    ),
    "restaurant.station": Words(
        gettext_lazy("Stations"),
        gettext_lazy("station"),
        gettext_lazy("stations"),
        gettext_lazy("Add a station"),
        gettext_lazy("New station"),
        gettext_lazy("Places in the kitchen with a display"),
        gettext_lazy("No stations yet: one display shows every order. Add one such as Grill or Bar to divide them."),
    ),
    "restaurant.printer": Words(
        gettext_lazy("Printers"),
        gettext_lazy("printer"),
        gettext_lazy("printers"),
        gettext_lazy("Add a printer"),
        gettext_lazy("New printer"),
        gettext_lazy("Kitchen printers in your network"),
        gettext_lazy("No printers yet. Add one with its address in your network, and orders are printed as dockets."),
    ),
    "restaurant.orderchange": Words(
        gettext_lazy("Cancelled and changed"),
        gettext_lazy("change"),
        gettext_lazy("changes"),
        about=gettext_lazy("Changes of orders, by whom and why"),
        empty=gettext_lazy("Nothing was cancelled or changed yet."),
    ),
    "restaurant.printjob": Words(
        gettext_lazy("Dockets"),
        gettext_lazy("docket"),
        gettext_lazy("dockets"),
        about=gettext_lazy("What kitchen printers printed"),
        empty=gettext_lazy("No dockets yet. They are made for every order once there is a printer."),
    ),
    "loyalty.member": Words(
        gettext_lazy("Members"),
        gettext_lazy("member"),
        gettext_lazy("members"),
        gettext_lazy("Add a member"),
        gettext_lazy("New member"),
        gettext_lazy("Who collects points, and how many"),
        gettext_lazy("No members yet. Guests join by the code at the till, or you add one here."),
    ),
    "loyalty.reward": Words(
        gettext_lazy("Rewards"),
        gettext_lazy("reward"),
        gettext_lazy("rewards"),
        gettext_lazy("Add a reward"),
        gettext_lazy("New reward"),
        gettext_lazy("What members get for points"),
        gettext_lazy("No rewards yet. Add one such as a free coffee for 150 points."),
    ),
    "loyalty.redemption": Words(
        gettext_lazy("Redemptions"),
        gettext_lazy("redemption"),
        gettext_lazy("redemptions"),
        about=gettext_lazy("Rewards that were chosen, and used or not"),
        empty=gettext_lazy("Nothing was redeemed yet. Members redeem points on their card."),
    ),
    "loyalty.pointtransaction": Words(
        gettext_lazy("Points"),
        gettext_lazy("entry"),
        gettext_lazy("entries"),
        about=gettext_lazy("Every point given, spent and taken"),
        empty=gettext_lazy("No points yet. They are given at the till, and for orders at the tables."),
    ),
    "loyalty.programme": Words(
        gettext_lazy("Points and tiers"),
        gettext_lazy("set of rules"),
        gettext_lazy("sets of rules"),
        gettext_lazy("Set the rules"),
        gettext_lazy("Points and tiers"),
        gettext_lazy("How many points a purchase gives"),
        is_single=True,
    ),
    "loyalty.location": Words(
        gettext_lazy("Locations"),
        gettext_lazy("location"),
        gettext_lazy("locations"),
        gettext_lazy("Add a location"),
        gettext_lazy("New location"),
        gettext_lazy("Where members collect points"),
        gettext_lazy("No locations yet. Your restaurant is one: add it, and print its code for the till."),
    ),
    "loyalty.notification": Words(
        gettext_lazy("Messages to members"),
        gettext_lazy("message"),
        gettext_lazy("messages"),
        about=gettext_lazy("Mails about points and tiers"),
        empty=gettext_lazy("No messages yet. Members get one for a new tier or a redeemed reward."),
    ),
    "config.venue": Words(
        gettext_lazy("Name and look"),
        gettext_lazy("venue"),
        gettext_lazy("venues"),
        gettext_lazy("Name the restaurant"),
        gettext_lazy("Name and look"),
        gettext_lazy("Name, address, logo, cover and colour"),
        is_single=True,
    ),
    "qrservice.code": Words(
        gettext_lazy("QR codes"),
        gettext_lazy("code"),
        gettext_lazy("codes"),
        gettext_lazy("Add a code"),
        gettext_lazy("New QR code"),
        gettext_lazy("Where they lead, and how often they are scanned"),
        gettext_lazy("No codes yet. Tables and locations get theirs by themselves; add one for a poster."),
    ),
    "qrservice.scan": Words(
        gettext_lazy("Scans"),
        gettext_lazy("scan"),
        gettext_lazy("scans"),
        about=gettext_lazy("When and where codes were scanned"),
        empty=gettext_lazy("No scans yet. They appear here when somebody scans a code."),
    ),
    "auth.user": Words(
        gettext_lazy("User accounts"),
        gettext_lazy("account"),
        gettext_lazy("accounts"),
        gettext_lazy("Add an account"),
        gettext_lazy("New account"),
        gettext_lazy("All details; “Staff” is simpler for everyday use"),
    ),
    "auth.group": Words(
        gettext_lazy("Groups"),
        gettext_lazy("group"),
        gettext_lazy("groups"),
        gettext_lazy("Add a group"),
        gettext_lazy("New group"),
        gettext_lazy("What members of staff may do"),
    ),
    "axes.accesslog": Words(
        gettext_lazy("Sign-ins"),
        gettext_lazy("sign-in"),
        gettext_lazy("sign-ins"),
        about=gettext_lazy("Who signed in and out, and when"),
        empty=gettext_lazy("Nobody has signed in yet."),
    ),
    "axes.accessattempt": Words(
        gettext_lazy("Failed sign-ins"),
        gettext_lazy("failed sign-in"),
        gettext_lazy("failed sign-ins"),
        about=gettext_lazy("Wrong passwords; delete a row to let somebody try again"),
        empty=gettext_lazy("No failed sign-ins."),
    ),
    "axes.accessfailurelog": Words(
        gettext_lazy("Failures, one by one"),
        gettext_lazy("failure"),
        gettext_lazy("failures"),
        empty=gettext_lazy("This log is switched off. “Failed sign-ins” has them, counted."),
    ),
    "config.stafftoken": Words(
        gettext_lazy("Staff tokens"),
        gettext_lazy("token"),
        gettext_lazy("tokens"),
        about=gettext_lazy("For tills and scripts that work for somebody"),
        empty=gettext_lazy("No tokens. They are made with: manage.py create_token"),
    ),
    "qrservice.account": Words(
        gettext_lazy("QR accounts"),
        gettext_lazy("account"),
        gettext_lazy("accounts"),
        gettext_lazy("Add an account"),
        gettext_lazy("New QR account"),
        gettext_lazy("Who owns codes and keys"),
    ),
    "qrservice.apikey": Words(
        gettext_lazy("API keys"),
        gettext_lazy("key"),
        gettext_lazy("keys"),
        gettext_lazy("Add an API key"),
        gettext_lazy("New API key"),
        gettext_lazy("For programs that make QR codes"),
        gettext_lazy("No keys yet. A program of your own needs one to make QR codes."),
    ),
}


def words(opts: Any) -> Words:
    """Of the model with these `_meta` options; of one that is not named here, from its verbose names."""
    one, many = opts.verbose_name, opts.verbose_name_plural
    return _WORDS.get(opts.label_lower) or Words(
        capfirst(many), one, many, _("Add: %(what)s") % {"what": one}, capfirst(one)
    )
