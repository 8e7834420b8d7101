from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class QrserviceConfig(AppConfig):
    name = "qrservice"
    verbose_name = _("QR codes")
