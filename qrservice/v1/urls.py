from django.urls import path

from qrservice.v1 import views

urlpatterns = [
    path("generate/dynamic", views.Generate.as_view(), name="generate"),
    path("analytics/<str:analytics_id>", views.Analytics.as_view(), name="analytics"),
    path("codes/<str:analytics_id>", views.Codes.as_view(), name="change_code"),
]
