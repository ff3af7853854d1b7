# SPDX-License-Identifier: MIT
"""OpenCV, scikit-image, SciPy, NumPy and NumExpr on the CPU, with as many threads as each takes by itself."""
import inspect
from functools import partial

import numpy as np

from inputs import disk
from peers import Peers, image_facts, no_facts, table_facts, wall_clock
from peers_alike import add_arrays, add_images

clock = wall_clock
MEASURES = ("label", "area", "intensity_mean", "solidity")
BASIC = ("label", "area", "bbox", "centroid", "intensity_mean", "intensity_max", "intensity_min", "orientation",
         "axis_major_length", "axis_minor_length", "eccentricity", "perimeter")
ZOOM = (.8, 1.25, 1.25)


def opencv():
    import cv2
    return f"{cv2.__version__}, {cv2.getNumThreads()} threads", cv2


def scikit_image():
    import skimage
    from skimage import color, feature, filters, measure, morphology, restoration, segmentation, util  # noqa: F401 - parts of it
    return skimage.__version__, skimage


def scipy():
    import scipy
    import scipy.ndimage
    import scipy.signal
    return scipy.__version__, scipy.ndimage, scipy.signal


def sep():
    import sep
    return sep.__version__, sep


def add_sep(peers, sep):
    add = partial(peers.add, "SEP")

    @add("background f32")
    def background(image):
        def call():
            found = sep.Background(image)
            back = found.back()
            return found, image - back, back, found.rms()
        return call, lambda r: {"background.rms": r[0].globalrms}

    @add("sky to table")
    def sky_to_table(image):
        def call():
            background = sep.Background(image)
            flat, rms = image - background.back(), background.rms()
            found = sep.extract(flat, 1.5, err=rms, filter_type="conv", deblend_cont=1.0, clean=False)
            shape = [found[key] for key in ("x", "y", "a", "b")] + [found["theta"].clip(-np.pi / 2, np.pi / 2)]
            radius, _ = sep.kron_radius(flat, *shape, 6.0)
            sep.sum_ellipse(flat, *shape, 2.5 * radius, err=rms, subpix=1)
            sep.sum_circle(flat, *shape[:2], 3, err=rms, subpix=5)
            return found
        return call, lambda found: {"sources.rows": len(found), "sources.mean x": found["x"].mean(),
                                    "sources.mean flux": found["flux"].mean()}


def numexpr():
    import numexpr
    return f"{numexpr.__version__}, {numexpr.nthreads} threads", numexpr


def add_numexpr(peers, numexpr):
    @peers.add("NumExpr", "expression x*y+sqrt(abs(x))")
    def expression(x, y):
        return lambda: numexpr.evaluate("x*y+sqrt(abs(x))", {"x": x, "y": y}), image_facts("expression")

    @peers.add("NumExpr", "kernel x*y+sqrt(abs(x))")
    def own_kernel(x, y):
        return lambda: numexpr.evaluate("x*y+sqrt(abs(x))", {"x": x, "y": y}), image_facts("kernel.image")


