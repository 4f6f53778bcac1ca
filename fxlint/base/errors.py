"""What can go wrong outside the code being read: each becomes one line on stderr and exit code 2."""

from __future__ import annotations


class FxlintError(Exception):
    """Anything that the command line turns into one clear line and exit code 2. The text names the file or option at fault."""


class UsageError(FxlintError):
    """A wrong option, path, code or target."""


class ConfigError(FxlintError):
    """A configuration file that cannot be used."""


class ReadError(FxlintError):
    """A file that cannot be read, decoded or parsed; the driver turns it into a TFX001 finding at ``row`` (1-based)."""

    def __init__(self, message: str, row: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.row = row
        self.column = column
