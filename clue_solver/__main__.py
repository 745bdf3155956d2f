"""Run the command line: `clue-solver`, or `python -m clue_solver`."""

import os
import signal
from typing import NoReturn


def _abort(*_: object) -> NoReturn:
    """End the process at once, as nothing has begun yet."""
    os.write(2, b"Aborted!\n")
    os._exit(1)


def run() -> None:
    """
    Run the command line; Ctrl+C never shows a traceback, even while the program loads or ends.

    If Ctrl+C was ignored before, as for a background job, it stays ignored.
    """
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heeded:
        signal.signal(signal.SIGINT, _abort)
    from clue_solver.faces.cli import main
    from clue_solver.system import prepare_streams

    prepare_streams()
    try:
        if heeded:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        main(prog_name="clue-solver")
    except KeyboardInterrupt:  # before or after what `main` takes care of
        raise SystemExit(1) from None
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        eval("None")  # else Python ends by a signal after an interrupt of a text that it evaluated


if __name__ == "__main__":
    run()
