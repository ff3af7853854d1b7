/* SPDX-License-Identifier: MIT
 *
 * Metadata of positions. A ball in a volume goes through every operation, and lies afterwards where wcslib finds the same coordinates with the new
 * header. Two balls keep their distance. Planes keep their labels. Channels keep their names with their values. No operation's rule is written down
 * here.
 */
#include "core/call/grid.h"
#include "core/base/units.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>
#include <wcslib/wcs.h>
#include <wcslib/wcshdr.h>

enum { CHANNELS = 3, DEPTH = 15, ROWS = 40, COLUMNS = 48, SPOTS = 4, AXES = 3 };

static const double spots[SPOTS][3] = {{8, 16, 18}, {6, 16, 18}, {8, 21, 18}, {8, 16, 25}}; /* z, y, x */

/* Each operation once with its defaults, and these, which move pixels. */
static const char *const moving[] = {"crop x=3 y=5 width=40 height=30",
                                     "bin x=2 y=3",
                                     "bin x=2 y=2 z=3",
                                     "zoom factor=0.5",
                                     "zoom factor=2 grid_mode=yes",
                                     "zoom factor=1.5,2 order=1",
                                     "zoom by=spacing spacing=0.4 order=1",
                                     "zoom by=size width=70 height=31 depth=21 volume=yes order=1",
                                     "pad left=3 top=5 right=2",
                                     "turn how=horizontally",
                                     "turn how=vertically",
                                     "turn how=right",
                                     "turn how=left",
                                     "turn how=half",
                                     "turn how=transpose",
                                     "rotate angle=30",
                                     "rotate angle=-70 x=2 y=-3 enlarge=yes",
                                     "warp_affine angle=20 shear=10 x=1",
                                     "warp_affine scale_x=1.5 scale_y=0.75",
                                     "warp_affine matrix='0.9 0.2 1; -0.1 1.1 2'",
                                     "substack slices=1-15-2",
                                     "substack slices=15-1",
                                     "substack slices=2-12 channels=3,1",
                                     "substack slices=3,5,6,7,8,9,11",
                                     "substack channels=2",
                                     "reslice start=top",
                                     "reslice start=left flip=yes",
                                     "reslice start=bottom",
                                     "reslice start=right",
                                     "channel index=1",
                                     "hyperstack",
                                     "hyperstack channels=1 slices=45",
                                     "hyperstack order=zct slices=15 frames=1",
                                     "montage",
                                     "montage axis=c gap=2",
                                     "resize width=24",
                                     "resize width=90 height=31",
                                     "project method=max",
                                     "project method=sum axis=c",
                                     "stack axis=c",
                                     "stack axis=z",
                                     "stack axis=t",
                                     "merge_channels",
                                     "kymograph x1=2 y1=16 x2=40 y2=16 axis=z"};

/* Operations whose pixels do not show where the ball is. Some generate pixels, remove what is bright or small, stretch until nothing is small, or
 * shift by half a pixel as thin lines are. `label` takes all nonzero pixels for objects, `segment` looks for nuclei, and `flows` takes the ball for flows. */
static const char *const elsewhere[] = {"segment",      "plain",    "noise",       "display",  "expression",
                                        "smooth_field", "blackhat", "patch_match", "equalize", "remove_small",
                                        "skeleton",     "label",    "flows",       NULL};

/* ---- The image ---- */

static const char *const cards[] = {"OBJECT  = 'M 31    '",           "EXPTIME =                 30.0",
                                    "BUNIT   = 'adu     '",           "CTYPE1  = 'RA---TAN'",
                                    "CTYPE2  = 'DEC--TAN'",           "CTYPE3  = 'VELO    '",
                                    "CUNIT3  = 'm/s     '",           "CRPIX1  =                 12.5",
                                    "CRPIX2  =                 20.0", "CRPIX3  =                  2.0",
                                    "CRVAL1  =                150.1", "CRVAL2  =                  2.2",
                                    "CRVAL3  =               1000.0", NULL};
