# SPDX-License-Identifier: MIT
"""expression: Python itself evaluates the same text with NumPy's functions, in the type of the arrays."""
import math

import numpy as np
from make import Case

FUNCTIONS = ("sqrt cbrt abs absolute fabs sign exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh "
             "floor ceil trunc rint isnan isinf isfinite square negative logical_not").split()
PAIRS = ("add subtract multiply divide mod floor_divide power minimum maximum arctan2 hypot fmod less less_equal greater "
         "greater_equal equal not_equal logical_and logical_or logical_xor").split()
BORDERS = {"nearest": "edge", "reflect": "symmetric", "mirror": "reflect", "wrap": "wrap", "constant": "constant"}


class Pixels(np.ndarray):
    """a[dx,dy] is the neighbor of each pixel."""
    border, outside = "nearest", 0

    def __getitem__(self, at):
        (dx, dy), reach = at, 8
        plain = np.asarray(self)
        options = {"constant_values": Pixels.outside} if Pixels.border == "constant" else {}
        wide = np.pad(plain, [(0, 0)] * (plain.ndim - 2) + [(reach, reach)] * 2, mode=BORDERS[Pixels.border], **options)
        rows, columns = plain.shape[-2:]
        return wide[..., reach + dy:reach + dy + rows, reach + dx:reach + dx + columns]


def evaluate(text, images, numbers):
    names = {name: getattr(np, name) for name in FUNCTIONS + PAIRS + ["where", "clip"]}
    first = images["a"]
    dtype = np.float64 if any(i.dtype in (np.int32, np.float64) for i in images.values()) else np.float32
    names |= {name: i.astype(dtype).view(Pixels) for name, i in images.items()}
    names |= {"p": 1, "q": 1, "r": 1, "s": 1, **numbers, "pi": math.pi, "e": math.e, "nan": math.nan, "inf": math.inf}
    rows, columns = first.shape[-2:]
    depth = first.shape[-3] if first.ndim > 2 else 1
    channels = first.shape[-4] if first.ndim > 3 else 1
    coordinates = np.indices((channels, depth, rows, columns)).astype(dtype)
    names |= dict(zip(("ch", "z", "y", "x"), (p.reshape(first.shape) for p in coordinates)))
    names |= {"width": columns, "height": rows, "depth": depth, "channels": channels}
    with np.errstate(all="ignore"):
        result = np.asarray(eval(text, {"__builtins__": {}}, names))
    result = np.broadcast_to(result, first.shape)
    return np.where(result, 255, 0).astype(np.uint8) if result.dtype == bool else result.astype(dtype)


def case(name, text, images, numbers=None, options="", tolerance=2e-6, expect=None):
    numbers = numbers or {}
    words = "".join(f" {key}={value!r}" for key, value in numbers.items())
    result = evaluate(text, images, numbers) if expect is None else expect
    return Case(name, f"expression expression='{text}'{words}{options}", images, {"image": result},
                tolerance=0 if result.dtype.kind != "f" or not tolerance else tolerance if result.dtype == np.float32 else 1e-13)


