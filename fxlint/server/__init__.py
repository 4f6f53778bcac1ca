"""The language server behind ``fxlint server``: what ``fxlint check`` says, in an editor, on text that is not saved yet.

Imported only when the command is used: pygls and lsprotocol come with ``fxlint[server]``.

``documents`` says what is open and what the analysis found there; ``positions``, ``diagnostics``, ``actions`` and ``hover`` turn that into
what the protocol wants, as plain functions; ``app`` alone talks to the editor and holds what changes.
"""
