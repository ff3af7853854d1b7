/* SPDX-License-Identifier: MIT
 *
 * make-samples FOLDER [NAME...]: writes the sample images, or those named, the same on every machine: the random numbers are seeded, and the arithmetic
 * is +, -, *, / and the square root alone, which are exactly rounded everywhere. The samples `plate` and `ct` are folders of images.
 * An object is an ellipsoid with a wavy outline, a soft edge and a texture; an image is objects on a background, under
 * uneven light, with a camera's noise (shot noise and read-out noise).
 */
#include "core/files/files.h"
#include "data/sample_dicom.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  double at[3];     /* z, y, x in pixels */
  double radius[3]; /* along z, the short and the long axis */
  double axis[2];   /* y, x of the long axis, of length 1 */
  double wave[4];   /* how far 2 and 3 lobes (cosine, sine) bend the outline */
  double level;     /* brightness */
  guint64 seed;     /* of its texture */
} Object;

/* ---- Random numbers ---- */

static guint64
hash (guint64 x)
{
  x ^= x >> 30;
  x *= G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x ^= x >> 27;
  x *= G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* From 0 to 1. */
static double
uniform (guint64 *state)
{
  *state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (double) (hash (*state) >> 11) / 9007199254740992.0;
}

static double
between (guint64 *state, double low, double high)
{
  return low + (high - low) * uniform (state);
}

/* Nearly normal, mean 0 and deviation 1. */
static double
normal (guint64 *state)
{
  double sum = -6;
  for (int i = 0; i < 12; i++)
    sum += uniform (state);
  return sum;
}

/* Smooth noise from 0 to 1 with one random value per lattice point; x and y in lattice steps. */
static double
lattice (guint64 seed, double y, double x)
{
  double cy = floor (y), cx = floor (x), v[4];
  for (int i = 0; i < 4; i++) {
    gint64 ky = (gint64) cy + i / 2, kx = (gint64) cx + i % 2;
    v[i] = (double) (hash (seed + (guint64) ky * 1000003 + (guint64) kx * 7919) >> 11) / 9007199254740992.0;
  }
  y -= cy;
  x -= cx;
  y = y * y * (3 - 2 * y);
  x = x * x * (3 - 2 * x);
  return (v[0] + (v[1] - v[0]) * x) * (1 - y) + (v[2] + (v[3] - v[2]) * x) * y;
}

/* Three octaves, from 0 to 1. */
static double
cloud (guint64 seed, double y, double x)
{
  return (4 * lattice (seed, y, x) + 2 * lattice (seed + 1, 2 * y, 2 * x) + lattice (seed + 2, 4 * y, 4 * x)) / 7;
}

/* ---- Objects ---- */

/* How much of the pixel belongs to the object: 1 inside, 0 outside, between over the edge, `soft` radii wide. */
static double
cover (const Object *o, double z, double y, double x, double soft)
{
  double dz = (z - o->at[0]) / o->radius[0], dy = y - o->at[1], dx = x - o->at[2];
  double u = (dy * o->axis[0] + dx * o->axis[1]) / o->radius[2], v = (dx * o->axis[0] - dy * o->axis[1]) / o->radius[1];
  double d = sqrt (u * u + v * v), c = d > 0 ? u / d : 1, s = d > 0 ? v / d : 0, edge, t;
  edge = 1 + o->wave[0] * (c * c - s * s) + o->wave[1] * 2 * c * s + o->wave[2] * c * (c * c - 3 * s * s)
         + o->wave[3] * s * (3 * c * c - s * s);
  d = sqrt (d * d / (edge * edge) + dz * dz);
  t = (1 + soft / 2 - d) / soft;
  return t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t);
}

static Object
random_object (guint64 *state, const gint64 size[3], double radius, double flat, double wave)
{
  Object o = {.radius = {radius * flat, radius, radius * between (state, 1, 1.5)}, .level = between (state, 0.45, 1)};
  double y = between (state, -1, 1), x = between (state, 0.05, 1), length = sqrt (y * y + x * x);
  o.axis[0] = y / length;
  o.axis[1] = x / length;
  for (int i = 0; i < 4; i++)
    o.wave[i] = between (state, -wave, wave);
  o.at[0] = size[0] > 1 ? between (state, 0.1, 0.9) * (double) size[0] : 0;
  o.at[1] = between (state, 0, 1) * (double) size[1];
  o.at[2] = between (state, 0, 1) * (double) size[2];
  o.seed = hash (*state);
  return o;
}

