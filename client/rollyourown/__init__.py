"""The installed package: its folders `client`, `replays`, `server` and `protocol` are the ones that get imported.

An installation has this one top-level name, so other distributions and folders may be called `server` or `protocol`
too. The code says `import server`; the search path decides which one that is, and here ours comes first.
"""

import sys
from os.path import abspath, dirname, isdir, join  # PERF: `ryo --help` does not import pathlib

_HERE = dirname(abspath(__file__))
# Installed, the four folders lie inside this one. In the repository this folder lies inside one of them.
_FOLDERS = _HERE if isdir(join(_HERE, "server")) else dirname(dirname(_HERE))
sys.path.insert(0, _FOLDERS)
