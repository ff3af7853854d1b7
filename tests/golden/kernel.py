# SPDX-License-Identifier: MIT
"""kernel: the elementwise kernels of an introduction to CuPy, against NumPy."""
import numpy as np
from make import Case


def step(operation, in_params, out_params="T z", preamble="", more=""):
    texts = {"in_params": in_params, "out_params": out_params, "operation": operation, "preamble": preamble}
    return " ".join(["kernel"] + [f"{key}='{text}'" for key, text in texts.items() if text] + more.split())


def nearest_patches(a, b, radius):
    """For each pixel of a the position in b, row by row, of the pixel whose patch is nearest; edges are clamped, the first wins."""
    def patches(image):
        padded = np.pad(image.astype(np.int64), radius, mode="edge")
        windows = np.lib.stride_tricks.sliding_window_view(padded, (2 * radius + 1,) * 2)
        return windows.reshape(-1, (2 * radius + 1) ** 2)
    p, q = patches(a), patches(b)
    return np.array([np.argmin(((q - v) ** 2).sum(axis=1)) for v in p], np.int32).reshape(a.shape)


NEAREST = """
int best = 0; long long least = -1;
for (int k = 0; k < b.size (); k++) {
  long long d = distance (a, (int) i, b, k);
  if (least < 0 || d < least) { least = d; best = k; }
}
z = best;
"""
DISTANCE = """
__device__ int inside (int v, int n) { return v < 0 ? 0 : v >= n ? n - 1 : v; }
template <class A> __device__ long long distance (const A &a, int i, const A &b, int k)
{
  int ha = a.shape ()[1], wa = a.shape ()[2], hb = b.shape ()[1], wb = b.shape ()[2];
  long long sum = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      long long d = (long long) a[inside (i / wa + dy, ha) * wa + inside (i % wa + dx, wa)]
                    - b[inside (k / wb + dy, hb) * wb + inside (k % wb + dx, wb)];
      sum += d * d;
    }
  return sum;
}
"""


MIRRORED = """
__device__ %s mirrored (CArray<%s, 3> &x, const ptrdiff_t *at)
{
  ptrdiff_t from[] = {at[0], at[1], x.shape ()[2] - 1 - at[2]};
  return x[from];
}
"""
LAPLACIAN = """
__device__ float at (const CArray<float, 3> &x, const ptrdiff_t *here, int axis, int by)
{
  ptrdiff_t there[] = {here[0], here[1], here[2]};
  there[axis] = min (max (there[axis] + by, (ptrdiff_t) 0), x.shape ()[axis] - 1);
  return x[there];
}
__device__ float laplacian (const CArray<float, 3> &x, const ptrdiff_t *here)
{
  float sum = -6 * at (x, here, 0, 0);
  for (int axis = 0; axis < x.ndim; axis++)
    for (int by = 1; by >= -1; by -= 2)
      sum = sum + at (x, here, axis, by);
  return sum;
}
"""
DIFFERENCE = """
__device__ T difference (CArray<T, 3> &x, CArray<T, 3> &y, ptrdiff_t k) { return x[k] - y[k]; }
template <class U, int N> __device__ U same (const CArray<U, N> &x, ptrdiff_t k) { return x[k] + N; }
"""
PUT = """
template <class A> __device__ void put (A &z, ptrdiff_t k, float v) { z[k] = v; }
__device__ float get (CArray<float, 3> &z, ptrdiff_t k) { return z[k]; }
"""


def one_line(text):
    return " ".join(text.split())


