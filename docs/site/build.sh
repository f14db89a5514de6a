#!/usr/bin/env bash
# build.sh FOLDER: the site in FOLDER/site. Fails on broken links, missing pictures and wrong formulas.
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
rm -rf "$folder"  # a page that is gone must not stay
# Debian's Python has Sphinx; another one that comes first in PATH has not.
/usr/bin/python3 -m sphinx -W --keep-going -q -c docs/site -d "$folder/cache" -b html . "$folder/site"
/usr/bin/python3 docs/site/check_site.py "$folder/site"
