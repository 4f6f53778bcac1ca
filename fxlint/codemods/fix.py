"""``fxlint fix`` as commands of ``python -m libcst.tool codemod``, one file at a time.

The tool hands over one file and takes one back, so a repair that needs a second file is not applied here; ``fxlint fix`` does it.
"""

from __future__ import annotations

import argparse
import os

import libcst as cst
from libcst.codemod import CodemodCommand, CodemodContext, SkipFile

from fxlint.base.analysis import AnalysisSettings
from fxlint.base.errors import FxlintError
from fxlint.config import NEWEST_TORCH
from fxlint.driver import Request
from fxlint.registry import catalogue, load
from fxlint.selection import selection


class FixCommand(CodemodCommand):
    """Repair what torch.fx cannot trace, where the numbers surely stay the same."""

    DESCRIPTION = "Repair what torch.fx.symbolic_trace cannot trace, where the numbers surely stay the same."
    unsafe = False

    def __init__(self, context: CodemodContext, select: str = "", ignore: str = "") -> None:
        super().__init__(context)
        self.select = tuple(code for code in select.split(",") if code)
        self.ignore = tuple(code for code in ignore.split(",") if code)

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Declare --select and --ignore, as ``fxlint fix`` has them."""
        arg_parser.add_argument("--select", default="", metavar="CODES", help="code prefixes to repair, joined by commas (default: all)")
        arg_parser.add_argument("--ignore", default="", metavar="CODES", help="code prefixes to leave alone, joined by commas")

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """The repaired module; the very same one where there is nothing to repair. Raises SkipFile for one that cannot be analysed."""
        from fxlint.rounds import repair

        if self.context.filename is None:
            raise SkipFile("a file without a name cannot be analysed")
        path = os.path.abspath(self.context.filename)
        registry = load()
        codes = tuple(check.code for check in catalogue(registry))
        request = Request(
            files=(path,), selection=selection(self.select, self.ignore, codes),
            settings=AnalysisSettings(torch_version=NEWEST_TORCH), texts={path: tree.code}, fixes=True,
        )
        try:
            repaired = repair((request,), registry, lambda _: tree.code, unsafe=self.unsafe)
        except FxlintError as error:
            raise SkipFile(str(error)) from error
        for line in repaired.result.errors:
            self.warn(line)
        if path not in repaired.texts:
            return tree
        return cst.parse_module(repaired.texts[path], config=tree.config_for_parsing)


class UnsafeFixCommand(FixCommand):
    """As FixCommand, with repairs that may change numbers."""

    DESCRIPTION = "Repair what torch.fx.symbolic_trace cannot trace, also where numbers may change."
    unsafe = True
