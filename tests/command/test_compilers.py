# SPDX-License-Identifier: MIT
"""kernel with other compilers than the system's of C++: those of C alone, each the only one in $PATH, against NumPy; and with none."""
import os
import shutil

import numpy as np
import tifffile

from command import fails, fovea, main, same

COMPILERS = {"clang++": ["as", "ld"], "cc": ["as", "ld"], "tcc": []}  # and what they look for in $PATH
OF_C = ["cc", "tcc"]

NEAREST = """
long long least = -1;  // the first of the nearest [of b]
for (int k = 0; k < b.size (); k++) {
  long long sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      ptrdiff_t from[] = {INSIDE ((int) _ind.get ()[1] + dy, a.shape ()[1]), INSIDE ((int) _ind.get ()[2] + dx, a.shape ()[2])};
      int y = INSIDE (k / (int) b.shape ()[2] + dy, b.shape ()[1]), x = INSIDE (k % (int) b.shape ()[2] + dx, b.shape ()[2]);
      long long d = (long long) a[from] - b [(y * b.strides ()[1] + x * b.strides ()[2]) / (int) sizeof (b[0])];
      sum += d * d;
    }
  if (least < 0 || sum < least) { least = sum; z = k; }
}
"""


def program(name):
    """Its path; not that of a compiler cache of the same name, which looks for it in $PATH itself."""
    folders = os.environ["PATH"].split(os.pathsep)
    paths = [shutil.which(name, path=folder) for folder in folders]
    return next((path for path in paths if path and os.path.basename(os.path.realpath(path)) != "ccache"), None)


def only(compiler):
    """The environment without any other."""
    if not program(compiler):
        return None
    folder = os.path.abspath(f"only {compiler}")
    os.makedirs(folder, exist_ok=True)
    for name in [compiler, *COMPILERS[compiler]]:
        if not os.path.lexists(os.path.join(folder, name)):
            os.symlink(program(name), os.path.join(folder, name))
    return {**os.environ, "PATH": folder, "XDG_CACHE_HOME": os.path.abspath("cache")}


def step(operation, in_params, out_params="T z", preamble="", more=""):
    texts = {"in_params": in_params, "out_params": out_params, "operation": operation, "preamble": preamble}
    return " ".join(["kernel"] + [f"{key}='{text}'" for key, text in texts.items() if text] + more.split())


def kernel(environment, text, image, other=None):
    tifffile.imwrite("a.tif", image)
    if other is not None:
        tifffile.imwrite("b.tif", other)
        text += " b=file:b.tif"
    return fovea("run", "-q", "--allow-native", "--device", "cpu", text, "a.tif", "-o", "out.tif", env=environment)


def makes(environment, text, image, other=None):
    done = kernel(environment, text, image, other)
    same((done.returncode, done.stderr), (0, b""), f"status and errors of {text}")
    return tifffile.imread("out.tif")


def nearest(a, b):
    def patches(image):
        padded = np.pad(image.astype(np.int64), 1, mode="edge")
        return np.lib.stride_tricks.sliding_window_view(padded, (3, 3)).reshape(-1, 9)
    return np.array([np.argmin(((patches(b) - v) ** 2).sum(axis=1)) for v in patches(a)], np.int32).reshape(a.shape)


def examples():
    """The kernels of an introduction to CuPy, and what NumPy makes: step, images, result."""
    rng = np.random.default_rng(5)
    x, y = rng.random((23, 37), dtype=np.float32), rng.random((23, 37), dtype=np.float32)
    row, column = x[:1], np.ascontiguousarray(y[:, :1])
    a, b = (rng.integers(0, 8, shape).astype(np.uint8) for shape in ((12, 17), (14, 11)))
    padded = np.pad(x.astype(np.float64), 1, mode="edge")
    mean = sum(padded[dy:dy + 23, dx:dx + 37] for dy in range(3) for dx in range(3)) / 9
    yield step("z = x + y;", "T x, T y"), x, y, x + y
    yield step("z = x * y;", "T x, T y"), row, column, row * column
    yield step("z = x[(i + 5) % x.size ()];", "raw T x"), x, None, np.roll(x.ravel(), -5).reshape(x.shape)
    yield step("ptrdiff_t at[] = {_ind.get ()[1], 36 - _ind.get ()[2]}; z = x[at];", "raw T x"), x, None, x[:, ::-1]
    yield (step("z = smooth (x);", "float32 x", "float32 z", "__device__ float smooth (float v) { return v * v * (3 - 2 * v); }"), x, None,
           x * x * (np.float32(3) - np.float32(2) * x))
    yield (step("double sum = 0; for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) sum += x[min (max ((int) (i / w) + dy, 0), h - 1)"
                " * w + min (max ((int) (i % w) + dx, 0), w - 1)]; z = sum / 9;", "raw T x, int32 w=width, int32 h=height", "float64 z"),
           x, None, mean)
    yield (step(NEAREST, "raw T a, raw T b", "int32 z", "#define INSIDE(v, n) ((v) < 0 ? 0 : (v) >= (n) ? (n) - 1 : (v))"), a, b, nearest(a, b))


