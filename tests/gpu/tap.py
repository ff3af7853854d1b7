# SPDX-License-Identifier: MIT
"""Checks that print TAP: one line each, also when others fail."""
import time

import numpy as np

checks = []


def check(*ops):
    """Registers a generator of (name, what is wrong or ""), to be run where all these operations can be."""
    def register(function):
        checks.append((ops, function))
        return function
    return register


def run(able, give_up, *given, state=(0, 0, 0), broken=None):
    """Runs the checks, and returns the number of failures.

    able: whether an operation can be run.
    give_up: seconds after which no new check is begun.
    state: how many checks were begun, lines printed and failures seen before.
    broken: called with a check that raised. It does not return when this process cannot continue.
    """
    (begun, n, failures), begin = state, time.monotonic()

    def say(name, wrong="", skip=""):
        nonlocal n, failures
        n += 1
        failures += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {n} - {name}" + (f" # SKIP {skip}" if skip else ""), flush=True)
        for line in str(wrong).splitlines():
            print(f"# {line[:400]}", flush=True)

    for ops, function in checks[begun:]:
        begun += 1
        missing, start = [op for op in ops if not able(op)], time.monotonic()
        if missing or start - begin > give_up:
            say(function.__name__, skip=f"{', '.join(missing)} cannot run there" if missing else "no time is left")
            continue
        try:
            for name, wrong in function(*given):
                say(f"{function.__name__}: {name}", wrong)
        except ImportError as error:
            say(function.__name__, skip=f"no {error.name} there")
        except Exception as error:
            at = error.__traceback__
            while at.tb_next:
                at = at.tb_next
            position = f"{at.tb_frame.f_code.co_filename.rpartition('/')[2]}:{at.tb_lineno}"
            say(function.__name__, f"{type(error).__name__}: {error} ({position})")
            if broken:
                broken((begun, n, failures))
        print(f"# {function.__name__}: {time.monotonic() - start:.1f} s", flush=True)
    print(f"1..{n}")
    return failures


# What is wrong, in words; "" when nothing is.

def equal(found, expected):
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape:
        return f"shape {found.shape} instead of {expected.shape}"
    differ = found != expected
    if found.dtype.kind == "f" and expected.dtype.kind == "f":
        differ &= ~(np.isnan(found) & np.isnan(expected))
    if not differ.any():
        return ""
    at = tuple(int(i) for i in np.argwhere(differ)[0])
    return f"{differ.sum()} of {differ.size} differ, first at {at}: {found[at]} instead of {expected[at]}"


def close(found, expected, limit):
    """||a - b|| / ||b||, in double, of what is finite; what is not is the same in both."""
    found, expected = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    if found.shape != expected.shape:
        return f"shape {found.shape} instead of {expected.shape}"
    finite = np.isfinite(expected)
    wrong = equal(found[~finite], expected[~finite])
    if wrong:
        return wrong
    error, norm = np.linalg.norm(found[finite] - expected[finite]), np.linalg.norm(expected[finite])
    return "" if error <= limit * norm else f"relative error {error / norm if norm else error:.3g}, more than {limit:g}"


def near(found, expected, most, share=1.0):
    """Every pixel within `most`, and at most that share of them off at all."""
    found, expected = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    if found.shape != expected.shape:
        return f"shape {found.shape} instead of {expected.shape}"
    off = np.abs(found - expected)
    if off.size == 0 or (off.max() <= most and (off > 0).mean() <= share):
        return ""
    return f"off by {off.max():g} at most, in {100 * (off > 0).mean():.3g} % of the pixels"


def columns(found, expected, limit=1e-6):
    """Tables: every expected column, each number within limit * max(1, |b|); angles at the ends of their range are one."""
    for key, values in expected.items():
        if key not in found:
            return f"no column {key}"
        a, b = np.asarray(found[key], np.float64), np.asarray(values, np.float64)
        if a.shape != b.shape:
            return f"{key}: {a.size} rows instead of {b.size}"
        if key in ("orientation", "theta"):
            a, b = (np.where(np.abs(v) > np.pi / 2 - limit, np.pi / 2, v) for v in (a, b))
        with np.errstate(invalid="ignore"):
            bad = ~((np.abs(a - b) <= limit * np.maximum(1, np.abs(b))) | (np.isnan(a) & np.isnan(b)) | (a == b))
        if bad.any():
            i = int(np.flatnonzero(bad)[0])
            return f"{key}: {bad.sum()} of {a.size} differ, first in row {i}: {a[i]:.12g} instead of {b[i]:.12g}"
    return ""


def sure(condition, text):
    return "" if condition else text
