"""Serve a folder of static files to this computer, as any web host would."""

from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tools.web import WebError

HOST = "127.0.0.1"
PORT = 8128
# Each page has a stricter policy of its own; this one holds for whatever else lies in the folder.
_HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; connect-src 'self' blob: ws: wss:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Handler(SimpleHTTPRequestHandler):
    """Send files with the types that modules need, and make browsers check for newer files."""

    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",  # some Windows registries say otherwise
        ".mjs": "text/javascript",
        ".webmanifest": "application/manifest+json",
    }

    def end_headers(self) -> None:
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def send_head(self) -> Any:
        """Send the headers of the answer; answer 404 to an impossible name, and to what lies outside of the folder."""
        try:
            path = Path(self.translate_path(self.path)).resolve()
            if path.is_relative_to(Path(self.directory).resolve()):
                return super().send_head()
        except ValueError:  # a null character in the name
            pass
        self.send_error(HTTPStatus.NOT_FOUND)
        return None

    def list_directory(self, path: Any) -> None:
        """Answer 404: a folder is no page."""
        self.send_error(HTTPStatus.NOT_FOUND)

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
