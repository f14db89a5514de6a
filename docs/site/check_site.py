#!/usr/bin/env python3
"""Checks a built site as a browser on a machine without a network would find it: every page, picture, script, style, font and
anchor that a page refers to is a file of the site.

usage: check_site.py FOLDER
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.resources = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.update(values[name] for name in ("id", "name") if values.get(name))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") in ("stylesheet", "icon", "shortcut icon", "preload"):
            self.resources.append(values["href"])
        elif tag in ("img", "script", "source", "iframe") and values.get("src"):
            self.resources.append(values["src"])


def references_of_style(path):
    return [url for url in re.findall(r"url\(\s*[\"']?([^\"')]+)", path.read_text(encoding="utf-8")) if not url.startswith("data:")]


def find_mistakes(root):
    pages = {path: Page(path) for path in sorted(root.rglob("*.html"))}
    for path, page in pages.items():
        for url in page.links + page.resources:
            parts = urlsplit(url)
            if parts.scheme or parts.netloc:
                if url in page.resources:
                    yield path, f"needs the network: {url}"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if parts.path.startswith("/") or not target.is_file():
                yield path, f"there is no {url}"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                yield path, f"there is no place {url}"
    for path in sorted(root.rglob("*.css")):
        for url in references_of_style(path):
            if urlsplit(url).scheme or url.startswith("/") or not (path.parent / urlsplit(url).path).is_file():
                yield path, f"there is no {url}"


def main():
    root = Path(sys.argv[1]).resolve()
    if not (root / "index.html").is_file():
        sys.exit(f"{root} has no index.html")
    mistakes = [f"{path.relative_to(root)}: {what}" for path, what in find_mistakes(root)]
    print("\n".join(mistakes))
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
