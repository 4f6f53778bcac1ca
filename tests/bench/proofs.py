"""How many models that break, or are traced wrongly, ``fxlint trace`` repairs and verifies; whether what it verifies is equal.

    python -m tests.bench.proofs FOLDER [--only PART] [--jobs 1]

FOLDER holds one folder a case with ``model.py`` (``make()`` builds the model, ``inputs()`` and maybe ``inputs2()`` its arguments) and the
files that it imports. A case counts when ``symbolic_trace`` of the model raises or computes something else. What ends ``verified`` is
compared again by a process that shares no code with the package: it takes the repaired texts and leaf classes from the JSON report,
traces, and compares outputs (values, dtypes, whether they require gradients) in both modes with those of the untouched eager model.
Exit code 1: one differs.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

_OBSERVE = '''
import importlib.util, json, sys
import torch, torch.fx
folder, leaves, report, kept = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3]), sys.argv[4]
leaves += [report["kept_whole"]] if report["kept_whole"] else []
sys.path.insert(0, folder)
spec = importlib.util.spec_from_file_location("model", folder + "/model.py")
module = importlib.util.module_from_spec(spec)
sys.modules["model"] = module
spec.loader.exec_module(module)
class Tracer(torch.fx.Tracer):
    def is_leaf_module(self, m, name):
        names = {c.__qualname__ for c in type(m).__mro__} | {c.__module__ + "." + c.__qualname__ for c in type(m).__mro__}
        return bool(names & set(leaves)) or super().is_leaf_module(m, name)
def plain(value):
    if isinstance(value, torch.Tensor):
        return ("tensor", value.detach().clone(), str(value.dtype), value.requires_grad)
    if isinstance(value, dict):
        return ("dict", [(str(k), plain(v)) for k, v in value.items()])
    if isinstance(value, (list, tuple)):
        return ("seq", [plain(v) for v in value])
    if hasattr(value, "__dict__"):
        return ("object", plain(vars(value)))
    return ("value", repr(value))
def same(a, b):
    if a[0] != b[0]:
        return False
    if a[0] == "tensor":
        return a[2:] == b[2:] and a[1].shape == b[1].shape and torch.allclose(a[1], b[1], 1e-4, 1e-5, equal_nan=True)
    if a[0] == "dict":
        return [k for k, _ in a[1]] == [k for k, _ in b[1]] and all(same(v, w) for (_, v), (_, w) in zip(a[1], b[1]))
    if a[0] == "seq":
        return len(a[1]) == len(b[1]) and all(same(v, w) for v, w in zip(a[1], b[1]))
    return same(a[1], b[1]) if a[0] == "object" else a[1] == b[1]
def outputs(model):
    found = []
    modes = [model.training, not model.training]
    for mode, make, call in ((m, i, c) for m in modes for i in ("inputs", "inputs2") for c in range(2)):
            if hasattr(module, make):
                model.train(mode)
                torch.manual_seed(11)
                given = getattr(module, make)()
                args, kwargs = ((), given) if isinstance(given, dict) else (given, {}) if isinstance(given, tuple) else ((given,), {})
                torch.manual_seed(12)
                try:
                    found.append(plain(model(*args, **kwargs)))
                except Exception as problem:
                    found.append(("value", type(problem).__name__))
    return found
torch.manual_seed(3)
model = module.make()
if kept == "-":
    import inspect
    defaults = {n: p.default for n, p in inspect.signature(type(model).forward).parameters.items() if n in report["defaults"]}
    original = torch.load(folder + "/eager.pt", weights_only=False)
    for name, tensor in original["state"].items():
        there = dict(model.named_parameters()) | dict(model.named_buffers())
        if name in there and there[name].shape == tensor.shape:
            there[name].data.copy_(tensor)
    was = model.training
    root = model
    if report["wrapper"]:
        scope = {"__name__": "wrapper"}
        exec(report["wrapper"], scope)
        root = next(v for v in scope.values() if isinstance(v, type))(model)
    def traced(mode):
        root.train(mode)
        torch.manual_seed(99)
        tracer = Tracer()
        graph = tracer.trace(root, defaults or None)
        return torch.fx.GraphModule(tracer.root, graph)
    class Both(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = traced(True), traced(False)
        def forward(self, *args, **kwargs):
            return (self.a if self.training else self.b)(*args, **kwargs)
    got = outputs((Both() if report["both_modes"] else traced(was)).train(was))
    print("same" if all(same(a, b) for a, b in zip(original["outputs"], got)) else "differs")
else:
    state = {n: t.detach().clone() for n, t in [*model.named_parameters(), *model.named_buffers()]}
    torch.save({"outputs": outputs(model), "state": state}, kept)
'''


@dataclass(frozen=True, slots=True)
class Case:
    """One case: the verdict on the text as it is, the one that decides, why, what was done, and what the comparison says ("" if none)."""

    name: str
    plain: str
    final: str
    line: str
    repairs: tuple[str, ...]
    compared: str
    hidden: int  # opaque calls of the final graph
    calls: int  # all its calls


def main(words: Sequence[str]) -> int:
    """Measure and tell; 1 where something verified differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="cases whose name holds this")
    parser.add_argument("--fixed", action="store_true", help="only cases that have a fixed.py: a repair is known to exist")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args(words)
    folders = [path.parent for path in sorted(args.folder.glob("*/model.py")) if args.only in path.parent.name]
    folders = [folder for folder in folders if not args.fixed or (folder / "fixed.py").exists()]
    with ThreadPoolExecutor(args.jobs) as pool:
        cases = [case for case in pool.map(tried, folders) if case.plain != "as it is"]
    for case in cases:
        say(f"{case.name}: {case.plain} -> {case.final} {case.compared} ({case.hidden} of {case.calls} calls opaque)")
        if case.final != "verified" or case.compared != "same":
            say(f"    {case.line}")
            for repair in case.repairs:
                say(f"    - {repair}")
    good = sum(case.final == "verified" for case in cases)
    wrong = sum(case.compared == "differs" for case in cases)
    say(f"{good} of {len(cases)} verified ({good / max(1, len(cases)):.0%}), {wrong} of them differ")
    return 1 if wrong else 0


