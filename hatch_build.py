"""The examples in the wheel: games, decks, pads, and notebooks without what they have found."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KINDS = (".clue", ".csv", ".toml", ".ipynb")


class Examples(BuildHookInterface):
    """Puts the examples into the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add them to what is built, unless that is a checkout itself."""
        if version == "editable":
            return
        self.bare = TemporaryDirectory()
        for path in sorted(Path(self.root, "examples").iterdir()):
            if path.suffix in KINDS:
                given = self._bare(path) if path.suffix == ".ipynb" else path
                build_data["force_include"][str(given)] = f"clue_solver/examples/{path.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Clear up."""
        if version != "editable":
            self.bare.cleanup()

    def _bare(self, path: Path) -> Path:
        """Return a notebook without outputs."""
        notebook = json.loads(path.read_text("utf-8"))
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell |= {"outputs": [], "execution_count": None}
        bare = Path(self.bare.name, path.name)
        bare.write_text(f"{json.dumps(notebook, indent=1, ensure_ascii=False)}\n", "utf-8")
        return bare
