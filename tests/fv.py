# SPDX-License-Identifier: MIT
"""Drives a Fovea plugin from NumPy through the C ABI alone (ctypes), on its CPU device.

    import fv
    plugin = fv.Plugin("build/plugin/fovea-kernels.so")
    result = plugin.run("gaussian", image, sigma=5)       # image: (rows, columns) or (planes, rows, columns)
    result.outputs[0], result.scalars["threshold"], result.table["area"]

For writing kernels and for comparing them with SciPy and scikit-image on random data. Argument ranges are not checked
here; the host does that.
"""
import ctypes as C
import numpy as np

TYPES = {1: np.uint8, 2: np.uint16, 4: np.int32, 8: np.float32, 16: np.float64}
CODES = {np.dtype(t): code for code, t in TYPES.items()}
ABI = 9  # 0.9
STATUS = ["ok", "bad argument", "bad input", "no memory", "device fault", "cancelled", "unsupported"]


class Error(C.Structure):
    _fields_ = [("size", C.c_uint32), ("code", C.c_int), ("field", C.c_char * 64), ("text", C.c_char * 448)]

    def __init__(self):
        super().__init__(C.sizeof(type(self)))


class Grid(C.Structure):
    _fields_ = [("size", C.c_uint32), ("type", C.c_int), ("role", C.c_int), ("channels", C.c_int64),
                ("shape", C.c_int64 * 3), ("spacing", C.c_double * 3), ("unit", C.c_char * 16), ("dense", C.c_bool),
                ("channel_names", C.c_void_p), ("frames", C.c_int64)]

    def __init__(self, *members):
        super().__init__(C.sizeof(type(self)), *members, frames=1)


class Tensor(C.Structure):
    _fields_ = [("data", C.c_void_p), ("device_type", C.c_int), ("device_id", C.c_int), ("ndim", C.c_int),
                ("code", C.c_uint8), ("bits", C.c_uint8), ("lanes", C.c_uint16),
                ("shape", C.POINTER(C.c_int64)), ("strides", C.POINTER(C.c_int64)), ("byte_offset", C.c_uint64)]


class Array(C.Structure):
    _fields_ = [("size", C.c_uint32), ("at_grid", C.POINTER(Grid)), ("tensor", Tensor)]

    def __init__(self, grid, tensor):
        super().__init__(C.sizeof(type(self)), C.pointer(grid), tensor)
        self.grid = grid


class Axes(C.Structure):
    _fields_ = [("n", C.c_int32), ("v", C.c_double * 3)]


class Set(C.Structure):
    _fields_ = [("bits", C.c_uint64 * 4)]


class Matrix(C.Structure):
    _fields_ = [("planes", C.c_int32), ("rows", C.c_int32), ("columns", C.c_int32), ("v", C.c_double * 1024)]


class Choice(C.Structure):
    _fields_ = [("key", C.c_char_p), ("label", C.c_char_p), ("help", C.c_char_p)]


class Param(C.Structure):
    _fields_ = [("key", C.c_char_p), ("aliases", C.c_char_p), ("type", C.c_int), ("offset", C.c_uint32), ("capacity", C.c_uint32),
                ("label", C.c_char_p), ("help", C.c_char_p), ("unit", C.c_char_p), ("default", C.c_double),
                ("default_text", C.c_char_p), ("min", C.c_double), ("max", C.c_double), ("soft_min", C.c_double),
                ("soft_max", C.c_double), ("scale", C.c_int),
                ("choices", C.POINTER(Choice)), ("enabled", C.c_char_p), ("advanced", C.c_bool), ("ordinal", C.c_bool),
                ("open", C.c_bool)]


class Column(C.Structure):
    _fields_ = [("key", C.c_char_p), ("unit", C.c_char_p), ("help", C.c_char_p), ("type", C.c_int)]


class Input(C.Structure):
    _fields_ = [("key", C.c_char_p), ("label", C.c_char_p), ("help", C.c_char_p), ("types", C.c_uint32),
                ("optional", C.c_bool)]


class Output(C.Structure):
    _fields_ = [("key", C.c_char_p), ("label", C.c_char_p)]


class Scalar(C.Structure):
    _fields_ = [("key", C.c_char_p), ("label", C.c_char_p), ("help", C.c_char_p), ("type", C.c_int)]


class Device(C.Structure):
    _fields_ = [("size", C.c_uint32), ("kind", C.c_int), ("key", C.c_char_p)]


