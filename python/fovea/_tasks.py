# SPDX-License-Identifier: MIT
"""Work that Ctrl-C ends. Python hands signals to its main thread alone, which waits meanwhile: the work is done on one other thread, always the same one, that
keeps the threads with which it computes.
"""
import os
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Callable

from . import _fovea


def _make_worker():
    global _worker
    _worker = ThreadPoolExecutor(1, "fovea")


_make_worker()
# fork() does not copy threads: a child has its own.
os.register_at_fork(after_in_child=_make_worker)


def has_signals() -> bool:
    """Whether this thread is the one that handles signals."""
    return threading.current_thread() is threading.main_thread()


def stoppable(work: Callable[[Any], Any]) -> Any:
    """What work(task) returns; where no signals come it is done at once, with None."""
    if not has_signals():
        return work(None)
    task = _fovea.task_new()
    future = _worker.submit(work, task)
    try:
        return future.result()
    except BaseException:
        _fovea.task_cancel(task)
        wait([future])
        raise
