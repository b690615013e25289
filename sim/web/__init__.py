"""Run the handheld in a browser: MicroPython's WebAssembly build shares the memory of its Device with a page.

`web_device.py` and `handheld.py` run in MicroPython, the scripts beside them in the page, in a Worker or in Node.
`python -m tools.web build` puts them together.
"""
