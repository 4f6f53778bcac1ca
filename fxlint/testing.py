"""``assert_traceable``: a project's own tests hold its models to the verdict of ``fxlint trace``.

What is asked about is handed to the child process of ``fxlint trace`` and judged there, so the test process is neither traced in nor
changed. A target by name, a class and a function are imported by the child; a model that was built already is pickled, with its inputs.
"""

from __future__ import annotations

import argparse
import inspect
import os
import pickle
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType

from fxlint.base.errors import FxlintError, UsageError
from fxlint.verify.outcome import Trial, Verdict
from fxlint.verify.protocol import Limits, ModuleFile
from fxlint.verify.targets import Target

_HANDED = '''"""{what}, handed over by a test."""
import pickle


def {name}():
    with open({path!r}, "rb") as file:
        return pickle.load(file)
'''


def assert_traceable(
    model: object,
    inputs: object = None,
    *,
    inputs2: object = None,
    leaf: Sequence[str] = (),
    timeout: float = 120.0,
    memory: int = 8192,
) -> None:
    """Fail unless ``torch.fx.symbolic_trace(model)`` works as the code stands and computes what the model computes.

    ``model``: a built module; a class that needs no arguments, or a function (one that needs no arguments and returns a module builds
    it, any other is traced itself); or a target as ``fxlint trace`` takes it: "module:factory", "path.py:Class", or a name of
    ``[tool.fxlint.models]``.
    ``inputs``: the arguments to compare with: one value, a tuple of positional ones, a dict of named ones, or a pair of both. None: what
    ``inputs()`` beside the target returns; without it, nothing is compared and it is enough that the model traces. ``inputs2``: the same,
    with tensors of another shape.
    ``leaf``: classes whose modules stay whole. ``timeout`` in seconds and ``memory`` in MiB (0: no limit) hold for each run of the child.

    Raises AssertionError with the report of ``fxlint trace``; FxlintError where nothing can be said: the model cannot be handed over,
    imported, built or run, its process died, or torch is missing.
    """
    __tracebackhide__ = True
    trial = trial_of(model, inputs, inputs2=inputs2, leaf=leaf, limits=Limits(seconds=timeout, memory=memory))
    if problem := failure_of(trial):
        raise AssertionError(problem)


def trial_of(model: object, inputs: object, *, inputs2: object, leaf: Sequence[str], limits: Limits) -> Trial:
    """All that ``fxlint trace`` finds out about ``model``; the arguments are those of ``assert_traceable``. Raises FxlintError."""
    from fxlint.cli.trace import Wanted, examine, static_request
    from fxlint.registry import load

    registry = load()
    with tempfile.TemporaryDirectory(prefix="fxlint-handed-") as folder:
        target, is_readable = _target(model, Path(folder))
        asked = Wanted(
            target=target,
            request=static_request(target, _configured(), registry) if is_readable else None,
            inputs=_inputs(inputs, inputs2, Path(folder)),
            leaf_classes=tuple(leaf),
            unsafe=False,
            limits=limits,
            python=sys.executable,
            module_files=_module_files(),
        )
        trial = examine(asked, registry)
    if trial.plain.judged.verdict is Verdict.UNUSABLE:
        raise FxlintError(f"{target.text}: {trial.plain.judged.line}")
    return trial


def failure_of(trial: Trial) -> str:
    """The report on a model that does not trace as it is, or computes something else; "" for one that is right."""
    from fxlint.cli.trace import traces_alone
    from fxlint.report import trial_text
    from fxlint.report.colours import Paint

    if traces_alone(trial.plain):
        return ""
    errors = "".join(f"fxlint: {line}\n" for line in trial.errors)
    return trial_text.render(trial, os.getcwd(), Paint()) + errors


def _configured() -> argparse.Namespace:
    """The options of a command line that leaves all to the configuration file."""
    return argparse.Namespace(torch_version=None, config=[], isolated=False)


def _target(model: object, folder: Path) -> tuple[Target, bool]:
    """What the child builds, and whether its source can be read by the static half."""
    from fxlint import config
    from fxlint.verify.targets import resolve

    if isinstance(model, str):
        file = config.find(Path.cwd())
        models = {} if file is None else dict(config.load(file).models)
        return resolve(model, models, Path.cwd(), tuple(sys.path)), True
    path = _source(model if isinstance(model, (type, FunctionType)) else type(model))
    if isinstance(model, (type, FunctionType)):
        if not path or "<" in model.__qualname__:
            raise UsageError(f"{model.__qualname__} cannot be imported by another process: define it at the top level of a file")
        text = f"{model.__module__}.{model.__qualname__}"
        return Target(text, model.__module__, False, model.__qualname__, path, _root(path, model), _search_path()), True
    kind = type(model)
    made = _hand_over(model, "make", "The model", folder)
    return Target(kind.__qualname__, str(made), True, "", path or str(made), _root(path, kind), _search_path()), bool(path)


def _source(model: type | FunctionType) -> str:
    """The file of the user's that defines ``model``, "" where there is none: torch's own classes are not the user's."""
    if model.__module__.partition(".")[0] == "torch":
        return ""
    try:
        return os.path.realpath(inspect.getsourcefile(model) or "")
    except TypeError:
        return ""


def _root(path: str, model: type | FunctionType) -> str:
    """``model`` as ``--root`` takes it: its module by where the file stands, for pytest loads test files under names of its own."""
    from fxlint.verify.load import module_name

    return f"{module_name(Path(path))[0]}.{model.__qualname__}" if path else ""


def _hand_over(value: object, name: str, what: str, folder: Path) -> Path:
    """A file that defines a function ``name`` which returns a copy of ``value``."""
    stored, file = folder / f"{name}.pickle", folder / f"fxlint_handed_{name}.py"
    try:
        stored.write_bytes(pickle.dumps(value))
    except Exception as error:  # any __reduce__ of the user's may fail in its own way
        hint = "define its classes at the top level of a file, or give a function that builds it"
        raise UsageError(f"{what.lower()} cannot be handed to a process of its own: {' '.join(str(error).split())}; {hint}") from error
    file.write_text(_HANDED.format(what=what, name=name, path=str(stored)), encoding="utf-8")
    return file


def _inputs(first: object, second: object, folder: Path) -> str:
    """The inputs as ``--inputs`` names them, "" for none. Raises UsageError for a second shape without a first."""
    if first is None:
        if second is not None:
            raise UsageError("inputs2 goes with inputs")
        return ""
    file = _hand_over(first, "inputs", "The inputs", folder)
    if second is not None:
        other = _hand_over(second, "inputs2", "The inputs of another shape", folder)
        file.write_text(file.read_text("utf-8") + "\n\n" + other.read_text("utf-8").partition("\n\n\n")[2], encoding="utf-8")
    return f"{file}:inputs"


def _search_path() -> tuple[str, ...]:
    return tuple(os.path.abspath(folder) for folder in sys.path)


def _module_files() -> tuple[ModuleFile, ...]:
    """The modules of this process that come from files outside folders of installed packages and Python's own."""
    own = os.path.dirname(os.__file__) + os.sep
    found = ((name, getattr(module, "__file__", None)) for name, module in sorted(sys.modules.items()))
    return tuple(
        ModuleFile(name, os.path.realpath(path))
        for name, path in found
        if isinstance(path, str) and path.endswith(".py") and name != "__main__" and not path.startswith(own) and "-packages" not in path
    )