/* Whether two objects are further apart than `apart` times the sum of their radii. */
static gboolean
keep_away (const Object *a, const Object *b, double apart)
{
  double ra = (a->radius[1] + a->radius[2]) / 2, rb = (b->radius[1] + b->radius[2]) / 2;
  double z = (a->at[0] - b->at[0]) * a->radius[1] / a->radius[0], y = a->at[1] - b->at[1], x = a->at[2] - b->at[2];
  return sqrt (z * z + y * y + x * x) > apart * (ra + rb);
}

/* Objects that touch here and there: `apart` below 1 lets them overlap a little. */
static guint
scatter (Object *objects, guint wanted, guint64 *state, const gint64 size[3], const double radii[2], double flat,
         double apart)
{
  guint n = 0;
  for (guint attempt = 0; attempt < wanted * 50 && n < wanted; attempt++) {
    Object o = random_object (state, size, between (state, radii[0], radii[1]), flat, 0.05);
    guint i = 0;
    while (i < n && keep_away (&o, &objects[i], apart))
      i++;
    if (i == n)
      objects[n++] = o;
  }
  return n;
}

/* Adds an object to one plane of brightness values; the brighter of what overlaps wins. */
static void
draw (double *plane, const gint64 size[3], const Object *o, double z, double soft, double texture)
{
  double reach = o->radius[2] * 1.4 + 2;
  gint64 top = (gint64) MAX (o->at[1] - reach, 0), bottom = (gint64) MIN (o->at[1] + reach, (double) size[1] - 1);
  gint64 left = (gint64) MAX (o->at[2] - reach, 0), right = (gint64) MIN (o->at[2] + reach, (double) size[2] - 1);
  for (gint64 y = top; y <= bottom; y++)
    for (gint64 x = left; x <= right; x++) {
      double grain = 1 - texture + 2 * texture * cloud (o->seed, (double) y / 7, (double) x / 7);
      double value = o->level * grain * cover (o, z, (double) y, (double) x, soft);
      plane[y * size[2] + x] = MAX (plane[y * size[2] + x], value);
    }
}

/* ---- Camera ---- */

/* Light that is brightest off the center: 1 there, about 0.6 in the far corner. */
static double
light (const gint64 size[3], gint64 y, gint64 x)
{
  double dy = (double) y / (double) size[1] - 0.42, dx = (double) x / (double) size[2] - 0.55;
  return 1 - 0.7 * (dy * dy + dx * dx);
}

/* `photons` at brightness 1, `offset` without light; noise in units of the result. */
static double
expose (double brightness, double photons, double scale, double offset, double read_noise, guint64 *state)
{
  double n = brightness * photons;
  return floor (offset + scale * (n + sqrt (n) * normal (state)) + read_noise * normal (state) + 0.5);
}

static void
store (void *pixels, fv_type type, gsize i, double value)
{
  if (type == FV_U8)
    ((guint8 *) pixels)[i] = (guint8) CLAMP (value, 0, 255);
  else
    ((guint16 *) pixels)[i] = (guint16) CLAMP (value, 0, 65535);
}

/* ---- The images ---- */

