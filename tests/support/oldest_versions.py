"""The oldest versions that `pyproject.toml` allows, as constraints for pip: `make test-oldest` installs them."""

import tomllib

from packaging.requirements import Requirement

from tests.support.paths import ROOT


def requirements() -> list[Requirement]:
    """What the program and its tests need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [Requirement(line) for line in [*project["dependencies"], *project["optional-dependencies"]["dev"]]]


def oldest(requirement: Requirement) -> str:
    """The lower bound of a requirement. Raises ValueError if there is not exactly one."""
    (bound,) = (part.version for part in requirement.specifier if part.operator == ">=")
    return bound


if __name__ == "__main__":
    for requirement in requirements():
        print(f"{requirement.name}=={oldest(requirement)}")
