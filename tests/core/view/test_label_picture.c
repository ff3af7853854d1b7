/* SPDX-License-Identifier: MIT
 *
 * What looks like numbers of objects, and what other pictures look like.
 */
#include "core/view/label_picture.h"

#include "core/view/look_limits.h"
#include "tests/support/support.h"

#include <math.h>

enum { SIDE = 120 };

typedef double Value (int y, int x);

static gboolean
is_labels (fv_type type, Value value)
{
  g_autofree double *values = g_new (double, SIDE *SIDE);
  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = value (i / SIDE, i % SIDE);
  g_autoptr (Image) image = image_of (type, FV_IMAGE, SIDE, SIDE, values);
  return label_picture_is (type, image_plane (image, 0, NULL), SIDE, SIDE);
}

/* Which disc of radius 5 in cells of 15 pixels; 0: none. */
static int
disc (int y, int x)
{
  return hypot (y % 15 - 7, x % 15 - 7) < 5 ? 1 + y / 15 * 8 + x / 15 : 0;
}

static double
discs (int y, int x)
{
  return disc (y, x);
}

/* Of which some were taken out, in the middle of a large stack. */
static double
few_discs (int y, int x)
{
  const int number = disc (y, x);
  return number % 3 ? 0 : 70000 + number;
}

/* Side by side, without background. */
static double
tiles (int y, int x)
{
  return 1 + y / 12 * 10 + (x + y % 5) / 12;
}

static double
two (int y, int x)
{
  return y < 40 && x < 40 ? 1 : y > 70 && x > 50 ? 2 : 0;
}

static void
test_labels (void)
{
  static const fv_type types[] = {FV_U16, FV_U32, FV_I32, FV_F32, FV_F64};
  for (guint t = 0; t < G_N_ELEMENTS (types); t++) {
    g_assert_true (is_labels (types[t], discs));
    g_assert_true (is_labels (types[t], tiles));
    g_assert_true (is_labels (types[t], two));
    g_assert_true (types[t] == FV_U16 || is_labels (types[t], few_discs));
  }
}

static double
none (int y, int x)
{
  (void) y, (void) x;
  return 0;
}

static double
mask (int y, int x)
{
  return disc (y, x) ? 255 : 0;
}

/* Of two kinds, each in many regions. */
static double
classes (int y, int x)
{
  return disc (y, x) ? 1 + disc (y, x) % 2 : 0;
}

static double
ramp (int y, int x)
{
  (void) y;
  return x / 4;
}

/* Whole distances from the middle, one ring in the other. */
static double
rings (int y, int x)
{
  return floor (hypot (y - 60, x - 60) / 6);
}

/* Distances within each disc. */
static double
depths (int y, int x)
{
  return fmax (0, 6 - floor (hypot (y % 15 - 7, x % 15 - 7)));
}

/* Flat gray patches, as on a card for calibration. */
static double
patches (int y, int x)
{
  return (y / 30 * 4 + x / 30) * 4000;
}

static double
hash (int y, int x)
{
  return (double) ((guint32) (y * 7919 + x * 104729) * 2654435769u >> 16);
}

/* Few photons. */
static double
photons (int y, int x)
{
  return hash (y, x) < 60000 ? 0 : floor ((hash (y, x) - 60000) / 2000) + 1;
}

/* A camera: bright discs, and noise. */
static double
camera (int y, int x)
{
  return 100 + 300 * (disc (y, x) > 0) + floor (hash (y, x) / 6000);
}

/* Each of its own brightness, on black. */
static double
bright (int y, int x)
{
  return disc (y, x) ? 1000 * (1 + disc (y, x) % 60) + 10 * (y % 3) : 0;
}

static double
halves (int y, int x)
{
  return disc (y, x) / 2.0;
}

static double
below (int y, int x)
{
  return disc (y, x) ? disc (y, x) : -1;
}

static void
test_others (void)
{
  static Value *const whole[] = {none, mask, classes, ramp, rings, depths, patches, hash, photons, camera, bright};
  for (guint i = 0; i < G_N_ELEMENTS (whole); i++)
    if (is_labels (FV_U16, whole[i]) || is_labels (FV_F32, whole[i]))
      g_error ("picture %u is taken for labels", i);
  g_assert_false (is_labels (FV_F32, halves));
  g_assert_false (is_labels (FV_I32, below));
}

/* A stack whose first slice is empty and whose second channel has labels; with 8 bits no note is shown. */
static void
test_display_settings (void)
{
  static const fv_type types[] = {FV_U16, FV_U8};
  g_autofree double *values = g_new0 (double, 4 * SIDE * SIDE);
  for (int i = 0; i < SIDE * SIDE; i++) {
    values[i] = values[SIDE * SIDE + i] = hash (i / SIDE, i % SIDE) / 300;
    values[3 * SIDE * SIDE + i] = discs (i / SIDE, i % SIDE);
  }
  for (guint t = 0; t < G_N_ELEMENTS (types); t++) {
    g_autoptr (Image) image = image_of_planes (types[t], FV_IMAGE, 2, 2, SIDE, SIDE, values);
    ViewChannel settings[2];
    g_assert_true (look_examine (image, NULL));
    for (int c = 0; c < 2; c++)
      settings[c] = look_of_image (image, c);
    g_assert_cmpstr (settings[0].lut, ==, "");
    g_assert_cmpstr (settings[1].lut, ==, types[t] == FV_U8 ? "" : LOOK_LABELS);
    g_assert_true (look_is_labels (settings, image_info (image), FALSE, 1) == (types[t] != FV_U8));
    g_assert_false (look_is_labels (settings, image_info (image), FALSE, 0));
    g_assert_false (look_is_labels (settings, image_info (image), TRUE, 1));
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/label-picture/labels", test_labels);
  g_test_add_func ("/label-picture/others", test_others);
  g_test_add_func ("/label-picture/looks", test_display_settings);
  return g_test_run ();
}
