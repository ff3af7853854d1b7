#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_movies.py FOVEA: movies that are written are what went in, to Pillow, and where they are installed to ffmpeg and ImageJ. Videos are read
by ffmpeg, and by programs of its name that do what they should not. Skips (77) without Pillow and tifffile."""
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
    import tifffile
    from PIL import Image
except ImportError:
    sys.exit(77)

FOVEA = os.path.abspath(sys.argv[1])
JAR = os.environ.get("IMAGEJ_JAR", "/usr/share/java/ij.jar")


def fovea(*arguments, env=None, fails=None):
    done = subprocess.run([FOVEA, *arguments], capture_output=True, text=True, env={**os.environ, **(env or {})})
    if fails is None and done.returncode or fails is not None and (not done.returncode or fails not in done.stderr):
        sys.exit(f"fovea {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def same(found, expected, what, tolerance=0):
    found, expected = np.asarray(found, int), np.asarray(expected, int)
    if found.shape != expected.shape or np.abs(found - expected).max() > tolerance:
        sys.exit(f"{what}: {found.shape} {expected.shape} " + (f"{np.abs(found - expected).max()}" if found.shape == expected.shape else ""))


def mean_error(found, expected, most, what):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    if found.shape != expected.shape or np.sqrt(np.mean((found - expected) ** 2)) > most:
        sys.exit(f"{what}: {found.shape} {expected.shape} {np.sqrt(np.mean((found - expected) ** 2)) if found.shape == expected.shape else ''}")


def smooth(frames, rows, columns, channels=1):
    t, y, x, c = np.ogrid[:frames, :rows, :columns, :channels]
    return (128 + 90 * np.sin(y / 7 + t / 2 + c) * np.cos(x / 9 - t / 3 + 2 * c)).astype(np.uint8).squeeze(-1 if channels == 1 else ())


def series(path, pictures, interval):
    """A series of frames as ImageJ has it."""
    tifffile.imwrite(path, pictures, imagej=True, photometric="rgb" if pictures.ndim == 4 else "minisblack",
                     metadata={"axes": "TYXS" if pictures.ndim == 4 else "TYX", "finterval": interval, "tunit": "sec"})


def read(path, env=None):
    """What fovea reads of it: (frame, row, column[, channel])."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "read.tif")
        fovea("convert", path, out, env=env)
        with tifffile.TiffFile(out) as tiff:
            found = tiff.asarray()
            return found[None] if found.ndim == 2 or found.shape[-1] == 3 and found.ndim == 3 else found


def by_pillow(path, mode=None):
    image, found, delays = Image.open(path), [], []
    for n in range(getattr(image, "n_frames", 1)):
        image.seek(n)
        found.append(np.asarray(image.convert(mode) if mode else image))
        delays.append(image.info.get("duration"))
    return np.stack(found), delays


def jpegs(path, mode):
    data = pathlib.Path(path).read_bytes()
    return np.stack([np.asarray(Image.open(io.BytesIO(b"\xff\xd8\xff" + part)).convert(mode)) for part in data.split(b"\xff\xd8\xff")[1:]])


# ---- What is written ----

def check_animations(gray, color, deep):
    few = (color // 128 * 255).astype(np.uint8)
    series("few.tif", few, 0.25)
    for name, mode, pictures in (("gray", "L", gray), ("few", "RGB", few)):
        fovea("convert", f"{name}.tif", f"{name}.gif")
        found, delays = by_pillow(f"{name}.gif", mode)
        same(found, pictures, f"{name}.gif")
        if delays != [250] * len(pictures) or Image.open(f"{name}.gif").info.get("loop") != 0:
            sys.exit(f"{name}.gif: {delays}")
    for name, pictures in (("gray", gray), ("color", color), ("deep", deep)):
        fovea("convert", f"{name}.tif", f"{name}.apng", "--rate", "8")
        found, delays = by_pillow(f"{name}.apng")
        same(found, pictures, f"{name}.apng")
        if set(delays) != {125.0}:
            sys.exit(f"{name}.apng: {delays}")
    fovea("convert", "color.tif", "color.gif")
    fewer = np.stack([np.asarray(Image.fromarray(p).quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).convert("RGB")) for p in color])
    ours, theirs = by_pillow("color.gif", "RGB")[0].astype(float) - color, fewer.astype(float) - color
    if np.mean(ours ** 2) > 1.5 * np.mean(theirs ** 2):
        sys.exit(f"color.gif: {np.mean(ours ** 2)}, and by Pillow, for each frame alone, {np.mean(theirs ** 2)}")