def add_opencv(peers, cv2):
    add = partial(peers.add, "OpenCV")

    @add("gaussian sigma=5 f32", "gaussian sigma=5 u16")
    def gaussian(image):
        return lambda: cv2.GaussianBlur(image, (41, 41), 5, borderType=cv2.BORDER_REPLICATE), image_facts("gaussian")

    @add("otsu u16")
    def otsu(image):
        return lambda: cv2.threshold(image, 0, 255, cv2.THRESH_OTSU), lambda r: {"otsu.threshold": r[0]}

    def erosion(radius):
        footprint = disk(radius)
        return lambda image: (lambda: cv2.erode(image, footprint), image_facts("erosion"))
    add("erosion disk(2)")(erosion(2))
    add("erosion disk(10)")(erosion(10))
    add("grey erosion disk(5) u16")(erosion(5))

    @add("distance")
    def distance(mask):
        return lambda: cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_PRECISE), image_facts("distance")

    def median(side):
        return lambda image: (lambda: cv2.medianBlur(image, side), image_facts("median"))
    add("median 3x3 u16")(median(3))
    add("median 5x5 u16")(median(5))

    @add("mean 11x11 f32")
    def mean(image):
        return lambda: cv2.blur(image, (11, 11), borderType=cv2.BORDER_REPLICATE), image_facts("mean")

    @add("maximum disk(5) u16")
    def maximum(image):
        return lambda: cv2.dilate(image, disk(5)), image_facts("maximum")

    @add("tophat disk(15) u16")
    def tophat(image):
        return lambda: cv2.morphologyEx(image, cv2.MORPH_TOPHAT, disk(15)), image_facts("tophat")

    @add("sobel f32", unlike="along x alone")
    def sobel(image):
        return lambda: cv2.Sobel(image, cv2.CV_32F, 1, 0), no_facts

    @add("laplacian f32")
    def laplacian(image):
        return lambda: cv2.Laplacian(image, cv2.CV_32F, ksize=1, borderType=cv2.BORDER_REPLICATE), no_facts

    @add("bilateral sigma=2 f32", unlike="a disk, and weights from a table")
    def bilateral(image):
        return lambda: cv2.bilateralFilter(image, 13, 500, 2, borderType=cv2.BORDER_REPLICATE), no_facts

    @add("label nuclei", "label dots")
    def components(mask):
        return lambda: cv2.connectedComponentsWithStats(mask, connectivity=8), lambda r: {"label.objects": r[0] - 1}

    @add("label noise")
    def noise(mask):
        return lambda: cv2.connectedComponents(mask, connectivity=8), lambda r: {"label.objects": r[0] - 1}

    @add("zoom order 3 x2", unlike="bicubic without a prefilter")
    def zoom(image):
        return lambda: cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), no_facts

    @add("convolve 15x15 f64", "convolve 15x15 random f64", "convolve 101x101 f32", unlike="result of the input's size")
    def convolve(image, kernel):
        kernel = kernel[::-1, ::-1].copy()
        return lambda: cv2.filter2D(image, -1, kernel, borderType=cv2.BORDER_CONSTANT), no_facts


def small_objects(morphology):
    """What removes objects of fewer than 64 pixels, in the words of old and new versions."""
    new = "max_size" in inspect.signature(morphology.remove_small_objects).parameters
    return {"max_size": 63} if new else {"min_size": 64}


