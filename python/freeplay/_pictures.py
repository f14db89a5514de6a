"""Pages and plots, and how a notebook shows them."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import _core
from ._errors import UsageError


class Page:
    """A page that needs nothing else: `save` it, or let a notebook show it."""

    def __init__(self, text: str, height: int = 640):
        self.html = text
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> Path:
        Path(path).write_text(self.html, encoding="utf-8")
        return Path(path)

    def _repr_html_(self) -> str:
        # A document of its own within the notebook: neither sees the other's styles and scripts.
        return (
            f'<iframe srcdoc="{html.escape(self.html, quote=True)}" width="100%" height="{self.height}" '
            'style="border: 0" allowfullscreen></iframe>'
        )

    def __repr__(self) -> str:
        return f"<freeplay.Page of {len(self.html) / 1e6:.1f} MB>"


class Plot:
    """A picture: `data` are its bytes, `format` is svg, png or pdf."""

    def __init__(self, data: bytes, format: str):
        self.data = data
        self.format = format

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the picture, whose format was chosen when it was drawn."""
        if Path(path).suffix != f".{self.format}":
            raise UsageError(f"the picture is a {self.format}\n    hint: give a name that ends in .{self.format}")
        Path(path).write_bytes(self.data)
        return Path(path)

    def _repr_svg_(self) -> str | None:
        return self.data.decode("utf-8") if self.format == "svg" else None

    def _repr_png_(self) -> bytes | None:
        return self.data if self.format == "png" else None

    def __repr__(self) -> str:
        return f"<freeplay.Plot, {self.format} of {len(self.data) / 1e3:.0f} kB>"


def plot_of(results: Sequence[Path], labels: Sequence[str], channels: Sequence[str], options: dict[str, Any]) -> Plot:
    """One picture of one or several result files."""
    options = dict(options)
    format = options.pop("format", "svg")
    size = {name: options.pop(name) for name in ("width", "height") if name in options}
    request = _core.PlotRequest()
    request.channels = list(channels)
    for name, value in options.items():
        if not hasattr(request, name):
            known = ", ".join(each for each in dir(request) if not each.startswith("_"))
            raise UsageError(f"there is no option '{name}' of a plot\n    hint: available: {known}")
        if name in {"modes", "impacts", "blows", "forces"} and isinstance(value, bool):
            value = "" if value else None  # "": of all contacts
        setattr(request, name, [value] if isinstance(value, str) and name in _LISTS else value)
    return Plot(_core.plot(list(results), list(labels), request, format=format, **size), format)


_LISTS = {"orbits", "gaps", "bends", "snapshots", "spectra", "bearings"}
