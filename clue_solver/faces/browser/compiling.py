"""
Modules as the runtime's Python has them compiled, in a zip file.

It runs wherever there is such a Python: here, or in the runtime itself.
"""

import io
import marshal
import zipfile
from importlib.util import MAGIC_NUMBER

_HEAD = MAGIC_NUMBER + bytes(12)
"""What a compiled module begins with that has no source beside it."""
_DAY = (1980, 1, 1, 0, 0, 0)


def compiled(packed: bytes) -> bytes:
    """
    Return a zip file with each module compiled in its place, without docstrings and assertions.

    A module whose name begins a package of anyio stays as it is, since anyio reads its own text.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as given, zipfile.ZipFile(out, "w") as written:
        for name in given.namelist():
            content = given.read(name)
            if name.endswith(".py") and not (name.startswith("anyio/") and "__init__" in name):
                code = compile(content, f"/{name}", "exec", dont_inherit=True, optimize=2)
                content = _HEAD + marshal.dumps(code)
                name += "c"  # noqa: PLW2901
            written.writestr(zipfile.ZipInfo(name, _DAY), content)
    return out.getvalue()
