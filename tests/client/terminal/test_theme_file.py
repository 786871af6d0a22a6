"""Themes from a file, read again by a key; face-down cards looked at while a key is held."""

from pathlib import Path

import pytest

from client.cli.preferences import theme_of
from client.display.theme import Theme
from client.errors import BadSettings
from client.presenter.options import Options
from client.profile.settings import Settings
from client.terminal.style import style_of
from client.terminal.theme_file import PARTS, load_theme
from protocol.cards import card_text
from tests.support.local_table import LocalTable
from tests.support.seated_presenter import screen, sit
from tests.support.terminal import Terminal, show


def test_what_the_file_says_goes_before_and_the_rest_stays(tmp_path: Path) -> None:
    path = tmp_path / "evening.toml"
    path.write_text('palette = "two"\nsymbols = true\n[colours]\nturn = "bold #ffcc00"\nhearts = "ansired"\n')
    theme = load_theme(path, Theme("four", dark=False, ascii=True))
    assert theme == Theme("two", False, True, True, (("hearts", "ansired"), ("turn", "bold #ffcc00")))
    assert theme.styles()["turn"] == "bold #ffcc00"
    assert style_of(theme).get_attrs_for_style_str("class:turn").color == "ffcc00"
    path.write_text('palette = "none"\n[colours]\nturn = "#ffcc00"\n')
    assert load_theme(path, Theme()).styles()["turn"] == "bold"  # no colours means none


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("palette = 'pink'", "palette"),
        ("[colours]\nwall = 'red'", "no part 'wall'"),
        ("[colours]\nturn = 'blurple'", "'blurple' for turn is no colour"),
        ("[colours", "evening"),
        ("colour = 3", "colour"),
    ],
)
def test_mistakes_are_named_with_the_file(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "evening.toml"
    path.write_text(text)
    with pytest.raises(BadSettings, match=r"evening\.toml") as refused:
        load_theme(path, Theme())
    assert problem in str(refused.value)
    with pytest.raises(BadSettings):
        load_theme(tmp_path / "absent.toml", Theme())


def test_every_part_can_be_coloured(tmp_path: Path) -> None:
    path = tmp_path / "all.toml"
    path.write_text("[colours]\n" + "".join(f'{part} = "#112233"\n' for part in PARTS))
    theme = load_theme(path, Theme())
    rules = theme.styles()
    assert {part for part in rules if " " not in part} == set(PARTS)
    assert {word for rule in rules for word in rule.split()} == set(PARTS), "parts on a tile or in the title, too"
    style = style_of(theme)
    assert {style.get_attrs_for_style_str(f"class:{part}").color for part in PARTS} == {"112233"}


def test_settings_name_the_file_beside_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "rollyourown").mkdir()
    (tmp_path / "rollyourown" / "mine.toml").write_text('[colours]\npot = "ansigreen"\n')
    assert theme_of(Settings(theme="mine.toml", palette="two")).styles()["pot"] == "ansigreen"
    assert theme_of(Settings(theme=str(tmp_path / "rollyourown" / "mine.toml"))).colours
    with pytest.raises(BadSettings):
        theme_of(Settings(theme="other.toml"))


def test_ctrl_r_reads_the_theme_again_without_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("ascii = true\n")
    table = LocalTable("stud", 3)
    table.deal()

    async def script(terminal: Terminal) -> None:
        await terminal.see("-----")
        path.write_text("ascii = false\n")
        terminal.type("\x12")
        await terminal.see("─────", "read again")
        path.write_text("ascii = 7\n")
        terminal.type("\x12")
        await terminal.see("Expected", "─────")
        path.write_text("ascii = true\n")
        terminal.type("/theme", "enter")
        await terminal.see("-----")
        terminal.type("ctrl-c", "ctrl-c")

    base = Theme(palette="none", ascii=True)
    show(
        table.session(1), script, options=Options(theme=base, settle=0, reveal=0, reload=lambda: load_theme(path, base))
    )


def test_face_down_cards_are_seen_while_a_key_is_held() -> None:
    table = LocalTable("stud", 3)
    table.deal()
    clock = [10.0]
    presenter, session, _ = sit(table, now=lambda: clock[0])
    own = [card_text(card) for card in session.view.seat(1).down if card is not None]

    def seen() -> bool:
        return any(card in screen(presenter) for card in own)

    assert seen()
    presenter.press("X")
    assert "Your cards are face up" in screen(presenter)
    presenter.press("x")
    assert not seen()
    presenter.press("i")
    assert "Your cards are face down; x turns them up." in screen(presenter)
    assert not seen()
    for _ in range(5):  # held: the key comes again and again
        presenter.press("X")
        clock[0] += 1.0
        assert seen()
    presenter.needs_drawing()
    clock[0] += 0.5
    assert presenter.needs_drawing()
    assert not seen()
    presenter.press("x")
    assert seen()


def test_cards_can_begin_face_down() -> None:
    table = LocalTable("stud", 3)
    table.deal()
    session = table.session(1)
    own = [card_text(card) for card in session.view.seat(1).down if card is not None]

    async def script(terminal: Terminal) -> None:
        await terminal.see("face down", "│???│???│")
        assert not any(card in terminal.text() for card in own)
        terminal.type("x")
        await terminal.see(*own)
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script, options=Options(theme=Theme(palette="none"), settle=0, reveal=0, covered=True))


def test_a_spectator_has_no_cards_that_could_be_covered() -> None:
    table = LocalTable("stud", 3)
    table.deal()
    options = Options(theme=Theme(palette="none"), settle=0, reveal=0, covered=True)

    async def script(terminal: Terminal) -> None:
        await terminal.see("watching")
        assert "face down" not in terminal.text()
        terminal.type("ctrl-c", "ctrl-c")

    show(table.session(0), script, options=options)
