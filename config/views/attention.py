"""`/attention`: what waits for a member of staff, as in the header of staff's pages."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config import shell
from restaurant.staff import CLOSE_SESSION, WORK_KITCHEN
from web.fields import ErrorResponse
from web.shell import KINDS, Attention
from web.views import ObjectResponse, PageView


class NeedState(serializers.Serializer):
    kind = serializers.ChoiceField(KINDS)
    count = serializers.IntegerField(min_value=1)
    text = serializers.CharField(help_text="A sentence.")
    url = serializers.CharField(help_text="The page on which it is dealt with.")


class AttentionState(serializers.Serializer):
    needs = NeedState(many=True, help_text="The most urgent first; only what the user has the right to.")


class AttentionPage(PageView):
    """Calls, orders to approve, late tickets, printers that are behind and mails that could not be sent."""

    access = (CLOSE_SESSION, WORK_KITCHEN)
    template_name = "config/attention.html"
    context_object_name = "attention"

    @extend_schema(responses={200: AttentionState, **dict.fromkeys((401, 403), ErrorResponse)})
    def get(self, request: Request) -> Response:
        attention = Attention(shell.attention_items(request.user) or [])
        return ObjectResponse(AttentionState(attention), headers={"Cache-Control": "private, no-store"})
