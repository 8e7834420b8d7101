from django.urls import path

from qrservice import image_views, views

urlpatterns = [
    path("q/<str:slug>", views.ShortAddress.as_view(), name="short_address"),
    path("Q/<str:slug>", views.ShortAddress.as_view()),
    path("qr/<str:slug>.svg", image_views.CodeSvg.as_view(), name="code_svg"),
    path("qr/<str:slug>.pdf", image_views.CodePdf.as_view(), name="code_pdf"),
    path("qr/<str:slug>", image_views.CodePng.as_view(), name="code_image"),
]
