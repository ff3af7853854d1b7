# SPDX-License-Identifier: MIT
"""cuCIM, CuPy and PyTorch on the first GPU. Inputs are there already, but for the workflow with its transfers."""
import inspect
import time
from functools import partial

import numpy as np

from inputs import disk
from peers import Peers, image_facts, no_facts, table_facts
from peers_alike import add_arrays, add_images
from peers_cpu import BASIC, MEASURES, ZOOM, small_objects

PATCHES = r"""
extern "C" __global__ void patches (const float *a, const float *b, int w, int h, int r, unsigned short *o, float *d)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, xa = i % w, ya = i / w, bx = 0, by = 0;
  float best = 1e30f;
  if (i >= w * h)
    return;
  for (int yb = 0; yb < h; yb++)
    for (int xb = 0; xb < w; xb++) {
      float sum = 0;
      for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++) {
          int p = max (0, min (w - 1, xa + dx)) + w * max (0, min (h - 1, ya + dy));
          int q = max (0, min (w - 1, xb + dx)) + w * max (0, min (h - 1, yb + dy));
          for (int c = 0; c < 3; c++) {
            float d = a[p * 3 + c] - b[q * 3 + c];
            sum += d * d;
          }
        }
      if (sum < best) {
        best = sum;
        bx = xb;
        by = yb;
      }
    }
  o[i * 2] = bx;
  o[i * 2 + 1] = by;
  d[i] = best;
}
"""


def clock(call):
    """Runs a call; its result, its milliseconds on the wall with a synchronization, and between two events."""
    import cupy
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    cupy.cuda.Device().synchronize()
    start = time.perf_counter()
    begin.record()
    result = call()
    end.record()
    cupy.cuda.Device().synchronize()
    return result, (time.perf_counter() - start) * 1e3, cupy.cuda.get_elapsed_time(begin, end)


def cupy_modules():
    import cupy
    import cupyx.scipy.ndimage
    import cupyx.scipy.signal
    return cupy.__version__, cupy, cupyx.scipy.ndimage, cupyx.scipy.signal


def cucim_modules():
    import cucim.skimage
    from cucim.skimage import color, feature, filters, measure, morphology, restoration, segmentation, util  # noqa: F401 - parts of it
    return cucim.__version__, cucim.skimage


def torch_modules():
    import torch
    return torch.__version__, torch


