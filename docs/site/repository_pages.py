"""What the Markdown leaves to the reader's code host, the site must do itself: links to files and folders of the repository
(a model, a test) lead to pages that show them, and the navigation is made from the links of the index pages, so that the
Markdown needs no directive that only Sphinx understands."""

import html
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

LANGUAGES = {".yaml": "yaml", ".yml": "yaml", ".cpp": "cpp", ".h": "cpp", ".py": "python", ".cmake": "cmake",
             ".json": "json", ".ts": "typescript", ".sh": "bash"}  # fmt: skip

# Caption of the sidebar, pages that come first; the pages of `folder` that are not named follow in alphabetical order.
NAVIGATION = [
    ("Start", None, ["docs/guide/quick_start", "docs/tutorial/slider_crank"]),
    ("Guide", "docs/guide", ["docs/guide/model_file", "docs/guide/plots", "docs/guide/view", "docs/guide/events",
                             "docs/guide/compare", "docs/guide/warnings"]),
    ("Examples", None, ["docs/examples/README"]),
    ("Reference", "docs/reference", ["docs/reference/model_file", "docs/reference/expressions", "docs/reference/command",
                                     "docs/reference/channels", "docs/reference/result_file"]),
    ("Theory", "docs/theory", ["docs/theory/mechanism", "docs/theory/contact", "docs/theory/time_stepping",
                               "docs/theory/solvers"]),
    ("Development", None, ["docs/develop/README", "ARCHITECTURE", "NOTATION", "CONTRIBUTING", "CHANGELOG"]),
]  # fmt: skip

# Pages below an index page, in the order of its links; unlinked ones of its folder follow.
INDEX_PAGES = ["docs/examples/README", "docs/develop/README"]

MARKDOWN_LINK = re.compile(r"\]\(([^)#:\s]+\.md)(?:#[^)\s]*)?\)")


def toctree(pages, caption=None):
    options = [":hidden:"] + ([f":caption: {caption}"] if caption else [])
    return "\n".join(["", "```{toctree}", *options, "", *(f"/{page}" for page in pages), "```", ""])


def in_folder(env, folder):
    return sorted(page for page in env.found_docs if page.rpartition("/")[0] == folder and not page.endswith("/README"))


def add_navigation(app, docname, source):
    env = app.env
    if docname == app.config.root_doc:
        named = {page for _, _, pages in NAVIGATION for page in pages}
        for caption, folder, first in NAVIGATION:
            rest = [page for page in in_folder(env, folder) if page not in named] if folder else []
            source[0] += toctree([page for page in first if page in env.found_docs] + rest, caption)
    elif docname in INDEX_PAGES:
        folder = docname.rpartition("/")[0]
        linked = [f"{folder}/{target[:-3]}" for target in MARKDOWN_LINK.findall(source[0])]
        pages = in_folder(env, folder)
        ordered = sorted(pages, key=lambda page: linked.index(page) if page in linked else len(linked))
        source[0] += toctree(ordered)


# ---- Anchors ---------------------------------------------------------------------------------------------------------


def find_anchors(app, doctree):
    """`<a id="name"></a>` can be linked to as page.md#name, as on code hosts."""
    domain, docname = app.env.get_domain("std"), app.env.docname
    for raw in doctree.findall(nodes.raw):
        for name in re.findall(r'<a (?:id|name)="([^"]+)">', raw.astext()):
            label = f"{docname}.md#{name}"
            domain.anonlabels[label] = docname, name
            domain.labels[label] = docname, name, name


# ---- Files and folders -----------------------------------------------------------------------------------------------


def page_of(path):
    return f"source/{path}"


def show_repository_files(app, doctree):
    """Links to files that are no pages, and to folders, become links to pages that `collect_pages` makes."""
    env = app.env
    docname, root = env.docname, Path(app.srcdir)
    wanted = env.repository_paths[docname] = set()
    links = [*doctree.findall(addnodes.download_reference), *doctree.findall(addnodes.pending_xref)]
    for node in links:
        if node["reftype"] != "myst" or "#" in node["reftarget"]:
            continue
        path = (root / docname).parent.joinpath(node["reftarget"]).resolve()
        if root not in path.parents or path.suffix == ".md" or not path.exists():
            continue  # Sphinx finds the page, or warns
        name = path.relative_to(root).as_posix()
        if path.is_dir() and (path / "README.md").exists():
            target = f"{name}/README"
        else:
            target = page_of(name)
            wanted.add(name)
        uri = app.builder.get_relative_uri(docname, target)
        node.replace_self(nodes.reference("", "", *node.children, internal=True, refuri=uri))


def code_page(app, name):
    path = Path(app.srcdir, name)
    text = path.read_text(encoding="utf-8", errors="replace")
    language = "cmake" if path.name == "CMakeLists.txt" else LANGUAGES.get(path.suffix, "none")
    if text.startswith("#!") and "bash" in text[:40]:
        language = "bash"
    code = app.builder.highlighter.highlight_block(text, language)
    return f"<h1><code>{html.escape(name)}</code></h1>\n{code}"


def folder_page(app, name):
    folder = Path(app.srcdir, name)
    files = sorted(path.name for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    items = "".join(f'<li><a href="{html.escape(folder.name)}/{html.escape(file)}.html"><code>{html.escape(file)}</code></a></li>'
                    for file in files)  # fmt: skip
    return f"<h1><code>{html.escape(name)}/</code></h1>\n<ul>{items}</ul>", [f"{name}/{file}" for file in files]


def collect_pages(app):
    wanted = set().union(*app.env.repository_paths.values())
    files = {name for name in wanted if Path(app.srcdir, name).is_file()}
    for name in sorted(wanted - files):
        body, members = folder_page(app, name)
        files.update(members)
        yield page_of(name), {"title": f"{name}/", "body": body}, "page.html"
    for name in sorted(files):
        yield page_of(name), {"title": name, "body": code_page(app, name)}, "page.html"


def forget(app, env, docname):
    env.repository_paths.pop(docname, None)


def start(app):
    if not hasattr(app.env, "repository_paths"):
        app.env.repository_paths = {}


def write_index(app, error):
    """The first page is docs/README.html; a folder is opened by its index.html."""
    if error is None and app.builder.format == "html":
        target = app.builder.get_target_uri(app.config.root_doc)
        Path(app.outdir, "index.html").write_text(
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>freeplay</title>\n'
            f'<meta http-equiv="refresh" content="0; url={target}"></head>\n'
            f'<body><a href="{target}">The documentation of freeplay</a></body></html>\n'
        )


def setup(app):
    app.connect("builder-inited", start)
    app.connect("env-purge-doc", forget)
    app.connect("source-read", add_navigation)
    app.connect("doctree-read", find_anchors)
    app.connect("doctree-read", show_repository_files)
    app.connect("html-collect-pages", collect_pages)
    app.connect("build-finished", write_index)
    return {"parallel_read_safe": False, "parallel_write_safe": False}
