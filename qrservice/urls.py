from django.urls import path

from qrservice import views

urlpatterns = [
    path("q/<str:slug>", views.ShortAddress.as_view(), name="short_address"),
    path("Q/<str:slug>", views.ShortAddress.as_view()),
    path("qr/<str:slug>", views.CodeImage.as_view(), name="code_image"),
]
