"""Literals are read as Python reads them: ``ast.literal_eval`` is the judge."""

from __future__ import annotations

import ast
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fxlint.syntax import literals


def python(source: str) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.literal_eval(source)


def readable(source: str) -> bool:
    try:
        python(source)
    except (SyntaxError, ValueError):
        return False
    return True


@given(st.text())
def test_what_repr_writes(value: str) -> None:
    assert literals.string(repr(value)) == value


@given(st.binary())
def test_what_repr_writes_of_bytes(value: bytes) -> None:
    assert literals.string(repr(value)) == value


FRAGMENTS = ["\\", "n", "x41", "x4", "u00e9", "U0001F642", "N{BULLET}", "N{LATIN SMALL LETTER A}", "0", "12", "777", "8", "d", "'", '"']
FRAGMENTS += ["\n", "\r\n", "\r", "é", "{{", "{", "N"]


@given(
    st.sampled_from(["", "r", "R", "u", "b", "B", "rb", "bR", "Rb"]),
    st.sampled_from(["'", '"', "'''", '"""']),
    st.lists(st.sampled_from(FRAGMENTS), max_size=8),
)
def test_escapes_of_every_kind(prefix: str, quote: str, fragments: list[str]) -> None:
    source = prefix + quote + "".join(fragments) + quote
    if readable(source) and isinstance(python(source), str | bytes) and _is_one_token(source):
        assert literals.string(source) == python(source)


def _is_one_token(source: str) -> bool:
    import libcst as cst

    try:
        return isinstance(cst.parse_expression(source), cst.SimpleString)
    except cst.ParserSyntaxError:
        return False


@pytest.mark.parametrize("source", ["0", "00", "0_0", "1_000", "0xFF_ff", "0o17", "0B1_0", "12345678901234567890"])
def test_integers(source: str) -> None:
    assert literals.integer(source) == python(source)


@pytest.mark.parametrize("source", ["1.", ".5", "1e5", "1_0.0_1E-1_0", "1e999"])
def test_floats(source: str) -> None:
    assert literals.real(source) == python(source)


@pytest.mark.parametrize("source", ["1j", "1_0J", ".5e1j", "07j"])
def test_imaginary_numbers(source: str) -> None:
    assert literals.imaginary(source) == python(source)


def test_identifiers_are_normalised() -> None:
    assert literals.identifier("ｗｉｄｔｈ") == "width"
    assert literals.identifier("µ") == "μ"  # the micro sign is the Greek letter
    assert literals.identifier("größe") == "größe"
