"""Every dependency has a lower bound that `make test-oldest` can install, and a version that is tested every day."""

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.oldest_versions import oldest, requirements
from tests.support.paths import ROOT


@pytest.mark.parametrize("requirement", requirements(), ids=lambda requirement: requirement.name)
def test_a_dependency_is_bounded_below_and_pinned_within_its_bounds(requirement: Requirement) -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    versions = {canonicalize_name(name): version for name, version in pinned.items()}
    assert versions[canonicalize_name(requirement.name)] in requirement.specifier
    assert oldest(requirement) in requirement.specifier
