"""Stores scans that arrive while others are being stored together, by one statement and one COMMIT.

So nobody waits for a clock, a single scan waits for nothing, and everyone is answered only after the COMMIT. A server
process then takes about half the processor time for a scan, and PostgreSQL two fifths.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from qrservice.services.scans import Row

Outcome = Exception | None  # None if the scan is stored


class Batches:
    """Passes the rows of a batch to `store` in a thread, one batch at a time; it returns or raises their outcomes."""

    def __init__(self, store: Callable[[list[Row]], list[Outcome]]) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, "scans")
        self._waiting: list[tuple[Row, asyncio.Future[Outcome]]] = []
        self._storing: asyncio.Task[None] | None = None

    async def record(self, row: Row) -> None:
        """Return when the scan is stored. Raises the database's error."""
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting.append((row, outcome))
        if self._storing is None:
            self._storing = asyncio.create_task(self._store_all())
        if (error := await outcome) is not None:
            raise error

    async def _store_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                outcomes = await loop.run_in_executor(self._thread, self._store, [row for row, _ in batch])
            except Exception as error:
                outcomes = [error] * len(batch)
            for (_, future), outcome in zip(batch, outcomes, strict=True):
                if not future.done():  # its client is gone
                    future.set_result(outcome)
        self._storing = None