/* A section of tissue: nuclei in green, fibers in red, a faint cytoplasm in blue. */
static void
paint_nuclei_rgb (const ImageInfo *info, gpointer to)
{
  guint8 *pixels = to;
  const gint64 size[3] = {1, info->rows, info->columns};
  gsize n = (gsize) (info->rows * info->columns);
  g_autofree Object *nuclei = g_new (Object, 320);
  g_autofree double *green = g_new0 (double, n), *blue = g_new0 (double, n);
  guint64 state = 20240601;
  guint count = scatter (nuclei, 320, &state, size, (const double[]){8.5, 13.5}, 1, 0.82);
  for (guint i = 0; i < count; i++) {
    Object around = nuclei[i];
    draw (green, size, &nuclei[i], 0, 0.22, 0.35);
    around.radius[1] *= 1.7;
    around.radius[2] *= 1.7;
    around.seed++;
    draw (blue, size, &around, 0, 0.8, 0.6);
  }
  for (gsize i = 0; i < n; i++) {
    gint64 y = (gint64) i / info->columns, x = (gint64) i % info->columns;
    double l = light (size, y, x), haze = cloud (77, (double) y / 90, (double) x / 90);
    double strand = 1 - 9 * fabs (cloud (5, (double) (y + x) / 60, (double) (y - x) / 180) - 0.5);
    double red = 0.08 + 0.1 * haze + 0.5 * MAX (strand, 0) * (1 - 0.7 * green[i]) + 0.12 * green[i];
    store (pixels, FV_U8, i, expose (red * l, 260, 0.8, 6, 1.5, &state));
    store (pixels, FV_U8, n + i, expose ((0.07 + 0.07 * haze + 0.85 * green[i]) * l, 260, 0.8, 6, 1.5, &state));
    store (pixels, FV_U8, 2 * n + i, expose ((0.1 + 0.1 * haze + 0.4 * blue[i]) * l, 260, 0.8, 6, 1.5, &state));
  }
}

/* A culture: nuclei, and the cells around them. */
static void
paint_cells (const ImageInfo *info, gpointer to)
{
  guint16 *pixels = to;
  const gint64 size[3] = {1, info->rows, info->columns};
  gsize n = (gsize) (info->rows * info->columns);
  g_autofree Object *cells = g_new (Object, 70);
  g_autofree double *nuclei = g_new0 (double, n), *bodies = g_new0 (double, n);
  guint64 state = 20240602;
  guint count = scatter (cells, 70, &state, size, (const double[]){21, 29}, 1, 0.93);
  for (guint i = 0; i < count; i++) {
    Object nucleus = cells[i];
    draw (bodies, size, &cells[i], 0, 0.25, 0.3);
    nucleus.radius[1] *= 0.48;
    nucleus.radius[2] *= 0.48;
    nucleus.at[1] += between (&state, -3, 3);
    nucleus.at[2] += between (&state, -3, 3);
    nucleus.level = between (&state, 0.6, 1);
    draw (nuclei, size, &nucleus, 0, 0.25, 0.3);
  }
  for (gsize i = 0; i < n; i++) {
    double l = light (size, (gint64) i / info->columns, (gint64) i % info->columns);
    store (pixels, FV_U16, i, expose ((0.02 + nuclei[i]) * l, 1500, 12, 400, 30, &state));
    store (pixels, FV_U16, n + i, expose ((0.04 + bodies[i] * (1 - 0.4 * nuclei[i])) * l, 700, 12, 400, 30, &state));
  }
}

/* Round objects in space; voxels are four times as deep as wide. */
static void
paint_stack (const ImageInfo *info, gpointer to)
{
  guint16 *pixels = to;
  const gint64 size[3] = {info->depth, info->rows, info->columns};
  gsize n = (gsize) (info->rows * info->columns);
  g_autofree Object *objects = g_new (Object, 45);
  guint64 state = 20240603;
  guint count = scatter (objects, 45, &state, size, (const double[]){7, 13}, info->spacing[2] / info->spacing[0], 0.9);
  for (gint64 z = 0; z < info->depth; z++) {
    g_autofree double *plane = g_new0 (double, n);
    for (guint i = 0; i < count; i++)
      draw (plane, size, &objects[i], (double) z, 0.4, 0.2);
    for (gsize i = 0; i < n; i++)
      store (pixels, FV_U16, (gsize) z * n + i,
             expose ((0.03 + plane[i]) * (1 - 0.018 * (double) z), 400, 10, 300, 20, &state));
  }
}

/* A point in the middle of each cell of a 16 × 16 grid: what a filter makes of it is the filter itself, 256 times. */
static void
paint_points (const ImageInfo *info, gpointer to)
{
  float *pixels = to;
  enum { POINTS = 16 };
  const gint64 cell = info->rows / POINTS;
  for (gint64 y = 0; y < info->rows; y++)
    for (gint64 x = 0; x < info->columns; x++)
      pixels[y * info->columns + x] = y % cell == cell / 2 && x % cell == cell / 2;
}

