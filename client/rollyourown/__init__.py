"""The installed package: its folders `client`, `replays`, `server` and `protocol` are the ones that get imported.

An installation has this one top-level name, so other distributions and folders may be called `server` or `protocol`
too. The code says `import server`; the search path decides which one that is, and here ours comes first.
"""

import sys
from pathlib import Path

_HERE = Path(__file__).absolute().parent
# Installed, the four folders lie inside this one. In the repository this folder lies inside one of them.
_FOLDERS = _HERE if (_HERE / "server").is_dir() else _HERE.parents[1]
sys.path.insert(0, str(_FOLDERS))