SCRATCH = C.CFUNCTYPE(C.c_int, C.c_void_p, C.c_size_t, C.POINTER(C.c_void_p), C.POINTER(Error))
TICK = C.CFUNCTYPE(C.c_int, C.c_void_p, C.c_int64, C.c_int64)
READ = C.CFUNCTYPE(C.c_int, C.c_void_p, C.c_void_p, C.c_void_p, C.c_size_t, C.POINTER(Error))
TABLE = C.CFUNCTYPE(C.c_int, C.c_void_p, C.POINTER(Column), C.c_uint32, C.c_uint32, C.c_int64,
                    C.POINTER(C.POINTER(C.c_double)), C.POINTER(Error))
LOG = C.CFUNCTYPE(None, C.c_void_p, C.c_char_p)
TAKE_STATE = C.CFUNCTYPE(C.c_void_p, C.c_void_p, C.c_char_p)
RELEASE = C.CFUNCTYPE(None, C.c_void_p, C.c_void_p)
LEAVE_STATE = C.CFUNCTYPE(None, C.c_void_p, C.c_char_p, C.c_void_p, RELEASE)
TEXT = C.CFUNCTYPE(C.c_int, C.c_void_p, C.c_char_p, C.POINTER(C.c_double), C.POINTER(Error))
ROWS = C.CFUNCTYPE(C.c_int, C.c_void_p, C.c_uint32, C.c_int64, C.POINTER(C.c_int64), C.POINTER(Error))


class Host(C.Structure):
    _fields_ = [("size", C.c_uint32), ("scratch", SCRATCH), ("tick", TICK), ("read", READ), ("table", TABLE), ("log", LOG),
                ("text", TEXT), ("host_scratch", SCRATCH), ("take_state", TAKE_STATE), ("leave_state", LEAVE_STATE),
                ("rows_in", ROWS), ("rows_out", ROWS)]


class Call(C.Structure):
    _fields_ = [("size", C.c_uint32), ("op", C.c_void_p), ("args", C.c_void_p), ("inputs", C.POINTER(C.POINTER(Array))),
                ("outputs", C.POINTER(C.POINTER(Array))), ("scalars", C.POINTER(C.c_double)),
                ("device", C.POINTER(Device)), ("stream", C.c_void_p), ("host", C.POINTER(Host)), ("given", C.c_bool),
                ("tables", C.c_void_p), ("frame", C.c_int64), ("frames", C.c_int64)]

    def __init__(self, *members, **named):
        super().__init__(C.sizeof(type(self)), *members, frames=1, **named)


GRAIN = C.CFUNCTYPE(C.c_int, C.c_void_p, C.c_void_p)
HALO = C.CFUNCTYPE(None, C.c_void_p, C.c_void_p, C.POINTER(Grid), C.POINTER(C.c_int64))
INFER = C.CFUNCTYPE(C.c_int, C.c_void_p, C.c_void_p, C.POINTER(C.POINTER(Grid)), C.POINTER(C.POINTER(Grid)),
                    C.POINTER(Error))
RUN = C.CFUNCTYPE(C.c_int, C.POINTER(Call), C.POINTER(Error))


class Op(C.Structure):
    _fields_ = [("size", C.c_uint32), ("args_size", C.c_uint32), ("param_size", C.c_uint32), ("choice_size", C.c_uint32),
                ("input_size", C.c_uint32), ("output_size", C.c_uint32), ("scalar_size", C.c_uint32),
                ("imagej_size", C.c_uint32), ("key", C.c_char_p), ("aliases", C.c_char_p), ("menu", C.c_char_p),
                ("label", C.c_char_p), ("help", C.c_char_p), ("cite", C.c_char_p), ("search", C.c_char_p),
                ("user", C.c_void_p),
                ("kind", C.c_int), ("reads_back", C.c_bool), ("inputs", C.POINTER(Input)), ("outputs", C.POINTER(Output)),
                ("scalars", C.POINTER(Scalar)), ("params", C.POINTER(Param)), ("grain", GRAIN), ("halo", HALO),
                ("infer", INFER), ("run", RUN * 4)]


class PluginStruct(C.Structure):
    _fields_ = [("size", C.c_uint32), ("abi", C.c_uint32), ("name", C.c_char_p), ("version", C.c_char_p),
                ("ops", C.POINTER(C.POINTER(Op))), ("devices", C.POINTER(C.POINTER(Device))), ("close", C.c_void_p),
                ("find_devices", C.CFUNCTYPE(C.POINTER(C.POINTER(Device))))]


def walk(array, size):
    """The elements of a list of the plugin, up to its end. size: of one there, which may be larger than here."""
    found, at = [], C.addressof(array.contents) if array else None
    while at and (element := array._type_.from_address(at)).key is not None:
        found.append(element)
        at += size
    return found


def declared(op, what):
    """An operation's "params", "inputs", "outputs" or "scalars"."""
    return walk(getattr(op, what), getattr(op, what[:-1] + "_size"))


