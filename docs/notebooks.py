"""
The analyses of the site: the notebooks among the examples, with what they print.

    python -m docs.notebooks [NAME ...]  # runs them, all if none is named, keeps what is printed
"""

from __future__ import annotations

import argparse
import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
WIDE = 736
"""How wide a picture is drawn that does not say it, in pixels; a telephone's screen scrolls it."""
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.ipynb"))


def kept(name: str) -> dict[str, Any]:
    """Return a notebook as it is kept."""
    found: dict[str, Any] = json.loads((EXAMPLES / f"{name}.ipynb").read_text("utf-8"))
    return found


def page(name: str) -> str:
    """Return a notebook as Markdown: what it says, its code, and what that printed."""
    parts = []
    for cell in kept(name)["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        parts += map(_shown, cell.get("outputs", ()))
    return "\n\n".join(parts)


def _shown(output: dict[str, Any]) -> str:
    data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
    told = "".join(output.get("text", "")) or data.get("text/plain", "")
    if "image/png" in data:
        picture = f"data:image/png;base64,{data['image/png'].strip()}"
        width = output["metadata"].get("image/png", {}).get("width", WIDE)
        shown = f'<img alt="what the lines above draw" width="{width}" src="{picture}">'
    elif "text/html" in data:
        shown = data["text/html"].replace("<th></th>", "<td></td>")
        shown = shown.replace('<table border="1" class="dataframe">', '<table class="docutils">')
    elif told.startswith("<"):  # an object, whose picture comes by itself
        return ""
    else:
        shown = f"<pre>{html.escape(told)}</pre>"
    return f'````{{raw}} html\n<div class="table-wrapper printed">\n{shown}\n</div>\n````'


def executed(name: str) -> dict[str, Any]:
    """Return a notebook with what it prints today."""
    import nbclient
    import nbformat

    text = (EXAMPLES / f"{name}.ipynb").read_text("utf-8")
    notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    for cell in notebook.cells:
        cell.metadata = {}
    where = {"metadata": {"path": str(EXAMPLES)}}
    nbclient.NotebookClient(
        notebook, timeout=600, resources=where, record_timing=False, coalesce_streams=True
    ).execute()
    notebook.metadata.pop("language_info", None)
    found: dict[str, Any] = json.loads(nbformat.writes(notebook))  # type: ignore[no-untyped-call]
    return found


def printed(notebook: dict[str, Any]) -> Iterator[str]:
    """Yield the texts that a notebook prints; no pictures, which depend on fonts."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            yield "".join(output.get("text", output.get("data", {}).get("text/plain", "")))


def main() -> None:
    """Run, and keep what is printed."""
    options = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    options.add_argument("names", nargs="*", metavar="NAME", choices=[[], *NAMES])
    for name in options.parse_args().names or NAMES:
        text = json.dumps(executed(name), indent=1, ensure_ascii=False, sort_keys=True)
        (EXAMPLES / f"{name}.ipynb").write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main()
