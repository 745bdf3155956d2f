"""
Writes the folder of the page without a server: files alone, for any host that has https.

Modules are compiled for the runtime's Python, and what the page never asks for is left out. Big
files are packed here and come out of their packing in the browser, whatever the host does: what
the browser itself needs by gzip, all else by LZMA, which the runtime's Python knows.
"""

import asyncio
import gzip
import io
import json
import lzma
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir
from hashlib import sha256
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

import clue_solver
from clue_solver.errors import ArgumentError, printable
from clue_solver.faces.browser import parts
from clue_solver.faces.browser.alone import NEW, Alone
from clue_solver.faces.browser.compiling import compiled
from clue_solver.faces.web.safety import FRAMED

_HERE = Path(__file__).parent
_PLACEHOLDER = "/path-of-this-page"

_CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
_STDLIB, _PROGRAM, _LOCK = "python_stdlib.zip", "program.zip.xz", "pyodide-lock.json"
_PAGE = ("shell.css", "shell.js", "worker.js", "store.js", "service.js")

_PLAIN = (".py", ".so", ".toml", ".html", ".css", ".js", ".svg", ".png")
"""How the files end that may be asked for."""


_PACKED = ".packed"
"""What ends the names of packed files, so that no host takes their packing for its own."""

_LZMA = {"id": lzma.FILTER_LZMA2, "preset": 6 | lzma.PRESET_EXTREME, "dict_size": 4 << 20}
"""A larger dictionary gains a hundredth, and is memory of the phone that is not given back."""


class WrittenFolder(NamedTuple):
    """
    What was written.

    Attributes:
        packed: How many bytes a first visit loads of packed parts.
        compiled: Whether the modules are compiled.
    """

    packed: int
    compiled: bool


def write(target: Path, *, runtime: Path | None = None) -> WrittenFolder:
    """
    Write the folder.

    Args:
        target: The folder; it may be new, empty, or one that was written before.
        runtime: A folder that has Pyodide's files; they are fetched if left out.

    Raises:
        ArgumentError: If the folder holds something else, or a part cannot be had.
    """
    try:
        taken = target.is_dir() and any(target.iterdir()) and not (target / "built.js").exists()
    except OSError as error:
        raise ArgumentError(
            f"cannot look into {printable(str(target))}: {error.strerror}"
        ) from None
    if taken or target.is_file():
        raise ArgumentError(
            f"expected a new or an empty folder; {printable(str(target))} has files"
        )
    core, numpy = parts.runtime_files(runtime)
    with TemporaryDirectory() as work:
        wheels = [numpy, *parts.wheels(Path(work))]
    program = dict(_program(wheels))
    stdlib = dict(_zipped(core[_STDLIB], _asked_of_python))
    compile_all = _compiler(core)
    big = {name: core[name] for name in _CORE}
    big[_STDLIB] = compile_all(_zip(stdlib))
    packed = {name: gzip.compress(content, 9, mtime=0) for name, content in big.items()}
    big[_PROGRAM] = packed[_PROGRAM] = lzma.compress(compile_all(_zip(program)), filters=[_LZMA])
    lock = json.loads(core[_LOCK])
    files = {
        **{name: (_HERE / "static" / name).read_bytes() for name in _PAGE},
        **dict(_static()),
        "index.html": (_HERE / "static/index.html")
        .read_bytes()
        .replace(b"POLICY", _POLICY.encode()),
        "manifest.webmanifest": _MANIFEST,
        "drawn.html": drawn(),
        f"parts/{_LOCK}": json.dumps({**lock, "packages": {}}).encode(),
        "licences.txt": _licences(wheels),
    }
    built = {
        "version": _mark({**files, **packed}),
        "parts": {
            name: {"packed": len(packed[name]), "bytes": len(content)}
            for name, content in big.items()
        },
        "files": [name for name in files if name not in ("service.js", "licences.txt")]
        + ["built.js"],
        "begin": NEW,
        "placeholder": _PLACEHOLDER,
        "policy": f"{_POLICY}; frame-ancestors 'none'",
        "framed": FRAMED["Content-Security-Policy"],
    }
    written = {f"parts/{name}{_PACKED}": content for name, content in packed.items()}
    written |= {**files, "built.js": f"self.BUILT = {json.dumps(built)};\n".encode()}
    try:
        for name, content in written.items():
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise ArgumentError(f"cannot write {printable(str(target))}: {error.strerror}") from None
    return WrittenFolder(sum(map(len, packed.values())), compile_all is not _as_it_is)


