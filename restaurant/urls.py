from django.urls import path

from restaurant.views import bills, calls, cards, cart, floor, kitchen, menu, order_changes, orders, reports, tables

urlpatterns = [
    path("tables", tables.Tables.as_view(), name="tables"),
    path("tables/print", cards.TableCards.as_view(), name="table_cards"),
    path("table/<str:table_number>", menu.Menu.as_view(), name="menu"),
    path("table/<str:table_number>/cart", cart.Cart.as_view(), name="cart"),
    path("table/<str:table_number>/sold-out", menu.SoldOut.as_view(), name="sold_out"),
    path("table/<str:table_number>/order", orders.PlaceOrder.as_view(), name="place_order"),
    path("tables/<str:table_number>/code", tables.Code.as_view(), name="replace_code"),
    path("table/<str:table_number>/calls", calls.Calls.as_view(), name="call"),
    path("table/<str:table_number>/bill", bills.Bill.as_view(), name="bill"),
    path("table/<str:table_number>/payments", bills.Payments.as_view(), name="take_payment"),
    path("table/<str:table_number>/move", floor.Move.as_view(), name="move_session"),
    path("table/<str:table_number>/close", floor.Close.as_view(), name="close_session"),
    path("floor", floor.Floor.as_view(), name="floor"),
    path("orders/<str:order_id>", orders.Order.as_view(), name="order"),
    path("orders/<str:order_id>/status", orders.Status.as_view(), name="order_status"),
    path("orders/<str:order_id>/cancel", order_changes.Cancel.as_view(), name="cancel_order"),
    path("orders/<str:order_id>/approve", order_changes.Approve.as_view(), name="approve_order"),
    path("orders/<str:order_id>/acknowledge", order_changes.Acknowledge.as_view(), name="acknowledge_order"),
    path("calls/<str:call_id>/done", calls.Done.as_view(), name="call_done"),
    path("payments/<str:payment_id>/void", bills.Void.as_view(), name="void_payment"),
    path("kitchen", kitchen.Kitchen.as_view(), name="kitchen"),
    path("reports/restaurant", reports.Dashboard.as_view(), name="report_dashboard"),
    path("reports/restaurant/day", reports.DayReport.as_view(), name="report_day"),
    path("reports/restaurant/lines", reports.Lines.as_view(), name="report_lines"),
    path("reports/restaurant/menu", reports.MenuPerformance.as_view(), name="report_menu"),
    path("reports/restaurant/peak-hours", reports.PeakHours.as_view(), name="report_peak_hours"),
    path("reports/restaurant/tables/<str:table_number>", reports.TableScans.as_view(), name="report_table"),
]
