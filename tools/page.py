#!/usr/bin/env python3
"""
Write the folder of the page without a server: files alone, for any host that has https.

    python tools/page.py FOLDER [--parts FOLDER]

What it is made of besides the program is fetched, or taken from the folder of `--parts`; its
addresses and checksums are in `page.toml`. What the page never asks for is left out. Modules are
compiled where this Python has the runtime's version. Big files are packed here and come out of
their packing in the browser, whatever the host does: what the browser itself needs by gzip, all
else by LZMA, which the runtime's Python knows.
"""

import argparse
import asyncio
import gzip
import io
import json
import lzma
import marshal
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import chdir
from hashlib import sha256
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from clue_solver.faces.browser.alone import NEW, Alone  # noqa: E402
from clue_solver.faces.web.safety import FRAMED  # noqa: E402

PINS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
"""The runtime's version, what is fetched, and what is left out."""

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
STDLIB, PROGRAM, LOCK = "python_stdlib.zip", "program.zip.xz", "pyodide-lock.json"
SHELL = ("shell.css", "shell.js", "worker.js", "store.js", "service.js")
SUFFIXES = (".py", ".so", ".toml", ".html", ".css", ".js", ".svg", ".png", ".webmanifest")
"""How the files of the program end."""

PACKED = ".packed"
"""What ends the names of packed files, so that no host takes their packing for its own."""

LZMA = {"id": lzma.FILTER_LZMA2, "preset": 6 | lzma.PRESET_EXTREME, "dict_size": 4 << 20}
"""A larger dictionary gains a hundredth, and is memory of the phone that is not given back."""

DAY = (1980, 1, 1, 0, 0, 0)
PATIENCE = 60
"""Seconds without a byte after which a host is given up."""

PLACEHOLDER = "/path-of-this-page"
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'"
)
"""What the page may load, and from where."""

GAME_FILES = [".clue", ".toml", "text/plain"]
"""What the system may open with the page, or share to it."""

