"""Serve a folder of static files to this computer, as any web host would."""

from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tools.web import WebError

HOST = "127.0.0.1"
PORT = 8128


class Handler(SimpleHTTPRequestHandler):
    """Send files with the types that modules need, and make browsers check for newer files."""

    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",  # some Windows registries say otherwise
        ".mjs": "text/javascript",
        ".webmanifest": "application/manifest+json",
    }

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def send_head(self) -> Any:
        """Send the headers of the answer; answer 404 to an impossible file name."""
        try:
            return super().send_head()
        except ValueError:  # a null character in the name
            self.send_error(HTTPStatus.NOT_FOUND)
            return None

    def log_message(self, *arguments: Any) -> None:
        """Log nothing."""


def open_server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of `folder`, 0 for any free port; raise WebError if the port is unavailable."""

    def handle(*arguments: Any) -> Handler:
        return Handler(*arguments, directory=str(folder))

    try:
        return ThreadingHTTPServer((HOST, port), handle)
    except OSError as problem:
        raise WebError(f"port {port} cannot be had: {problem.strerror}; --port N names another") from None


def address(server: ThreadingHTTPServer) -> str:
    """Return the page's address; browsers trust localhost like https."""
    return f"http://localhost:{server.server_port}/"
