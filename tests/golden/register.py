# SPDX-License-Identifier: MIT
"""register: skimage.registration.phase_cross_correlation() finds the shifts, scipy.ndimage.shift() moves by them. Images that go round are shifted
by their Fourier transforms, others are parts of a larger one that begin elsewhere. Rigid: waves that a turned camera sees, which have no pixels of their own,
and scipy.ndimage.affine_transform(), with the poses that they were made of."""
import numpy as np
from make import Case
from rotate import to_type
from scipy import ndimage
from skimage.registration import phase_cross_correlation

SHIFTS = ((0, 0), (-3.37, 5.12), (2.5, -0.25))  # y, x


def texture(shape, seed, sigma=1.2):
    """Blobs that go round."""
    noise = np.random.default_rng(seed).standard_normal(shape)
    smooth = ndimage.gaussian_filter(noise, sigma, mode="wrap")
    return (smooth - smooth.min()) / np.ptp(smooth) * 200 + 20


def series(image, dtype):
    moved = [np.fft.ifft2(ndimage.fourier_shift(np.fft.fft2(image), shift)).real for shift in SHIFTS]
    return to_type(np.array(moved), dtype)


def found(fixed, frames, normalization="phase"):
    """x and y of each frame."""
    shifts = [phase_cross_correlation(fixed, frame, upsample_factor=100, normalization=normalization)[0] for frame in frames]
    return np.array(shifts)[:, ::-1].T


def moved(frames, x, y, order=1, mode="grid-constant"):
    return np.array([ndimage.shift(frame.astype(np.float64), (dy, dx), order=order, mode=mode) for frame, dx, dy in zip(frames, x, y)])


def case(name, step, frames, x, y, images=None, inputs=None, key="frame", count=None, angle=None, **options):
    """images: what is expected of all that is given, where it can be said to the last pixel."""
    given = inputs or {"image": frames[:, None, None]}
    table = {key: np.arange(1, len(x) + 1), "x": x, "y": y}
    table |= {} if angle is None else {"angle": angle}
    expect = {} if images is None else {"image": images}
    return Case(name, step, given, expect, table=table, frames=len(frames) if count is None else count, **options)


def waves(seed, shape, poses):
    """The same sum of waves, which has no pixels of its own, seen by cameras that are turned and moved: what a pose takes back."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:shape[0], :shape[1]].astype(float)
    y, x = y - (shape[0] - 1) / 2, x - (shape[1] - 1) / 2
    kx, ky = rng.normal(0, 0.35, (2, 300))
    start, size = rng.uniform(0, 2 * np.pi, 300), np.exp(-2 * (kx ** 2 + ky ** 2))
    frames = []
    for dx, dy, angle in poses:
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        fx, fy = c * x - s * y + dx, s * x + c * y + dy  # where a pixel belongs
        frames.append(sum(a * np.cos(u * fx + v * fy + p) for a, u, v, p in zip(size, kx, ky, start)))
    frames = np.array(frames)
    return (frames - frames.min()) / np.ptp(frames) * 230 + 10


def camera(image, dx, dy, angle):
    """The image as it was before it was turned and moved."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    matrix, middle = np.array([[c, s], [-s, c]]), (np.array(image.shape) - 1) / 2
    return ndimage.affine_transform(image, matrix, middle + (dy, dx) - matrix @ middle, order=5)


def rigid_case(name, dtype, shape, poses, words="", key="frame", tolerance=0.02):
    frames = to_type(waves(3, shape, poses), dtype)
    x, y, angle = np.array(poses).T
    given = {"image": frames} if key == "slice" else {"image": frames[:, None, None]}
    table = {key: np.arange(1, len(x) + 1), "x": x, "y": y, "angle": angle}
    return Case(f"rigid-{name}", f"register transform=rigid{words}", given, {}, table=table, frames=1 if key == "slice" else len(frames),
                table_tolerance=tolerance)