def add_cupy(peers, cp, ndimage, signal):
    add = partial(peers.add, "CuPy")
    add_arrays(peers, "CuPy", cp, ndimage)

    def median(footprint):
        def peer(image):
            image, shape = cp.asarray(image), cp.asarray(footprint)
            return lambda: ndimage.median_filter(image, footprint=shape, mode="nearest"), image_facts("median")
        return peer
    for name, footprint in (("3x3", np.ones((3, 3))), ("5x5", np.ones((5, 5))), ("disk(5)", disk(5)), ("disk(10)", disk(10))):
        add(f"median {name} u16")(median(footprint))

    @add("log sigma=2 f32")
    def log(image):
        image = cp.asarray(image)
        return lambda: ndimage.gaussian_laplace(image, 2, mode="nearest"), no_facts

    @add("mean 11x11 f32")
    def mean(image):
        image = cp.asarray(image)
        return lambda: ndimage.uniform_filter(image, 11, mode="nearest"), image_facts("mean")

    @add("maximum disk(5) u16")
    def maximum(image):
        image, footprint = cp.asarray(image), cp.asarray(disk(5))
        return lambda: ndimage.maximum_filter(image, footprint=footprint, mode="nearest"), image_facts("maximum")

    @add("gaussian sigma=5 f32")
    def gaussian(image):
        image = cp.asarray(image)
        return lambda: ndimage.gaussian_filter(image, 5, mode="nearest"), image_facts("gaussian")

    @add("distance", "distance volume")
    def distance(mask):
        mask = cp.asarray(mask)
        return lambda: ndimage.distance_transform_edt(mask), image_facts("distance")

    @add("label nuclei", "label noise", "label dots")
    def label(mask):
        mask, structure = cp.asarray(mask), cp.ones((3, 3))
        return lambda: ndimage.label(mask, structure), lambda r: {"label.objects": r[1]}

    @add("fill holes")
    def fill_holes(mask):
        mask = cp.asarray(mask)
        return lambda: ndimage.binary_fill_holes(mask), lambda r: {"fill_holes.mean": r.mean() * 255}

    def zoom(order, factor):
        def peer(image):
            image = cp.asarray(image)
            return lambda: ndimage.zoom(image, factor, order=order, mode="mirror"), image_facts("zoom")
        return peer
    for order in 1, 3, 5:
        add(f"zoom order {order} volume")(zoom(order, ZOOM))
    add("zoom order 3 x2")(zoom(3, 2))

    @add("rotate linear f32")
    def rotate(image):
        image = cp.asarray(image)
        return lambda: ndimage.rotate(image, -30, reshape=False, order=1, mode="grid-constant"), image_facts("rotate")

    for name, f in ("max", cp.max), ("median", cp.median), ("sd", cp.std):
        def project(volume, f=f):
            volume = cp.asarray(volume)
            return lambda: f(volume, axis=0), image_facts("project")
        add(f"project {name} volume")(project)

    @add("calculate add f32")
    def calculate(a, b):
        a, b = cp.asarray(a), cp.asarray(b)
        return lambda: a + b, image_facts("calculate")

    @add("convolve 15x15 f64", "convolve 15x15 random f64")
    def convolve(image, kernel):
        image, kernel = cp.asarray(image), cp.asarray(kernel)
        return lambda: signal.convolve2d(image, kernel), image_facts("convolve")

    @add("convolve 101x101 f32")
    def convolve_fft(image, kernel):
        image, kernel = cp.asarray(image), cp.asarray(kernel)
        return lambda: signal.fftconvolve(image, kernel, "same"), image_facts("convolve")

    def kappa_sigma(values):
        while True:
            median, deviation = cp.median(values), cp.std(values)
            above = values.compress(values > median - 3 * deviation)
            kept = above.compress(above < median + 3 * deviation)
            if len(kept) == len(values):
                return kept
            values = kept

    @add("sigma_clip sky f32", "sigma_clip noise f32")
    def sigma_clip(image):
        values = cp.asarray(image).ravel()
        return lambda: kappa_sigma(values), lambda kept: {"sigma_clip.kept": len(kept)}

    @add("smooth_field order 3 volume", unlike="other random numbers")
    def smooth_field(image):
        return lambda: ndimage.zoom(cp.random.standard_normal(image.shape, cp.float32), 512 / 33, order=3, mode="mirror"), no_facts

    kernel = cp.RawKernel(PATCHES, "patches")

    @add("patch_match 3x3 RGB")
    def patch_match(a, b):
        rows, columns = a.shape[-2:]
        a, b = (cp.asarray(np.moveaxis(i[:, 0], 0, -1), cp.float32) for i in (a, b))
        field, distance = cp.empty((rows, columns, 2), cp.uint16), cp.empty((rows, columns), cp.float32)
        blocks = (rows * columns + 127) // 128

        def call():
            kernel((blocks,), (128,), (cp.ascontiguousarray(a), cp.ascontiguousarray(b), columns, rows, 1, field, distance))
            return distance
        return call, image_facts("patch_match.distance")

    elementwise = cp.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = x * y + sqrtf (fabsf (x))", "bench")

    @add("expression x*y+sqrt(abs(x))")
    def expression(x, y):
        x, y = cp.asarray(x), cp.asarray(y)
        return lambda: elementwise(x, y), image_facts("expression")

    @add("kernel x*y+sqrt(abs(x))")
    def own_kernel(x, y):
        x, y = cp.asarray(x), cp.asarray(y)
        return lambda: elementwise(x, y), image_facts("kernel.image")


