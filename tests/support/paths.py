"""Where things stand in the repository."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GOLDEN = ROOT / "tests" / "golden"

REAL_HANDS = Path(os.environ.get("RYO_REAL_HANDS") or ROOT.parent / "shared" / "hands" / "real.phhs")
"""255 hands of 16 sites; they are not ours to publish and no part of the repository."""
