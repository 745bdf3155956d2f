"""What the page without a server is made of: fetched by version and checksum, kept nowhere."""

import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen

from msgspec import Struct, convert

from clue_solver.errors import ArgumentError, printable

_PATIENCE = 60
"""Seconds without a byte after which a host is given up."""


class Fetched(Struct, frozen=True):
    """A file, its public address, and its checksum."""

    file: str
    address: str
    sha256: str


class LeftOut(Struct, frozen=True):
    """
    How the names of files begin that the page never asks for.

    Attributes:
        program: Those of the program, and of the libraries that it stands on.
        python: Those of the runtime's Python.
        needed: What is needed all the same.
    """

    program: tuple[str, ...]
    python: tuple[str, ...]
    needed: tuple[str, ...]


class Pins(Struct, frozen=True):
    """
    The versions.

    Attributes:
        python: The runtime's version of Python.
        platforms: What wheels may be built for, as pip calls it.
        runtime: Pyodide's core and its build of numpy, in this order.
        wheels: The checksums of other wheels, by requirement.
        left_out: What does not come along.
    """

    python: str
    platforms: tuple[str, ...]
    runtime: tuple[Fetched, Fetched]
    wheels: dict[str, str]
    left_out: LeftOut


@cache
def pins() -> Pins:
    """Return the versions that this version goes with."""
    text = Path(__file__).with_name("parts.toml").read_text("utf-8")
    return convert(tomllib.loads(text), Pins)


def runtime_files(runtime: Path | None) -> tuple[dict[str, bytes], bytes]:
    """
    Return the files of Pyodide's core by name, and its wheel of numpy.

    Args:
        runtime: A folder that has them; they are fetched if left out.

    Raises:
        ArgumentError: If one cannot be had, or has another checksum.
    """
    core, numpy = (_content(each, runtime) for each in pins().runtime)
    with tarfile.open(fileobj=BytesIO(core)) as archive:
        members = [each for each in archive.getmembers() if each.isfile()]
        files = {Path(each.name).name: _read(archive, each) for each in members}
    return files, numpy


def _read(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(member)
    assert file is not None
    return file.read()


def _content(wanted: Fetched, folder: Path | None) -> bytes:
    """Return a file by its checksum, from a folder or from its public address."""
    try:
        if folder is not None:
            place = str(folder / wanted.file)
            content = (folder / wanted.file).read_bytes()
        else:
            place = wanted.address
            with urlopen(wanted.address, timeout=_PATIENCE) as answer:
                content = answer.read()
    except OSError as error:
        reason = error.strerror or str(getattr(error, "reason", error))
        beside = f"; --runtime FOLDER takes {wanted.file} from a folder" if folder is None else ""
        raise ArgumentError(f"cannot have {printable(place, most=200)}: {reason}{beside}") from None
    if sha256(content).hexdigest() != wanted.sha256:
        raise ArgumentError(
            f"{printable(place, most=200)} is not what it should be: its checksum differs"
        )
    return content


def wheels(work: Path) -> Iterator[bytes]:
    """
    Yield the wheels of the package registry, by pip, which checks them.

    Args:
        work: An empty folder to fetch them into.

    Raises:
        ArgumentError: If one cannot be had.
    """
    wanted = pins()
    asked = work / "wheels.txt"
    lines = [f"{name} --hash=sha256:{digest}" for name, digest in wanted.wheels.items()]
    asked.write_text("\n".join(lines), "utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-input"]
    command += ["--disable-pip-version-check", "--only-binary=:all:", "--require-hashes"]
    command += ["--implementation=cp", f"--abi=cp{wanted.python.replace('.', '')}", "--abi=none"]
    command += [f"--python-version={wanted.python}", *(f"--platform={p}" for p in wanted.platforms)]
    run = subprocess.run(
        [*command, f"--dest={work}", f"--requirement={asked}"],
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        said = [line for line in run.stderr.splitlines() if line.startswith("ERROR")]
        with suppress(IndexError):
            raise ArgumentError(f"cannot have the wheels: {printable(said[0], most=300)}")
        raise ArgumentError(f"cannot have the wheels: {printable(run.stderr[-300:], most=300)}")
    for path in sorted(work.glob("*.whl")):
        yield path.read_bytes()
