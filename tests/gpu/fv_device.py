# SPDX-License-Identifier: MIT
"""Drives a plugin's operations on one of its devices, on arrays that are there already and of any size: CuPy's on a
GPU, NumPy's on the CPU. Nothing is copied: an operation gets the arrays' own memory.

    runner = Runner("build/plugin/fovea-kernels.so", "cuda:0")
    result = runner.run("gaussian", image, sigma=5)        # image: (rows, columns) or (planes, rows, columns)
    result.outputs[0], result.scalars["threshold"], result.table["area"]

tests/fv.py has the ABI's structs. Argument ranges are not checked here; the host does that."""
import ctypes as C
import glob
import os
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import fv  # noqa: E402

ERROR = C.POINTER(fv.Error)
TO_HOST = 1


class Device(C.Structure):
    """fv_device, all of it."""


SELF = C.POINTER(Device)
Device._fields_ = [
    ("size", C.c_uint32), ("kind", C.c_int), ("key", C.c_char_p), ("name", C.c_char_p), ("detail", C.c_char_p),
    ("fault", C.c_char_p), ("dl_type", C.c_int32), ("dl_id", C.c_int32),
    ("memory", C.CFUNCTYPE(C.c_int, SELF, C.POINTER(C.c_int64), C.POINTER(C.c_int64), ERROR)),
    ("stream_new", C.CFUNCTYPE(C.c_int, SELF, C.POINTER(C.c_void_p), ERROR)),
    ("stream_free", C.CFUNCTYPE(None, SELF, C.c_void_p)),
    ("synchronize", C.CFUNCTYPE(C.c_int, SELF, C.c_void_p, ERROR)),
    ("alloc", C.CFUNCTYPE(C.c_int, SELF, C.c_void_p, C.c_size_t, C.POINTER(C.c_void_p), ERROR)),
    ("free", C.CFUNCTYPE(None, SELF, C.c_void_p, C.c_void_p)),
    ("host_alloc", C.CFUNCTYPE(C.c_int, SELF, C.c_size_t, C.POINTER(C.c_void_p), ERROR)),
    ("host_free", C.CFUNCTYPE(None, SELF, C.c_void_p)),
    ("copy", C.CFUNCTYPE(C.c_int, SELF, C.c_void_p, C.c_void_p, C.c_size_t, C.c_void_p, C.c_size_t, C.c_size_t,
                         C.c_size_t, C.c_int, ERROR))]


def load(path):
    """The plugin; where the system has no OpenMP, with the library that was gathered beside it."""
    try:
        return fv.Plugin(path)
    except OSError:
        for library in glob.glob(os.path.join(ROOT, "build", "lib", "libgomp.so*")):
            C.CDLL(library, C.RTLD_GLOBAL)
        return fv.Plugin(path)


def check(status, error):
    if status:
        raise fv.PluginError(error)


def arguments_of(op, given):
    """The argument struct with the defaults and what is given."""
    given, buffer = dict(given), C.create_string_buffer(max(1, op.args_size))
    for p in fv.declared(op, "params"):
        name = p.key.decode()
        if name in given:
            fv.put(op, p, buffer, given.pop(name))
        elif p.type <= 3:
            fv.put(op, p, buffer, p.default)
        elif p.default_text is not None:
            fv.put(op, p, buffer, p.default_text.decode())
    if given:
        raise TypeError(f"{op.key.decode()} has no parameters {list(given)}")
    return buffer


