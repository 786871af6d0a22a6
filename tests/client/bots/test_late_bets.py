"""The count of late bets: who folds, what a weak low costs, and what another answer is worth."""

from tests.support.late_bets import ALWAYS_FOLDS, measured


def test_players_who_raise_everything_never_fold_and_whoever_always_folds_pays_for_it() -> None:
    row = measured("barneys", "raiser", 2, "late", seats=3)
    assert row.counts.bets > 20
    assert row.counts.folds == 0
    assert row.others[ALWAYS_FOLDS].chips.mean < 0
    assert row.others["never folds"].results == [0.0] * 2
    assert row.line().startswith("barneys   raiser")


def test_players_who_only_call_face_no_bets() -> None:
    row = measured("anaconda", "caller", 2, "late")
    assert row.counts.bets == 0
    assert row.others[ALWAYS_FOLDS].results == [0.0] * 2
