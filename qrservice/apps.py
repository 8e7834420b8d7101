from django.apps import AppConfig


class QrserviceConfig(AppConfig):
    name = "qrservice"
    verbose_name = "QR codes"
