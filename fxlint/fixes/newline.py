"""Line ends of inserted text."""

from __future__ import annotations


def newline_of(text: str) -> str:
    """The line end that a new line of ``text`` gets: that of its first line, or ``\\n`` where it has none."""
    feed, ret = text.find("\n"), text.find("\r")
    if ret != -1 and (feed == -1 or ret < feed):
        return "\r\n" if feed == ret + 1 else "\r"
    return "\n"
