"""What `pyproject.toml` allows is what is tried: versions of dependencies, and of Python."""

import re
import tomllib

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


def test_the_workflow_runs_every_version_of_python_that_is_promised() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    promised = [line.rpartition(" ")[2] for line in project["classifiers"] if re.search(r"Python :: 3\.\d+$", line)]
    matrices = re.findall(r"python: \[(.*)\]", (ROOT / ".github" / "workflows" / "ci.yml").read_text())
    assert matrices
    for matrix in matrices:
        assert re.findall(r"[\d.]+", matrix) == promised
    assert project["requires-python"] == f">={promised[0]}"