def say(line: str) -> None:
    """Print at once: a run takes minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def tried(folder: Path) -> Case:
    """Trace one case on a copy, and compare what was verified."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "case"
        shutil.copytree(folder, copy)
        command = [sys.executable, "-m", "fxlint", "trace", "model.py", "--unsafe-fixes", "--isolated", "--output-format", "json"]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
        if not done.stdout.startswith("{"):
            return Case(folder.name, "unusable", "unusable", done.stderr.strip()[-300:], (), "", 0, 0)
        document = json.loads(done.stdout)
        first, last = document["runs"][0], document["runs"][-1]
        alone = first["verdict"] == "verified" and first["report"]["plain_failure"] is None
        last = first if document["verdict"] == first["verdict"] == "verified" else last
        repairs = [f"{fix['applicability']}: {fix['message']}" for fix in document["repairs"]["fixes"]]
        repairs += [f"leaf {name}" for name in document["repairs"]["leaf_classes"]]
        repairs += [f"left {left['code']} {left['filename']}:{left['row']}" for left in document["repairs"]["left"]]
        report = last["report"] or {}
        graph = report.get("graph") or {"calls": 0, "opaque": []}
        compared = ""
        if last["verdict"] == "verified" and not alone:
            compared = comparison(copy, document, report, last is not first)
        hidden = sum(one["count"] for one in graph["opaque"])
        plain = "as it is" if alone else first["verdict"]
        return Case(folder.name, plain, last["verdict"], last["line"], tuple(repairs), compared, hidden, graph["calls"])


def comparison(copy: Path, document: dict[str, object], report: dict[str, object], is_repaired: bool) -> str:
    """"same", "differs", or what went wrong, for the repaired texts against the eager outputs of the original ones."""
    repairs = document["repairs"]
    assert isinstance(repairs, dict)
    way = {key: report[key] for key in ("defaults", "wrapper", "kept_whole", "both_modes")}
    leaves = repairs["leaf_classes"] if is_repaired else []
    observe = [sys.executable, "-c", _OBSERVE, str(copy), json.dumps(leaves), json.dumps(way)]
    subprocess.run([*observe, str(copy / "eager.pt")], cwd=copy, capture_output=True, check=True)
    for file in repairs["files"] if is_repaired else []:
        (copy / file["filename"]).write_text(file["text"])
    done = subprocess.run([*observe, "-"], cwd=copy, capture_output=True, text=True, check=False)
    return done.stdout.strip() or f"differs: {done.stderr.strip()[-300:]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
