"""The published site on 127.0.0.1.

Belongs here: a server that shows one folder and nothing outside it. Does not belong here: making the site.
"""

import errno
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ADDRESS = "127.0.0.1"


class ServeError(RuntimeError):
    """The site cannot be served; the message says what to do."""


class _Handler(SimpleHTTPRequestHandler):
    """Files of the site; links that lead out of it are not followed, and there are no folder listings."""

    protocol_version = "HTTP/1.1"

    def send_head(self) -> Any:
        root = Path(self.directory).resolve()
        try:
            wanted = Path(self.translate_path(self.path)).resolve()
        except (OSError, ValueError):  # a name with a NUL, or one longer than any file's
            wanted = None
        if wanted is None or not wanted.is_relative_to(root):
            self.send_error(404, "File not found")
            return None
        return super().send_head()

    def list_directory(self, path: Any) -> None:
        self.send_error(404, "File not found")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory) / "404.html"
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")  # a new build shows at the next reload
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet: the terminal is the user's."""


def make_server(site: Path, port: int) -> ThreadingHTTPServer:
    """A server for the site that is bound but not yet running; port 0 takes a free one.

    Raises ServeError: no site there, port taken or not allowed.
    """
    if not (site / "index.html").is_file():
        raise ServeError(f"no site at {site}: run `hammerhouse build` first, or name its folder with --out")
    try:
        return ThreadingHTTPServer((ADDRESS, port), partial(_Handler, directory=str(site)))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ServeError(f"port {port} is taken; try `hammerhouse serve --port {_free_port(port)}`") from None
        if error.errno == errno.EACCES:
            raise ServeError(f"port {port} is not allowed; try `hammerhouse serve --port 8000`") from None
        raise


def _free_port(port: int) -> int:
    """The next port above that is free now."""
    for candidate in range(port + 1, min(port + 100, 65_536)):
        try:
            with ThreadingHTTPServer((ADDRESS, candidate), SimpleHTTPRequestHandler):
                return candidate
        except OSError:
            continue
    return 0
