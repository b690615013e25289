"""Leave out of MicroPython's loader what a page never needs: checks of its own making, and running as a program."""

import re

# Each by what stands in its place.
_PARTS = (
    # Is each function there that the program was linked with a moment ago? How many arguments has it?
    (r'assert\(void 0!==wasmExports\.(\w+),"missing Wasm export: \1"\),', ""),
    (r'createExportWrapper\("(\w+)",(wasmExports\.\1),\d+\)', r"\2"),
    # Names that were not exported, and what to say to those who ask for them.
    (
        r'\["\w+"(?:,"\w+")+\]\.forEach\((unexportedRuntimeSymbol|function\(sym\)\{unexportedRuntimeSymbol\(sym\)\})\);',
        "",
    ),
    # `node micropython.mjs`
    (r'"object"==typeof process&&', "!1&&"),
)


def slim(loader: str) -> str:
    """Return a loader that does the same for a page, and for Node that imports it."""
    for pattern, instead in _PARTS:
        loader, count = re.subn(pattern, instead, loader)
        assert count, f"the pinned loader has {pattern}"
    return loader