def test_examples():
    for compiler in COMPILERS:
        environment = only(compiler)
        for text, a, b, expected in examples() if environment else []:
            made = makes(environment, text, a, b)
            assert np.array_equal(np.squeeze(made), expected), f"{compiler}: {text} makes\n{made}\nand not\n{expected}"


def test_mathematics():
    """C chooses the type of a function as C++ does: equal to the last bit, for floats, doubles and integers; NaN and infinity, too."""
    one = "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor log log10 log1p log2 rint round rsqrt sin " \
          "sinh sqrt tan tanh trunc abs".split()
    two = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder min max".split()
    values = np.array([0.3, 1, -2.5, 7, np.inf, -np.inf, np.nan, 0, 1e-30])
    for types, dtypes in ("T x, T y", [np.float32, np.float64]), ("T x, float64 y", [np.float32]), ("T x, int32 y", [np.float32]):
        calls = [f"{name} (x)" for name in one] + [f"{name} (x, y)" for name in two] + ["fma (x, y, x)", "(x < y) - !(x >= y) + isnan (x)"]
        cases = "".join(f"case {n}: z = {call}; break; " for n, call in enumerate(calls))
        text = step(f"switch (i % {len(calls)}) {{ {cases}}}", types, "float64 z")
        a = np.repeat(values, len(calls)).reshape(len(values), -1)
        for dtype in dtypes:
            b = np.repeat(np.where(np.isfinite(values), values, 3)[::-1], len(calls)).reshape(a.shape)
            expected = makes(None, text, a.astype(dtype), b.astype(dtype))
            for compiler in OF_C:
                if only(compiler):
                    made = makes(only(compiler), text, a.astype(dtype), b.astype(dtype))
                    at = np.argwhere(~((made == expected) | (np.isnan(made) & np.isnan(expected))))
                    assert not len(at), f"{compiler}, {types}, {dtype}: {[(values[r], calls[c], made[r, c], expected[r, c]) for r, c in at]}"


def test_words_of_c():
    """Comments, texts, members of an array's name, brackets in brackets; what ends an element; raw outputs; a wish for inlining."""
    image = np.arange(6, dtype=np.float32).reshape(2, 3)
    preamble = "typedef struct { int y[2]; } two; __forceinline__ float half (float v) { if (v > 3) return v / 2; return v; }"
    operation = """two s = {{1, 2}}; /* y[9] ] */
const char *text = "y[8] \\" ]"; // y[7]
if (x > 4) return;
z = y [y[(int) y[s.y[0]]] + 1 - 1] + (text[0] == ']' - ']' + 121) + half (x);
if (x == 2) continue;
w[i] = 7;"""
    quoted = '"' + operation.replace("\\", r"\\").replace('"', r'\"') + '"'
    text = step("OPERATION", "T x, raw T y", "T z, raw T w", preamble).replace("'OPERATION'", quoted) + " b=file:a.tif"
    for compiler in COMPILERS:
        environment = only(compiler)
        if environment:
            # y[k] is k. Where x is 5 nothing; else 1 + 1 + x, of which what is more than 3 is halved.
            assert np.array_equal(makes(environment, text, image), [[2, 3, 4], [5, 4, 0]]), compiler


def test_faults():
    """At the user's own line. What C only warns of is refused."""
    image = np.ones((2, 3), np.float32)
    for compiler in OF_C:
        environment = only(compiler)
        if not environment:
            continue
        for operation, *words in (["z = 1;\nz = foo (x);", "operation: line 2: ", "foo"], ["z = 1;\n\nx = 2;", "operation: line 3: ", "read-only"],
                                  ["y[0] = 2;", "operation: line 1: ", "read-only"], ["z = y[_ind.get ()];", "makes integer from pointer"],
                                  ["int at[] = {0, 0, 0, 0};\nz = y[at];", "makes integer from pointer"]):
            fails(kernel(environment, step(operation, "T x, raw T y") + " b=file:a.tif", image), *words,
                  f"({compiler} compiles C alone: for C++ install g++ or clang)", status=1)
        for operation, word in ("z = y[i + 6];", "Index "), ("int at[] = {0, 3}; z = y[at];", "Index 3 of y is outside"):
            fails(kernel(environment, step(operation, "T x, raw T y") + " b=file:a.tif", image), word, status=1)


def test_none():
    os.mkdir("empty")
    done = kernel({**os.environ, "PATH": os.path.abspath("empty")}, "kernel", np.ones((2, 3), np.float32))
    fails(done, "there is none in $PATH: install g++ or clang, or tcc with libc6-dev", "or run the step on a GPU", status=1)


main([test_examples, test_mathematics, test_words_of_c, test_faults, test_none])
