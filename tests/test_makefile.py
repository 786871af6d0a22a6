"""The ways in: every `make` target that a text or the workflow names is there."""

import re

import pytest

from tests.support.paths import ROOT

TEXTS = ["README.md", ".ci/run", ".github/workflows/ci.yml", *(f"docs/{path.name}" for path in ROOT.glob("docs/*.md"))]
COMMAND = re.compile(r"(?:^ *|`|run: )make ([a-z][a-z -]*)", re.MULTILINE)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_names_targets_that_exist(text: str) -> None:
    (targets,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = {target for words in COMMAND.findall((ROOT / text).read_text()) for target in words.split()}
    assert named <= set(targets.split())
