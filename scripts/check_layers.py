#!/usr/bin/env python3
"""Checks the layers of the project: what may include what (ARCHITECTURE.md).

usage: check_layers.py [ROOT]

1. An #include "freeplay/<layer>/..." points downward or stays within its folder; folders of one level do not see
   each other.
2. A third-party library that is not part of freeplay's interface is included below one folder only, and there in
   sources and private headers: no file outside that folder may get it through a header.
3. <Eigen/Sparse> and its parts stay out of headers: they double the compile time of whoever includes them.
4. What a file of a layer declares stands in the layer's own namespace, freeplay::<layer>, so that one word can be used
   in two layers; every header includes another one of freeplay, freeplay/core/layers.h at least, which says who sees
   whom.
5. freeplay/freeplay.h gathers names of all layers in the namespace freeplay, for users of the library. No file of freeplay
   itself includes it.

Prints one line "file:line: what is wrong" per violation. Exit status: 0 clean, 1 violations, 2 nothing to check.
"""

import re
import sys
from pathlib import Path

LEVELS = {
    "core": 0,
    "math": 1,
    "geometry": 2,
    "complementarity": 2,
    "mechanism": 3,
    "contact": 4,
    "integrators": 5,
    "simulation": 6,
    "model": 7,
    "io": 8,
    "compile": 8,
    "report": 9,
    "study": 10,
}
LAYERS_HEADER = "freeplay/core/layers.h"
USERS_HEADER = "freeplay/freeplay.h"  # sees every layer, and no file of freeplay includes it
APPS = "apps"  # sees every layer, and no layer sees it

# Library: (its headers, the one folder that may include them).
LIBRARIES = {
    "HDF5": (re.compile(r"hdf5(_hl)?\.h|H5\w*\.h|highfive/.*"), "io"),
    "yaml-cpp": (re.compile(r"yaml-cpp/.*"), "io"),
    "assimp": (re.compile(r"assimp/.*"), "io"),
    "SUNDIALS": (
        re.compile(r"(arkode|cvodes?|idas?|kinsol|nvector|sundials|sunlinsol|sunmatrix|sunnonlinsol)/.*"),
        "integrators",
    ),
    "zlib": (re.compile(r"zlib\.h"), "report"),
    "pybind11": (re.compile(r"pybind11/.*|Python\.h"), "python"),  # beside the layers, in python/ alone
    "MPI": (re.compile(r"mpi\.h"), "apps"),
    "CUDA": (re.compile(r"(cuda|cublas|cusolver|cusparse|curand)\w*\.h|(cub|thrust|cooperative_groups)/.*"), "batch"),
}
EIGEN_SPARSE = re.compile(r"Eigen/(Sparse\w*|OrderingMethods|IterativeLinearSolvers|\w+Support)")

NAMESPACE = re.compile(r"^(?:inline )?namespace(?: ([\w:]+))?\s*\{")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def includes(path):
    """(line number, included path) of every #include directive."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if match := INCLUDE.match(line):
            yield number, match.group(1)


def foreign_namespaces(path, folder):
    """(line number, name) of every namespace opened at the left margin that is not the folder's own."""
    own = f"freeplay::{'app' if folder == APPS else folder}"
    inside = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not (match := NAMESPACE.match(line)):
            continue
        name = match.group(1)
        if name is not None and name.startswith("freeplay"):
            inside = True
            if name != own and not name.startswith(own + "::"):
                yield number, name
        elif not inside:
            yield number, name or "an unnamed one"


def folder_of(file):
    """The layer of a path relative to the root, e.g. "math" of freeplay/math/dimension.h."""
    parts = Path(file).parts
    return APPS if parts[0] == "apps" else parts[1] if len(parts) > 2 else "freeplay"


def is_header(file):
    return Path(file).suffix in {".h", ".hpp", ".cuh"}


def violations_of_users_header(root, lines, included, libraries_reached):
    """Names come from the layers by using-declarations: one namespace, freeplay, and no libraries."""
    for number, line in enumerate((root / USERS_HEADER).read_text(encoding="utf-8").splitlines(), start=1):
        if (match := NAMESPACE.match(line)) and match.group(1) != "freeplay":
            yield USERS_HEADER, number, f"namespace {match.group(1)}: only freeplay itself is opened here"
    for line, target in lines:
        if not target.startswith("freeplay/"):
            yield USERS_HEADER, line, f"includes <{target}>: it gathers names of the layers only"
        elif target not in included:
            yield USERS_HEADER, line, f"{target} does not exist"
        for library in sorted(libraries_reached(target, set())):
            yield USERS_HEADER, line, f"gets {library} through {target}: that header must not include it"


def find_violations(root):
    suffixes = {".h", ".hpp", ".cpp", ".cu", ".cuh"}
    paths = sorted(p for top in ("freeplay", "apps") for p in (root / top).rglob("*") if p.suffix in suffixes)
    included = {str(p.relative_to(root)): list(includes(p)) for p in paths}

    # header -> libraries that whoever includes it gets, directly or through other headers
    def libraries_reached(file, seen):
        if file in seen:
            return set()
        seen.add(file)
        reached = set()
        for _, target in included.get(file, []):
            reached |= {name for name, (pattern, _) in LIBRARIES.items() if pattern.fullmatch(target)}
            reached |= libraries_reached(target, seen)
        return reached

    for file, lines in included.items():
        folder = folder_of(file)
        if file == USERS_HEADER:
            yield from violations_of_users_header(root, lines, included, libraries_reached)
            continue
        if folder != APPS and folder not in LEVELS:
            yield file, 1, f"the folder '{folder}' is no layer; scripts/check_layers.py has their list"
            continue
        if file != LAYERS_HEADER:
            for line, name in foreign_namespaces(root / file, folder):
                yield file, line, f"namespace {name}: what stands in {folder} belongs in freeplay::{'app' if folder == APPS else folder}"
            if is_header(file) and folder != APPS and not any(target.startswith("freeplay/") for _, target in lines):
                yield file, 1, f"includes nothing of freeplay: include {LAYERS_HEADER}, which declares the namespaces"
        for line, target in lines:
            if target.startswith("apps/") and folder != APPS:
                yield file, line, f"{folder} includes {target}: no layer sees the applications"
            if target == USERS_HEADER:
                yield file, line, f"{target} is for users of the library: include the headers of the layers"
            elif target.startswith("freeplay/"):
                other = folder_of(target)
                if target not in included:
                    yield file, line, f"{target} does not exist"
                    continue
                upward = folder not in (APPS, other) and LEVELS.get(other, 99) >= LEVELS[folder]
                if upward:
                    yield file, line, f"{folder} (layer {LEVELS[folder]}) includes {target} (layer {LEVELS.get(other)})"
                for library in sorted(libraries_reached(target, set())):
                    if folder != LIBRARIES[library][1]:
                        yield file, line, f"gets {library} through {target}: that header must not include it"
            elif folder != APPS and (root / file).parent.joinpath(target).exists():
                yield file, line, f'write the path from the root, not "{target}"'
            for library, (pattern, home) in LIBRARIES.items():
                if pattern.fullmatch(target) and folder != home:
                    yield file, line, f"{library} belongs to freeplay/{home} alone"
            if is_header(file) and EIGEN_SPARSE.fullmatch(target):
                yield file, line, f"<{target}> in a header: keep it in a source file"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    if not (root / "freeplay").is_dir():
        print(f"{root} has no folder freeplay/", file=sys.stderr)
        return 2
    violations = list(find_violations(root))
    for file, line, message in violations:
        print(f"{file}:{line}: {message}")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
