"""Serve a folder until close(), by default as `tools.web serve` does."""

import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

from tools.web import serving


class Host:
    def __init__(self, folder: Path, server: ThreadingHTTPServer | None = None) -> None:
        self.folder = folder
        self.server = server or serving.open_server(folder, 0)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    @property
    def address(self) -> str:
        return serving.address(self.server)

    def close(self) -> None:
        if self.thread.is_alive():
            self.server.shutdown()
            self.thread.join()
            self.server.server_close()
