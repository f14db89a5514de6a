"""Objects of Python as the text of a model file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Union

from . import _core
from ._errors import UsageError

Value = Union[str, float, int, bool, None, Sequence[Any], Mapping[str, Any]]

# A text that YAML reads as itself: no character that means something else to it, and none at its ends.
_PLAIN = re.compile(r"[A-Za-z0-9_.+(/\-][A-Za-z0-9_.+*/^()\- ]*")
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "~"}


def scalar(value: Any) -> str:
    """A number, a word or a quantity such as "0.5 mm"."""
    if value is None:
        return "~"
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return "true" if value else "false"
    if isinstance(value, str):
        is_plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS and value == value.strip()
        return value if is_plain and not value.startswith("- ") else json.dumps(value, ensure_ascii=False)
    if isinstance(value, int) or hasattr(value, "__index__"):
        return str(int(value))
    if hasattr(value, "__float__"):
        return repr(float(value))  # all digits: the file would give the same number
    raise UsageError(f"a model file has no place for {value!r}\n    hint: give a number, a text, a list or a dict")


def flow(value: Value) -> str:
    """On one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist") and getattr(value, "ndim", 0) > 0:
        items = value.tolist() if hasattr(value, "tolist") else value  # type: ignore[union-attr]
        return "[" + ", ".join(flow(item) for item in items) + "]"
    return scalar(value)


def document(data: Mapping[str, Any], indent: str = "") -> str:
    """Mappings as blocks, down to those without mappings inside; so a message can name the line of an element."""
    lines = []
    for key, value in data.items():
        if isinstance(value, Mapping) and any(isinstance(item, (Mapping, list, tuple)) for item in value.values()):
            lines.append(f"{indent}{scalar(key)}:\n{document(value, indent + '  ')}")
        else:
            lines.append(f"{indent}{scalar(key)}: {flow(value)}\n")
    return "".join(lines)


def overrides(*given: Mapping[str, Value] | None) -> list[str]:
    """The texts of --set."""
    for each in given:
        if each is not None and not isinstance(each, Mapping):
            raise UsageError(f"{each!r} names no values\n    hint: write c='0.5 mm' or {{'simulate.step': '1 us'}}")
    return [f"{key}={value if isinstance(value, str) else flow(value)}" for each in given if each for key, value in each.items()]


def linspace(begin: str | float, end: str | float, count: int) -> list[str]:
    """`count` quantities from `begin` to `end`, both included: linspace("0.1 mm", "2 mm", 20).

    The texts have the unit of both ends, or SI units where these differ; they can be used wherever a model takes a
    quantity.
    """
    if count < 1:
        raise UsageError(f"{count} is not a number of values\n    hint: give at least 1")
    (a, unit), (b, other) = _split(begin), _split(end)
    if unit != other:
        (a, unit), (b, other) = _core.quantity(str(begin)), _core.quantity(str(end))
        unit, other = ("" if u == "1" else u for u in (unit, other))
    if unit != other:
        raise UsageError(f"'{begin}' and '{end}' are not of one kind: {unit or 'a number'} and {other or 'a number'}")
    steps = max(count - 1, 1)
    values = [a + (b - a) * i / steps for i in range(count)]
    if count > 1:
        values[-1] = b
    return [f"{value!r} {unit}".strip() for value in values]


def _split(text: str | float) -> tuple[float, str]:
    """Number and unit."""
    match = re.fullmatch(r"\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*(.*?)\s*", str(text))
    if not match:
        value, unit = _core.quantity(str(text))
        return value, "" if unit == "1" else unit
    return float(match.group(1)), match.group(2)
