"""Serve a folder until close()."""

import threading
from pathlib import Path

from tools.web import serving


class Host:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = serving.open_server(folder, 0)
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
