"""Where the installed package takes its folders from; `pyproject.toml` says everything else.

A wheel has one top-level name, `rollyourown`, and the folders of the repository are inside it. This file exists because
`pyproject.toml` can map a folder or find packages, but not both, and a list kept by hand goes stale.
"""

from setuptools import find_packages, setup

FOLDERS = ("client", "replays", "server", "protocol")
ITSELF = "client.rollyourown"

inside = find_packages(include=[pattern for folder in FOLDERS for pattern in (folder, f"{folder}.*")], exclude=[ITSELF])

setup(
    packages=["rollyourown", *(f"rollyourown.{package}" for package in inside)],
    package_dir={"rollyourown": ITSELF.replace(".", "/"), **{f"rollyourown.{folder}": folder for folder in FOLDERS}},
)