_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'"
)
"""What the page may load, and from where."""

_MANIFEST = json.dumps(
    {
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
    }
).encode()


def drawn() -> bytes:
    """Return the set-up of a first game, as it is drawn before Python is there."""
    with TemporaryDirectory() as folder, chdir(folder):
        alone = Alone(Path(folder), "https://localhost", _PLACEHOLDER)
        return asyncio.run(alone.ask("GET", f"{_PLACEHOLDER}/{NEW}")).body


def _program(wheels: list[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the modules, and what they read, of the wheels and of this package."""
    for wheel in wheels:
        yield from _zipped(wheel, _asked)
    root = Path(clue_solver.__file__).parent
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root.parent).as_posix()
        if path.is_file() and _asked(name):
            yield name, path.read_bytes()


def _asked(name: str) -> bool:
    foreign = name.endswith(".so") and "wasm32-emscripten" not in name
    beside = "/tests/" in name or "dist-info/" in name or ".data/" in name
    return name.endswith(_PLAIN) and not (foreign or beside) and not _left_out(name, "program")


def _asked_of_python(name: str) -> bool:
    return not _left_out(name, "python")


def _left_out(name: str, of: Literal["program", "python"]) -> bool:
    out = parts.pins().left_out
    return name.startswith(getattr(out, of)) and not name.startswith(out.needed)


def _zipped(content: bytes, asked: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            if not name.endswith("/") and asked(name):
                yield name, archive.read(name)


def _zip(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return out.getvalue()


def _compiler(core: Mapping[str, bytes]) -> Callable[[bytes], bytes]:
    """Return what compiles modules for the runtime: this Python, or the runtime itself in Node."""
    version = "{}.{}".format(*sys.version_info)
    if version == parts.pins().python:
        return compiled
    node = which("node")
    if node is None:
        return _as_it_is

    def by_node(content: bytes) -> bytes:
        with TemporaryDirectory() as folder:
            for name in (*_CORE, _STDLIB, _LOCK):
                (Path(folder) / name).write_bytes(core[name])
            given, written = Path(folder) / "given.zip", Path(folder) / "written.zip"
            given.write_bytes(content)
            scripts = _HERE / "static/compile.mjs", folder, _HERE / "compiling.py"
            run = subprocess.run(
                [node, *map(str, (*scripts, given, written))],
                capture_output=True,
                text=True,
                check=False,
            )
            if run.returncode:
                reason = printable(run.stderr.strip()[-300:], most=300)
                raise ArgumentError(f"Node cannot compile the modules: {reason}")
            return written.read_bytes()

    return by_node


def _as_it_is(content: bytes) -> bytes:
    return content


def _static() -> Iterator[tuple[str, bytes]]:
    """Yield the files that all pages of a game share."""
    root = Path(clue_solver.__file__).parent
    for folder in ("faces/web/static", "views/static"):
        for path in sorted((root / folder).iterdir()):
            if path.is_file():
                yield f"static/{path.name}", path.read_bytes()


def _licences(wheels: list[bytes]) -> bytes:
    """Return the licences of what is in the folder, one after the other."""
    found = ["Pyodide: Mozilla Public License 2.0, https://github.com/pyodide/pyodide"]
    for wheel in wheels:
        for name, content in _zipped(wheel, lambda name: "dist-info/" in name):
            if any(word in name.upper() for word in ("LICEN", "COPYING")):
                found.append(f"{name}\n\n{content.decode('utf-8', 'replace')}")
    return ("\n\n" + "-" * 72 + "\n\n").join(found).encode()


def _mark(files: Mapping[str, bytes]) -> str:
    digest = sha256()
    for name in sorted(files):
        digest.update(f"{name} {len(files[name])}\n".encode())
        digest.update(files[name])
    return digest.hexdigest()[:16]
