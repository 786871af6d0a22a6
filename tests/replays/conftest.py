"""Fixtures of the tests of replays."""

import pytest


@pytest.fixture
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chances of a page come from a few deals: it says the same things, with numbers that are less precise."""
    for most in ("replays.page.MOST_SLICES", "replays.page.MOST_BATCHES"):
        monkeypatch.setattr(most, 1)
