#!/usr/bin/env python3
"""clang-tidy over the library and the command. Usage: lint.py BUILD_FOLDER [FILE...]

BUILD_FOLDER has compile_commands.json. Without files all sources are read, those of one layer as one: their headers,
which take most of the time, are then read once per layer instead of once per source.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOL = "clang-tidy-14"
IN_ROOMS = "freeplay/geometry"  # room by room: its rooms use the same names
ALONE = {f"freeplay/geometry/{room}" for room in ("contours", "meshes", "pairs", "surfaces")}  # here even the sources do
# What only gcc knows, and warnings, which are the compiler's work.
NOT_FOR_CLANG = ("-W", "-fpch-preprocess", "--param", "-fno-tree")


def layer_of(source):
    """freeplay/contact/laws/x.cpp -> freeplay/contact; None for what is not linted."""
    parts = source.parts
    if parts[0] not in ("freeplay", "apps"):
        return None
    layer = "/".join(parts[:2])
    return "/".join(parts[:3]) if layer == IN_ROOMS else layer


def without_output(command, source):
    """The options of a compilation: no compiler, no output, no source."""
    words, options = command.split()[1:], []
    while words:
        word = words.pop(0)
        if word in ("-o", "-c"):
            words.pop(0)
        elif word != source and not word.startswith(NOT_FOR_CLANG):
            options.append(word)
    return [*options, "-w"]


def layers(build):
    """{layer: (sources, options)}; the options of a layer are those of all its sources."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if not source.is_relative_to(ROOT) or source.suffix != ".cpp":
            continue
        source = source.relative_to(ROOT)
        layer = layer_of(source)
        if layer is None:
            continue
        sources, options = found.setdefault(layer, (set(), []))
        sources.add(source.as_posix())
        text = " ".join(without_output(entry["command"], entry["file"])).replace("-isystem ", "-isystem")
        options += [option for option in text.split() if option not in options]
    return found


def groups_of(build, files):
    """Sources that are read as one, with their options: the given files each alone, or all, layer by layer."""
    for layer, (sources, options) in sorted(layers(build).items(), key=lambda item: -len(item[1][0])):
        chosen = sorted(sources & set(files)) if files else sorted(sources)
        if files or layer in ALONE:
            yield from ((layer, [source], options) for source in chosen)
        else:
            yield layer, chosen, options


def write_batches(build, files=()):
    """Sources that include those of a group, with a compile_commands.json of their own; the largest first."""
    folder = build / "lint"
    folder.mkdir(exist_ok=True)
    commands, batches = [], []
    for number, (layer, sources, options) in enumerate(groups_of(build, files)):
        batch = folder / f"{number}_{layer.replace('/', '_')}.cpp"
        batch.write_text("".join(f'#include "{source}"\n' for source in sources))
        commands.append({"directory": str(folder), "file": str(batch),
                         "command": " ".join(["c++", *options, "-c", str(batch)])})
        batches.append(batch)
    (folder / "compile_commands.json").write_text(json.dumps(commands))
    return folder, batches


def lint(folder, source, extra):
    return subprocess.run([TOOL, "-p", str(folder), "--quiet", *extra, str(source)], cwd=ROOT, capture_output=True,
                          text=True)


def main():
    build = ROOT / sys.argv[1]
    files = [pathlib.Path(name).resolve().relative_to(ROOT).as_posix() for name in sys.argv[2:]]
    folder, batches = write_batches(build, files)
    if len(batches) < max(len(files), 1):
        sys.exit("lint: not all of these are sources of the library or the command, or nothing is configured yet")
    # In a batch the sources are headers.
    extra = ["--header-filter=/(freeplay|apps)/", "--checks=-bugprone-suspicious-include", "--config-file=.clang-tidy"]
    failed = False
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        for result in pool.map(lambda source: lint(folder, source, extra), batches):
            failed |= result.returncode != 0
            print(result.stdout, end="")
            if result.returncode != 0:
                print(result.stderr, end="", file=sys.stderr)
    sys.exit(failed)


if __name__ == "__main__":
    main()
