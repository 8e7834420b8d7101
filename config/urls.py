from django.contrib import admin
from django.urls import include, path, re_path

from config.views.accent import Accent
from config.views.account import Account
from config.views.api import ApiDocs, Schema
from config.views.attention import AttentionPage
from config.views.card_app import Icon, Manifest
from config.views.devices import Device, Devices, Lock, OwnPin, Switch
from config.views.front_page import Favicon, FrontPage
from config.views.journal import Journal
from config.views.language import Language
from config.views.password import Password
from config.views.push import EndSubscription, Subscriptions, TryOut, Worker
from config.views.reports import Reports
from config.views.robots import Robots
from config.views.second_step import AddPasskey, AddSecondStep, RemoveSecondStep, SecondStep
from config.views.setup import Setup, TestMail
from config.views.sign_in import SignIn, SignOut
from config.views.staff import Staff, StaffMember
from config.views.venue_picture import VenuePicture

# Tried in this order: those of most requests first.
urlpatterns = [
    path("", include("loyalty.urls")),
    path("", include("restaurant.urls")),
    path("", FrontPage.as_view(), name="front_page"),
    path("reports", Reports.as_view(), name="reports"),
    path("reports/journal", Journal.as_view(), name="journal"),
    path("sign-in", SignIn.as_view(), name="sign_in"),
    path("sign-in/second-step", SecondStep.as_view(), name="second_step"),
    path("sign-out", SignOut.as_view(), name="sign_out"),
    path("language", Language.as_view(), name="language"),
    path("account", Account.as_view(), name="account"),
    path("account/pin", OwnPin.as_view(), name="own_pin"),
    path("switch", Switch.as_view(), name="switch"),
    path("switch/lock", Lock.as_view(), name="lock"),
    path("account/second-step", AddSecondStep.as_view(), name="add_second_step"),
    path("account/second-step/passkey", AddPasskey.as_view(), name="add_passkey"),
    path("account/second-step/<path:factor>", RemoveSecondStep.as_view(), name="remove_second_step"),
    path("password", Password.as_view(), name="password"),
    path("setup", Setup.as_view(), name="setup"),
    path("setup/mail", TestMail.as_view(), name="test_mail"),
    path("attention", AttentionPage.as_view(), name="attention"),
    path("staff", Staff.as_view(), name="staff"),
    path("staff/devices", Devices.as_view(), name="devices"),
    path("staff/devices/<uuid:device_id>", Device.as_view(), name="device"),
    path("staff/<str:username>", StaffMember.as_view(), name="staff_member"),
    path("api/schema", Schema.as_view(), name="schema"),
    path("api/docs", ApiDocs.as_view(), name="api_docs"),
    path("admin/", admin.site.urls),
    re_path(r"^accent/(?P<colour>[0-9a-f]{6})\.css$", Accent.as_view(), name="accent"),
    re_path(r"^venue/pictures/(?P<digest>[0-9a-f]{64})\.webp$", VenuePicture.as_view(), name="venue_picture"),
    re_path(r"^venue/icons/(?P<kind>icon|maskable)-(?P<size>180|192|512)\.png$", Icon.as_view(), name="venue_icon"),
    path("member/<uuid:customer_id>/card.webmanifest", Manifest.as_view(), name="card_manifest"),
    path("staff.webmanifest", Manifest.as_view(), name="staff_manifest"),
    path("push/subscriptions", Subscriptions.as_view(), name="push_subscriptions"),
    path("push/subscriptions/remove", EndSubscription.as_view(), name="end_push_subscription"),
    path("push/subscriptions/try", TryOut.as_view(), name="try_push"),
    path("push-worker.js", Worker.as_view(), name="push_worker"),
    path("favicon.ico", Favicon.as_view()),
    path("robots.txt", Robots.as_view()),
    path("v1/", include("qrservice.v1.urls")),
    path("", include("qrservice.urls")),
]

handler400 = "web.error_pages.bad_request"
handler403 = "web.error_pages.forbidden"
handler404 = "web.error_pages.not_found"
handler500 = "web.database_errors.server_error"
