"""Run the command line of tools.board."""

import sys

from sim import terminal

if __name__ == "__main__":
    terminal.tell_missing()
    from tools.board.cli import main

    sys.exit(terminal.run(main))