def check_avi(gray, color):
    for name, pictures in (("gray", gray), ("color", color)):
        mode = "L" if pictures.ndim == 3 else "RGB"
        for compression in ("none", "jpeg", "png"):
            path = f"{name}_{compression}.avi"
            fovea("convert", f"{name}.tif", path, "--compression", compression)
            if compression == "jpeg":
                mean_error(jpegs(path, mode), pictures, 4, path)
            yield path, pictures, compression


def check_ffmpeg_reads(path, pictures, compression):
    expected = pictures if pictures.ndim == 4 else np.repeat(pictures[..., None], 3, 3)
    data = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], check=True, capture_output=True).stdout
    mean_error(np.frombuffer(data, np.uint8).reshape(expected.shape), expected, 6 if compression == "jpeg" else 0, f"{path} by ffmpeg")
    said = json.loads(subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=r_frame_rate,nb_frames", "-of", "json", path], check=True, capture_output=True).stdout)
    if said["streams"] != [{"r_frame_rate": "4/1", "nb_frames": str(len(pictures))}]:
        sys.exit(f"{path}: {said}")


def check_imagej(paths):
    """ImageJ reads ours; what it writes of them, we read."""
    if not (shutil.which("java") and shutil.which("xvfb-run") and os.path.exists(JAR)):
        return
    lines = []
    for path, _, compression in paths:
        full = os.path.abspath(path)
        lines.append(f'run("AVI...", "select={full}"); saveAs("Tiff", "{full}.tif"); '
                     f'run("AVI... ", "compression={ {"none": "None", "jpeg": "JPEG", "png": "PNG"}[compression]} frame=5 save={full}.again.avi"); close();')
    pathlib.Path("movies.ijm").write_text("\n".join(lines))
    done = subprocess.run(["xvfb-run", "-a", "java", f"-Duser.home={os.getcwd()}", "-cp", JAR, "ij.ImageJ", "-batch", "movies.ijm"], capture_output=True, text=True, timeout=100)
    for path, pictures, compression in paths:
        if not os.path.exists(path + ".tif"):
            sys.exit(f"ImageJ does not read {path}: {done.stdout} {done.stderr}")
        mean_error(tifffile.imread(path + ".tif"), pictures, 4 if compression == "jpeg" else 0, f"{path} by ImageJ")
        again = read(path + ".again.avi")
        if compression == "jpeg" and again.ndim > pictures.ndim:  # gray values as colors
            again = again[..., 1]
        mean_error(again, pictures, 6 if compression == "jpeg" else 0, f"{path} written by ImageJ")
        info = fovea("info", path + ".again.avi")
        if "one frame every 0.2 s" not in info:
            sys.exit(f"{path} written by ImageJ: {info}")


# ---- Videos ----

def check_ffmpeg(gray, color):
    odd = color[:, :-1, :-1]
    series("odd.tif", odd, 0.25)
    for name, pictures in (("gray", gray), ("color", color), ("odd", odd)):
        for ending in ("mp4", "mov", "mkv", "webm") if name == "color" else ("mp4",):
            path = f"{name}.{ending}"
            fovea("convert", f"{name}.tif", path)
            found = read(path)[:, :pictures.shape[1], :pictures.shape[2]]
            mean_error(found, pictures, 6, path)
            said = json.loads(subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=avg_frame_rate,pix_fmt,width,height", "-of", "json", path],
                                             check=True, capture_output=True).stdout)["streams"][0]
            size = tuple(n + n % 2 for n in pictures.shape[1:3])
            if (said["avg_frame_rate"], said["pix_fmt"], (said["height"], said["width"])) != ("4/1", "yuv420p", size):
                sys.exit(f"{path}: {said}")
    # Names that could be options, protocols or lists of others; frames at uneven times; gray of 10 bits; codecs in AVI.
    os.makedirs("-i")
    for name in ("-i/-y", "concat:a|b", "a%03d", "pipe:0"):
        shutil.copy("gray.mp4", f"{name}.mp4")
        mean_error(read(os.path.abspath(f"{name}.mp4"))[:, :, :], gray, 6, name)
        mean_error(read(f"./{name}.mp4")[:, :, :], gray, 6, name)
    subprocess.run(["ffmpeg", "-v", "error", "-i", "gray.mp4", "-vf", "setpts='N*N/TB/10'", "-fps_mode", "passthrough", "uneven.mkv"], check=True)
    mean_error(read("uneven.mkv"), gray, 8, "uneven.mkv")
    ten = (np.arange(6 * 16 * 16).reshape(6, 16, 16) % 1024).astype("<u2")
    subprocess.run(["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gray10le", "-s", "16x16", "-i", "-", "-c:v", "ffv1", "ten.mkv"], input=ten.tobytes(), check=True)
    same(read("ten.mkv"), ten, "ten.mkv")
    subprocess.run(["ffmpeg", "-v", "error", "-i", "color.mov", "-c:v", "ffv1", "-pix_fmt", "bgr0", "foreign.avi"], check=True)
    mean_error(read("foreign.avi"), color, 6, "foreign.avi")
    whole = pathlib.Path("gray.mp4").read_bytes()
    for part in (40, len(whole) // 3, len(whole) - 200):
        pathlib.Path("cut.mp4").write_bytes(whole[:part])
        fovea("convert", "cut.mp4", "cut.tif", fails="cut.mp4' is damaged")


FAKE_PROBE = """#!/bin/sh
echo '{"streams": [{"width": 8, "height": 4, "pix_fmt": "rgb24", "avg_frame_rate": "10/1", "nb_read_packets": "3"}], "format": {"nb_streams": 2}}'
"""


def fake(ffmpeg, probe=FAKE_PROBE):
    """PATH with these programs alone."""
    os.makedirs("bin", exist_ok=True)
    for name, text in (("ffmpeg", ffmpeg), ("ffprobe", probe)):
        path = pathlib.Path("bin", name)
        path.write_text(text)
        path.chmod(0o755)
    return {"PATH": os.path.abspath("bin") + ":/usr/bin:/bin"}


def check_programs():
    """What the programs say and do is not trusted."""
    pathlib.Path("a.mp4").write_bytes(b"\0\0\0\x18ftypisom" + bytes(200))
    pixels = np.random.default_rng(1).integers(0, 256, (3, 4, 8, 3)).astype(np.uint8)
    pathlib.Path("pixels").write_bytes(pixels.tobytes())
    good = fake("#!/bin/sh\ncat pixels\n")
    same(read("a.mp4", env=good), pixels, "pixels of a program")
    said = fovea("info", "a.mp4", env=good)
    if "8×4" not in said or "3 frames" not in said or "other stream" not in said:
        sys.exit(f"info of a video: {said}")
    fovea("convert", "a.mp4", "a.tif", env=fake("#!/bin/sh\nhead -c 100 pixels\n"), fails="another size")
    fovea("convert", "a.mp4", "a.tif", env=fake("#!/bin/sh\n"), fails="none of its frames")
    fovea("convert", "a.mp4", "a.tif", env=fake("#!/bin/sh\ncat pixels\necho 'moov atom is odd' >&2\nexit 1\n"), fails="(moov atom is odd)")
    fovea("convert", "a.mp4", "a.tif", env={**fake("#!/bin/sh\ncat /dev/zero\n"), "FOVEA_SCRATCH_LIMIT": "4"}, fails="FOVEA_SCRATCH")
    fovea("info", "a.mp4", env=fake("", "#!/bin/sh\necho nonsense\n"), fails="no answer that is understood")
    fovea("info", "a.mp4", env=fake("", "#!/bin/sh\necho '{\"streams\": []}'\n"), fails="has no video")
    fovea("info", "a.mp4", env=fake("", "#!/bin/sh\necho '{\"streams\": [{\"width\": -5, \"height\": 4, \"nb_read_packets\": \"3\"}]}'\n"), fails="has no frame")
    fovea("info", "a.mp4", env=fake("", "#!/bin/sh\nhead -c 300000 /dev/zero >&2\nexit 3\n"), fails="is damaged")
    fovea("convert", "gray.tif", "b.mp4", env=fake("#!/bin/sh\necho 'no encoder' >&2\nexit 1\n"), fails="cannot be written by ffmpeg: no encoder")
    if os.path.exists("b.mp4"):
        sys.exit("a file is left of a program that failed")
    slow = subprocess.Popen([FOVEA, "convert", "a.mp4", "a.tif"], env={**os.environ, **fake("#!/bin/sh\nexec sleep 100\n")})
    time.sleep(1)
    slow.send_signal(signal.SIGINT)
    if slow.wait(10) == 0:
        sys.exit("a stopped conversion succeeded")


def main():
    gray, color = smooth(5, 48, 70), smooth(5, 48, 70, 3)
    deep = np.random.default_rng(2).integers(0, 65536, (3, 20, 31)).astype(np.uint16)
    for name, pictures in (("gray", gray), ("color", color), ("deep", deep)):
        series(f"{name}.tif", pictures, 0.25)
    check_animations(gray, color, deep)
    paths = list(check_avi(gray, color))
    check_imagej(paths)
    if shutil.which("ffmpeg") and shutil.which("ffprobe"):
        for path in paths:
            check_ffmpeg_reads(*path)
        check_ffmpeg(gray, color)
    check_programs()


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    main()
    os.chdir("/")
