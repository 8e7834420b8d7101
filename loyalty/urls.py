from django.urls import path

from loyalty.cards.views import emails, locations, members, points, privacy, redemptions, till
from loyalty.members.views import signing_in
from loyalty.reports.views import letters, reports
from loyalty.rewards.views import rewards

urlpatterns = [
    path("signup", members.Signup.as_view(), name="signup"),
    path("members", members.Members.as_view(), name="members"),
    path("member/<str:customer_id>", members.Card.as_view(), name="member"),
    path("member/<str:customer_id>/account", privacy.Account.as_view(), name="member_account"),
    path("member/<str:customer_id>/email", emails.Email.as_view(), name="member_email"),
    path("member/<str:customer_id>/data", privacy.Data.as_view(), name="member_data"),
    path("member/<str:customer_id>/erase", privacy.Erase.as_view(), name="member_erase"),
    path("member-sign-in", signing_in.SignInLink.as_view(), name="member_sign_in"),
    path("member-sign-in/<str:token>", signing_in.UseLink.as_view(), name="member_use_link"),
    path("member-email/<str:token>", emails.UseEmailLink.as_view(), name="member_use_email_link"),
    path("member-sign-out", signing_in.SignOut.as_view(), name="member_sign_out"),
    path("checkin/<str:location_id>", locations.CheckIn.as_view(), name="checkin"),
    path("locations/<str:location_id>/print", locations.LocationCards.as_view(), name="location_cards"),
    path("locations/<str:location_id>/qr", locations.LocationCode.as_view(), name="location_code"),
    path("till", till.Till.as_view(), name="till"),
    path("earn", points.Earn.as_view(), name="earn"),
    path("transactions/<str:transaction_id>/reverse", points.Reverse.as_view(), name="reverse"),
    path("rewards", rewards.Rewards.as_view(), name="rewards"),
    path("rewards/<str:reward_id>/redeem", rewards.Redeem.as_view(), name="redeem"),
    path("use/<str:code>", redemptions.Use.as_view(), name="use"),
    path("use/<str:code>/confirm", redemptions.Confirm.as_view(), name="confirm"),
    path("use/<str:code>/undo", redemptions.Undo.as_view(), name="undo"),
    path("use/<str:code>/cancel", redemptions.Cancel.as_view(), name="cancel"),
    path("confirmations/<str:confirmation_id>", redemptions.Confirmation.as_view(), name="confirmation"),
    path("reports/members/<str:customer_id>", reports.Engagement.as_view(), name="member_report"),
    path("reports/loyalty", reports.Programme.as_view(), name="loyalty_report"),
    path("reports/loyalty/segments", reports.Segments.as_view(), name="segments_report"),
    path("reports/loyalty/re-engagement", reports.ReEngagement.as_view(), name="re_engagement_report"),
    path("reports/loyalty/re-engagement/letters", letters.Letters.as_view(), name="letters"),
    path("reports/loyalty/re-engagement/letters/undo", letters.UndoLetters.as_view(), name="undo_letters"),
]
