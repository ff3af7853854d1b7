/* SPDX-License-Identifier: MIT
 *
 * A pixel has the same bits wherever it is computed: on every device, by any number of threads, and, where an operation is local or works
 * pixel by pixel, in any part of an image. So have numbers and tables that are made of all pixels. The pixels have all digits that their type has and sizes from 2^-16 to 2^16, so that a sum in
 * another order shows.
 */
#include "core/base/parallel.h"
#include "core/data/pixel_type.h"
#include "core/ops/args.h"
#include "core/call/op.h"
#include "tests/support/same.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

enum { PLANES = 3, ROWS = 83, COLUMNS = 219 };

/* Steps of operations that are local, work pixel by pixel or on lines of pixels, or sum over all of them. */
static const char *const steps[] = {
  "mean footprint=square radius=1",
  "mean footprint=square radius=2",
  "mean footprint=square radius=3 border=constant value=7.3",
  "mean footprint=square radius=4 output=same",
  "mean footprint=square radius=5",
  "mean footprint=square radius=6 border=wrap",
  "mean footprint=square radius=7",
  "mean footprint=square radius=8",
  "mean footprint=square radius=11",
  "mean footprint=square radius=27 border=nearest",
  "mean footprint=disk radius=7",
  "mean footprint=cube radius=2 volume=yes",
  "mean footprint=ball radius=3 volume=yes",
  "mean footprint=matrix matrix='1 0 1 1 1; 0 1 1 0 0'",
  "variance footprint=square radius=1",
  "variance footprint=square radius=5",
  "variance footprint=square radius=9 border=mirror",
  "variance footprint=disk radius=10",
  "variance footprint=cube radius=1 volume=yes",
  "local_threshold method=mean radius=5",
  "local_threshold method=niblack footprint=disk radius=4",
  "local_threshold method=sauvola radius=12",
  "local_threshold method=phansalkar radius=6",
  "local_threshold method=median radius=3",
  "local_threshold method=contrast radius=3",
  "local_threshold method=bernsen radius=3",
  "local_threshold method=midgrey radius=3",
  "convolve",
  "convolve matrix='1 2.5 -1' output=same",
  "convolve matrix='0.1; 0.7; 0.3' boundary=fill value=3.7",
  "convolve matrix='0.1 0.2; 0.7 0.3' boundary=wrap",
  "convolve shape=gaussian sigma=1",
  "convolve shape=gaussian sigma=2.3",
  "convolve shape=gaussian sigma=5 boundary=symm",
  "convolve shape=mean size=19",
  "convolve shape=gaussian sigma=0.8 volume=yes",
  "convolve shape=mean size=5 volume=yes",
  "convolve shape=laplacian volume=yes",
  "convolve shape=sobel_x",
  "convolve shape=emboss mode=full",
  "zoom factor=2",
  "zoom factor=1.37,0.71 order=0",
  "zoom factor=1.37 order=1",
  "zoom factor=0.3,1.8 order=1",
  "zoom factor=0.8,1.25,1.2 order=1 volume=yes",
  "zoom factor=1.3,0.5,1.7 order=1 volume=yes border=grid-constant value=5.1 grid_mode=yes",
  "zoom factor=0.7,0.9,1.7 order=1 volume=yes border=grid-constant value=5.1 grid_mode=yes",
  "zoom factor=0.4,2.1 order=2",
  "zoom factor=1.6 order=3 border=nearest output=float",
  "zoom factor=1.6 order=4 border=reflect",
  "zoom factor=1.2,1.5,0.9 order=5 volume=yes border=mirror",
  "zoom factor=1.7 order=3 border=grid-wrap grid_mode=yes",
  "zoom factor=1.7 order=3 border=wrap grid_mode=yes",
  "zoom factor=1.7 order=3 border=grid-constant value=9.3",
  "zoom factor=1.7 order=4 border=constant grid_mode=yes value=3.3",
  "zoom factor=1.7 order=3 prefilter=no",
  "resize width=100 height=50",
  "resize width=300 height=50 order=3",
  "resize width=300 height=150 order=3",
  "resize width=300 height=150",
  "rotate angle=17.3",
  "rotate angle=45 border=mirror",
  "rotate angle=100.7 x=31.3 value=-3.7",
  "rotate angle=-33 interpolation=cubic enlarge=yes",
  "rotate angle=90 x=0.25 interpolation=nearest",
  "warp_affine scale_x=1.3 scale_y=0.7 shear=11 angle=5",
  "warp_affine scale_x=3.3 scale_y=2.7 shear=11 angle=5 border=wrap",
  "warp_affine scale_x=1.3 interpolation=cubic x=3.3",
  "bin x=3 y=2",
  "bin x=3 y=2 z=2 method=sum",
  "bin x=5 y=4 method=max",
  "bin x=3 y=3 output=same",
  "project method=mean",
  "project method=sum",
  "project method=sd",
  "project method=median",
  "project method=max",
  "clahe",
  "contrast",
  "normalize",
  "normalize method=zscore",
  "threshold method=mean",
  "threshold method=li",
  "sigma_clip",
  "sigma_clip kappa=1.5",
  "background box=16",
  "background box=9,31 filter=1",
  "sources",
  "sources threshold=3 min_area=1 filter=none apertures='0.7 5 40'",
  "sources sigma=0.25 filter_type=matched",
  "convert type=u16",
  "convert type=f32",
  "interpret",
  "rgb",
  "display",
  "minimum radius=3",
  "maximum footprint=square radius=3",
  "median radius=3",
  "median footprint=square radius=1",
  "percentile radius=4 percentile=30",
  "erosion footprint=disk radius=4",
  "dilation footprint=square radius=2",
  "tophat radius=5",
  "blackhat radius=5",
  "montage",
  "reslice",
  "pad",
  "turn",
  "crop",
};