class Arrays:
    """fv_arrays that point into arrays of NumPy or CuPy, and what must live as long as they."""

    def __init__(self, device, xp):
        self.device, self.xp, self.keep = device, xp, []

    def of(self, grid, view):
        """view: three dimensions, the last one without gaps."""
        size = view.dtype.itemsize
        dims, strides = (C.c_int64 * 3)(*view.shape), (C.c_int64 * 3)(*[s // size for s in view.strides])
        strides[2] = 1
        address = view.ctypes.data if self.xp is np else view.data.ptr
        code = {"u": 1, "i": 0, "f": 2}[view.dtype.kind]
        tensor = fv.Tensor(address, self.device.dl_type, self.device.dl_id, 3, code, size * 8, 1,
                           C.cast(dims, C.POINTER(C.c_int64)), C.cast(strides, C.POINTER(C.c_int64)), 0)
        self.keep += [dims, strides, view]
        return fv.Array(grid, tensor)

    def poisoned(self, grid, pad):
        """An array for an output with rows that are `pad` pixels longer than the image."""
        planes, rows, columns = grid.shape
        store = self.xp.empty((planes, rows, columns + pad), fv.TYPES[grid.type])
        store.view(self.xp.uint8).fill(0xA5)
        return store[:, :, :columns]


class Runner:
    def __init__(self, path, key):
        self.path, self.plugin = path, load(path)
        self.ops, self.device = self.plugin.ops, None
        plugin = self.plugin.struct
        for devices in (plugin.devices, plugin.find_devices() if plugin.find_devices else None):
            i = 0
            while devices and devices[i]:
                device = C.cast(devices[i], SELF)
                if device.contents.key.decode() == key and not device.contents.fault:
                    self.device = device
                i += 1
        if not self.device:
            raise LookupError(f"unknown device {key}")
        self.fv, self.stream, error = self.device.contents, C.c_void_p(), fv.Error()
        self.name = self.fv.name.decode()
        if self.fv.kind == 0:
            self.xp = np
        else:
            import cupy
            self.xp = cupy
        check(self.fv.stream_new(self.device, C.byref(self.stream), C.byref(error)), error)

    def can(self, key):
        return key in self.ops and bool(self.ops[key].run[self.fv.kind])

    def _services(self, grids, scratch, host_scratch, tables):
        """fv_host. grids: of outputs; scratch, host_scratch: get the blocks that are to be freed; tables: gets (columns, values)."""
        def take(_, size, memory, error):
            status = self.fv.alloc(self.device, self.stream, max(1, size), memory, error)
            if not status:
                scratch.append(memory[0])
            return status

        def text(_, value, number, error):
            number[0] = float("nan")
            return 0

        def read(_, to, source, size, error):
            return (self.fv.copy(self.device, self.stream, to, size, source, size, size, 1, TO_HOST, error)
                    or self.fv.synchronize(self.device, self.stream, error))

        def table(_, columns, n, size, rows, values, error):
            cols = [fv.Column.from_address(C.addressof(columns.contents) + i * size) for i in range(n)]
            block = np.full((n, rows), np.nan)
            tables.append(([c.key.decode() for c in cols], block))
            values[0] = C.cast(block.ctypes.data, C.POINTER(C.c_double))
            return 0

        def take_host(_, size, memory, error):
            status = self.fv.host_alloc(self.device, max(1, size), memory, error)
            if not status:
                host_scratch.append(memory[0])
            return status

        def rows_in(_, which, needed, end, error):
            end[0] = needed
            return 0

        def rows_out(_, which, end, following, error):
            following[0] = grids[which].shape[1]
            return 0

        return fv.Host(C.sizeof(fv.Host), fv.SCRATCH(take), fv.TICK(lambda *_: 0), fv.READ(read), fv.TABLE(table),
                       fv.LOG(lambda *_: None), fv.TEXT(text), fv.SCRATCH(take_host), fv.TAKE_STATE(lambda *_: None),
                       fv.LEAVE_STATE(lambda _, key, state, release: release and release(C.addressof(self.fv), state)),
                       fv.ROWS(rows_in), fv.ROWS(rows_out))

    def run(self, key, *images, pad=0, roles=(), channels=1, pixel_size=(1, 1, 1), dense=False, **arguments):
        """images: in the order of the declared inputs, None for one that is not given; channels: of all, or a tuple of each one's.
        pad: of the rows of outputs."""
        op, error = self.ops[key], fv.Error()
        if not self.can(key):
            raise LookupError(f"{key} cannot run on {self.fv.key.decode()}")
        buffer, arrays = arguments_of(op, arguments), Arrays(self.fv, self.xp)
        inputs = []
        for i in range(len(fv.declared(op, "inputs"))):
            view = images[i] if i < len(images) else None
            if view is not None:
                view = view if view.ndim == 3 else view[None]
                grid = fv.Grid(fv.CODES[np.dtype(view.dtype)], roles[i] if i < len(roles) else 0,
                               channels[i] if isinstance(channels, tuple) else channels,
                               (C.c_int64 * 3)(*view.shape), (C.c_double * 3)(*pixel_size), b"", dense, None)
                view = arrays.of(grid, view)
            inputs.append(view)
        grids = [fv.Grid.from_buffer_copy(inputs[0].grid) for _ in fv.declared(op, "outputs")]
        if op.infer:
            in_grids = (C.POINTER(fv.Grid) * len(inputs))(*[C.pointer(a.grid) if a else None for a in inputs])
            out_grids = (C.POINTER(fv.Grid) * max(1, len(grids)))(*[C.pointer(g) for g in grids])
            check(op.infer(C.addressof(op), C.addressof(buffer), in_grids, out_grids, C.byref(error)), error)
        result = fv.Result()
        result.outputs = [arrays.poisoned(grid, pad) for grid in grids]
        outputs = [arrays.of(*pair) for pair in zip(grids, result.outputs)]
        grain = op.grain(C.addressof(op), C.addressof(buffer)) if op.grain else 0
        scalars = [s.key.decode() for s in fv.declared(op, "scalars")]
        values = self.xp.full((inputs[0].grid.shape[0] if grain == 0 else 1, max(1, len(scalars))), np.nan)
        scratch, host_scratch, tables = [], [], []
        host = self._services(grids, scratch, host_scratch, tables)
        pointers = [(C.POINTER(fv.Array) * max(1, len(some)))(*[C.pointer(a) if a else None for a in some])
                    for some in (inputs, outputs)]
        address = values.ctypes.data if self.xp is np else values.data.ptr
        call = fv.Call(C.addressof(op), C.addressof(buffer), *pointers, C.cast(address, C.POINTER(C.c_double)),
                       C.cast(self.device, C.POINTER(fv.Device)), self.stream, C.pointer(host))
        if self.xp is not np:
            self.xp.cuda.Device().synchronize()
        start = time.perf_counter()
        status = op.run[self.fv.kind](C.byref(call), C.byref(error))
        for block in scratch:
            self.fv.free(self.device, self.stream, block)
        done = fv.Error()
        waited = self.fv.synchronize(self.device, self.stream, C.byref(done))
        for block in host_scratch:
            self.fv.host_free(self.device, block)
        result.ms = (time.perf_counter() - start) * 1e3
        check(status, error)
        check(waited, done)
        values = values if self.xp is np else values.get()
        result.scalars = {name: values[:, i] for i, name in enumerate(scalars)}
        for j, name in enumerate(tables[0][0] if tables else []):
            result.table[name] = np.concatenate([block[j] for _, block in tables])
        return result
