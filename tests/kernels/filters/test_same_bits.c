/* SPDX-License-Identifier: MIT
 *
 * gaussian, and the filters that use it or the neighbors of a pixel, give a pixel the same bits on every device as on the CPU. That holds in parts
 * and strips as in the whole, and with any number of threads.
 */
#include "core/base/parallel.h"
#include "core/data/pixel_type.h"
#include "core/recipe/recipe.h"
#include "core/call/op.h"
#include "tests/support/support.h"

#include <string.h>

/* Rows and columns of an image. */
typedef struct {
  gint64 top, left, rows, columns;
} Part;

static Image *
run_on (const Step *step, Image *image, Device *device)
{
  g_autoptr (GError) error = NULL;
  CallResult result;
  call_op (step->op, step->args, (Image *[]){image, NULL}, device, NULL, &result, &error);
  g_assert_no_error (error);
  Image *made = image_ref (result.images[0]);
  call_result_clear (&result);
  return made;
}

static Image *
part_of (Image *whole, const Part *part)
{
  ImageInfo info = *image_info (whole);
  info.rows = part->rows;
  info.columns = part->columns;
  Image *image = image_new (&info, NULL);
  const gsize bytes = image_info_plane_bytes (&info), stride = bytes / (gsize) part->rows;
  for (gint64 p = 0; p < image_info_planes (&info); p++)
    g_assert_true (image_read (whole, 0, p, &(ImageRegion){part->top, part->left, part->rows, part->columns},
                               (char *) image_pixels (image) + (gsize) p * bytes, stride, NULL));
  return image;
}

/* How many pixels at an end of the part are not those of the whole: none where it ends with the whole. */
static gint64
lost (gint64 halo, gboolean at_end)
{
  return at_end ? 0 : halo;
}

/* The part has the bits of the whole, but for what depends on pixels outside of it. */
static void
assert_same_bits (const char *text, const char *where, Image *whole, Image *made, const Part *part,
                  const gint64 halo[3])
{
  const ImageInfo *all = image_info (whole), *info = image_info (made);
  const gsize pixel = image_info_plane_bytes (info) / (gsize) (info->rows * info->columns);
  const gint64 y0 = lost (halo[1], part->top == 0), x0 = lost (halo[2], part->left == 0);
  const gint64 y1 = part->rows - lost (halo[1], part->top + part->rows == all->rows);
  const gint64 x1 = part->columns - lost (halo[2], part->left + part->columns == all->columns);
  g_assert_cmpint (all->type, ==, info->type);
  g_assert_true (y0 < y1 && x0 < x1);
  for (gint64 p = 0; p < image_info_planes (info); p++)
    for (gint64 y = y0; y < y1; y++) {
      const char *a = (const char *) image_plane (whole, p, NULL)
                      + (gsize) ((y + part->top) * all->columns + part->left + x0) * pixel;
      const char *b = (const char *) image_plane (made, p, NULL) + (gsize) (y * info->columns + x0) * pixel;
      for (gint64 x = 0; x < x1 - x0; x++)
        if (memcmp (a + (gsize) x * pixel, b + (gsize) x * pixel, pixel))
          g_error ("%s, %s, %s, rows from %d, columns from %d: plane %d, row %d, column %d is %.17g and not %.17g",
                   text, pixel_type (info->type)->name, where, (int) part->top, (int) part->left, (int) p, (int) y,
                   (int) (x0 + x), image_value (made, p, y, x0 + x),
                   image_value (whole, p, y + part->top, x0 + x + part->left));
    }
}

static void
find_halo (const Step *step, const ImageInfo *info, gint64 halo[3])
{
  const fv_grid grid = {.size = sizeof (fv_grid),
                        .type = info->type,
                        .channels = 1,
                        .frames = 1,
                        .shape = {info->depth, info->rows, info->columns},
                        .spacing = {1, 1, 1}};
  step->op->fv.halo (step->op->declared, step->args, &grid, halo);
}

static void
check_parts (const char *text, const Step *step, Image *image, Image *whole, Device *device)
{
  const ImageInfo *info = image_info (image);
  const gint64 rows = info->rows, columns = info->columns;
  const gboolean local = step->op->fv.kind == FV_LOCAL; /* parts of others are something else */
  gint64 halo[3] = {0, 0, 0};
  if (local)
    find_halo (step, info, halo);
  const gint64 top = MIN (rows / 4, 17), left = MIN (columns / 4, 29);
  const Part parts[] = {{0, 0, rows, columns},
                        {top, 0, rows - top, columns},
                        {0, 0, rows - top, columns},
                        {0, left, rows, columns - left},
                        {top, left, rows - 2 * top, columns - 2 * left - 1}};
  for (guint i = 0; i < (local ? G_N_ELEMENTS (parts) : 1); i++) {
    const Part *p = &parts[i];
    const gboolean fits_y = p->rows == rows || p->rows > 2 * halo[1],
                   fits_x = p->columns == columns || p->columns > 2 * halo[2];
    if (!fits_y || !fits_x)
      continue;
    g_autoptr (Image) part = part_of (image, p), made = run_on (step, part, device);
    assert_same_bits (text, device->fv->key, whole, made, p, halo);
  }
}