def cases():
    rng = np.random.default_rng(7)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        name = np.dtype(dtype).name
        x, y = ((rng.random((2, 23, 37)) * 100).astype(dtype) for _ in range(2))
        yield Case(f"sum-{name}", step("z = x + y;", "T x, T y"), {"a": x, "b": y}, {"image": x + y})
        yield Case(f"roll-{name}", step("z = x[(i + 5) % x.size ()];", "raw T x"), {"a": x},
                   {"image": np.roll(x.ravel(), -5).reshape(x.shape)})
    row, column = rng.random((1, 37)).astype(np.float32), rng.random((23, 1)).astype(np.float32)
    image = rng.random((23, 37)).astype(np.float32)
    yield Case("broadcast", step("z = x * y;", "T x, T y"), {"a": row, "b": column}, {"image": row * column})
    yield Case("broadcast-mixed", step("z = x - y;", "T x, U y"), {"a": image, "b": (column * 9).astype(np.uint8)},
               {"image": image - (column * 9).astype(np.uint8)})
    stack = rng.random((3, 23, 37)).astype(np.float32)
    yield Case("broadcast-planes", step("z = x + y;", "T x, T y"), {"a": image, "b": stack}, {"image": image + stack})
    yield Case("transpose-rows", step("int r = i / width, c = i % width; z = x[(height - 1 - r) * width + c];",
                                      "raw T x, int32 width=width, int32 height=height"), {"a": image}, {"image": image[::-1]})
    yield Case("index-array", step("ptrdiff_t at[] = {_ind.get ()[1], 36 - _ind.get ()[2]}; z = x[at];", "raw T x"), {"a": image},
               {"image": image[:, ::-1]})
    yield Case("index-array-planes", step("int at[] = {2 - (int) _ind.get ()[0], 3, 4}; z = x[at] + y;", "raw T x, T y"),
               {"a": stack, "b": stack}, {"image": stack[::-1, 3, 4][:, None, None] + stack})
    yield Case("preamble", step("z = smooth (x);", "float32 x", "float32 z",
                                "__device__ float smooth (float v) { return v * v * (3 - 2 * v); }"),
               {"a": image}, {"image": image * image * (np.float32(3) - np.float32(2) * image)})
    padded = np.pad(image.astype(np.float64), 1, mode="edge")
    mean = sum(padded[dy:dy + 23, dx:dx + 37] for dy in range(3) for dx in range(3)) / 9
    yield Case("local-mean", step("double sum = 0; for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) "
                                  "sum += x[min (max ((int) (i / w) + dy, 0), h - 1) * w + min (max ((int) (i % w) + dx, 0), w - 1)]; "
                                  "z = sum / 9;", "raw T x, int32 w=width, int32 h=height", "float64 z"),
               {"a": image}, {"image": mean})
    a, b = (rng.integers(0, 8, shape).astype(np.uint8) for shape in ((12, 17), (14, 11)))
    yield Case("nearest-patch", step(one_line(NEAREST), "raw T a, raw T b", "int32 z", one_line(DISTANCE)), {"a": a, "b": b},
               {"image": nearest_patches(a, b, 2)})
    yield Case("several-outputs", step("s = x + y; d = x - y; m = x > y; k = i;", "T x, T y", "T s, T d, bool m, int32 k"),
               {"a": image, "b": row}, {"image": image + row, "image2": image - row,
                                        "image3": np.where(image > row, 255, 0).astype(np.uint8),
                                        "image4": np.arange(23 * 37, dtype=np.int32).reshape(23, 37)})
    yield Case("numbers", step("z = a * x + b;", "T x, float64 a=p, float64 b=-0.25", more="p=2.5"), {"a": image.astype(np.float64)},
               {"image": 2.5 * image.astype(np.float64) - 0.25})
    yield Case("size", step("z = x[i] + _ind.size ();", "raw T x", more="size=5,7"), {"a": image},
               {"image": image.ravel()[:35].reshape(5, 7) + np.float32(35)})
    yield Case("raw-output", step("z[_ind.size () - 1 - i] = x;", "T x", "raw T z"), {"a": stack}, {"image": stack.ravel()[::-1].reshape(stack.shape)})
    yield Case("raw-output-rest-is-0", step("if (x > 0.5f) z[i] = x;", "T x", "raw T z"), {"a": image},
               {"image": np.where(image > np.float32(0.5), image, np.float32(0))})
    yield Case("one-product-one-sum", step("z = x * y + w;", "T x, T y, T w"), {"a": image, "b": image[::-1], "c": image[:, ::-1]},
               {"image": image * image[::-1] + image[:, ::-1]})
    yield Case("return-ends-one", step("z = 1; if (x < 0.5f) return; z = 2; if (x < 0.75f) continue; z = 3;", "T x"), {"a": image},
               {"image": np.select([image < np.float32(0.5), image < np.float32(0.75)], [1, 2], 3).astype(np.float32)})
    for dtype, c in (np.int8, "int8_t"), (np.int16, "short"), (np.uint32, "uint32_t"):
        name, limits = np.dtype(dtype).name, np.iinfo(dtype)
        x, y = (rng.integers(limits.min, limits.max, (2, 23, 37), dtype, endpoint=True) for _ in range(2))
        yield Case(f"sum-{name}", step("z = x + y;", "T x, T y"), {"a": x, "b": y}, {"image": x + y})
        yield Case(f"mirror-{name}", step("z = mirrored (x, _ind.get ());", f"raw {name} x", f"{name} z", one_line(MIRRORED % (c, c))), {"a": x},
                   {"image": x[..., ::-1]})
    padded = np.pad(stack, 1, mode="edge")
    laplacian = -6 * stack
    for axis in range(3):
        for by in 1, -1:
            laplacian = laplacian + np.roll(padded, -by, axis)[1:-1, 1:-1, 1:-1]
    yield Case("function-of-an-array", step("z = laplacian (x, _ind.get ());", "raw T x", preamble=one_line(LAPLACIAN)), {"a": stack},
               {"image": laplacian})
    yield Case("function-of-two-arrays", step("z = difference (x, y, i) + same (x, i);", "raw T x, raw T y", preamble=one_line(DIFFERENCE)),
               {"a": stack, "b": stack[::-1]}, {"image": (stack - stack[::-1]) + (stack + np.float32(3))})
    yield Case("function-of-an-output", step("put (z, i, x[i]); z[i] += get (z, i);", "raw T x", "raw T z", one_line(PUT)), {"a": stack},
               {"image": 2 * stack})
    yield Case("strides-in-bytes", step("z = *(const float *) ((const char *) &x[0] + _ind.get ()[0] * x.strides ()[0] + (22 - _ind.get ()[1]) "
                                        "* x.strides ()[1] + _ind.get ()[2] * x.strides ()[2]);", "raw T x"), {"a": stack},
               {"image": stack[:, ::-1]})