def rigid_cases():
    small = [(0, 0, 0), (0.7, -0.4, 0.6), (-3.3, 2.1, -4.2), (5.2, 6.6, 12.5)]
    for dtype in (np.uint8, np.uint16, np.float32):
        yield rigid_case(np.dtype(dtype).name, dtype, (90, 110), small, tolerance=0.01)
    yield rigid_case("large", np.uint8, (300, 260), [(0, 0, 0), (4.4, -2.3, 37), (-1.5, 3.6, 88.3)], tolerance=5e-4)
    yield rigid_case("turned", np.uint8, (300, 260), [(0, 0, 0), (2.7, 1.2, -142.6)], tolerance=3e-4)
    yield rigid_case("slices", np.uint8, (90, 110), small, " axis=z", "slice", tolerance=0.01)
    yield rigid_case("previous", np.uint8, (90, 110), small, " to=previous", tolerance=0.015)
    yield rigid_case("halves", np.uint8, (400, 300), [(0, 0, 0), (-21.3, 13.8, 23.4)], tolerance=1e-3)
    yield rigid_case("levels", np.uint8, (430, 500), [(0, 0, 0), (31.7, -18.4, -51.25)], tolerance=1e-3)
    yield rigid_case("tiny", np.float32, (40, 50), [(0, 0, 0), (5.2, 6.6, 12.5)], tolerance=0.01)
    larger, poses = texture((160, 144), 8, 2), [(0, 0, 0), (6.3, -4.7, 5.5), (-9.1, 4.2, -33.3)]
    frames = np.array([camera(larger, *pose) for pose in poses]).astype(np.uint8)  # black where it saw nothing
    yield case("rigid-corners", "register transform=rigid", frames, np.array(poses)[:, 0], np.array(poses)[:, 1], angle=np.array(poses)[:, 2],
               table_tolerance=1.5e-3)


def cases():
    yield from rigid_cases()
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        frames, name = series(texture((32, 32), 5), dtype).astype(np.float32).astype(dtype), np.dtype(dtype).name
        x, y = found(frames[0], frames)
        image = dtype in (np.uint8, np.float32)
        exact = -np.array(SHIFTS).T[::-1]  # scikit-image is off by 0.02 at 0.25
        result = to_type(moved(frames, *exact), dtype)[:, None, None] if image else None
        yield case(f"{name}-first", "register window=no", frames, x, y, result, table_tolerance=0.025, absolute=1 if dtype == np.float32 else 4)
        x1, y1 = found(frames[0], frames, None)
        yield case(f"{name}-correlation", "register window=no method=correlation", frames, x1, y1, table_tolerance=0.011)

    frames = series(texture((64, 64), 5), np.uint8)
    yield case("window", "register", frames, *found(frames[0], frames), table_tolerance=0.02)
    frames = series(texture((32, 32), 5), np.uint8)
    x, y = found(frames[0], frames)
    steps = np.array([(0, 0)] + [found(a, [b])[:, 0] for a, b in zip(frames, frames[1:])])
    px, py = np.cumsum(steps, axis=0).T
    yield case("previous", "register to=previous window=no", frames, px, py, table_tolerance=0.03)
    whole = np.rint(x), np.rint(y)
    yield case("whole", "register upsample=1 window=no border=nearest", frames, *whole, moved(frames, *whole, 0, "nearest").astype(np.uint8)[:, None, None])
    yield case("slices", "register axis=z window=no", frames, x, y, inputs={"image": frames}, key="slice", count=1, table_tolerance=0.011)
    yield case("one", "register window=no", frames, x[2:3], y[2:3], inputs={"image": frames[2], "reference": frames[0]}, count=1, table_tolerance=0.011)
    stacks = np.stack([frames // 3, frames - frames // 3], axis=1)[:, None]  # t, c, z
    channels = np.concatenate([np.random.default_rng(3).integers(0, 255, stacks.shape, np.uint8), stacks], axis=1)
    yield case("channel", "register channel=1 window=no", frames, x, y, inputs={"image": channels}, table_tolerance=0.011)
    yield case("reference", "register window=no", frames[1:], x[1:], y[1:], inputs={"image": frames[1:, None, None], "reference": frames[0]},
               table_tolerance=0.011)
    broken = frames.astype(np.float32)
    broken[1, 3, 5], broken[2, 30, 1] = np.nan, np.inf
    yield case("nan", "register upsample=1 window=no", broken, *whole, inputs={"image": broken[:, None, None]})
    flat = np.full((3, 20, 30), 7, np.uint16)
    yield case("flat", "register", flat, np.zeros(3), np.zeros(3), flat[:, None, None])

    # Parts of a larger image: what comes in at one side is not what goes out at the other.
    larger = texture((200, 200), 12)
    begin = np.array([(60, 60), (63, 55)])
    for name, rows, columns in (("part", 72, 60), ("narrow", 20, 80), ("power", 64, 64)):
        parts = np.array([larger[y:y + rows, x:x + columns] for y, x in begin]).astype(np.uint8)
        y, x = (begin - begin[0]).T
        yield case(f"{name}-whole", "register upsample=1", parts, x, y)
    fine = ndimage.shift(larger, (0.31, -0.44), order=5, mode="wrap")[63:135, 55:115]
    both = np.array([larger[60:132, 60:120], fine]).astype(np.uint8)
    yield case("part-between", "register", both, np.array([0, -5 + 0.44]), np.array([0, 3 - 0.31]), table_tolerance=0.02)