def cases():
    rng = np.random.default_rng(17)
    shape = 13, 29
    special = np.array([np.nan, np.inf, -np.inf, 0, -0.0, 1, -1, 0.5, 2, -2, 1e-30, 1e30, -1e30, 3, -3, 2.5, -2.5], np.float32)
    a = rng.normal(0, 3, shape).astype(np.float32)
    b = rng.normal(0, 3, shape).astype(np.float32)
    every_a, every_b = (i.astype(np.float32) for i in np.meshgrid(special, special))
    u8, u16 = rng.integers(0, 256, shape, np.uint8), rng.integers(0, 65536, shape, np.uint16)
    i32 = rng.integers(-2**31, 2**31, shape).astype(np.int32)
    f64 = rng.normal(0, 3, shape)

    for dtype in np.float32, np.float64:
        kind = np.dtype(dtype).name
        ramp = np.concatenate([special.astype(dtype), np.linspace(-4, 4, 360).astype(dtype)]).reshape(13, 29)
        for name in FUNCTIONS:
            yield case(f"{name}-{kind}", f"{name}(a)", {"a": ramp})
        for name in PAIRS:
            yield case(f"{name}-{kind}", f"{name}(a, b)", {"a": every_a.astype(dtype), "b": every_b.astype(dtype)})
    for number, text in enumerate((
            "a*b+sqrt(abs(a))", "a - b - 1", "a / b / 2", "-a**2", "2**-a", "2**abs(b)**.5", "a // b", "a % b", "-a % 3 // .7",
            "a < b", "(a < b) & ~(a < 0) | (b > 2) ^ (a > 1)", "where(a < b, a, b * 2)", "clip(a, -1, p)", "a * p + q / r - s",
            "1e-3 * a + .5e1 - 2.", "(((a)))", "+a - -b", "isnan(a) | isfinite(b)", "(a > 0) + (b > 0) * 2.", "(1 + 2) * 3 + a * 0",
            "sqrt(2) * a", "p * 2 + q", "a != b", "a >= b", "a <= 0", "a == a", "nan + a", "where(a > 0, inf, -inf)",
            "minimum(maximum(a, b), p)", "a*a*a - 3*a*b + b**3", "hypot(a, b) / sqrt(a*a + b*b)", "e**a / exp(a)")):
        one = case(f"text-{number}", text, {"a": a, "b": b}, {"p": 2.5, "q": -0.75, "r": 3.0, "s": 0.1})
        if one.tolerance and "-" in text:  # digits may cancel
            one.tolerance, one.absolute = 0, 1e-6 * float(np.nanmax(np.abs(one.expect["image"])))
        yield one
    for number, text in enumerate((
            "x", "y * 100 + x", "hypot(x - width / 2, y - height / 2)", "z + ch * 10 + depth * 100 + channels * 1000 + a * 0",
            "where((x + y) % 2 == 0, a, -a)", "a * (x > 3) + y / height")):
        image = rng.normal(0, 1, (2, 3, 7, 11)).astype(np.float32)
        yield case(f"positions-{number}", text, {"a": image})
    for border in BORDERS:
        Pixels.border, Pixels.outside = border, -7
        for number, text in enumerate(("a[1,0]", "a[-7,6]", "(a[-1,0] + a[1,0] + a[0,-1] + a[0,1] - 4 * a[0,0]) / 4", "a[-3,-2] + b[2,5]")):
            one = case(f"{border}-{number}", text, {"a": a, "b": u8}, options=f" border={border}" + (" value=-7" if border == "constant" else ""))
            one.tolerance, one.absolute = 0, 1e-5
            yield one
    Pixels.border, Pixels.outside = "nearest", 0
    yield case("far-neighbour", "a[5,5] - a[-5,-5]", {"a": rng.normal(0, 1, (2, 2)).astype(np.float32)})
    for name, image in {"u8": u8, "u16": u16, "i32": i32, "f64": f64}.items():
        yield case(f"type-{name}", "a / 3 + b", {"a": image, "b": f64 if name == "f64" else i32 if name == "i32" else u8})
        values = evaluate("a * 1.5 - 20", {"a": image}, {}).astype(np.float64)
        limits = {"u8": np.uint8, "u16": np.uint16, "i32": np.int32}
        for output, dtype in limits.items():
            info = np.iinfo(dtype)
            expect = np.clip(np.rint(values), info.min, info.max).astype(dtype)
            yield case(f"{name}-as-{output}", "a * 1.5 - 20", {"a": image}, options=f" output={output}", expect=expect)
        yield case(f"{name}-as-f64", "a * 1.5 - 20", {"a": image}, options=" output=f64", expect=image.astype(np.float64) * 1.5 - 20)
        yield case(f"{name}-as-f32", "a * 1.5 - 20", {"a": image}, options=" output=f32", expect=values.astype(np.float32))
    for dtype in np.float32, np.float64:  # quotients that are whole, nearly whole and large
        tops = np.array([.3, .6, .9, 1, 7, -7, 1e-3, 12345.678, 1e6, -1e6, 4e6, 1e9, 1e30, 0, -0.0, 5e-324, 2.9999998, 3.0000002], dtype)
        below = np.array([.1, -.1, .3, -.3, 1, 3, -3, 1e-3, .7], dtype)
        tall = {"a": tops[:, None].repeat(9, 1), "b": below[None].repeat(18, 0)}
        short = {"a": rng.normal(0, 1e3, (90, 31)).astype(dtype), "b": rng.normal(0, 1, (90, 31)).astype(dtype)}
        short["a"][::3] = short["b"][::3] * rng.integers(-99, 99, (30, 31))
        for name in "mod", "fmod", "floor_divide":
            yield case(f"{name}-tall-{np.dtype(dtype).name}", f"{name}(a, b)", tall, tolerance=0)
            yield case(f"{name}-short-{np.dtype(dtype).name}", f"{name}(a, b)", short, tolerance=0)
    yield case("truth-as-f32", "a > 0", {"a": a}, options=" output=f32", expect=(a > 0).astype(np.float32))
    yield case("nan-as-u8", "a / a", {"a": np.zeros(shape, np.float32)}, options=" output=u8", expect=np.zeros(shape, np.uint8))
    yield case("same", "a + 1", {"a": u16}, options=" output=same", expect=np.minimum(u16.astype(np.int32) + 1, 65535).astype(np.uint16))
    stack = rng.normal(0, 1, (2, 3, 7, 11)).astype(np.float32)
    plane, slices = rng.normal(0, 1, (7, 11)).astype(np.float32), rng.normal(0, 1, (3, 7, 11)).astype(np.float32)
    yield case("broadcast", "a * b + c", {"a": stack, "b": plane, "c": slices}, expect=stack * plane + slices, tolerance=1e-5)
    colours = rng.normal(0, 1, (2, 1, 7, 11)).astype(np.float32)
    yield case("broadcast-channels", "a * b", {"a": stack, "b": colours}, expect=stack * colours)
    for name, (one, other) in {"u8": (u8, u16), "i32": (i32, i32[::-1].copy())}.items():
        for function in "bitwise_and", "bitwise_or", "bitwise_xor":  # of integers, in NumPy
            expect = getattr(np, function)(one.astype(np.int32), other.astype(np.int32))
            yield case(f"{function}-{name}", f"{function}(a, b)", {"a": one, "b": other}, expect=expect.astype(np.float64 if name == "i32" else np.float32),
                       tolerance=0)
    odd = np.array([[3, -4, .5, np.nan, np.inf, -2.**31, 2.**31, 2.**31 - 128, 1e30]], np.float32)
    yield case("bitwise-odd", "bitwise_or(a, 1)", {"a": odd}, tolerance=0,
               expect=np.array([[3, -3, np.nan, np.nan, np.nan, 1 - 2.**31, np.nan, 2.**31 - 127, np.nan]], np.float32))
