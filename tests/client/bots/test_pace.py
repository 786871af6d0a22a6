"""How long bots take, and how a person changes it."""

import trio
from trio.testing import MockClock

from client.bots.pace import PACES, Pace


async def took(pace: Pace) -> float:
    start = trio.current_time()
    await pace.pause()
    return trio.current_time() - start


async def test_a_bot_takes_as_long_as_it_was_told(autojump_clock: MockClock) -> None:
    assert await took(Pace()) == 0
    assert await took(Pace(1.2)) == 1.2


async def test_faster_and_slower_go_through_the_steps_and_stop_at_the_ends() -> None:
    pace = Pace(1.0)
    assert pace.faster() == "Bots take 0.8 s for a decision."
    assert pace.faster(-1) == "Bots take 1.2 s for a decision."
    for _ in PACES:
        said = pace.faster()
    assert (pace.seconds, said) == (0.0, "Bots decide at once.")
    for _ in PACES:
        pace.faster(-1)
    assert pace.seconds == PACES[-1]


async def test_a_change_ends_a_pause_and_a_hurry_lasts_until_the_hand_is_over(autojump_clock: MockClock) -> None:
    pace = Pace(5.0)
    async with trio.open_nursery() as nursery:
        start = trio.current_time()
        nursery.start_soon(pace.pause)
        await trio.sleep(1)
        pace.run_to_result()
    assert trio.current_time() - start == 1
    assert await took(pace) == 0
    pace.hand_over()
    assert await took(pace) == 5
