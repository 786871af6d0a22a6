"""Verifiers of passwords."""

import pytest

from server.config.passwords import make_verifier, problem_of_password, problem_of_verifier, verify
from server.config.table_config import TableConfig
from server.errors import ConfigError

PASSWORD = "pair of köpfe"
VERIFIER = make_verifier(PASSWORD)


def test_reliability_3_a_verifier_fits_its_password_and_no_other() -> None:
    assert verify(PASSWORD, VERIFIER)
    assert verify("pair of ko\u0308pfe", VERIFIER), "the same letters, typed on another system"
    for other in ("", "Pair of köpfe", PASSWORD + " ", "x" * 10_000):
        assert not verify(other, VERIFIER)
    assert VERIFIER.startswith("scrypt:14:")
    assert make_verifier(PASSWORD) != VERIFIER
    assert "pair" not in VERIFIER


@pytest.mark.parametrize(
    "text",
    [
        PASSWORD, "scrypt:14:a:b", "scrypt:40:" + VERIFIER[10:], "bcrypt:14:" + VERIFIER[10:], VERIFIER[:-8],
        "scrypt:::", "::::",
    ],
    ids=["the password", "no base64", "cost", "kind", "cut", "empty parts", "colons"],
)  # fmt: skip
def test_a_password_in_the_settings_is_refused_with_the_remedy(text: str) -> None:
    assert "ryo passwd" in problem_of_verifier(text)
    with pytest.raises(ConfigError, match="ryo passwd") as refused:
        TableConfig(password=text).rules()
    assert text not in str(refused.value)


def test_passwords_have_1_to_256_characters() -> None:
    assert problem_of_password("")
    assert problem_of_password("x" * 257)
    assert not problem_of_password("x" * 256)
