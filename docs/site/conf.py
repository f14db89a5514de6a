"""The documentation site: ./dev docs. Sphinx reads the Markdown where it stands, so links between pages are the same here, in
an editor and on a code host. The source folder is the root of the repository, since README.md, ARCHITECTURE.md and others
belong to it."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

project = "freeplay"
author = "the freeplay authors"
copyright = "the freeplay authors, Apache License 2.0"
version = release = re.search(r"project\(freeplay VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]

extensions = ["myst_parser", "katex", "offline_theme", "repository_pages"]
root_doc = "docs/README"
include_patterns = ["*.md", "docs/**.md"]
# Folders without pages are left out by name: Sphinx would walk through all of a build folder to find that out.
# README.md is for those who arrive at the repository: here docs/README.md takes its place.
exclude_patterns = ["README.md", ".*", "build*", "results", "**/node_modules", "apps", "bench", "examples", "freeplay", "python", "tests",
                    "docs/site"]  # fmt: skip

# ---- Markdown --------------------------------------------------------------------------------------------------------

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4  # links to headings, as code hosts make them
myst_dmath_double_inline = True
suppress_warnings = [
    "myst.header",  # a table of contents that starts deeper than its page
    "toc.circular",
]
highlight_language = "none"  # an indented block is a formula or a command as often as a program

# ---- HTML ------------------------------------------------------------------------------------------------------------

html_theme = "furo"
html_title = f"freeplay {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # the search would fetch the pages it found, which browsers refuse for files
pygments_style = "tango"
pygments_dark_style = "monokai"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072B2", "color-brand-content": "#00639C"},
    "dark_css_variables": {"color-brand-primary": "#56B4E9", "color-brand-content": "#7CC6EF"},
    "sidebar_hide_name": False,
}
