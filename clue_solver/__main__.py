"""Run the command line: `python -m clue_solver`."""

from clue_solver.faces.cli import main

if __name__ == "__main__":
    main(prog_name="clue-solver")