/* Where a sheet of cells ends at a gap that closes: columns from the middle of the image; side: -1 left, 1 right. */
static double
front (int side, double y, double closed)
{
  return side * (92 - 74 * closed + 36 * (cloud (side > 0 ? 31 : 32, y / 70, 2 * closed) - 0.5));
}

/* Two sheets of cells that move towards each other from frame to frame; between them is nothing but haze. */
static void
paint_wound (const ImageInfo *info, gpointer to)
{
  const gint64 size[3] = {1, info->rows, info->columns};
  guint8 *pixels = to;
  guint64 state = 20240604;
  for (gint64 t = 0; t < info->frames; t++)
    for (gint64 y = 0; y < info->rows; y++)
      for (gint64 x = 0; x < info->columns; x++) {
        double closed = (double) t / (double) info->frames, column = (double) (x - info->columns / 2);
        double left = column - front (-1, (double) y, closed), right = front (1, (double) y, closed) - column;
        double inside = CLAMP (0.5 - MIN (left, right) / 4, 0, 1), moved = left < 0 ? -74 * closed : 74 * closed;
        double cell = cloud (41, (double) y / 9, (column + moved) / 9), haze = cloud (42, (double) y / 80, column / 80);
        double gray = 0.4 + 0.06 * haze + inside * 1.5 * (cell - 0.5);
        /* CLAMP exposes again each time it looks, so that a value may lie beyond 255; its low bits are taken, because tests know these pixels. */
        *pixels++ = (guint8) (int) CLAMP (expose (MAX (gray, 0) * light (size, y, x), 400, 0.6, 8, 1, &state), 0, 255);
      }
}

/* Light that falls off from a point as that of a star does in a telescope, or, drawn out, as a galaxy's: (1 + r²)^-5/2. */
static void
shine (double *plane, const gint64 size[3], const Object *o)
{
  const double reach = 14 * o->radius[2];
  const gint64 top = (gint64) MAX (o->at[1] - reach, 0), bottom = (gint64) MIN (o->at[1] + reach, (double) size[1] - 1);
  const gint64 left = (gint64) MAX (o->at[2] - reach, 0), right = (gint64) MIN (o->at[2] + reach, (double) size[2] - 1);
  for (gint64 y = top; y <= bottom; y++)
    for (gint64 x = left; x <= right; x++) {
      double dy = (double) y - o->at[1], dx = (double) x - o->at[2];
      double u = (dy * o->axis[0] + dx * o->axis[1]) / o->radius[2],
             v = (dx * o->axis[0] - dy * o->axis[1]) / o->radius[1];
      double q = 1 + u * u + v * v;
      plane[y * size[2] + x] += o->level / (q * q * sqrt (q));
    }
}

/* A field of stars, few of them bright, with some galaxies, on a sky that is brighter at one side. */
static void
paint_sky (const ImageInfo *info, gpointer to)
{
  enum { STARS = 260, GALAXIES = 30 };
  const gint64 size[3] = {1, info->rows, info->columns};
  gsize n = (gsize) (info->rows * info->columns);
  g_autofree double *plane = g_new0 (double, n);
  float *pixels = to;
  guint64 state = 20240605;
  for (int i = 0; i < STARS + GALAXIES; i++) {
    gboolean star = i < STARS;
    Object o = random_object (&state, size, star ? 2.2 : between (&state, 2.5, 4.5), 1, 0);
    o.radius[2] = star ? o.radius[1] : o.radius[1] * between (&state, 1, 2.2);
    o.level = (star ? 60 : 90) / between (&state, star ? 0.005 : 0.15, 1);
    shine (plane, size, &o);
  }
  for (gsize i = 0; i < n; i++) {
    double sky =
      900 + 150 * (double) i / (double) n + 60 * (double) (i % (gsize) info->columns) / (double) info->columns;
    pixels[i] = (float) expose ((sky + plane[i]) / 1000, 1e4, 0.1, 100, 4, &state);
  }
}