def add_scikit_image(peers, skimage):
    add = partial(peers.add, "scikit-image")
    color, filters, measure = skimage.color, skimage.filters, skimage.measure
    morphology, segmentation = skimage.morphology, skimage.segmentation
    erode = getattr(morphology, "binary_erosion", morphology.erosion)

    @add("gaussian sigma=5 f32")
    def gaussian(image):
        return lambda: filters.gaussian(image, 5, preserve_range=True), image_facts("gaussian")

    @add("otsu f32", "otsu u16")
    def otsu(image):
        return lambda: filters.threshold_otsu(image), lambda r: {"otsu.threshold": r}

    def erosion(radius):
        footprint = disk(radius)

        def peer(mask):
            mask = mask > 0
            return lambda: erode(mask, footprint), lambda r: {"erosion.mean": r.mean() * 255}
        return peer
    add("erosion disk(2)")(erosion(2))
    add("erosion disk(10)")(erosion(10))

    @add("grey erosion disk(5) u16")
    def grey_erosion(image):
        return lambda: morphology.erosion(image, disk(5)), image_facts("erosion")

    @add("sobel f32")
    def sobel(image):
        return lambda: filters.sobel(image, mode="nearest"), image_facts("sobel")

    @add("dog 1,5 f32")
    def dog(image):
        return lambda: filters.difference_of_gaussians(image, 1, 5), no_facts

    @add("unsharp f32")
    def unsharp(image):
        return lambda: filters.unsharp_mask(image, 1, 1, preserve_range=True), image_facts("unsharp")

    @add("label nuclei", "label noise", "label dots")
    def label(mask):
        mask = mask > 0
        return (lambda: measure.label(mask, connectivity=2),
                lambda r: {"label.objects": r.max(), "label.mean": r.mean(dtype=np.float64)})

    @add("watershed")
    def watershed(distances, seeds, mask):
        return (lambda: segmentation.watershed(-distances, seeds, connectivity=2, mask=mask > 0),
                lambda r: {"watershed.max": r.max()})

    @add("remove small objects")
    def remove_small(mask):
        mask, size = mask > 0, small_objects(morphology)
        return (lambda: morphology.remove_small_objects(mask, connectivity=2, **size),
                lambda r: {"remove_small.mean": r.mean() * 255})

    @add("expand labels by 5")
    def expand(labels):
        return lambda: segmentation.expand_labels(labels, 5), image_facts("expand")

    @add("relabel")
    def relabel(labels):
        return (lambda: segmentation.relabel_sequential(labels)[0],
                lambda r: {"relabel.max": r.max(), "relabel.mean": r.mean(dtype=np.float64)})

    @add("split")
    def split(mask):
        from scipy import ndimage
        inside, near = mask > 0, np.ones((3, 3))

        def run():
            level = filters.gaussian(ndimage.distance_transform_edt(inside), 1, mode="nearest").astype(np.float32)
            level = np.where(inside, level, -1).astype(np.float32)
            peaks = morphology.reconstruction(level - np.float32(0.5), level, footprint=near)
            seeds = measure.label(morphology.local_maxima(peaks) & inside, connectivity=2)
            return segmentation.watershed(-level, seeds, connectivity=2, mask=inside)
        return run, lambda r: {"split.objects": r.max()}

    @add("thin")
    def thin(mask):
        mask = mask > 0
        return lambda: morphology.thin(mask), lambda r: {"thin.mean": r.mean() * 255}

    @add("skeleton")
    def skeleton(mask):
        mask = mask > 0
        return (lambda: morphology.skeletonize(mask, method="lee"),
                lambda r: {"skeleton.mean": (r > 0).mean() * 255})

    @add("label2rgb")
    def label2rgb(labels):
        return lambda: color.label2rgb(labels, bg_label=0), lambda r: {"label2rgb.mean": r.mean() * 255}

    def regionprops(properties):
        return lambda labels, image: (
            lambda: measure.regionprops_table(labels, image, properties=properties), table_facts)
    add("regionprops area, mean, solidity")(regionprops(MEASURES))
    add("regionprops 12 basic")(regionprops(BASIC))

    @add("workflow")
    def workflow(image):
        def call():
            blurred = filters.gaussian(image, 5, preserve_range=True)
            threshold = filters.threshold_otsu(blurred)
            labels = measure.label(erode(blurred > threshold, disk(2)))
            color.label2rgb(labels, bg_label=0)
            return threshold, measure.regionprops_table(labels, image, properties=MEASURES)
        return call, lambda r: {"otsu.threshold": r[0], **table_facts(r[1])}

    add_images(peers, "scikit-image", np, skimage)


def kappa_sigma(values):
    """Clips at the median +- 3 standard deviations until nothing is clipped."""
    while True:
        median, deviation = np.median(values), np.std(values)
        kept = values[(values > median - 3 * deviation) & (values < median + 3 * deviation)]
        if len(kept) == len(values):
            return kept
        values = kept