/* Four ways to say the same kind of thing. */
static const char *const linear[][8] = {
  {"CD1_1   =              -2.0E-4", "CD1_2   =               3.0E-5", "CD2_1   =               2.0E-5",
   "CD2_2   =               1.8E-4", "CD3_3   =                 25.0", NULL},
  {"CDELT1  =              -2.0E-4", "CDELT2  =               1.8E-4", "CDELT3  =                 25.0", NULL},
  {"CDELT1  =              -2.0E-4", "CDELT2  =               1.8E-4", "CDELT3  =                 25.0",
   "PC1_2   =                  0.3", "PC2_1   =                 -0.2", NULL},
  {"CDELT1  =              -2.0E-4", "CDELT2  =               1.8E-4", "CDELT3  =                 25.0",
   "CROTA2  =                 17.0", NULL}};

static GRefString *
header (guint way)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (const char *const *card = cards; *card; card++)
    g_string_append_printf (text, "%-80s", *card);
  for (const char *const *card = linear[way]; *card; card++)
    g_string_append_printf (text, "%-80s", *card);
  return g_ref_string_new (text->str);
}

/* A ball of another height in each channel, upon a height of its own for each plane; or its mask. */
static Image *
image_with_ball (const double at[3], gint64 depth, gboolean mask, guint way)
{
  static const double sizes[] = {2, 0.25, 0.5};
  g_autoptr (Image) plain = image_of_planes (FV_F32, FV_IMAGE, CHANNELS, depth, ROWS, COLUMNS, NULL);
  float *pixels = image_pixels (plain);
  ImageInfo info;
  image_info_copy (&info, image_info (plain));
  for (gint64 i = 0; i < CHANNELS * depth * ROWS * COLUMNS; i++) {
    const double z = depth > 1 ? (double) (i / COLUMNS / ROWS % depth) - at[0] : 0,
                 y = (double) (i / COLUMNS % ROWS) - at[1], x = (double) (i % COLUMNS) - at[2];
    const gint64 plane = i / COLUMNS / ROWS;
    pixels[i] = (float) (1000.0 * (double) (plane / depth + 1) * exp (-(z * z / 3 + (y * y + x * x) / 8))
                         + 0.01 * (double) plane);
    pixels[i] = mask ? 255 * (pixels[i] > 200) : pixels[i];
  }
  info.fits_header = header (way);
  info.channel_names = g_strsplit ("1000 2000 3000", " ", -1);
  info.notes = image_notes_new (NULL);
  info.notes->labels = g_new0 (char *, CHANNELS *depth + 1);
  for (int i = 0; i < CHANNELS * depth; i++)
    info.notes->labels[i] = g_strdup_printf ("plane %d", i);
  for (int i = 0; i < 3; i++) {
    info.spacing[i] = sizes[i];
    g_free (info.units[i]);
    info.units[i] = g_strdup ("µm");
    info.origin[i] = at[i]; /* so that it must come out in the middle of the ball */
  }
  Image *image = image_with_info (plain, &info);
  image_info_clear (&info);
  return image;
}

/* ---- Where it is ---- */

typedef struct {
  gint64 stack; /* of which frame and channel */
  double at[3]; /* z, y, x */
  double peak;
} Found;

/* The middle of what stands out against the first pixel; FALSE: nothing does. */
static gboolean
find_ball (Image *image, Found *found)
{
  const ImageInfo *info = image_info (image);
  const gint64 plane = info->rows * info->columns;
  const double base = image_value (image, 0, 0, 0);
  double sum = 0, sums[3] = {0};
  *found = (Found){.peak = 0};
  for (gint64 i = 0; i < image_info_planes (info) * plane; i++) {
    const double v = fabs (image_value (image, i / plane, i % plane / info->columns, i % info->columns) - base);
    if (v > found->peak) {
      found->peak = v;
      found->stack = i / plane / info->depth;
    }
  }
  for (gint64 i = 0; i < info->depth * plane; i++) {
    const gint64 z = i / plane, y = i % plane / info->columns, x = i % info->columns;
    const double v = fabs (image_value (image, found->stack * info->depth + z, y, x) - base) - 0.02 * found->peak;
    if (v > 0) {
      sum += v;
      sums[0] += v * (double) z;
      sums[1] += v * (double) y;
      sums[2] += v * (double) x;
    }
  }
  for (int axis = 0; axis < 3; axis++)
    found->at[axis] = sums[axis] / sum;
  return sum > 0;
}

