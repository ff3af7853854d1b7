#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls in child processes, after calls in the parent: the results are SciPy's, and every child ends. An alarm ends one that waits for ever."""
import atexit
import contextlib
import importlib
import multiprocessing
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import threading
import traceback

import tap
from tap import Skip

import numpy as np
from scipy import ndimage

import fovea

SECONDS = 60  # a child takes less than one
NOISE = np.random.default_rng(1).random((300, 400)).astype(np.float32)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.path.dirname(fovea.__path__[0]), os.environ.get("PYTHONPATH")]))


def count(seed):
    """How many objects Fovea finds in an image of its own, and how many SciPy."""
    signal.alarm(SECONDS)
    image = ndimage.gaussian_filter(np.random.default_rng(seed).random((200, 300)), 3).astype(np.float32)
    mask = (image > image.mean()).astype(np.uint8)
    found = len(fovea.run("label connectivity=4 as=cells | regionprops properties=label,area", mask, device="cpu").table["area"])
    smooth = np.asarray(fovea.gaussian(image, sigma=2, device="cpu"))
    assert np.allclose(smooth, ndimage.gaussian_filter(image.astype(float), 2, mode="nearest", truncate=4), atol=1e-3)
    signal.alarm(0)
    return found, int(ndimage.label(mask)[1])


def expected(n):
    counts = [count(seed) for seed in range(n)]
    assert all(ours == theirs for ours, theirs in counts), counts
    return counts


def ends_well(child):
    """Whether the child ended with 0."""
    assert os.waitpid(child, 0)[1] == 0


def leave(code):
    """What the interpreter does at its end, without the tests that follow."""
    threading._shutdown()
    atexit._run_exitfuncs()
    os._exit(code)


def in_child(work):
    """Does it in a child that ends at once, and in one that ends as a program does."""
    for end in (os._exit, leave):
        sys.stdout.flush()
        child = os.fork()
        if not child:
            code = 1
            try:
                signal.alarm(SECONDS)
                work()
                code = 0
            except Exception:
                traceback.print_exc()
            finally:
                end(code)
        ends_well(child)


@contextlib.contextmanager
def noise_file():
    """The path of a file, which no child removes at its end."""
    folder = tempfile.mkdtemp()
    try:
        path = pathlib.Path(folder) / "noise.tif"
        fovea.Image(NOISE).save(path)
        yield path
    finally:
        shutil.rmtree(folder)


def test_fork():
    """A child computes what its parent computes, and its child does."""
    before = expected(1)

    def nested():
        assert expected(1) == before
        child = os.fork()
        if not child:
            os._exit(0 if expected(1) == before else 1)
        ends_well(child)

    in_child(nested)
    assert expected(1) == before


def test_progress():
    """Progress, and calls of other threads than the main one."""
    def work():
        heard = []
        fovea.run("gaussian sigma=20 | otsu", NOISE, device="cpu", progress=lambda *told: heard.append(told))
        thread = threading.Thread(target=lambda: heard.append(expected(1)))
        thread.start()
        thread.join()
        assert heard and isinstance(heard[-1], list)

    work()
    in_child(work)


def test_while_busy():
    """Other threads compute, and read one file, while this one forks."""
    before, over = expected(1), threading.Event()
    with noise_file() as path:

        def read():
            assert np.array_equal(np.asarray(fovea.open(path)), NOISE)

        def compute():
            while not over.is_set():
                fovea.gaussian(NOISE, sigma=5, device="cpu")
                read()

        def work():
            assert expected(1) == before
            read()

        threads = [threading.Thread(target=compute) for _ in range(3)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(8):
                in_child(work)
        finally:
            over.set()
            for thread in threads:
                thread.join()


def test_property():
    """What another thread was computing of an image while this one forked."""
    masks = [fovea.otsu(NOISE, device="cpu") for _ in range(2)]
    busy, over = threading.Event(), threading.Event()

    class Waits(fovea._images._OnHost):
        def __dlpack__(self, *args, **options):
            busy.set()
            over.wait()
            return super().__dlpack__(*args, **options)

    original, fovea._images._OnHost = fovea._images._OnHost, Waits
    thread = threading.Thread(target=lambda: np.asarray(masks[0]))
    thread.start()
    busy.wait()
    fovea._images._OnHost = original
    try:
        in_child(lambda: np.asarray(masks[1]).sum())
    finally:
        over.set()
        thread.join()


def test_image():
    """An image of the parent, read from a file only in the child, while the parent reads it too."""
    with noise_file() as path:
        for _ in range(3):
            image = fovea.open(path)

            def work():
                assert np.array_equal(np.asarray(image), NOISE)

            in_child(work)
            assert np.array_equal(np.asarray(image), NOISE)


def pool(method):
    before = expected(4)
    with multiprocessing.get_context(method).Pool(2) as workers:
        assert workers.map_async(count, range(4)).get(timeout=SECONDS) == before


def test_multiprocessing():
    """multiprocessing, each way of starting a process."""
    for method in ("fork", "spawn", "forkserver"):
        pool(method)


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Skip(f"{name} is not installed") from None


def test_joblib():
    """joblib, with spawned and with forked processes."""
    joblib = module("joblib")
    before = expected(4)
    for backend in ("loky", "multiprocessing"):
        assert joblib.Parallel(n_jobs=2, backend=backend, timeout=SECONDS)(joblib.delayed(count)(seed) for seed in range(4)) == before


def test_data_loader():
    """PyTorch's workers."""
    data = module("torch.utils.data")
    before = expected(4)

    class Counts(data.Dataset):
        def __len__(self):
            return 4

        def __getitem__(self, i):
            return count(i)

    loader = data.DataLoader(Counts(), num_workers=2, batch_size=None, timeout=SECONDS)
    assert [tuple(int(n) for n in found) for found in loader] == before


if __name__ == "__main__":
    tap.run(globals())
