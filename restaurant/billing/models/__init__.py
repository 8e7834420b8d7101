"""What guests pay, what changes their bills and how they are divided, and the drawers the cash lies in."""

from restaurant.billing.models.accounts import Account, Accountant
from restaurant.billing.models.adjustments import AdjustedItem, Adjustment
from restaurant.billing.models.drawers import CashDrawer, DrawerDay, DrawerMovement
from restaurant.billing.models.parts import BillPart, Claim, Payer
from restaurant.billing.models.payments import Payment, Refund