/* The coordinates there, by kind of axis; NaN: the header does not say. */
static void
coordinates (const char *text, const double at[3], double values[AXES])
{
  static const char *const kinds[AXES] = {"RA", "DEC", "VELO"};
  g_autofree char *copy = g_strdup (text);
  struct wcsprm *all = NULL;
  int rejected, n = 0, wrong[9];
  double pixel[9] = {at[2] + 1, at[1] + 1, at[0] + 1, 1, 1, 1, 1, 1, 1}, between[9], world[9], phi, theta;
  for (int k = 0; k < AXES; k++)
    values[k] = NAN;
  g_assert_cmpint (wcspih (copy, (int) (strlen (copy) / 80), WCSHDR_all, 0, &rejected, &n, &all), ==, 0);
  if (n && all->naxis) {
    g_assert_cmpint (wcsset (all), ==, 0);
    g_assert_cmpint (wcsp2s (all, 1, 9, pixel, between, &phi, &theta, world, wrong), ==, 0);
    for (int k = 0; k < AXES; k++)
      for (int i = 0; i < all->naxis; i++)
        if (g_str_has_prefix (all->ctype[i], kinds[k]))
          values[k] = world[i];
  }
  wcsvfree (&n, &all);
}

static void
check_coordinates (const char *step, Image *before, Image *after, const double at[3], const Found *found)
{
  static const double near[AXES] = {2e-5, 2e-5, 4}; /* a tenth of a pixel and more */
  double was[AXES], is[AXES];
  coordinates (image_info (before)->fits_header, at, was);
  coordinates (image_info (after)->fits_header, found->at, is);
  g_assert_nonnull (strstr (image_info (after)->fits_header, "OBJECT  = 'M 31"));
  g_assert_nonnull (strstr (image_info (after)->fits_header, "EXPTIME"));
  for (int k = 0; k < AXES; k++)
    if (isfinite (is[k]) && (k < 2 || image_info (before)->depth > 1) && !(fabs (is[k] - was[k]) < near[k]))
      g_error ("%s: axis %d is %.7g at the ball, not %.7g", step, k, is[k], was[k]);
}

/* It was in the middle of the ball. */
static void
check_origin (const char *step, Image *after, const Found *found)
{
  const double *origin = image_info (after)->origin;
  for (int axis = 1; axis < 3; axis++)
    if (!(fabs (origin[axis] - found->at[axis]) < 0.4))
      g_error ("%s: the origin is at %g along axis %d, and the ball at %g", step, origin[axis], axis, found->at[axis]);
}

/* ---- Sizes, names and labels ---- */

/* How far apart in µm; NaN: a size is not known. */
static double
distance (const ImageInfo *info, const double a[3], const double b[3])
{
  double sum = 0;
  for (int axis = 0; axis < 3; axis++) {
    const double way = (a[axis] - b[axis]) * info->spacing[axis] * units_factor (info->units[axis], "µm");
    if (fabs (a[axis] - b[axis]) > 0.1)
      sum += *info->units[axis] ? way * way : NAN;
  }
  return sqrt (sum);
}

static void
check_planes (const char *step, Image *before, Image *after)
{
  const ImageInfo *from = image_info (before), *to = image_info (after);
  if (!to->notes || !to->notes->labels || to->rows != from->rows || to->columns != from->columns
      || to->type != from->type)
    return;
  for (gint64 i = 0; i < image_info_planes (to); i++)
    if (*to->notes->labels[i]) {
      const gint64 was = g_ascii_strtoll (to->notes->labels[i] + 6, NULL, 10);
      if (memcmp (image_plane (after, i, NULL), image_plane (before, was, NULL), image_info_plane_bytes (to)))
        g_error ("%s: plane %d is not that of its label '%s'", step, (int) i, to->notes->labels[i]);
    }
}

