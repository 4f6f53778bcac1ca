"""``python -m fxlint`` and the ``fxlint`` script."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line on ``sys.argv``; answers the exit code (0 nothing to report, 1 findings, 2 error)."""
    from fxlint.cli.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
