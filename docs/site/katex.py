"""Formulas become HTML while the site is built: a page needs no script for them, and a formula with a mistake fails the build.

KaTeX is Debian's (libjs-katex); one node process serves all formulas of a build.
"""

import json
import shutil
import subprocess
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util import logging

KATEX = Path("/usr/share/javascript/katex")
logger = logging.getLogger(__name__)

# One request per line, one answer per line.
SERVER = """
const katex = require(process.argv[1]);
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {tex, displayMode} = JSON.parse(line);
  let answer;
  try {
    answer = {html: katex.renderToString(tex, {displayMode, strict: "error", throwOnError: true})};
  } catch (error) {
    answer = {error: String(error.message)};
  }
  process.stdout.write(JSON.stringify(answer) + "\\n");
});
"""


class Katex:
    process = None

    def render(self, tex, display):
        """Returns (html, None) or (None, what is wrong)."""
        if self.process is None:
            command = [shutil.which("node") or "node", "-e", SERVER, str(KATEX / "katex.min.js")]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(json.dumps({"tex": tex, "displayMode": display}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise ExtensionError("node, which renders the formulas, ended unexpectedly")
        answer = json.loads(line)
        return answer.get("html"), answer.get("error")

    def close(self, *_):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


katex = Katex()


def write(translator, node, display):
    html, error = katex.render(node.astext(), display)
    if error is not None:
        logger.warning("%s: %s", error, node.astext(), location=node)
        html = translator.encode(node.astext())
    if display:
        translator.body.append(f'<div class="math">{html}</div>\n')
    else:
        translator.body.append(f'<span class="math">{html}</span>')
    raise nodes.SkipNode


def copy_assets(app, error):
    katex.close()
    if error is not None or app.builder.format != "html":
        return
    target = Path(app.outdir, "_static", "katex")
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    shutil.copy(KATEX / "katex.min.css", target)
    for font in (KATEX / "fonts").glob("*.*"):
        shutil.copy(font, target / "fonts")


def setup(app):
    app.add_html_math_renderer("katex", (lambda t, n: write(t, n, False), None), (lambda t, n: write(t, n, True), None))
    app.config.html_math_renderer = "katex"
    app.add_css_file("katex/katex.min.css")
    app.connect("build-finished", copy_assets)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
