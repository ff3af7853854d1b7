# SPDX-License-Identifier: MIT
"""URLs of a server on this machine are read like files."""
import contextlib
import functools
import http.server
import json
import os
import pathlib
import shutil
import threading
import urllib.parse

import tifffile

from batches import STEPS, batch, cells, contents, expected, good, manifest, table, write
from command import fails, fovea, main, same


class Server(http.server.SimpleHTTPRequestHandler):
    """Files of the working folder; /moved/NAME leads to /NAME. What was asked for is kept. As S3 does it, /unlisted/ denies what it has not, /closed/ all, and
    /elsewhere/ is a bucket of another region."""

    asked: list[str] = []

    def do_GET(self):
        self.asked.append(self.path)
        name = urllib.parse.unquote(self.path[1:])
        if name.startswith("closed/") or (name.startswith("unlisted/") and not os.path.isfile(name)):
            self.say(403, b"<Error><Code>AccessDenied</Code></Error>")
            return
        if name.startswith("elsewhere/"):
            self.say(301, b"<Error><Code>PermanentRedirect</Code></Error>")
            return
        if not self.path.startswith("/moved/"):
            super().do_GET()
            return
        self.send_response(302)
        self.send_header("Location", self.path[len("/moved"):])
        self.end_headers()

    def say(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def serving():
    """The URL of the working folder."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=os.getcwd())) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_http():
    if not shutil.which("curl"):
        return "curl is not installed"
    write("served/a b.tif", 1)
    write("b.tif", 2)
    with open("served/count.steps", "w", encoding="utf-8") as file:
        file.write(STEPS.replace(" | ", "\n"))
    with serving() as url:
        one = f"{url}/served/a%20b.tif"
        same(fovea("info", one).stdout, f"{one}: 48\u00d748 8-bit\n".encode(), "info")
        for image in (one, f"{url}/moved/served/a%20b.tif", f"{one}?download=1"):
            good(fovea("run", "-q", "--steps", f"{url}/served/count.steps", image, "-t", "t.csv", "--report", "r.json"))
            same([tuple(row) for row in table("t.csv")[1:]], expected(cells(1)), "rows")
            with open("r.json", encoding="utf-8") as file:
                same(json.load(file)["input"], image, "the input in the report")
        good(fovea("convert", one, "copy.tif"))
        same(tifffile.imread("copy.tif").tolist(), cells(1).tolist(), "pixels")
        good(fovea("figure", one, "f.png"))
        fails(fovea("info", f"{url}/none.tif"), f"'{url}/none.tif' cannot be fetched", "404", status=1)
        fails(fovea("info", f"{url}/served/count.steps"), f"'{url}/served/count.steps' is not an image", status=1)
        fails(fovea("info", one, env={**os.environ, "PATH": "/nowhere"}), f"'{one}' cannot be fetched", "curl is not installed", status=1)
        with open("large.tif", "wb") as file:
            file.truncate(2 << 20)
        fails(fovea("info", f"{url}/large.tif", env={**os.environ, "FOVEA_FETCH_LIMIT": "1"}), f"'{url}/large.tif' has more than",
              "FOVEA_FETCH_LIMIT", status=1)
    fails(fovea("info", one), f"'{one}' cannot be fetched", status=1)


def test_batch():
    """Resumed by the contents; what is there no more fails."""
    if not shutil.which("curl"):
        return "curl is not installed"
    write("served/plate/a.tif", 1)
    write("served/plate/b.tif", 2)
    with serving() as url:
        inputs = [f"{url}/served/plate/{name}.tif" for name in "ab"]
        arguments = (STEPS, *inputs, "-o", "mask={name}_mask.png", "-t", "all.csv")
        good(batch("-q", *arguments))
        same(table()[1:], [[f"{name}.tif", *row] for name, seed in (("a", 1), ("b", 2)) for row in expected(cells(seed))], "rows")
        same(sorted(contents("out")), ["a_mask.png", "all.csv", "b_mask.png"], "files")
        good(batch("-q", *arguments, "--resume"))
        same(len(manifest()), 4, "records")
        write("served/plate/b.tif", 3)
        good(batch("-q", *arguments, "--resume"))
        same([row for row in table()[1:] if row[0] == "b.tif"], [["b.tif", *row] for row in expected(cells(3))], "rows of the changed image")
        fails(batch(STEPS, *inputs, f"{url}/served/plate/none.tif", out="other"), "none.tif' cannot be fetched", "404", status=1)
        for wrong in (f"{url}/served/../a.tif", f"{url}/served/"):
            fails(batch(STEPS, wrong, out="wrong"), wrong, "must name a file", status=2)
        fails(batch(STEPS, inputs[0], "served/plate/a.tif", out="wrong"), "cannot be in one batch", status=2)
        with open("m.lua", "w", encoding="utf-8") as file:
            file.write("open()")
        fails(batch("m.lua", inputs[0], out="wrong"), inputs[0], "macros need files", status=2)
    assert not os.path.exists("wrong")


def test_zarr():
    """Of a folder of OME-Zarr the metadata are fetched, and the chunks that are needed."""
    if not shutil.which("curl"):
        return "curl is not installed"
    data = pathlib.Path(os.environ["FOVEA_SOURCE"], "tests/core/files/zarr/data")
    for name in ("ome04", "ome05", "sharded", "sharded_first", "plate"):
        shutil.copytree(data / name, f"{name}.zarr")
    with serving() as url:
        for name, series in (("ome04", 0), ("ome05", 1), ("sharded", 0), ("sharded_first", 0), ("plate", 2)):
            for source in (f"{url}/{name}.zarr", f"{name}.zarr"):
                good(fovea("convert", source, "b.tif" if source.startswith("http") else "a.tif", "--series", str(series)))
            one, other = tifffile.imread("a.tif"), tifffile.imread("b.tif")
            same((one.dtype, one.tobytes()), (other.dtype, other.tobytes()), name)
        Server.asked.clear()
        same(fovea("info", f"{url}/ome05.zarr/").returncode, 0, "info")
        same([path for path in Server.asked if "/c/" in path], [], "chunks that describing needs")
        good(fovea("run", "-q", "crop x=0 y=0 width=10 height=10", f"{url}/ome05.zarr", "-o", "c.tif"))
        assert any(path.startswith("/ome05.zarr/s0/c/") for path in Server.asked), Server.asked
        assert not any(path.startswith("/ome05.zarr/s1/c/") for path in Server.asked), Server.asked
        fails(fovea("info", f"{url}/none.zarr"), f"'{url}/none.zarr' is damaged or no Zarr folder", status=1)
        fails(fovea("info", f"{url}/ome05.zarr", env={**os.environ, "PATH": "/nowhere"}), "curl is not installed", status=1)
    fails(fovea("info", f"{url}/ome05.zarr"), f"'{url}/ome05.zarr/zarr.json' cannot be fetched", status=1)


def test_cloud():
    """s3:// and gs:// are the public addresses of their servers, of which the variables of the storage's own programs name others."""
    if not shutil.which("curl"):
        return "curl is not installed"
    data = pathlib.Path(os.environ["FOVEA_SOURCE"], "tests/core/files/zarr/data")
    for bucket in ("bucket", "unlisted", "a.bucket"):
        os.makedirs(bucket)
        shutil.copytree(data / "ome05", f"{bucket}/of%20 cells.ome.zarr")
    write("bucket/a b+c?#%20.tif", 1)
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "STORAGE_"))}
    with serving() as url:
        here = plain | {"AWS_ENDPOINT_URL": url, "STORAGE_EMULATOR_HOST": url.partition("//")[2]}
        for scheme in ("s3", "gs"):
            one = f"{scheme}://bucket/a b+c?#%20.tif"
            same(fovea("info", one, env=here).stdout, f"{one}: 48\u00d748 8-bit\n".encode(), "info")
            good(fovea("run", "-q", STEPS, one, "-t", "t.csv", "--report", "r.json", env=here))
            same([tuple(row) for row in table("t.csv")[1:]], expected(cells(1)), "rows")
            with open("r.json", encoding="utf-8") as file:
                same(json.load(file)["input"], one, "the input in the report")
            good(batch("-q", STEPS, one, "-t", "all.csv", out=scheme, env=here))
            # A bucket that cannot be listed denies what it has not: metadata of other versions, chunks that were never written.
            for bucket in ("bucket", "unlisted", "a.bucket"):
                good(fovea("convert", f"{scheme}://{bucket}/of%20 cells.ome.zarr", "b.tif", "--series", "1", env=here))
                good(fovea("convert", f"{bucket}/of%20 cells.ome.zarr", "a.tif", "--series", "1"))
                same(tifffile.imread("b.tif").tobytes(), tifffile.imread("a.tif").tobytes(), "pixels")
            fails(fovea("info", f"{scheme}://bucket/none.tif", env=here), f"'{scheme}://bucket/none.tif' cannot be fetched", "404", status=1)
            for name in "a.tif", "a.ome.zarr":
                fails(fovea("info", f"{scheme}://closed/{name}", env=here), f"{scheme}://closed/{name}", "is not public, or does not exist", status=1)
                fails(fovea("info", f"{scheme}://elsewhere/{name}", env=here), f"{scheme}://elsewhere/{name}", "another region", "AWS_REGION", status=1)
            for wrong in (f"{scheme}://", f"{scheme}:///a.tif", f"{scheme}://user@host/a.tif"):
                fails(fovea("info", wrong, env=here), "names no bucket", status=1)
        # The variable of one service goes before that of all.
        good(fovea("info", "s3://bucket/a b+c?#%20.tif", env=here | {"AWS_ENDPOINT_URL_S3": url + "/", "AWS_ENDPOINT_URL": "http://127.0.0.1:9"}))
    # What curl is asked for, as a false curl tells.
    os.makedirs("bin")
    with open("bin/curl", "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\nwhile [ "$1" != --url ]; do shift; done\necho "curl: (9) <$2>" >&2\nexit 9\n')
    os.chmod("bin/curl", 0o755)
    for given, variables, address in (
            ("s3://b-1/k/a b.tif", {}, "https://b-1.s3.amazonaws.com/k/a%20b.tif"),
            ("s3://b-1/k.tif", {"AWS_REGION": "eu-west-2"}, "https://b-1.s3.eu-west-2.amazonaws.com/k.tif"),
            ("s3://b-1/k.tif", {"AWS_DEFAULT_REGION": "eu-west-2", "AWS_ENDPOINT_URL": ""}, "https://b-1.s3.eu-west-2.amazonaws.com/k.tif"),
            ("s3://b-1/k.tif", {"AWS_REGION": "cn-north-1"}, "https://b-1.s3.cn-north-1.amazonaws.com.cn/k.tif"),
            ("s3://b-1/k.tif", {"AWS_ENDPOINT_URL": "https://s3.example.org/", "AWS_REGION": "eu-west-2"}, "https://s3.example.org/b-1/k.tif"),
            ("s3://b-1/k.tif", {"AWS_ENDPOINT_URL": "https://s3.example.org", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"}, "https://b-1.s3.amazonaws.com/k.tif"),
            ("s3://b.1/k.tif", {}, "https://s3.amazonaws.com/b.1/k.tif"),
            ("s3://B_1/k.tif", {"AWS_REGION": "eu-west-2"}, "https://s3.eu-west-2.amazonaws.com/B_1/k.tif"),
            ("gs://b.1/k/a.tif", {}, "https://storage.googleapis.com/b.1/k/a.tif")):
        fails(fovea("info", given, env=plain | variables | {"PATH": os.path.abspath("bin") + ":" + os.environ["PATH"]}), f"'{given}' cannot be fetched: <{address}>", status=1)


def test_file():
    """A path of this machine, which is not copied."""
    write("a b.tif", 1)
    url = pathlib.Path("a b.tif").absolute().as_uri()
    good(fovea("run", "-q", STEPS, url, "-t", "t.csv"))
    same([tuple(row) for row in table("t.csv")[1:]], expected(cells(1)), "rows")
    fails(fovea("info", url + "x"), "a b.tifx' does not exist", status=1)


def test_schemes():
    """What no part of this system serves."""
    for url in ("sftp://localhost/a.tif", "nothing://localhost/a.tif"):
        fails(fovea("info", url, env={**os.environ, "GIO_USE_VFS": "local"}), f"'{url}' cannot be fetched", url.split(":")[0], "GVfs", status=1)


main([test_http, test_batch, test_zarr, test_cloud, test_file, test_schemes])
