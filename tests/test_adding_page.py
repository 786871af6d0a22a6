"""`docs/adding.md` and `docs/architecture.md`: their files exist, and the first section works when it is followed."""

import re

import pytest

from server.engine.games import catalogue
from server.engine.games.game import Game
from server.engine.games.rules_page import rules_page
from tests.support.hand_laws import soak
from tests.support.paths import DOCS, ROOT

_PATH = re.compile(r"`((?:client|replays|server|protocol|tests|docs)/[\w./-]*)`")
_CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("page", ["adding.md", "architecture.md", "contributing.md", "index.md"])
def test_every_file_that_a_page_names_exists(page: str) -> None:
    named = _PATH.findall((DOCS / page).read_text("utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", [path.name for path in DOCS.glob("*.md")])
def test_every_link_between_pages_leads_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([\w./-]+\.md)(?:#[\w-]+)?\)", (DOCS / page).read_text("utf-8"))
    assert [link for link in links if not (DOCS / link).exists()] == []


def test_a_game_that_is_added_as_the_page_says_is_played_and_explained() -> None:
    (code,) = _CODE.findall((DOCS / "adding.md").read_text("utf-8"))
    names = dict(vars(catalogue))
    exec(code, names)
    game = names["SIX_CARD_RAZZ"]
    assert isinstance(game, Game)
    assert soak(40, seed=7, games=[game]) > 200
    lines = rules_page(game)
    assert any("Six-card razz" in line for line in lines)
    assert any("A-2-3-4-5" in line or "5-4-3-2-A" in line for line in lines)