MANIFEST = {
    "id": ".",
    "name": "clue-solver",
    "short_name": "Clue",
    "description": "Exact deduction for Clue and Cluedo",
    "start_url": ".",
    "scope": ".",
    "display": "standalone",
    "background_color": "#14161a",
    "theme_color": "#14161a",
    "icons": [
        {"src": f"static/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ],
    "share_target": {
        "action": "share",
        "method": "POST",
        "enctype": "multipart/form-data",
        "params": {"files": [{"name": "game", "accept": GAME_FILES}]},
    },
    "file_handlers": [{"action": ".", "accept": {"text/plain": GAME_FILES[:2]}}],
}


class BuildError(Exception):
    """Why the folder cannot be written."""


def main() -> None:
    """Write the folder, and say what to do next."""
    parser = argparse.ArgumentParser(description="Build the page as files for any web host.")
    parser.add_argument("folder", type=Path, help="new, empty, or written before")
    parser.add_argument("--parts", type=Path, help="a folder with what would be fetched")
    said = parser.parse_args()
    try:
        packed = write(said.folder, said.parts)
    except (BuildError, OSError) as error:
        sys.exit(f"{parser.prog}: {error}")
    print(f"{said.folder} is written: {packed / 1e6:.1f} MB to load at the first visit")
    if not compiles():
        print(f"Its modules are not compiled: Python {PINS['python']} would do that.")
    print(f"Try it here:  python -m http.server --directory {said.folder}")
    print("and open http://localhost:8000. Then put the folder on any host that has https.")


def write(target: Path, folder: Path | None = None) -> int:
    """
    Write the page, and return how many bytes a first visit loads.

    Args:
        target: The folder; it may be new, empty, or one that was written before.
        folder: What has the parts; they are fetched if left out.

    Raises:
        BuildError: If the folder holds something else, or a part cannot be had.
    """
    taken = target.is_dir() and any(target.iterdir()) and not (target / "built.js").exists()
    if taken or target.is_file():
        raise BuildError(f"expected a new or an empty folder; {target} has files")
    runtime, *wheels = (part(each["address"], each["sha256"], folder) for each in PINS["part"])
    core = dict(core_files(runtime))
    big = {name: core[name] for name in CORE}
    big[STDLIB] = zipped(stdlib_files(core[STDLIB]))
    packed = {name: gzip.compress(content, 9, mtime=0) for name, content in big.items()}
    program = lzma.compress(zipped(program_files(wheels)), filters=[LZMA])
    big[PROGRAM] = packed[PROGRAM] = program
    shell = ROOT / "clue_solver/faces/browser/static"
    index = (shell / "index.html").read_text("utf-8").replace("POLICY", POLICY)
    lock = {**json.loads(core[LOCK]), "packages": {}}
    files = {
        **{name: (shell / name).read_bytes() for name in SHELL},
        **dict(shared_files()),
        "index.html": index.encode(),
        "manifest.webmanifest": json.dumps(MANIFEST).encode(),
        "drawn.html": first_page(),
        f"parts/{LOCK}": json.dumps(lock).encode(),
        "licences.txt": licences(wheels),
    }
    loaded = [name for name in files if name not in ("service.js", "licences.txt")]
    built = {
        "version": version_of({**files, **packed}),
        "parts": {
            name: {"packed": len(packed[name]), "bytes": len(content)}
            for name, content in big.items()
        },
        "files": [*loaded, "built.js"],
        "begin": NEW,
        "placeholder": PLACEHOLDER,
        "policy": f"{POLICY}; frame-ancestors 'none'",
        "framed": FRAMED["Content-Security-Policy"],
    }
    files |= {f"parts/{name}{PACKED}": content for name, content in packed.items()}
    files["built.js"] = f"self.BUILT = {json.dumps(built)};\n".encode()
    for name, content in files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return sum(map(len, packed.values()))


def part(address: str, checksum: str, folder: Path | None) -> bytes:
    """Return a part by its checksum, from a folder or from its public address."""
    name = address.rpartition("/")[2]
    try:
        if folder is not None:
            content = (folder / name).read_bytes()
        else:
            with urlopen(address, timeout=PATIENCE) as answer:
                content = answer.read()
    except OSError as error:
        reason = error.strerror or str(getattr(error, "reason", error))
        hint = "" if folder else f"; --parts FOLDER takes {name} from a folder"
        raise BuildError(f"cannot have {name}: {reason}{hint}") from None
    if sha256(content).hexdigest() != checksum:
        raise BuildError(f"{name} is not what it should be: its checksum differs")
    return content


def core_files(runtime: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the files of Pyodide's distribution."""
    with tarfile.open(fileobj=io.BytesIO(runtime)) as archive:
        for member in archive:
            if file := archive.extractfile(member):
                yield Path(member.name).name, file.read()


def stdlib_files(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the modules of the runtime's Python that the page may ask for."""
    for name, module in unzipped(content):
        if not left_out(name, "python"):
            yield name, module


def program_files(wheels: list[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the modules, and what they read, of the wheels and of the program."""
    for wheel in wheels:
        yield from (each for each in unzipped(wheel) if is_asked_for(each[0]))
    for path in sorted((ROOT / "clue_solver").rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        if path.is_file() and is_asked_for(name):
            yield name, path.read_bytes()


def is_asked_for(name: str) -> bool:
    """Whether the page may ask for a file of the program or of a wheel."""
    foreign = name.endswith(".so") and "wasm32-emscripten" not in name
    beside = "/tests/" in name or "dist-info/" in name or ".data/" in name
    return name.endswith(SUFFIXES) and not (foreign or beside) and not left_out(name, "program")


def left_out(name: str, of: str) -> bool:
    """Whether the pins leave a file out, of the `program` or of `python`."""
    out = PINS["left_out"]
    return name.startswith(tuple(out[of])) and not name.startswith(tuple(out["needed"]))


def unzipped(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            if not name.endswith("/"):
                yield name, archive.read(name)


def zipped(files: Iterator[tuple[str, bytes]]) -> bytes:
    """Return an archive of files, with each module compiled where this Python can."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files:
            if compiles() and name.endswith(".py") and not reads_itself(name):
                name, content = f"{name}c", compiled(name, content)  # noqa: PLW2901
            archive.writestr(zipfile.ZipInfo(name, DAY), content)
    return out.getvalue()


def compiles() -> bool:
    """Whether this Python is of the runtime's version."""
    return sys.version_info[:2] == tuple(map(int, PINS["python"].split(".")))


def reads_itself(name: str) -> bool:
    """Whether a module reads its own text, as those do that begin a package of anyio."""
    return name.startswith("anyio/") and "__init__" in name


def compiled(name: str, content: bytes) -> bytes:
    """Return a module compiled, without docstrings and assertions."""
    code = compile(content, f"/{name}", "exec", dont_inherit=True, optimize=2)
    return MAGIC_NUMBER + bytes(12) + marshal.dumps(code)


def shared_files() -> Iterator[tuple[str, bytes]]:
    """Yield the files that all pages of a game share."""
    for folder in ("faces/web/static", "views/static"):
        for path in sorted((ROOT / "clue_solver" / folder).iterdir()):
            yield f"static/{path.name}", path.read_bytes()


def first_page() -> bytes:
    """Return the set-up of a first game, as it is drawn before Python is there."""
    with TemporaryDirectory() as folder, chdir(folder):
        alone = Alone(Path(folder), "https://localhost", PLACEHOLDER)
        return asyncio.run(alone.ask("GET", f"{PLACEHOLDER}/{NEW}")).body


def licences(wheels: list[bytes]) -> bytes:
    """Return the licences of what is in the folder, one after the other."""
    found = ["Pyodide: Mozilla Public License 2.0, https://github.com/pyodide/pyodide"]
    for wheel in wheels:
        for name, content in unzipped(wheel):
            if "dist-info/" in name and ("LICEN" in name.upper() or "COPYING" in name.upper()):
                found.append(f"{name}\n\n{content.decode('utf-8', 'replace')}")
    return ("\n\n" + "-" * 72 + "\n\n").join(found).encode()


def version_of(files: Mapping[str, bytes]) -> str:
    """Return what tells these files from others."""
    digest = sha256()
    for name in sorted(files):
        digest.update(f"{name} {len(files[name])}\n".encode())
        digest.update(files[name])
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    main()