def choices(op, param):
    return [c.key.decode() for c in walk(param.choices, op.choice_size)]


def put(op, param, buffer, value):
    field_type, at, keys = param.type, C.addressof(buffer) + param.offset, choices(op, param)
    if field_type == 1:
        C.c_bool.from_address(at).value = bool(value)
    elif field_type == 2:
        C.c_int32.from_address(at).value = keys.index(value) if isinstance(value, str) else int(value)
    elif field_type == 3:
        C.c_double.from_address(at).value = float(value)
    elif field_type == 4:
        numbers = [float(v) for v in value.split(",")] if isinstance(value, str) else list(np.atleast_1d(value))
        Axes.from_address(at).n = len(numbers)
        Axes.from_address(at).v[:] = (numbers + [0, 0, 0])[:3]
    elif field_type == 5:
        bits = [0] * 4
        for name in value.split(",") if isinstance(value, str) else value:
            i = keys.index(name)
            bits[i // 64] |= 1 << i % 64
        Set.from_address(at).bits[:] = bits
    elif field_type == 6:
        if isinstance(value, str):
            value = [[[float(v) for v in row.replace(",", " ").split()] for row in plane.split(";")]
                     for plane in value.split("/")]
        matrix = np.array(value, dtype=float)
        matrix = matrix.reshape((1,) * (3 - matrix.ndim) + matrix.shape)
        m = Matrix.from_address(at)
        m.planes, m.rows, m.columns = matrix.shape
        m.v[:matrix.size] = matrix.ravel()
    elif field_type == 7:
        C.memmove(at, value.encode() + b"\0", len(value.encode()) + 1)


class Result:
    def __init__(self):
        self.outputs, self.grids, self.scalars, self.table, self.units = [], [], {}, {}, {}


class PluginError(Exception):
    def __init__(self, error):
        self.code, self.field, self.text = STATUS[error.code], error.field.decode(), error.text.decode()
        super().__init__(f"{self.code}: {self.field}: {self.text}")


class Plugin:
    def __init__(self, path):
        library = C.CDLL(str(path))
        library.fv_plugin_open.restype = C.POINTER(PluginStruct)
        error = Error()
        opened = library.fv_plugin_open(ABI, C.byref(error))
        if not opened:
            raise PluginError(error)
        self.struct, self.ops, i = opened.contents, {}, 0
        while self.struct.ops[i]:
            self.ops[self.struct.ops[i].contents.key.decode()] = self.struct.ops[i].contents
            i += 1

    def run(self, key, *images, pixel_size=(1, 1, 1), unit="", channels=None, roles=None, cancel_at=None, pad=3,
            channel_names=None, **arguments):
        """Runs an operation. images: arrays of 2 or 3 dimensions, in the order of the declared inputs; None for one
        that is not given. channels: of each input (FV_FRAME grain). Rows are padded by `pad` pixels and outputs
        poisoned, so that a kernel that ignores strides or forgets pixels is found out."""
        op, error, keep = self.ops[key], Error(), []
        args = C.create_string_buffer(max(1, op.args_size))
        for p in declared(op, "params"):
            name = p.key.decode()
            if name in arguments:
                put(op, p, args, arguments.pop(name))
            elif p.type <= 3:
                put(op, p, args, p.default)
            elif p.default_text is not None:
                put(op, p, args, p.default_text.decode())
        if arguments:
            raise TypeError(f"{key} has no parameters {list(arguments)}")
        names = None
        if channel_names:
            names = (C.c_char_p * len(channel_names))(*[n.encode() for n in channel_names])

        def array(grid, pixels=None):
            shape = tuple(grid.shape)
            dtype = np.dtype(TYPES[grid.type])
            store = np.empty((shape[0], shape[1], shape[2] + pad), dtype)
            store.view(np.uint8).fill(0xA5)
            view = store[:, :, :shape[2]]
            if pixels is not None:
                view[...] = pixels
            dims = (C.c_int64 * 3)(*shape)
            strides = (C.c_int64 * 3)(shape[1] * (shape[2] + pad), shape[2] + pad, 1)
            kind = {"u": 1, "i": 0, "f": 2}[dtype.kind]
            tensor = Tensor(store.ctypes.data, 1, 0, 3, kind, dtype.itemsize * 8, 1,
                            C.cast(dims, C.POINTER(C.c_int64)), C.cast(strides, C.POINTER(C.c_int64)), 0)
            keep.extend([store, dims, strides])
            return Array(grid, tensor), store, view

        n_inputs, arrays, before = len(declared(op, "inputs")), [], []
        for i in range(n_inputs):
            image = images[i] if i < len(images) else None
            if image is None:
                arrays.append(None)
                continue
            pixels = np.asarray(image)
            pixels = pixels.reshape((1,) * (3 - pixels.ndim) + pixels.shape)
            grid = Grid(CODES[pixels.dtype], (roles or [0] * n_inputs)[i], (channels or [1] * n_inputs)[i],
                        (C.c_int64 * 3)(*pixels.shape), (C.c_double * 3)(*pixel_size), unit.encode(), False,
                        C.cast(names, C.c_void_p) if names and i == 0 else None)
            made = array(grid, pixels)
            arrays.append(made[0])
            before.append((made[1], made[1].copy()))
        outputs = declared(op, "outputs")
        in_grids = (C.POINTER(Grid) * max(1, n_inputs))(*[C.pointer(a.grid) if a is not None else None for a in arrays])
        grids = [Grid.from_buffer_copy(arrays[0].grid) for _ in outputs]
        out_grids = (C.POINTER(Grid) * max(1, len(outputs)))(*[C.pointer(g) for g in grids])
        if op.infer and op.infer(C.addressof(op), C.addressof(args), in_grids, out_grids, C.byref(error)):
            raise PluginError(error)
        made = [array(g) for g in grids]
        out_arrays = [m[0] for m in made]

        result, tables, ticks = Result(), [], [0]

        def scratch(_, size, memory, err):
            block = np.full(size + 64, 0xA5, np.uint8)
            keep.append(block)
            memory[0] = (block.ctypes.data + 63) // 64 * 64
            return 0

        def tick(_, done, total):
            ticks[0] += 1
            return int(cancel_at is not None and ticks[0] >= cancel_at)

        def read(_, to, source, size, err):
            C.memmove(to, source, size)
            return 0

        def table(_, columns, n, size, rows, values, err):
            cols = [Column.from_address(C.addressof(columns.contents) + i * size) for i in range(n)]
            block = np.full((n, rows), -12345.0)
            names_units = [(c.key.decode(), (c.unit or b"").decode(), c.type) for c in cols]
            tables.append((names_units, block))
            values[0] = C.cast(block.ctypes.data, C.POINTER(C.c_double))
            return 0

        def rows_in(_, which, needed, end, err):
            end[0] = needed
            return 0

        def rows_out(_, which, end, following, err):
            following[0] = min(end + 7, grids[which].shape[1])
            return 0

        texts = []

        def text(_, value, number, err):
            texts.append(value.decode())
            number[0] = len(texts) - 1
            return 0

        host = Host(C.sizeof(Host), SCRATCH(scratch), TICK(tick), READ(read), TABLE(table),
                    LOG(lambda _, line: print(line.decode())), TEXT(text), SCRATCH(scratch),
                    TAKE_STATE(lambda *_: None), LEAVE_STATE(lambda _, key, state, release: release and release(C.addressof(self.struct.devices[0].contents), state)),
                    ROWS(rows_in), ROWS(rows_out))
        scalars = declared(op, "scalars")
        grain = op.grain(C.addressof(op), C.addressof(args)) if op.grain else 0
        rows = arrays[0].grid.shape[0] if grain == 0 else 1
        values = (C.c_double * max(1, rows * len(scalars)))(*[float("nan")] * max(1, rows * len(scalars)))
        call = Call(C.addressof(op), C.addressof(args),
                    (C.POINTER(Array) * max(1, n_inputs))(*[C.pointer(a) if a is not None else None for a in arrays]),
                    (C.POINTER(Array) * max(1, len(outputs)))(*[C.pointer(a) for a in out_arrays]),
                    values, self.struct.devices[0], 1, C.pointer(host))
        if op.run[0](C.byref(call), C.byref(error)):
            raise PluginError(error)
        for store, copy in before:
            assert np.array_equal(store.view(np.uint8), copy.view(np.uint8)), "an input was changed"
        for m in made:
            padding = np.ascontiguousarray(m[1][:, :, m[2].shape[2]:]).view(np.uint8)
            assert (padding == 0xA5).all(), "the padding of an output was written"
        result.outputs = [m[2] for m in made]
        result.grids, result.ticks = grids, ticks[0]
        block = np.array(values[:rows * len(scalars)]).reshape(rows, len(scalars))
        result.scalars = {s.key.decode(): block[:, i] for i, s in enumerate(scalars)}
        if tables:
            for j, (name, unit_text, _) in enumerate(tables[0][0]):
                values = np.concatenate([t[1][j] for t in tables])
                is_text = tables[0][0][j][2] == 2
                result.table[name] = ["" if np.isnan(v) else texts[int(v)] for v in values] if is_text else values
                result.units[name] = unit_text
        return result