/* ---- Images ---- */

static void
put_number (Image *image, gint64 i, double v)
{
  gpointer pixels = image_pixels (image);
  switch (image_info (image)->type) {
  case FV_F32: ((float *) pixels)[i] = (float) v; break;
  case FV_F64: ((double *) pixels)[i] = v; break;
  case FV_I32: ((gint32 *) pixels)[i] = (gint32) (v * 8000); break;
  default: g_assert_not_reached ();
  }
}

static Image *
image_of_all_digits (fv_type type)
{
  Image *image = image_random (type, FV_IMAGE, 1, PLANES, ROWS, COLUMNS, 11);
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);
  for (gint64 i = 0; i < PLANES * ROWS * COLUMNS && type != FV_U8 && type != FV_U16; i++)
    put_number (image, i, g_rand_double_range (rand, -1, 4) * exp2 (g_rand_double_range (rand, -16, 16)));
  return image;
}

static Image *
part_of (Image *whole, const ImageRegion *region)
{
  ImageInfo part = *image_info (whole);
  part.rows = region->rows;
  part.columns = region->columns;
  Image *image = image_new (&part, NULL);
  const gsize bytes = image_info_plane_bytes (&part);
  for (gint64 p = 0; p < PLANES; p++)
    g_assert_true (image_read (whole, 0, p, region, (char *) image_pixels (image) + (gsize) p * bytes,
                               bytes / (gsize) part.rows, NULL));
  return image;
}

/* ---- Comparing ---- */

static const char *
pixel_at (Image *image, gint64 plane, gint64 y, gint64 x)
{
  const ImageInfo *info = image_info (image);
  const gsize bytes = image_info_plane_bytes (info) / (gsize) (info->rows * info->columns);
  return (const char *) image_plane (image, plane, NULL) + (gsize) (y * info->columns + x) * bytes;
}

/* That the pixels from (top, left) on of `part` are those from (y, x) on of `whole`, `rows` x `columns` of them in each plane. */
static void
assert_same (const char *what, const char *step, const Device *device, Image *part, gint64 top, gint64 left,
             Image *whole, gint64 y, gint64 x, gint64 rows, gint64 columns)
{
  const ImageInfo *info = image_info (whole);
  const gsize bytes = image_info_plane_bytes (info) / (gsize) (info->rows * info->columns);
  gint64 off = 0;
  double v = 0, w = 0;
  g_assert_cmpint (image_info (part)->type, ==, info->type);
  g_assert_cmpint (image_info_planes (image_info (part)), ==, image_info_planes (info));
  for (gint64 p = 0; p < image_info_planes (info); p++)
    for (gint64 i = 0; i < rows; i++)
      for (gint64 j = 0; j < columns; j++) {
        if (!memcmp (pixel_at (part, p, top + i, left + j), pixel_at (whole, p, y + i, x + j), bytes))
          continue;
        const double a = image_value (part, p, top + i, left + j), b = image_value (whole, p, y + i, x + j);
        if (isnan (a) && isnan (b))
          continue;
        v = off ? v : a;
        w = off++ ? w : b;
      }
  if (off)
    g_error ("%s of %s on %s, %s: %d pixels differ, such as %.17g and %.17g", what, step, device->fv->key,
             pixel_type (info->type)->name, (int) off, v, w);
}

static void
assert_all_same (const char *what, const char *step, const Op *op, const Device *device, const CallResult *a,
                 const CallResult *b)
{
  g_autofree char *tables = same_tables (a->table, b->table, 0);
  g_autofree char *numbers = same_scalars (op, (guint) b->scalar_rows, a->scalars, b->scalars, 0);
  if (tables || numbers)
    g_error ("%s of %s on %s: %s", what, step, device->fv->key, tables ? tables : numbers);
  g_assert_cmpuint (a->n_images, ==, b->n_images);
  for (guint i = 0; i < a->n_images; i++) {
    const ImageInfo *info = image_info (b->images[i]);
    g_assert_cmpint (image_info (a->images[i])->rows, ==, info->rows);
    g_assert_cmpint (image_info (a->images[i])->columns, ==, info->columns);
    assert_same (what, step, device, a->images[i], 0, 0, b->images[i], 0, 0, info->rows, info->columns);
  }
}

