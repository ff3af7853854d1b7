# SPDX-License-Identifier: MIT
"""What the peers have in common: a list of them by the kind of work, and the timing of one of them.

A peer is a function that gets the arrays of a line and returns two functions, (call, facts). The first does the work and returns a result. The
second makes numbers of the result, with the names that the program uses, to be compared with its own."""
import contextlib
import itertools
import sys
import time
import warnings

import numpy as np

SETS = 4
ENOUGH_BYTES = 256 << 20  # inputs larger than this are past every cache by themselves
SLOW = 1.0  # seconds; what takes longer is run on the first set alone
ONCE = 30.0  # seconds; what takes longer is run once


class Peers:
    def __init__(self, kind):
        self.kind, self.versions, self.missing, self.works = kind, {}, {}, {}
        self.release = lambda: None  # gives memory back between lines

    def have(self, name, importer):
        """Whether a peer's modules can be imported; importer() returns them, its version first."""
        try:
            version, *modules = importer()
        except Exception as error:
            self.missing[name] = f"{type(error).__name__}: {error}"
            return None
        self.versions[name] = version
        return modules[0] if len(modules) == 1 else modules

    def add(self, name, *works, unlike=None):
        """Decorates a peer for these works. unlike: what it does otherwise than the program."""
        def register(peer):
            for work in works:
                self.works.setdefault(work, []).append((name, unlike, peer))
            return peer
        return register


def flipped(array, flips):
    """The same sets as the program's: bit 0 turns the rows upside down, bit 1 turns each row round."""
    array = array[..., ::-1, :] if flips & 1 else array
    array = array[..., ::-1] if flips & 2 else array
    return np.ascontiguousarray(array)


def summary(ms):
    return {"median": float(np.median(ms)), "min": float(np.min(ms)), "max": float(np.max(ms))}


def wall_clock(call):
    """Runs a call; its result, its milliseconds on the wall, and on the device (the same: there is none)."""
    start = time.perf_counter()
    result = call()
    ms = (time.perf_counter() - start) * 1e3
    return result, ms, ms


def runs(calls, times, repeats, seconds, clock):
    """The times of the calls in turn, after those given: `repeats` in all or as many as fit, two at least."""
    start = time.perf_counter()
    for call in itertools.cycle(calls):
        if len(times) >= repeats or (len(times) >= 2 and time.perf_counter() - start > seconds):
            return times
        times = times + [clock(call)[1:]]


def time_peer(name, peer, arrays, repeats, seconds, clock):
    """Times a peer, `repeats` times or as often as fits into so many seconds, after warming up."""
    sets = SETS if sum(a.nbytes for a in arrays) < ENOUGH_BYTES else 1
    with warnings.catch_warnings(), contextlib.redirect_stdout(sys.stderr):  # some print
        warnings.simplefilter("ignore")
        call, facts = peer(*arrays)
        result, *first = clock(call)
        found = {key: float(value) for key, value in facts(result).items() if np.isfinite(float(value))}
        del result
        times = [first]
        if first[0] < ONCE * 1e3:
            second = clock(call)[1:]  # the first may have compiled kernels
            calls, times = [call], [second]
            if second[0] < SLOW * 1e3:
                calls += [peer(*[flipped(a, flips) for a in arrays])[0] for flips in range(1, sets)]
                times = []
                for other in calls[1:]:
                    clock(other)
            times = runs(calls, times, repeats, seconds, clock)
    return {"name": name, "repeats": len(times), "first_ms": first[0], "wall_ms": summary([t[0] for t in times]),
            "device_ms": summary([t[1] for t in times]), "facts": found}


def image_facts(op):
    return lambda image: {f"{op}.mean": image.mean(dtype=np.float64), f"{op}.max": image.max()}


def no_facts(result):
    return {}


def table_facts(table):
    """Means of magnitudes, because an orientation of plus or minus a quarter turn is the same axis."""
    facts = {"regionprops.rows": len(table["label"])}
    facts.update({f"regionprops.mean {key}": abs(values).mean(dtype=np.float64) for key, values in table.items()})
    return facts