/* A field of a well: `nuclei`, and a reporter in them of this brightness. */
static void
paint_field (const ImageInfo *info, guint8 *pixels, guint64 state, guint nuclei, double brightness)
{
  const gint64 size[3] = {1, info->rows, info->columns};
  gsize n = (gsize) (info->rows * info->columns);
  g_autofree Object *objects = g_new (Object, nuclei + 1);
  g_autofree double *plane = g_new0 (double, n);
  guint count = scatter (objects, nuclei, &state, size, (const double[]){6.5, 9}, 1, 1.1);
  for (guint i = 0; i < count; i++)
    draw (plane, size, &objects[i], 0, 0.3, 0.3);
  for (gsize i = 0; i < n; i++) {
    double l = light (size, (gint64) i / info->columns, (gint64) i % info->columns);
    store (pixels, FV_U8, i, expose ((0.05 + plane[i]) * l, 400, 0.4, 10, 1, &state));
  }
  for (gsize i = 0; i < n; i++)
    store (pixels, FV_U8, n + i, expose (0.05 + brightness * plane[i], 400, 0.4, 10, 1, &state));
}

/* Rows B and C of a plate are alike; columns 2 to 7 have more and more of a drug, of which nuclei become fewer and the reporter brighter. */
static gboolean
make_plate (const char *parent)
{
  static const guint nuclei[] = {26, 25, 22, 15, 7, 0};
  static const double brightness[] = {0.1, 0.12, 0.2, 0.4, 0.7, 0.8};
  g_autofree char *folder = g_build_filename (parent, "plate", NULL);
  char *names[] = {"nuclei", "reporter", NULL};
  guint32 colors[] = {0x0080ff, 0x00ff00};
  double ranges[] = {0, 180, 0, 180};
  const ImageInfo info = {FV_U8,
                          FV_IMAGE,
                          1,
                          2,
                          1,
                          160,
                          160,
                          .spacing = {1, 0.65, 0.65},
                          .units = {"µm", "µm", "µm"},
                          .channel_names = names,
                          .channel_colors = colors,
                          .display_ranges = ranges};
  g_autoptr (GError) error = NULL;
  if (g_mkdir_with_parents (folder, 0777))
    g_set_error (&error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s cannot be made.", folder);
  for (guint i = 0; i < 24 && !error; i++) {
    guint row = i / 12, column = i % 12 / 2, field = i % 2;
    g_autofree char *path = g_strdup_printf ("%s/%c%02u_f%u.tif", folder, 'B' + row, column + 2, field + 1);
    g_autoptr (Image) image = image_new (&info, &error);
    if (image)
      paint_field (&info, image_pixels (image), 20240606 + i, nuclei[column] - (nuclei[column] ? i % 3 : 0),
                   brightness[column]);
    if (image)
      files_save_as (image, path, "compression=deflate", &error);
  }
  if (error)
    g_printerr ("%s\n", error->message);
  return error == NULL;
}

/* A wrist in a CT: bones of 560 HU in muscle, fat and air. Half way between muscle and bone is the surface of an ellipsoid, whose volume is 4/3 π times its
 * radii. Radius and ulna, the first two, go on below the volume. */
static void
paint_wrist (const ImageInfo *info, gint16 *pixels)
{
  static const double bones[][6] = {
    /* mm from the middle along z, y, x, and radii */
    {-22, 0, -10, 10.5, 8, 10},  {-23, 0, 11.5, 7.5, 6, 6}, {-3, 1, -15, 6, 6, 5},       {-3.5, 0, -2.5, 5, 6.5, 4.5},
    {-2, 1, 9.5, 4.5, 6, 4.5},   {-1, 12, 15, 4, 3.5, 3.5}, {11, 4, -18.5, 5, 5.5, 4.5}, {12, -1, -8, 4.5, 5, 3.5},
    {10.5, 0, 2.5, 6.5, 6, 4.5}, {11.5, 1, 14, 6, 6, 4},
  };
  const gint64 size[3] = {info->depth, info->rows, info->columns};
  const double *mm = info->spacing;
  guint64 state = 20240630;
  for (gint64 z = 0; z < info->depth; z++) {
    g_autofree double *plane = g_new0 (double, (gsize) (info->rows * info->columns));
    for (guint i = 0; i < G_N_ELEMENTS (bones); i++) {
      Object bone = {.axis = {0, 1}, .level = 1};
      for (int axis = 0; axis < 3; axis++) {
        bone.at[axis] = (double) (size[axis] - 1) / 2 + bones[i][axis] / mm[axis];
        bone.radius[axis] = bones[i][3 + axis] / mm[axis];
      }
      draw (plane, size, &bone, (double) z, 0.3, 0);
    }
    for (gint64 i = 0; i < info->rows * info->columns; i++) {
      double y = ((double) (i / info->columns) - (double) (info->rows - 1) / 2) * mm[1];
      double x = ((double) (i % info->columns) - (double) (info->columns - 1) / 2) * mm[2];
      double soft = y * y / (24 * 24) + x * x / (32 * 32) > 1   ? -1000
                    : y * y / (21 * 21) + x * x / (29 * 29) > 1 ? -100
                                                                : 40;
      *pixels++ = (gint16) floor (soft + plane[i] * (560 - soft) + 18 * normal (&state) + 0.5);
    }
  }
}

static gboolean
make_ct (const char *parent)
{
  const ImageInfo info = {
    FV_I16, FV_IMAGE, 1, 1, 24, 128, 128, .spacing = {2, 0.625, 0.625}, .units = {"mm", "mm", "mm"}};
  g_autofree char *folder = g_build_filename (parent, "ct", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = image_new (&info, &error);
  if (image)
    paint_wrist (&info, image_pixels (image));
  if (!image || !sample_dicom_save (image, folder, &error))
    g_printerr ("%s\n", error->message);
  return error == NULL;
}

/* ---- All of them ---- */

#define UM .units = {"µm", "µm", "µm"}

typedef struct {
  const char *name;
  ImageInfo info;
  void (*paint) (const ImageInfo *info, gpointer pixels);
  const char *options; /* of the format; NULL: none */
} Sample;

static gboolean
make (const Sample *sample, const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = image_new (&sample->info, &error);
  g_autofree char *path = g_build_filename (folder, sample->name, NULL);
  if (image)
    sample->paint (&sample->info, image_pixels (image));
  if (!image || !files_save_as (image, path, sample->options, &error))
    g_printerr ("%s\n", error->message);
  return error == NULL;
}

int
main (int argc, char **argv)
{
  char *names[] = {"nuclei", "cytoplasm", NULL};
  guint32 colors[] = {0x0080ff, 0x00ff00};
  double ranges[] = {400, 18000, 400, 9000}, grays[] = {0, 255};
  const Sample samples[] = {
    {"nuclei_rgb.tif", {FV_U8, FV_RGB, 1, 3, 1, 640, 640, .spacing = {1, 1, 1}}, paint_nuclei_rgb, NULL},
    {"cells_2channel.tif",
     {FV_U16, FV_IMAGE, 1, 2, 1, 512, 512, .spacing = {1, 0.325, 0.325}, UM, .channel_names = names,
      .channel_colors = colors, .display_ranges = ranges},
     paint_cells,
     NULL},
    {"stack.tif", {FV_U16, FV_IMAGE, 1, 1, 24, 128, 128, .spacing = {0.8, 0.2, 0.2}, UM}, paint_stack, NULL},
    {"points.tif", {FV_F32, FV_IMAGE, 1, 1, 1, 2048, 2048, .spacing = {1, 1, 1}}, paint_points, "compression=deflate"},
    {"wound.tif",
     {FV_U8, FV_IMAGE, 20, 1, 1, 288, 384, .spacing = {1, 1.3, 1.3}, UM, .frame_interval = 30, .frame_unit = "min",
      .display_ranges = grays},
     paint_wound,
     NULL},
    {"sky.fits", {FV_F32, FV_IMAGE, 1, 1, 1, 512, 512, .spacing = {1, 1, 1}}, paint_sky, NULL},
  };
  int status = argc < 2 ? 2 : 0;
  if (status)
    g_printerr ("Usage: make-samples FOLDER [NAME...]\n");
  for (guint i = 0; i < G_N_ELEMENTS (samples) && !status; i++)
    if (argc == 2 || g_strv_contains ((const char *const *) argv + 2, samples[i].name))
      status = !make (&samples[i], argv[1]);
  if (!status && (argc == 2 || g_strv_contains ((const char *const *) argv + 2, "plate")))
    status = !make_plate (argv[1]);
  if (!status && (argc == 2 || g_strv_contains ((const char *const *) argv + 2, "ct")))
    status = !make_ct (argv[1]);
  return status;
}
