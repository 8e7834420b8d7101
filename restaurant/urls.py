from django.urls import path, re_path

from restaurant.billing.views import bills
from restaurant.floor.views import calls, floor, floor_plan, floor_tables
from restaurant.kitchen import views as kitchen
from restaurant.menu.views import availability, pictures
from restaurant.ordering.views import cart, collect, dish, menu, order_changes, orders, staff_orders
from restaurant.reports import views as reports
from restaurant.tables.views import cards, tables

urlpatterns = [
    path("tables", tables.Tables.as_view(), name="tables"),
    path("tables/range", tables.TableRange.as_view(), name="table_range"),
    path("tables/print", cards.TableCards.as_view(), name="table_cards"),
    path("table/<str:table_number>", menu.Menu.as_view(), name="menu"),
    path("table/<str:table_number>/cart", cart.Cart.as_view(), name="cart"),
    path("table/<str:table_number>/dishes/<str:item_id>", dish.DishPage.as_view(), name="dish"),
    path("table/<str:table_number>/sold-out", menu.SoldOut.as_view(), name="sold_out"),
    path("table/<str:table_number>/order", orders.PlaceOrder.as_view(), name="place_order"),
    path("tables/<str:table_number>/code", tables.Code.as_view(), name="replace_code"),
    path("table/<str:table_number>/calls", calls.Calls.as_view(), name="call"),
    path("table/<str:table_number>/bill", bills.Bill.as_view(), name="bill"),
    path("table/<str:table_number>/bill/print", bills.PrintBill.as_view(), name="print_bill"),
    path("table/<str:table_number>/payments", bills.Payments.as_view(), name="take_payment"),
    path("table/<str:table_number>/adjustments", bills.Adjustments.as_view(), name="adjust_bill"),
    path("table/<str:table_number>/parts", bills.Parts.as_view(), name="bill_parts"),
    path("table/<str:table_number>/covers", floor_tables.Covers.as_view(), name="covers"),
    path("table/<str:table_number>/move", floor_tables.Move.as_view(), name="move_session"),
    path("table/<str:table_number>/close", floor.Close.as_view(), name="close_session"),
    path("floor", floor.FloorPage.as_view(), name="floor"),
    path("floor/plan", floor_plan.FloorPlan.as_view(), name="floor_plan"),
    path("floor/tables/<str:table_number>", floor_tables.FloorTable.as_view(), name="floor_table"),
    path("floor/tables/<str:table_number>/order", staff_orders.OrderOfStaff.as_view(), name="staff_order"),
    path("orders/earlier", kitchen.Earlier.as_view(), name="earlier_orders"),
    path("orders/<str:order_id>", orders.Order.as_view(), name="order"),
    path("orders/<str:order_id>/status", kitchen.Status.as_view(), name="order_status"),
    path("orders/<str:order_id>/collect", collect.Collect.as_view(), name="collect"),
    path("orders/<str:order_id>/cancel", order_changes.Cancel.as_view(), name="cancel_order"),
    path("orders/<str:order_id>/approve", order_changes.Approve.as_view(), name="approve_order"),
    path("orders/<str:order_id>/acknowledge", order_changes.Acknowledge.as_view(), name="acknowledge_order"),
    path("orders/<str:order_id>/items/<int:position>/done", kitchen.Done.as_view(), name="entry_done"),
    path("orders/<str:order_id>/items/served", kitchen.Served.as_view(), name="entries_served"),
    path("menu/availability", availability.WholeMenu.as_view(), name="availability"),
    path("menu/<str:item_id>/availability", availability.ItemAvailability.as_view(), name="item_availability"),
    path("menu/<str:item_id>/portions", availability.ItemPortions.as_view(), name="item_portions"),
    path("calls/<str:call_id>/done", calls.Done.as_view(), name="call_done"),
    path("payments/<str:payment_id>/void", bills.Void.as_view(), name="void_payment"),
    path("payments/<str:payment_id>/refund", bills.Refund.as_view(), name="refund_payment"),
    path("adjustments/<str:adjustment_id>/void", bills.VoidAdjustment.as_view(), name="void_adjustment"),
    re_path(r"^pictures/(?P<digest>[0-9a-f]{64})\.webp$", pictures.Picture.as_view(), name="picture"),
    path("kitchen", kitchen.Kitchen.as_view(), name="kitchen"),
    path("kitchen/pause", kitchen.PauseKitchen.as_view(), name="pause_kitchen"),
    path("kitchen/<slug:slug>", kitchen.StationDisplay.as_view(), name="station"),
    path("reports/restaurant", reports.Dashboard.as_view(), name="report_dashboard"),
    path("reports/restaurant/day", reports.DayReport.as_view(), name="report_day"),
    path("reports/restaurant/lines", reports.Lines.as_view(), name="report_lines"),
    path("reports/restaurant/menu", reports.MenuPerformance.as_view(), name="report_menu"),
    path("reports/restaurant/peak-hours", reports.PeakHours.as_view(), name="report_peak_hours"),
    path("reports/restaurant/tables/<str:table_number>", reports.TableScans.as_view(), name="report_table"),
]
