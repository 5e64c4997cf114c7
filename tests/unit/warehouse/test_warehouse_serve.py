"""The server of the site: one folder on 127.0.0.1 and nothing else."""

import http.client
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from warehouse.serve import ADDRESS, ServeError, make_server


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    (folder / "units").mkdir(parents=True)
    (folder / "index.html").write_text("<h1>home</h1>")
    (folder / "units" / "a.html").write_text("<h1>unit</h1>")
    (folder / "404.html").write_text("<h1>not here</h1>")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    return folder


@pytest.fixture
def port(site: Path) -> Iterator[int]:
    with make_server(site, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def get(port: int, path: str, method: str = "GET") -> tuple[int, str]:
    connection = http.client.HTTPConnection(ADDRESS, port, timeout=10)
    try:
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/", (200, "<h1>home</h1>")),
        ("/units/a.html?x=1#y", (200, "<h1>unit</h1>")),
        ("/gone.html", (404, "<h1>not here</h1>")),
    ],
)
def test_pages(port: int, path: str, answer: tuple[int, str]) -> None:
    assert get(port, path) == answer
    assert get(port, path, "HEAD") == (answer[0], "")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/units/../../secret.txt",
        "/link.txt",
        "/units/",
        "/%00",
        f"/{'a' * 5000}",
    ],
)
def test_nothing_outside_and_no_listings(port: int, path: str) -> None:
    status, body = get(port, path)
    assert status == 404 and "secret" not in body and "a.html" not in body


def test_writing_is_not_offered(port: int) -> None:
    assert get(port, "/index.html", "POST")[0] == 501


def test_a_taken_port_is_told_with_a_free_one(site: Path, port: int) -> None:
    with pytest.raises(ServeError, match=rf"port {port} is taken; try `hammerhouse serve --port \d+`") as caught:
        make_server(site, port)
    hinted = int(str(caught.value).rstrip("`").rsplit(" ", 1)[1])
    with make_server(site, hinted) as server:
        assert server.server_address == (ADDRESS, hinted)


def test_no_site_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(ServeError, match="run `hammerhouse build` first"):
        make_server(tmp_path, 0)
