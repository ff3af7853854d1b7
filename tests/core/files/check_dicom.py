#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_dicom.py FOVEA READ_REGIONS: the files in dicom/ have the values that pydicom reads, slices of a folder are in the order of their positions, sizes and windows
are kept, files of one slide are levels of one image, images that are divided into several files are whole, subfolders count where they should, nothing says who the patient is, and what cannot be read is a sentence. Skips (77) without NumPy and tifffile."""
import ctypes.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import tifffile
except ImportError as error:
    print(f"no {error.name}")
    sys.exit(77)

DATA = pathlib.Path(__file__).resolve().parent / "dicom"
# The file, and a part of what is said.
REFUSED = {"report.dcm": "has no pixels",
           "truncated.dcm": "is damaged or truncated"}
SHAPES = {"series": (1, 1, 5, 6, 7), "times": (2, 1, 3, 6, 7), "gap": (1, 1, 4, 6, 7), "multiframe.dcm": (1, 1, 4, 6, 7), "bits.dcm": (1, 1, 2, 5, 7),
          "slide_full.dcm": (1, 3, 1, 21, 26), "slide_sparse.dcm": (1, 3, 1, 21, 26), "slide_gray.dcm": (1, 1, 1, 16, 9), "slide_focus.dcm": (1, 1, 3, 15, 11), "slide_paths.dcm": (1, 2, 3, 15, 11)}
SPACING = {"series": [2.5, 0.5, 0.75], "gap": [2.5, 0.5, 0.75], "multiframe.dcm": [1.5, 0.5, 0.75], "hu.dcm": [1, 0.5, 0.75],
           "slide_full.dcm": [1, 0.00025, 0.0005], "slide_sparse.dcm": [1, 0.00025, 0.0005]}

# What personal.dcm says of people, and parts of it that nothing else may show.
PERSONAL = ["Date of study: 19020304", "Accession number: Secret-2", "Manufacturer: SecretWorks", "Institution: Secret Hospital", "Referring physician: Secret^Doctor",
            "Station: SecretStation", "Study: Secret study", "Operator: Secret^Operator", "Patient's name: Secret^Näme", "Patient's ID: Secret-1",
            "Patient's birth date: 19010203", "Patient's sex: O", "Patient's age: 099Y", "Patient's address: Secret Street 1", "Comments on the patient: Secret comment",
            "UID of series: 1.2.826.0.1.3680043.8.498.1"]
SECRETS = ("Secret", "SECRET", "19010203", "19020304", "099Y", "8.498.1")


class Check:
    def __init__(self, fovea, folder):
        self.fovea, self.folder, self.failed = fovea, folder, 0

    def run(self, *words):
        return subprocess.run([self.fovea, *map(str, words)], capture_output=True, text=True)

    def say(self, name, wrong):
        self.failed += bool(wrong)
        print(f"{name}: {wrong or 'ok'}")

    def values(self, name, want):
        """What is wrong with the pixels of a file or folder."""
        out = self.folder / f"{pathlib.Path(name).stem}.tif"
        done = self.run("convert", DATA / name, out)
        if done.returncode:
            return done.stderr
        got, want = np.squeeze(tifffile.imread(out)), np.squeeze(want)
        if got.ndim == 3 and got.shape[0] == 3 and want.shape[-1] == 3:
            got = np.moveaxis(got, 0, -1)
        if got.shape != want.shape:
            return f"shape {got.shape}, not {want.shape}"
        if b"Secret" in out.read_bytes():
            return "the name of the patient is saved"
        return "" if np.array_equal(got.astype(float), want.astype(float)) else f"values differ by {np.abs(got - want.astype(float)).max()}"

    def described(self, name):
        """What is wrong with what is said of it."""
        text, found = self.run("info", DATA / name).stdout, json.loads(self.run("info", "--json", DATA / name).stdout)
        found = found[0] if isinstance(found, list) else found
        if "Secret" in text + json.dumps(found):
            return "the name of the patient is shown"
        shape = [found[key] for key in ("frames", "channels", "slices", "rows", "columns")]
        if name in SHAPES and tuple(shape) != SHAPES[name]:
            return f"{shape}, not {SHAPES[name]}"
        sizes = found["pixel_size"]
        if name in SPACING and not (np.allclose([sizes[axis][0] for axis in "zyx"], SPACING[name], rtol=1e-9) and sizes["x"][1] == "mm"):
            return f"sizes {sizes}, not {SPACING[name]}"
        return ""

    def part(self):
        """What is wrong with a region within tiles of a slide."""
        for name in "full", "sparse":
            out = self.folder / "part.tif"
            done = self.run("run", "-q", "crop x=4 y=7 width=15 height=12", DATA / f"slide_{name}.dcm", "-o", out)
            if done.returncode:
                return done.stderr
            with np.load(DATA / "values.npz") as values:
                want = values[f"slide_{name}.dcm"][7:19, 4:19]
            if not np.array_equal(tifffile.imread(out), want):
                return f"pixels of {name}"
        return ""

    def pyramid(self):
        """What is wrong with a slide in several files: all of each level, and parts within tiles."""
        said = json.loads(self.run("info", "--json", DATA / "slide").stdout)
        names = [one.get("name") for one in said]
        if names != [None, "label", "overview", "thumbnail"]:
            return f"images {names}"
        with np.load(DATA / "levels.npz") as images:
            levels = [images[f"level {n}"] for n in range(3)]
            for n, flavor in enumerate(["label", "overview", "thumbnail"], 1):
                out = self.folder / "extra.tif"
                done = self.run("convert", "-q", f"--series={n}", DATA / "slide", out)
                if done.returncode or not np.array_equal(tifffile.imread(out), images[flavor]):
                    return f"{flavor} {done.stderr}"
        wanted = [(n, channel, row, column, level.shape[0] - row - cut, level.shape[1] - column - cut)
                  for n, level in enumerate(levels) for channel in range(3) for row, column, cut in ((0, 0, 0), (3, 5, 1))]
        done = subprocess.run([sys.argv[2], DATA / "slide"], input="\n".join(" ".join(map(str, one)) for one in wanted).encode(), capture_output=True)
        sizes, _, pixels = done.stdout.partition(b"\n\n")
        if sizes.decode().splitlines() != ["40 52 8 6", "20 26 8 6", "10 13 16 16"]:
            return f"levels {sizes} {done.stderr.decode()}"
        want = b"".join(levels[n][row:row + rows, column:column + columns, channel].tobytes() for n, channel, row, column, rows, columns in wanted)
        return "" if pixels == want else "pixels of levels"

    def left_out(self, path, *parts):
        """What is wrong with the words about what no image shows."""
        said = self.run("info", path)
        return "" if all(part in said.stdout for part in parts) and ("left out" in said.stdout) == bool(parts) else said.stdout + said.stderr

    def pixels(self, path, n=0):
        """Those of an image, or why there are none."""
        out = self.folder / "pixels.tif"
        done = self.run("convert", "-q", f"--series={n}", path, out)
        return done.stderr if done.returncode else tifffile.imread(out)

    def parts(self):
        """What is wrong with images that are divided into several files: all parts, one missing, one there twice, and one alone."""
        with np.load(DATA / "parts.npz") as images:
            images = dict(images)
        for name in "frames", "slices", "full", "sparse":
            want, folder = images[f"parts_{name}"], self.folder / name
            wrong = self.left_out(DATA / f"parts_{name}")
            if wrong or not np.array_equal(self.pixels(DATA / f"parts_{name}"), want):
                return f"{name} {wrong}"
            shutil.copytree(DATA / f"parts_{name}", folder)
            again = (folder / "c.dcm").read_bytes()
            (folder / "z.dcm").write_bytes(again)
            (folder / "y.dcm").write_bytes(re.sub(rb"(\.2\.)1(?=\0?\x08\0)", rb"\g<1>7", again))  # another instance of the same part
            wrong = self.left_out(folder, "left out: 2 files that have what others have")
            if wrong or not np.array_equal(self.pixels(folder), want):
                return f"{name} with a part twice {wrong}"
            for part in "cyz":
                (folder / f"{part}.dcm").unlink()
            wrong = self.left_out(folder, "1 part of a concatenation that no file has", *(["4 tiles"] if want.ndim == 3 and want.shape[-1] == 3 else []))
            want = want.copy()
            if name == "frames":
                want = want[[0, 1, 2, 5, 6]]
            elif name == "slices":
                want = want[[0, 2, 3]]
            for tile in {"full": range(6, 10), "sparse": images["parts_sparse_order"][6:10]}.get(name, ()):
                want[tile // 5 * 8:][:8, tile % 5 * 6:][:, :6] = 0
            if wrong or not np.array_equal(self.pixels(folder), want):
                return f"{name} without a part {wrong}"
        alone = images["parts_full"].copy()
        alone[8:], alone[:8], alone[8:16, :6] = 0, alone[:8], 0
        for tile in range(6, 15):
            alone[tile // 5 * 8:][:8, tile % 5 * 6:][:, :6] = 0
        alone[8:16, :6] = images["parts_full"][8:16, :6]
        wrong = self.left_out(DATA / "parts_full/b.dcm", "2 parts of a concatenation, which are other files", "9 tiles")
        return wrong or ("" if np.array_equal(self.pixels(DATA / "parts_full/b.dcm"), alone) else "a part alone")

    def batched(self, folder, images):
        """What is wrong with a batch on a folder."""
        with tempfile.TemporaryDirectory() as out:
            done = self.run("batch", "-q", "mean", folder, "--out", out, "-o", "{name}.tif")
            made = sorted(str(path.relative_to(out)) for path in pathlib.Path(out).rglob("*.tif"))
        return "" if not done.returncode and len(made) == images else f"batch {done.stderr} {made}"

    def alike(self):
        """What is wrong with files that have one UID, which some programs give to all, and with offsets of parts that cannot be."""
        with np.load(DATA / "values.npz") as values, np.load(DATA / "parts.npz") as images:
            times, u8, frames = values["times"], values["u8.dcm"], images["parts_frames"]
        same, alone, wrong, huge = (self.folder / name for name in ("same", "alone", "wrong", "huge"))
        for folder in same, alone, wrong, huge:
            folder.mkdir()
        for path in (DATA / "times").iterdir():
            for copy in "a", "b":
                (same / f"{copy}{path.name}").write_bytes(re.sub(rb"(?s)\x08\0\x18\0UI..[.\d]*\0?", b"\x08\0\x18\0UI\x04\0001.23", path.read_bytes()))
        said = self.left_out(same, "left out: 6 files that have what others have")
        if said or not np.array_equal(self.pixels(same), times):
            return f"copies of one UID {said}"
        for i in range(2):  # nothing but their pixels tells these apart
            data = bytearray((DATA / "u8.dcm").read_bytes())
            data[-1] ^= i
            (alone / str(i)).write_bytes(data)
        if self.left_out(alone) or self.pixels(alone).shape != (2, *u8.shape):
            return "files without numbers and positions"
        for path in (DATA / "parts_frames").iterdir():
            (wrong / path.name).write_bytes(re.sub(rb"(?s)(\x20\0\x28\x92UL\x04\0)....", rb"\g<1>\0\0\0\0", path.read_bytes()))
        if self.left_out(wrong) or not np.array_equal(self.pixels(wrong), frames):
            return "parts whose offsets are all 0"
        for name, offset in ("b.dcm", 0), ("a.dcm", 60000000):
            data = (DATA / "parts_full" / name).read_bytes()
            (huge / name).write_bytes(re.sub(rb"(?s)(\x20\0\x28\x92UL\x04\0)....", lambda m, n=offset: m[1] + n.to_bytes(4, "little"), data))
        said = self.run("info", huge)
        return "" if "11 slices" in said.stdout and "tile" not in said.stdout else f"an offset of 60000000: {said.stdout}"

    def disc(self):
        """What is wrong with a folder whose slices are in subfolders, as discs and exports have them."""
        disc, names = self.folder / "disc", ["c", "a10", "e", "a9", "b"]
        with np.load(DATA / "values.npz") as values:
            want = [values["series"], values["gap"], values["u8.dcm"]]
        for i, name in enumerate(names):  # of one series in two folders
            target = disc / "Secret^Name" / f"S{i % 2}" / f"IM{i}"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(DATA / "series" / f"{name}.dcm", target)
        other = disc / "Secret^Other" / "S0"
        shutil.copytree(DATA / "gap", other)
        for path in other.iterdir():
            path.write_bytes(path.read_bytes().replace(b"8.498.1\0", b"8.498.2\0"))
        (disc / "Secret^Other/deep/er").mkdir(parents=True)
        shutil.copy(DATA / "u8.dcm", disc / "Secret^Other/deep/er/IM")
        (disc / "notes.txt").write_text("a note")
        outside = self.folder / "outside"
        shutil.copytree(DATA / "times", outside)
        (disc / "link").symlink_to(outside)
        (disc / "Secret^Name/S0/link").symlink_to(DATA / "rgb.dcm")
        wrong = self.left_out(disc, "left out: 1 slice that no file has, between others")
        for n, values in enumerate(want):
            if wrong or not np.array_equal(self.pixels(disc, n), values):
                return f"image {n} {wrong}"
        said = self.run("info", "--json", disc)
        if len(json.loads(said.stdout)) != 3 or "Secret" in said.stdout or [one["name"] for one in json.loads(said.stdout)] != ["CT"] * 3:
            return said.stdout
        wrong = self.batched(disc, 5)  # each folder that has slices is an input; the link of one leads to an image
        if wrong:
            return wrong
        shutil.copy(disc / "Secret^Name/S1/IM1", disc / "again")  # on the disc twice, and a damaged one
        shutil.copy(DATA / "truncated.dcm", disc / "Secret^Name/S1/IM9")
        wrong = self.left_out(disc, "1 file that cannot be read, 1 file that has what another has")
        if wrong or not np.array_equal(self.pixels(disc), want[0]):
            return f"damaged and copied files {wrong}"
        if "IM9" in self.run("info", "--json", disc).stdout:
            return "the name of a damaged file is told"
        (disc / "view.jpg").write_bytes(b"\xff\xd8\xff")
        if "is a folder with 1 image file" not in self.run("info", disc).stderr:
            return "a folder with another image is DICOM"
        shutil.copy(DATA / "index.dcm", disc / "dicomdir")
        for path in disc, disc / "dicomdir":
            if not np.array_equal(self.pixels(path), want[0]):
                return f"{path.name}, with an index"
        wrong = self.batched(disc, 3)
        if wrong:
            return f"with an index: {wrong}"
        done = subprocess.run([pathlib.Path(self.fovea).resolve(), "info", "dicomdir"], capture_output=True, text=True, cwd=disc)
        if done.returncode or len(done.stdout.splitlines()) != 7:
            return f"an index of the folder it is in {done.stdout} {done.stderr}"
        return ""

    def others(self):
        """What is wrong with folders that are not DICOM, or not with their subfolders."""
        folder = self.folder / "tiffs"
        for i in range(3):
            (folder / f"s{i}").mkdir(parents=True)
            tifffile.imwrite(folder / f"s{i}" / "a.tif", np.zeros((4, 5), "u1"))
        if "is a folder with 3 image files" not in self.run("info", folder).stderr:
            return "subfolders with TIFF files are DICOM"
        shutil.copytree(DATA / "series", folder / "s3")
        if "is a folder with" not in self.run("info", folder).stderr:
            return "subfolders with TIFF and DICOM files are DICOM"
        flat = self.folder / "flat"
        shutil.copytree(DATA / "series", flat)
        shutil.copytree(DATA / "times", flat / "more")
        with np.load(DATA / "values.npz") as values:
            if not np.array_equal(self.pixels(flat), values["series"]):
                return "a folder with slices and subfolders"
        wrong = self.left_out(flat, "files in subfolders: open these folders themselves")
        deep = self.folder.joinpath("deep", *"abcdefghij")
        deep.mkdir(parents=True)
        shutil.copy(DATA / "u8.dcm", deep)
        shutil.copy(DATA / "u8.dcm", self.folder / "deep/a")
        empty = self.folder / "empty"
        empty.mkdir()
        shutil.copy(DATA / "index.dcm", empty / "DICOMDIR")
        said = self.run("info", empty).stderr
        return wrong or self.left_out(self.folder / "deep", "files in more than 8 folders within each other") or ("" if "Copy all of the disc" in said else said)

    def personal(self):
        """What is wrong with what is shown of people when it is asked for, and only then."""
        lines = self.run("info", "--personal", DATA / "personal.dcm").stdout.splitlines()[1:]
        if lines != PERSONAL:
            return f"{lines}"
        if json.loads(self.run("info", "--personal", "--json", DATA / "personal.dcm").stdout)[0]["personal"].splitlines() != PERSONAL:
            return "JSON has something else"
        if "Patient's name: Secret^Name" not in self.run("info", "--personal", DATA / "series").stdout:
            return "nothing of a series"
        log = self.folder / "log.txt"
        if self.run("info", "--personal", "--log", log, DATA / "personal.dcm").returncode != 2 or "Secret" in log.read_text():
            return "it is saved in a log"
        shown = "".join(self.run("info", *options, DATA / "personal.dcm").stdout for options in ((), ("--header",), ("--json", "--header")))
        return next((f"{secret} is shown" for secret in SECRETS if secret in shown), "")

    def saved(self):
        """Which file of all that can be saved says something of people."""
        out = self.folder / "saved"
        out.mkdir()
        steps = "threshold method=manual lower=500 as=mask | label | regionprops intensity=source"
        for words in (("run", steps, DATA / "personal.dcm", "--report", out / "report.json", "--table", out / "table.csv", "--keep-all", out / "all", "-o", f"mask={out / 'mask.fits'}",
                       "--log", out / "log.txt"),
                      *(("convert", DATA / "personal.dcm", out / f"image.{ending}") for ending in ("tif", "fits", "png", "txt")),
                      ("figure", DATA / "personal.dcm", out / "figure.svg", "bar=no"),
                      ("batch", steps, DATA / "personal.dcm", "--out", out / "batch", "-o", "{name}.tif", "--table", "all.csv", "--images", "images.csv")):
            done = self.run(*words)
            if done.returncode:
                return done.stderr
        files = [path for path in out.rglob("*") if path.is_file()]
        if len(files) < 14:
            return f"only {files}"
        return next((f"{path.name} has {secret}" for path in files for secret in SECRETS if secret.encode() in path.read_bytes()), "")


def main():
    with tempfile.TemporaryDirectory() as folder, np.load(DATA / "values.npz") as values:
        check = Check(sys.argv[1], pathlib.Path(folder))
        refused = dict(REFUSED)
        if not ctypes.util.find_library("charls"):
            refused.update({name: "install the package libcharls2" for name in values if name.startswith("jpeg_ls")})
        for name, want in values.items():
            if name not in refused:
                check.say(name, check.values(name, want) or check.described(name))
        for name, part in refused.items():
            done = check.run("info", DATA / name)
            check.say(f"{name} is refused", "" if done.returncode == 1 and part in done.stderr else f"{done.returncode} {done.stderr}")
        said = check.run("convert", DATA / "jpeg_12.dcm", pathlib.Path(folder, "out.tif")).stderr
        check.say("JPEG of 12 bits is refused", "" if "JPEG, has numbers of 12 bits, which libjpeg does not read: convert it" in said else said)
        for name, bits in (("u8.dcm", 8), ("palette.dcm", 8), ("rgb16.dcm", 16)):  # pixels that are said to be floats
            lying = pathlib.Path(folder, name)
            lying.write_bytes((DATA / name).read_bytes().replace(b"\xe0\x7f\x10\x00", b"\xe0\x7f\x08\x00"))
            said = check.run("info", lying).stderr
            check.say(f"floats of {bits} bits of {name} are refused", "" if f"of {bits} bits" in said and "cannot be read" in said else said or "opened")
        check.say("personal data are shown on request", check.personal())
        check.say("personal data are in no file", check.saved())
        said = check.run("info", DATA / "gap").stdout
        check.say("a missing slice is said", "" if "1 slice that no file has" in said else said)
        said = check.run("info", DATA / "slide_sparse.dcm").stdout
        check.say("a missing tile is said", "" if "1 tile that no file has, which is zero" in said else said)
        check.say("a part of a slide", check.part())
        check.say("levels of a slide", check.pyramid())
        check.say("images in several files", check.parts())
        check.say("files that are alike", check.alike())
        check.say("subfolders", check.disc())
        check.say("other folders", check.others())
        sys.exit(check.failed > 0)


main()