static void
check_threads (const char *text, const Step *step, Image *image, Image *whole, Device *device)
{
  static const guint counts[] = {2, 3, 7};
  const Part all = {0, 0, image_info (image)->rows, image_info (image)->columns};
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    g_autofree char *where = g_strdup_printf ("%u threads", counts[i]);
    parallel_limit_operations (counts[i]);
    g_autoptr (Image) made = run_on (step, image, device);
    assert_same_bits (text, where, whole, made, &all, (const gint64[3]){0, 0, 0});
  }
  parallel_limit_operations (0);
}

/* What the CPU makes of the whole image, in one thread. */
static Image *
run_alone (const Step *step, Image *image)
{
  parallel_limit_operations (1);
  Image *made = run_on (step, image, modules_device (test_modules (), "cpu", NULL));
  parallel_limit_operations (0);
  return made;
}

static void
check (const char *text, fv_type type, gint64 planes, gint64 rows, gint64 columns, Device *device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (), text, &error);
  g_assert_no_error (error);
  const Step *step = recipe_step (recipe, 0);
  g_autoptr (Image) image = image_random (type, FV_IMAGE, 1, planes, rows, columns, 7);
  g_autoptr (Image) whole = run_alone (step, image);
  check_parts (text, step, image, whole, device);
  if (device->fv->kind == FV_CPU)
    check_threads (text, step, image, whole, device);
}

/* ---- gaussian ---- */

static const char *const borders[] = {"nearest", "reflect", "mirror", "wrap", "constant value=93.7"};

/* Every type with every radius that is summed in another way: in one launch, in several blocks, along each axis by itself, in double. */
static void
test_radii (Device *device)
{
  static const struct {
    const char *sigma;
    gint64 rows, columns;
  } cases[] = {{"0.4", 75, 141},   {"1", 75, 141},     {"3", 75, 141},       {"12", 131, 150},  {"0.4,12", 7, 300},
               {"60,0.4", 520, 9}, {"0.4,60", 9, 523}, {"300,0.4", 2430, 2}, {"0,300", 2, 2450}};
  for (guint s = 0; s < G_N_ELEMENTS (cases); s++)
    for (guint type = FV_U8, t = 0; type <= FV_F64; type <<= 1, t++) {
      g_autofree char *text = g_strdup_printf ("gaussian sigma=%s border=%s output=%s", cases[s].sigma,
                                               borders[(s + t) % 5], (s + t) % 3 ? "float" : "same");
      check (text, type, 1, cases[s].rows, cases[s].columns, device);
    }
}

static void
test_borders (Device *device)
{
  static const char *const outputs[] = {"float", "same"}, *const volumes[] = {"no", "yes"};
  for (guint i = 0; i < 20; i++) {
    g_autofree char *text = g_strdup_printf ("gaussian sigma=3 border=%s output=%s volume=%s", borders[i / 4],
                                             outputs[i / 2 % 2], volumes[i % 2]);
    check (text, i % 3 ? FV_U16 : FV_F32, 5, 70, 101, device);
  }
}

static void
test_volumes (Device *device)
{
  for (guint type = FV_U8, t = 0; type <= FV_F64; type <<= 1, t++) {
    g_autofree char *thick = g_strdup_printf ("gaussian sigma=20,1,1 volume=yes border=%s", borders[t]);
    g_autofree char *wide = g_strdup_printf ("gaussian sigma=1,0.4,30 volume=yes border=%s", borders[t]);
    check (thick, type, 40, 21, 37, device);
    check (wide, type, 3, 9, 301, device);
  }
}

/* ---- Filters made of it, and of neighbors ---- */

static void
test_others (Device *device)
{
  static const char *const steps[] = {"dog",
                                      "dog sigma=1 high_sigma=5 border=constant value=7.5",
                                      "dog sigma=2 high_sigma=12",
                                      "dog sigma=1 high_sigma=2 volume=yes border=mirror",
                                      "log",
                                      "log sigma=3 normalize=yes border=constant value=7.5",
                                      "log sigma=1.5 volume=yes",
                                      "log sigma=11",
                                      "unsharp",
                                      "unsharp sigma=11 amount=2.7 output=same",
                                      "unsharp sigma=2 amount=-0.3 border=reflect output=same",
                                      "unsharp sigma=1 volume=yes",
                                      "hessian",
                                      "hessian sigma=3 value_of=largest border=constant value=7.5",
                                      "hessian sigma=11",
                                      "hessian sigma=1 volume=yes",
                                      "hessian sigma=1.2 volume=yes value_of=middle border=mirror",
                                      "hessian volume=yes value_of=largest",
                                      "laplacian",
                                      "laplacian volume=yes border=mirror",
                                      "sobel",
                                      "sobel method=scipy volume=yes",
                                      "sobel method=imagej",
                                      "sobel direction=y output=same",
                                      "anisotropic",
                                      "anisotropic conductance=inverse output=same",
                                      "anisotropic volume=yes iterations=3",
                                      "anisotropic iterations=12 contrast=3000",
                                      "rolling_ball radius=12",
                                      "rolling_ball radius=5 light=yes",
                                      "rolling_ball method=exact radius=7",
                                      "rolling_ball method=paraboloid radius=20",
                                      "rolling_ball method=paraboloid light=yes smooth=no",
                                      "local_threshold method=gaussian radius=9"};
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    for (guint type = FV_U8; type <= FV_F64; type <<= 1)
      check (steps[i], type, 4, 61, 103, device);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/same-bits/radii", test_radii);
  add_device_test ("/same-bits/borders", test_borders);
  add_device_test ("/same-bits/volumes", test_volumes);
  add_device_test ("/same-bits/others", test_others);
  return g_test_run ();
}