def add_scipy(peers, ndimage, signal):
    add = partial(peers.add, "SciPy")
    add_arrays(peers, "SciPy", np, ndimage)

    def median(radius):
        return lambda image: (lambda: ndimage.median_filter(image, footprint=disk(radius), mode="nearest"), image_facts("median"))
    add("median disk(5) u16")(median(5))
    add("median disk(10) u16")(median(10))

    @add("log sigma=2 f32")
    def log(image):
        return lambda: ndimage.gaussian_laplace(image, 2, mode="nearest"), no_facts

    @add("gaussian sigma=5 f32")
    def gaussian(image):
        return lambda: ndimage.gaussian_filter(image, 5, mode="nearest"), image_facts("gaussian")

    @add("distance", "distance volume")
    def distance(mask):
        return lambda: ndimage.distance_transform_edt(mask), image_facts("distance")

    @add("label nuclei", "label noise", "label dots")
    def label(mask):
        structure = np.ones((3, 3))
        return lambda: ndimage.label(mask, structure), lambda r: {"label.objects": r[1]}

    @add("fill holes")
    def fill_holes(mask):
        return lambda: ndimage.binary_fill_holes(mask), lambda r: {"fill_holes.mean": r.mean() * 255}

    @add("regionprops of dots", unlike="without the solidity")
    def area_and_mean(labels, image):
        index = np.arange(1, labels.max() + 1)
        return (lambda: {"label": index, "area": np.bincount(labels.ravel())[1:],
                         "intensity_mean": ndimage.mean(image, labels, index)}, table_facts)

    def zoom(order, factor):
        return lambda image: (lambda: ndimage.zoom(image, factor, order=order, mode="mirror"), image_facts("zoom"))
    for order in 1, 3, 5:
        add(f"zoom order {order} volume")(zoom(order, ZOOM))
    add("zoom order 3 x2")(zoom(3, 2))

    @add("rotate linear f32")
    def rotate(image):
        return lambda: ndimage.rotate(image, -30, reshape=False, order=1, mode="grid-constant"), image_facts("rotate")

    @add("convolve 15x15 f64", "convolve 15x15 random f64")
    def convolve(image, kernel):
        return lambda: signal.convolve2d(image, kernel), image_facts("convolve")

    @add("convolve 101x101 f32")
    def convolve_fft(image, kernel):
        return lambda: signal.fftconvolve(image, kernel, "same"), image_facts("convolve")

    @peers.add("NumPy", "sigma_clip sky f32", "sigma_clip noise f32")
    def sigma_clip(image):
        values = image.ravel()
        return lambda: kappa_sigma(values), lambda kept: {"sigma_clip.kept": len(kept)}


def add_numpy(peers):
    for name, f in ("max", np.max), ("median", np.median), ("sd", np.std):
        def project(volume, f=f):
            return lambda: f(volume, axis=0), image_facts("project")
        peers.add("NumPy", f"project {name} volume")(project)

    @peers.add("NumPy", "calculate add f32")
    def calculate(a, b):
        return lambda: a + b, image_facts("calculate")

    def patches(image):
        wide = np.pad(np.moveaxis(image[:, 0], 0, -1).astype(np.float32), ((1, 1), (1, 1), (0, 0)), mode="edge")
        return np.lib.stride_tricks.sliding_window_view(wide, (3, 3, 3)).reshape(-1, 27)

    def nearest(patch, others):
        squares = ((others - patch) ** 2).sum(1)
        at = squares.argmin()
        return at, squares[at]

    @peers.add("NumPy", "patch_match 3x3 RGB")
    def patch_match(a, b):
        a, b = patches(a), patches(b)
        return lambda: np.array([nearest(patch, b) for patch in a])[:, 1], image_facts("patch_match.distance")


def find():
    peers = Peers("cpu")
    peers.versions["NumPy"] = np.__version__
    add_numpy(peers)
    for name, importer, adder in (("OpenCV", opencv, add_opencv), ("scikit-image", scikit_image, add_scikit_image),
                                  ("SciPy", scipy, add_scipy), ("NumExpr", numexpr, add_numexpr), ("SEP", sep, add_sep)):
        modules = peers.have(name, importer)
        if modules:
            adder(peers, *(modules if isinstance(modules, list) else [modules]))
    return peers
