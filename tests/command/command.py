# SPDX-License-Identifier: MIT
"""What tests of the command share: calls of it in a folder of their own, and TAP."""
import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

SOURCE = os.environ["FOVEA_SOURCE"]
FOVEA = os.path.join(os.environ["FOVEA_BUILD"], "command", "fovea")
NUCLEI = os.path.join(SOURCE, "data", "samples", "nuclei_rgb.tif")
COUNT = "channel index=1 | otsu as=mask | label as=cells | regionprops"


def fovea(*arguments, **options):
    """The finished call; its output is bytes, for it may hold anything."""
    options = {"capture_output": True, "timeout": 120, "stdin": subprocess.DEVNULL, **options}
    return subprocess.run([FOVEA, *arguments], **options)


def preloadable(module):
    """Its path as LD_PRELOAD can hold it, which takes blanks and colons for the end of a path."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    return shutil.copy(module, folder)


def same(got, expected, what="value"):
    assert got == expected, f"{what} is {got!r}, not {expected!r}"


def fails(done, *words, status=None):
    """One sentence about it, and no success."""
    text = done.stderr.decode("utf-8")
    assert done.returncode != 0 if status is None else done.returncode == status, f"status {done.returncode}: {text}"
    assert text.startswith("fovea: "), f"no sentence: {text!r}"
    for word in words:
        assert word in text, f"{word!r} is not in {text!r}"


def in_time(begin, seconds):
    """Whether at most so many seconds have passed since then, not counting what ten starts of the program take here and now: on a busy
    machine everything takes longer."""
    took = time.monotonic() - begin
    begin = time.monotonic()
    fovea("--version")
    return took < seconds + 10 * (time.monotonic() - begin)


def main(tests):
    """Runs each in an empty working folder; those named on the command line, or all."""
    unknown = set(sys.argv[1:]) - {test.__name__ for test in tests}
    if unknown:
        sys.exit(f"Unknown test: {', '.join(sorted(unknown))}.")
    tests = [test for test in tests if len(sys.argv) < 2 or test.__name__ in sys.argv[1:]]
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    for number, test in enumerate(tests, 1):
        with tempfile.TemporaryDirectory(prefix="fovea-") as folder:
            os.chdir(folder)
            try:
                skipped = test()
                print(f"ok {number} - {test.__name__}" + (f" # SKIP {skipped}" if skipped else ""), flush=True)
            except Exception:  # noqa: BLE001 - every failure is one of the test
                failed += 1
                print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()) + f"not ok {number} - {test.__name__}",
                      flush=True)
            os.chdir("/")
    sys.exit(failed > 0)
