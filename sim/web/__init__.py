"""Be the handheld in a browser: the Device over memory that MicroPython's WebAssembly build shares with a page.

`web_device.py` and `handheld.py` run in MicroPython, the scripts beside them in the page, in a Worker or in Node;
`python -m tools.web build` makes a folder of both.
"""