/* ---- Tests ---- */

static const Op *
op_of (const char *step, gpointer *args)
{
  g_auto (GStrv) words = NULL;
  g_assert_true (g_shell_parse_argv (step, NULL, &words, NULL));
  const Op *op = modules_op (test_modules (), words[0], NULL);
  g_assert_nonnull (op);
  *args = args_new (op, NULL);
  for (guint i = 1; words[i]; i++) {
    g_auto (GStrv) pair = g_strsplit (words[i], "=", 2);
    g_assert_true (args_set (op, *args, pair[0], pair[1], NULL));
  }
  return op;
}

static void
run (const Op *op, gconstpointer args, Image *image, Device *device, CallResult *result)
{
  Image *inputs[OP_MAX_ARRAYS] = {image};
  g_autoptr (GError) error = NULL;
  call_op (op, args, inputs, device, NULL, result, &error);
  g_assert_no_error (error);
}

static void
check_device (const char *step, const Op *op, gconstpointer args, Image *image, Device *device)
{
  CallResult here, there;
  run (op, args, image, modules_device (test_modules (), "cpu", NULL), &here);
  run (op, args, image, device, &there);
  assert_all_same ("The result", step, op, device, &there, &here);
  call_result_clear (&here);
  call_result_clear (&there);
}

static void
check_threads (const char *step, const Op *op, gconstpointer args, Image *image, Device *device)
{
  static const guint numbers[] = {1, 2, 3, 7};
  CallResult first;
  if (device->fv->kind != FV_CPU)
    return;
  run (op, args, image, device, &first);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    const guint before = parallel_limit_operations (numbers[i]);
    CallResult result;
    run (op, args, image, device, &result);
    assert_all_same ("The result with other threads", step, op, device, &result, &first);
    call_result_clear (&result);
    parallel_limit_operations (before);
  }
  call_result_clear (&first);
}

static void
check_parts (const char *step, const Op *op, gconstpointer args, Image *image, Device *device)
{
  static const ImageRegion regions[] = {{17, 29, 49, 71}, {0, 1, 64, 150}, {5, 0, 78, 219}, {33, 64, 50, 128}};
  CallResult whole;
  fv_grid grid = {.type = image_info (image)->type, .shape = {PLANES, ROWS, COLUMNS}, .spacing = {1, 1, 1}};
  gint64 halo[3] = {0, 0, 0};
  if (op->fv.kind != FV_POINT && op->fv.kind != FV_LOCAL)
    return;
  if (op->fv.kind == FV_LOCAL)
    op->fv.halo (op->declared, args, &grid, halo);
  run (op, args, image, device, &whole);
  const ImageInfo *info = image_info (whole.images[0]);
  for (guint i = 0; i < G_N_ELEMENTS (regions) && info->rows == ROWS && info->columns == COLUMNS; i++) {
    const ImageRegion *r = &regions[i];
    const gint64 rows = r->rows - 2 * halo[1], columns = r->columns - 2 * halo[2];
    g_autoptr (Image) part = part_of (image, r);
    CallResult result;
    run (op, args, part, device, &result);
    for (guint k = 0; k < whole.n_images && rows > 0 && columns > 0; k++)
      assert_same ("A part", step, device, result.images[k], halo[1], halo[2], whole.images[k], r->row + halo[1],
                   r->column + halo[2], rows, columns);
    call_result_clear (&result);
  }
  call_result_clear (&whole);
}

typedef struct {
  const char *key; /* of the operation */
  Device *device;
} Job;

static void
test_steps (gconstpointer data)
{
  const Job *job = data;
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autofree gpointer args = NULL;
    const Op *op = op_of (steps[i], &args);
    for (guint type = FV_U8; type <= FV_F64 && !strcmp (op->fv.key, job->key); type <<= 1) {
      if (!(op->fv.inputs[0].types & type) || !op->fv.run[job->device->fv->kind])
        continue;
      g_autoptr (Image) image = image_of_all_digits (type);
      check_device (steps[i], op, args, image, job->device);
      check_threads (steps[i], op, args, image, job->device);
      check_parts (steps[i], op, args, image, job->device);
    }
  }
}

/* A case for each operation and device. */
static void
add_cases (Device *device)
{
  const char *last = "";
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autofree gpointer args = NULL;
    const char *key = op_of (steps[i], &args)->fv.key;
    g_autofree char *path = g_strdup_printf ("/same_pixels/%s/%s", key, device->fv->key);
    Job *job = g_new (Job, 1);
    *job = (Job){key, device};
    if (strcmp (key, last))
      g_test_add_data_func_full (path, job, test_steps, g_free);
    else
      g_free (job);
    last = key;
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  const GPtrArray *devices = modules_find_devices (test_modules ());
  for (guint i = 0; i < devices->len; i++) {
    const fv_device *device = ((Device *) devices->pdata[i])->fv;
    g_autoptr (GError) error = NULL;
    if (!device->fault)
      add_cases (modules_device (test_modules (), device->key, &error));
    g_assert_no_error (error);
  }
  return g_test_run ();
}
