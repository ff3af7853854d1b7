# SPDX-License-Identifier: MIT
"""Variables of the environment that hold numbers: what is none is an error that names the variable and what would work, in every command."""
import os

from command import NUCLEI, fails, fovea, main, same

WRONG = [" ", "abc", "-5", "+5", "4 GiB", "2048MB", "1e3", "0x10", "1.5", "99999999999999999999", "18446744073709551615", "\x1b[1m"]
COMMANDS = [("devices",), ("ops",), ("info", NUCLEI), ("convert", NUCLEI, "copy.tif"), ("run", "otsu", NUCLEI, "-o", "mask.tif")]


def with_value(name, value):
    return {**os.environ, name: value}


def test_no_numbers():
    for name, zero in (("FOVEA_DEVICE_MEMORY", False), ("FOVEA_HOST_MEMORY", False), ("FOVEA_SCRATCH_LIMIT", True)):
        for value in WRONG + ([] if zero else ["0"]):
            fails(fovea("info", NUCLEI, env=with_value(name, value)), name, "in MiB", "such as", status=2)
        for command in COMMANDS:
            fails(fovea(*command, env=with_value(name, "abc")), f"{name} is 'abc'", status=2)
        for value in ["", "4096", "04096", "17592186044415"] + (["0"] if zero else []):
            same(fovea("info", NUCLEI, env=with_value(name, value)).returncode, 0, f"status with {name}={value}")
    same(os.listdir("."), [], "files")


def test_zero_says_what_to_do():
    fails(fovea("devices", env=with_value("FOVEA_DEVICE_MEMORY", "0")), "To avoid GPUs, choose device cpu", status=2)


main([test_no_numbers, test_zero_says_what_to_do])
