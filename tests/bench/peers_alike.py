# SPDX-License-Identifier: MIT
"""What scikit-image and cuCIM do by the same calls, and SciPy with NumPy and CuPy: one text for both devices."""
import inspect

from inputs import disk
from peers import image_facts, no_facts


def adder(peers, name, xp):
    def add(work, call, facts=no_facts, unlike=None):
        def peer(*arrays):
            arrays = [xp.asarray(a) for a in arrays]
            return lambda: call(*arrays), facts
        peers.add(name, work, unlike=unlike)(peer)
    return add


def add_arrays(peers, name, xp, ndimage):
    """xp: NumPy or CuPy."""
    add = adder(peers, name, xp)

    def parents_of(children, parents):
        """For each child the parent with the most of its pixels."""
        inside = children > 0
        pairs, counts = xp.unique(children[inside].astype(xp.int64) << 32 | parents[inside], return_counts=True)
        pairs = pairs[xp.lexsort(xp.stack((-counts, pairs >> 32)))]
        return pairs[xp.unique(pairs >> 32, return_index=True)[1]]

    add("rotate cubic f32", lambda a: ndimage.rotate(a, -30, reshape=False, order=3, mode="grid-constant"))
    add("histogram u16", lambda a: xp.histogram(a, 256))
    add("convert to 8-bit", lambda a: xp.minimum(a * xp.float32(255 / 4095) + xp.float32(.5), 255).astype(xp.uint8))
    add("noise f32", lambda a: a + xp.random.standard_normal(a.shape).astype(xp.float32) * 25, unlike="other random numbers")
    add("noise poisson u16", xp.random.poisson, unlike="other random numbers")
    add("reslice left volume", lambda a: xp.ascontiguousarray(a.transpose(2, 0, 1)), image_facts("reslice"))
    add("assign", parents_of, unlike="a list, no image")


def add_images(peers, name, xp, package):
    """package: scikit-image or cuCIM's, its parts imported."""
    add = adder(peers, name, xp)
    filters, restoration, feature = package.filters, package.restoration, package.feature
    differences = "use_gaussian_derivatives" in inspect.signature(feature.hessian_matrix).parameters
    options = {"use_gaussian_derivatives": False} if differences else {}

    def hessian(image):
        return feature.hessian_matrix_eigvals(feature.hessian_matrix(image, 2, mode="nearest", order="rc", **options))

    add("hessian sigma=2 f32", hessian)
    add("local threshold mean 51 u16", lambda a: a > filters.threshold_local(a, 51, "mean"))
    add("local threshold sauvola 51 u16", lambda a: a > filters.threshold_sauvola(a, 51))
    add("rolling_ball exact 25 u16", lambda a: restoration.rolling_ball(a, radius=25))
    add("deconvolve 10 rounds 15x15 f32", lambda a, b: restoration.richardson_lucy(a, b, 10, clip=False), unlike="other edges")
    add("voronoi", lambda a: package.segmentation.expand_labels(a, 1e9), unlike="no lines")
    add("tophat disk(15) u16", lambda a: package.morphology.white_tophat(a, xp.asarray(disk(15))))
    add("h-maxima u16", lambda a: package.morphology.h_maxima(a, 1000), lambda r: {"h_maxima.mean": r.mean() * 255})
    if hasattr(package.measure, "pearson_corr_coeff"):
        add("colocalize u16", package.measure.pearson_corr_coeff, unlike="Pearson's coefficient alone")
    add("bin 2x2 u16", lambda a: package.measure.block_reduce(a, 2, xp.mean))
    add("rgb to lab", lambda a: package.color.rgb2lab(a, channel_axis=0))
    add("montage volume", package.util.montage)
    if hasattr(restoration, "denoise_nl_means"):
        add("nlmeans f32", lambda a: restoration.denoise_nl_means(a, h=100, fast_mode=True))