def add_cucim(peers, cp, skimage):
    add = partial(peers.add, "cuCIM")
    color, filters, measure = skimage.color, skimage.filters, skimage.measure
    morphology, segmentation = skimage.morphology, skimage.segmentation
    batched = "batch_processing" in inspect.signature(measure.regionprops_table).parameters
    options = {"batch_processing": True} if batched else {}
    erode = getattr(morphology, "binary_erosion", morphology.erosion)

    def gaussian(facts):
        def peer(image):
            image = cp.asarray(image)
            return lambda: filters.gaussian(image, sigma=5, preserve_range=True), facts
        return peer
    add("gaussian sigma=5 f32")(gaussian(image_facts("gaussian")))
    add("gaussian sigma=5 u16", unlike="float result")(gaussian(no_facts))

    @add("otsu f32", "otsu u16")
    def otsu(image):
        image = cp.asarray(image)
        return lambda: filters.threshold_otsu(image), lambda r: {"otsu.threshold": r}

    def erosion(radius):
        footprint = cp.asarray(disk(radius))

        def peer(mask):
            mask = cp.asarray(mask) > 0
            return lambda: erode(mask, footprint), lambda r: {"erosion.mean": r.mean() * 255}
        return peer
    add("erosion disk(2)")(erosion(2))
    add("erosion disk(10)")(erosion(10))

    @add("grey erosion disk(5) u16")
    def grey_erosion(image):
        image, footprint = cp.asarray(image), cp.asarray(disk(5))
        return lambda: morphology.erosion(image, footprint), image_facts("erosion")

    @add("sobel f32")
    def sobel(image):
        image = cp.asarray(image)
        return lambda: filters.sobel(image, mode="nearest"), image_facts("sobel")

    @add("dog 1,5 f32")
    def dog(image):
        image = cp.asarray(image)
        return lambda: filters.difference_of_gaussians(image, 1, 5), no_facts

    @add("unsharp f32")
    def unsharp(image):
        image = cp.asarray(image)
        return lambda: filters.unsharp_mask(image, 1, 1, preserve_range=True), image_facts("unsharp")

    @add("label nuclei", "label noise", "label dots")
    def label(mask):
        mask = cp.asarray(mask) > 0
        return (lambda: measure.label(mask, connectivity=2),
                lambda r: {"label.objects": r.max(), "label.mean": r.mean(dtype=np.float64)})

    @add("remove small objects")
    def remove_small(mask):
        mask, size = cp.asarray(mask) > 0, small_objects(morphology)
        return (lambda: morphology.remove_small_objects(mask, connectivity=2, **size),
                lambda r: {"remove_small.mean": r.mean() * 255})

    @add("expand labels by 5")
    def expand(labels):
        labels = cp.asarray(labels)
        return lambda: segmentation.expand_labels(labels, 5), image_facts("expand")

    @add("relabel")
    def relabel(labels):
        labels = cp.asarray(labels)
        return (lambda: segmentation.relabel_sequential(labels)[0],
                lambda r: {"relabel.max": r.max(), "relabel.mean": r.mean(dtype=np.float64)})

    @add("thin")
    def thin(mask):
        mask = cp.asarray(mask) > 0
        return lambda: morphology.thin(mask), lambda r: {"thin.mean": r.mean() * 255}

    @add("label2rgb")
    def label2rgb(labels):
        labels = cp.asarray(labels)
        return lambda: color.label2rgb(labels, bg_label=0), lambda r: {"label2rgb.mean": r.mean() * 255}

    def regionprops(properties):
        def peer(labels, image):
            labels, image = cp.asarray(labels), cp.asarray(image)
            return lambda: measure.regionprops_table(labels, image, properties=properties, **options), table_facts
        return peer
    add("regionprops area, mean, solidity")(regionprops(MEASURES))
    add("regionprops 12 basic")(regionprops(BASIC))

    def workflow(image, transfers):
        blurred = filters.gaussian(image, sigma=5, preserve_range=True)
        threshold = filters.threshold_otsu(blurred)
        labels = measure.label(erode(blurred > threshold, cp.asarray(disk(2))))
        rgb = color.label2rgb(labels, bg_label=0)
        table = measure.regionprops_table(labels, image, properties=MEASURES, **options)
        table = {key: cp.asnumpy(values) for key, values in table.items()}
        return threshold, table, cp.asnumpy((rgb * 255).astype(cp.uint8)) if transfers else rgb

    facts = lambda r: {"otsu.threshold": r[0], **table_facts(r[1])}
    add("workflow")(lambda image: (lambda: workflow(cp.asarray(image), True), facts))

    @add("workflow on the device")
    def resident(image):
        image = cp.asarray(image)
        return lambda: workflow(image, False), facts

    add_images(peers, "cuCIM", cp, skimage)


def add_torch(peers, cp, torch):
    add = partial(peers.add, "PyTorch")
    interpolate = torch.nn.functional.interpolate

    @add("zoom order 1 volume")
    def trilinear(image):
        size = [round(n * z) for n, z in zip(image.shape, ZOOM)]
        image = torch.as_tensor(image, device="cuda")[None, None]
        return (lambda: interpolate(image, size=size, mode="trilinear", align_corners=True),
                lambda r: {"zoom.mean": r.mean(dtype=torch.float64).item(), "zoom.max": r.max().item()})

    @add("smooth_field order 3 volume", unlike="trilinear")
    def smooth_field(image):
        def call():
            values = torch.randn((1, 1, *image.shape), device="cuda")
            return interpolate(values, size=(512,) * 3, mode="trilinear", align_corners=True)
        return call, no_facts

    @add("zoom order 3 x2", unlike="bicubic without a prefilter")
    def bicubic(image):
        image = torch.as_tensor(image, device="cuda")[None, None]
        return lambda: interpolate(image, scale_factor=2, mode="bicubic", align_corners=True), no_facts


def find():
    peers = Peers("cuda")
    cupy = peers.have("CuPy", cupy_modules)
    if not cupy:
        return peers
    peers.release = cupy[0].get_default_memory_pool().free_all_blocks
    add_cupy(peers, *cupy)
    cucim = peers.have("cuCIM", cucim_modules)
    if cucim:
        add_cucim(peers, cupy[0], cucim)
    torch = peers.have("PyTorch", torch_modules)
    if torch:
        add_torch(peers, cupy[0], torch)
    return peers
