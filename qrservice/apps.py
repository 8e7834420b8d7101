from django.apps import AppConfig
from django.utils.translation import pgettext_lazy


class QrserviceConfig(AppConfig):
    name = "qrservice"
    verbose_name = pgettext_lazy("a part of the admin", "QR codes")