static void
check_names (const char *step, Image *after)
{
  const ImageInfo *info = image_info (after);
  for (gint64 c = 0; info->channel_names && c < info->channels; c++) {
    const double wanted = g_ascii_strtod (info->channel_names[c], NULL);
    double max = 0;
    for (gint64 p = 0; wanted > 0 && p < info->frames * info->depth * info->rows * info->columns; p++) {
      const gint64 z = p / info->columns / info->rows;
      max = MAX (max, image_value (after, (z / info->depth * info->channels + c) * info->depth + z % info->depth,
                                   p / info->columns % info->rows, p % info->columns));
    }
    if (wanted > 0 && !(fabs (max - wanted) < 0.15 * wanted))
      g_error ("%s: channel '%s' has values up to %g", step, info->channel_names[c], max);
  }
}

/* ---- All operations ---- */

/* FALSE: the operation cannot be run so, or makes no image. */
static gboolean
check_step (const char *step, gint64 depth, guint way)
{
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  Image *before[SPOTS], *after[SPOTS] = {NULL};
  Found found[SPOTS];
  gboolean made = TRUE, ruled = TRUE;
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (), step, NULL);
  const Op *op = recipe ? recipe_step (recipe, 0)->op : NULL;
  const gboolean mask = op && op->n_inputs && op->fv.inputs[0].types & (FV_WANTS_MASK | FV_WANTS_LABELS);
  for (int i = 0; i < SPOTS; i++) {
    g_autoptr (GError) fault = NULL;
    CallResult result = {0};
    before[i] = image_with_ball (spots[i], depth, mask, way);
    made = made && op && run_step (step, before[i], op->n_inputs > 1 ? before[i] : NULL, cpu, &result, &fault)
           && result.n_images > 0;
    after[i] = made ? image_ref (result.images[0]) : NULL;
    made = made && find_ball (after[i], &found[i]);
    if (made)
      check_coordinates (step, before[i], after[i], spots[i], &found[i]);
    if (made && !result.left)
      check_origin (step, after[i], &found[i]);
    if (made && i == 0) {
      if (op->fv.plane)
        check_planes (step, before[i], after[i]);
      if (op->fv.plane)
        check_names (step, after[i]);
    }
    ruled =
      ruled && !(result.left && strstr (result.left, "world coordinates")); /* else distances mean nothing either */
    call_result_clear (&result);
  }
  for (int i = 1; i < SPOTS && made && ruled; i++) {
    const double was = distance (image_info (before[0]), spots[0], spots[i]),
                 is = distance (image_info (after[0]), found[0].at, found[i].at);
    const gboolean flat =
      depth == 1 ? i == 1
                 : i == 1 && (image_info (after[0])->depth == 1 || found[0].stack != found[i].stack) && !op->fv.place;
    if (isfinite (is) && !flat && !(fabs (is - was) < 0.06 * was) && !(i == 1 && is < 0.1))
      g_error ("%s: the balls were %g µm apart, and are %g now", step, was, is);
  }
  for (int i = 0; i < SPOTS; i++) {
    image_unref (before[i]);
    image_unref (after[i]);
  }
  return made;
}

/* With their defaults; FALSE for those that need what is not there. */
static void
test_all (void)
{
  const GPtrArray *ops = modules_ops (test_modules ());
  guint checked = 0;
  for (guint i = 0; i < ops->len; i++) {
    const char *key = ((const Op *) ops->pdata[i])->fv.key;
    if (!g_strv_contains (elsewhere, key))
      checked += check_step (key, 1, i % G_N_ELEMENTS (linear));
  }
  g_assert_cmpuint (checked, >, 60);
}

static void
test_moving (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (moving); i++)
    for (guint way = 0; way < 2; way++)
      if (!check_step (moving[i], DEPTH, (i + way) % G_N_ELEMENTS (linear)))
        g_error ("%s makes no image with a ball", moving[i]);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/positions/moving", test_moving);
  g_test_add_func ("/positions/all", test_all);
  return g_test_run ();
}
