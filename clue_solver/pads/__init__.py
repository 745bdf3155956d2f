"""
Notes kept elsewhere: pads and tables of suggestions read into a record, and pads written.

`import_notes` reads a CSV file, JSON Lines or a pandas frame and tells what it understood;
`export_pad` writes what a viewer can know as a detective's pad.
"""

from __future__ import annotations

from clue_solver.pads.exporting import Pad, export_pad
from clue_solver.pads.importing import Imported, import_notes
from clue_solver.pads.marks import MARKS, said_marks

__all__ = ["MARKS", "Imported", "Pad", "export_pad", "import_notes", "said_marks"]
