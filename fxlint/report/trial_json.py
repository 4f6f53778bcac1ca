"""What ``fxlint trace`` found out, as one JSON object.

``target``, ``verdict`` (of the run that decides), ``runs`` (``title``, ``verdict``, ``line``, ``notes``, ``report``: the child's report
field by field, or null where it died), ``repairs`` (``fixes``, ``leaf_classes``, ``refuted``, ``left``, ``files``: the repaired
texts), ``elsewhere``
(the class that was read for the predictions where the project of the target does not define it, or null) and ``lines`` (``fate``,
``filename``, ``row``, ``code``, ``fact``).
"""

from __future__ import annotations

import json

from fxlint.report.names import shown
from fxlint.verify.codec import encode
from fxlint.verify.outcome import Run, Trial
from fxlint.verify.runner import Reported


def render(trial: Trial, base: str) -> str:
    """The document, with a line end."""
    document = {
        "target": trial.target,
        "verdict": trial.final.judged.verdict.value,
        "runs": [_run(run) for run in (trial.plain, trial.repaired) if run is not None],
        "repairs": {
            "fixes": [{"message": fix.message, "applicability": fix.safety.value} for fix in trial.repairs.fixes],
            "leaf_classes": list(trial.repairs.leaf_classes),
            "refuted": [fix.message for fix in trial.repairs.refuted],
            "left": [{"code": f.code, "filename": shown(f.path, base), "row": f.row} for f in trial.repairs.left],
            "files": [{"filename": shown(path, base), "text": text} for path, text in sorted(trial.repairs.texts.items())],
        },
        "elsewhere": None if trial.elsewhere is None else trial.elsewhere.name,
        "lines": [
            {
                "fate": line.fate.value,
                "filename": shown(line.path, base) if line.path else None,
                "row": line.row or None,
                "code": None if line.finding is None else line.finding.code,
                "fact": line.fact,
            }
            for line in trial.lines
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _run(run: Run) -> dict[str, object]:
    return {
        "title": run.title,
        "verdict": run.judged.verdict.value,
        "line": run.judged.line,
        "notes": list(run.judged.notes),
        "report": encode(run.outcome.report) if isinstance(run.outcome, Reported) else None,
    }
