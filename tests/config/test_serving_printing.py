"""`serve` runs `print_tickets` while a printer is active: real processes."""

import time

import psutil
import pytest

from config.serving import printing
from restaurant.models import Order, OrderItem, Printer, PrintJob, TableSession
from tests.conftest import make_item, make_table
from tests.restaurant.fake_printer import FakePrinter
from tests.servers import database_url, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def device():
    made = FakePrinter()
    yield made
    made.off()


def order_something() -> PrintJob:
    table = make_table()
    session = TableSession.objects.create(table=table)
    order = Order.objects.create(table=table, session=session, total="9.50")
    OrderItem.objects.create(order=order, menu_item=make_item(), name="Soup", price="9.50")
    return PrintJob.objects.create(order=order, printer=Printer.objects.get())


def test_it_runs_while_a_printer_is_active_and_is_started_again_when_it_dies(device, monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("TESTED_SERVER", "yes")  # so that its database is the one that is named here
    monkeypatch.setenv("DATABASE_URL", database_url())
    monkeypatch.setattr(printing, "CHECK_EVERY", 0.1)
    with printing.printing_while_needed(str(tmp_path)) as process:

        def runs() -> bool:
            process.check()
            return process.process is not None

        time.sleep(0.3)
        assert not runs()
        Printer.objects.create(name="Pass", host="127.0.0.1", port=device.port)
        wait_for(runs, "printing to start", 20)
        first = psutil.Process(process.process.pid)
        first.kill()
        wait_for(lambda: runs() and process.process.pid != first.pid, "another one", 20)
        order_something()
        assert "Soup" in device.wait_for(1, 60)[0]
        assert (tmp_path / str(process.process.pid)).exists()  # it beats
        Printer.objects.update(active=False)
        wait_for(lambda: not runs(), "printing to end", 20)
    assert caplog.messages == ["Printing stopped by itself (status -9). Starting it again in 0 s."]
