# SPDX-License-Identifier: MIT
"""ImageJ under Xvfb: imagej.ijm in one process."""
import os
import re
import shutil
import signal
import subprocess
import tempfile

from peers import summary

HERE = os.path.dirname(os.path.abspath(__file__))
JAR = os.environ.get("IJ_JAR", "/usr/share/java/ij.jar")
SIZE = "2048"
TIME_LIMIT = 300  # seconds
# What the macro prints: the work and what ImageJ does otherwise.
WORKS = {
    "gaussian": ("gaussian sigma=5 f32", None),
    "erosion": ("erosion disk(2)", "erosion of 3 × 3"),
    "particles": ("regionprops area, mean, solidity", "objects of a mask, all shape descriptors"),
    "workflow": ("workflow", "erosion of 3 × 3, no colours"),
}


def missing():
    """What is missing, or None."""
    for program in "java", "xvfb-run":
        if not shutil.which(program):
            return f"{program} is not installed"
    return None if os.path.exists(JAR) else f"{JAR} is missing"


def run_macro(inputs, repeats):
    with tempfile.TemporaryDirectory() as folder:
        inputs.get(f"nuclei-{SIZE}-u16").tofile(os.path.join(folder, "image.raw"))
        inputs.get(f"mask-eroded-{SIZE}").tofile(os.path.join(folder, "mask.raw"))
        command = ["xvfb-run", "-a", "java", "-Xmx4g", "-cp", JAR, "ij.ImageJ", "-batch",
                   os.path.join(HERE, "imagej.ijm"), f"{folder};{SIZE};{repeats}"]
        # A macro that fails waits forever for its message to be closed: stop the whole group then.
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
            try:
                return process.communicate(timeout=TIME_LIMIT)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGTERM)
                return process.communicate()[0]


def measure(inputs, repeats):
    """{name of the line: what time_peer() gives}, and the version."""
    output = run_macro(inputs, repeats)
    found = {}
    for word, (work, unlike) in WORKS.items():
        times = re.search(rf"^{word}:((?: [\d.]+)+)$", output, re.M)
        if not times:
            raise RuntimeError("ImageJ did not finish: " + output.strip()[-300:])
        ms = [float(t) for t in times[1].split()]
        found[f"{work} {SIZE}"] = {"name": "ImageJ", "repeats": len(ms), "wall_ms": summary(ms),
                                   "device_ms": summary(ms), "facts": {}, **({"unlike": unlike} if unlike else {})}
    found[f"workflow {SIZE}"]["objects"] = int(re.search(r"^objects (\d+)$", output, re.M)[1])
    return found, re.search(r"^version (.*)$", output, re.M)[1]
