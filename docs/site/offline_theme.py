"""Debian's Furo expects a web server: its script is a module that imports another one, which browsers refuse for files, and
its style imports /javascript/normalize.css. Here both become plain files, so that the site opens from disk. Its style has also
lost the colours of a browser that asks for a dark page."""

import re
from pathlib import Path

from sphinx.errors import ExtensionError

NORMALIZE = Path("/usr/share/javascript/normalize.css/normalize.css")


def replace_line(path, start, replacement):
    """Replaces the first line of `path`, which must begin with `start`."""
    first, _, rest = path.read_text().partition("\n")
    if not first.startswith(start):
        raise ExtensionError(f"{path.name} does not begin with '{start}': is this another version of Furo?")
    path.write_text(replacement + "\n" + rest)


def add_dark_colours(path):
    """Gives a reader whose system is dark the colours of the button for dark."""
    css = path.read_text()
    if "prefers-color-scheme" in css:
        return
    dark = re.search(r'body\[data-theme="dark"\] \{(.*?)\}', css, re.DOTALL)
    if not dark:
        raise ExtensionError(f"{path.name} has no dark colours: is this another version of Furo?")
    condition = "screen and (prefers-color-scheme: dark)"
    path.write_text(f'{css}\n@media {condition} {{\n  body:not([data-theme="light"]) {{{dark[1]}}}\n}}\n')


def mend(app, error):
    if error is not None or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    scroll_spy = static / "scripts" / "gumshoe-patched.js"  # defines window.Gumshoe where there are no modules
    replace_line(static / "scripts" / "furo.js", "import Gumshoe from", scroll_spy.read_text())
    replace_line(static / "styles" / "furo.css", "@import url(/javascript/normalize.css", NORMALIZE.read_text())
    add_dark_colours(static / "styles" / "furo.css")


def setup(app):
    app.connect("build-finished", mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
