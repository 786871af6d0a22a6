"""The settings file: which content is accepted, and how a wrong one is reported."""

from pathlib import Path

import pytest

from client.errors import BadSettings
from client.profile.settings import Settings, load_settings


def test_settings_may_be_missing_and_name_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "client.toml"
    assert load_settings(path) == Settings()
    path.write_text('name = "Ann"\nplain = true\n[keys]\nfold = "x"\n')
    assert load_settings(path) == Settings(name="Ann", plain=True, keys={"fold": "x"})
    for bad in ('nmae = "Ann"', "plain = 3", "name = ", 'palette = "pink"'):
        path.write_text(bad)
        with pytest.raises(BadSettings, match=r"client\.toml") as refused:
            load_settings(path)
        assert refused.value.exit_code == 78
