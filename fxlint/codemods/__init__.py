"""The repairs as codemods of libcst's own tool: ``python -m libcst.tool codemod --no-format -x fxlint.codemods.fix.FixCommand PATH``."""
