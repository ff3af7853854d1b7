/* SPDX-License-Identifier: MIT
 *
 * The shapes of objects, drawn again, are the objects: of noise, which has holes, parts, and corners that touch.
 */
#include "core/measure/object_outlines.h"
#include "core/selection/drawn.h"

#include "tests/support/init.h"
#include "tests/support/support.h"

#include <string.h>

static guint
corner_hash (gconstpointer key)
{
  const SelectionPoint *p = key;
  return g_double_hash (&p->x) * 31 + g_double_hash (&p->y);
}

static gboolean
corner_equal (gconstpointer a, gconstpointer b)
{
  return !memcmp (a, b, sizeof (SelectionPoint));
}

/* No outline comes to a corner twice. */
static void
check_simple (const Selection *shape)
{
  const gboolean several = shape->shape == SELECTION_COMPOSITE;
  for (guint from = 0, end; from < shape->n_points; from = end) {
    g_autoptr (GHashTable) corners = g_hash_table_new (corner_hash, corner_equal);
    end = selection_loop_end (shape, from);
    for (guint i = from; i < end - several; i++)
      g_assert_true (g_hash_table_add (corners, &shape->points[i]));
    g_assert_cmpuint (g_hash_table_size (corners), >=, 4);
  }
}

static void
check_back (Image *image, guint expected)
{
  const ImageInfo *info = image_info (image);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) shapes = object_shapes (image, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (shapes->len, ==, expected);
  for (guint i = 0; i < shapes->len; i++)
    check_simple (shapes->pdata[i]);
  g_autoptr (Image) back = selections_drawn (shapes, info, TRUE, &error);
  g_assert_no_error (error);
  for (gint64 plane = 0; plane < info->depth; plane++)
    for (gint64 i = 0; i < info->rows * info->columns; i++) {
      const double is = image_value (back, plane, i / info->columns, i % info->columns);
      const double was = image_value (image, plane, i / info->columns, i % info->columns);
      /* Labels 1 to 9 of each plane come one after the other; a mask has one for each plane. */
      g_assert_cmpfloat (is, ==, !was ? 0 : info->role == FV_MASK ? (double) plane + 1 : was + 9 * (double) plane);
    }
}

static void
test_noise (void)
{
  g_autoptr (Image) labels = image_random (FV_I32, FV_LABELS, 1, 3, 41, 53, 1);
  g_autoptr (Image) mask = image_random (FV_U8, FV_MASK, 1, 2, 37, 61, 2);
  check_back (labels, 27);
  check_back (mask, 2);
}

/* By hand: a ring that touches itself at a corner has a hole that begins there. */
static void
test_ring (void)
{
  static const double ring[] = {1, 1, 1, 0, /**/ 1, 0, 1, 0, /**/ 1, 1, 0, 0};
  g_autoptr (Image) image = image_of (FV_U8, FV_MASK, 3, 4, ring);
  g_autoptr (GPtrArray) shapes = object_shapes (image, NULL);
  g_autofree char *text = NULL;
  g_assert_cmpuint (shapes->len, ==, 1);
  check_simple (shapes->pdata[0]);
  text = selection_format (shapes->pdata[0]);
  g_assert_cmpstr (text, ==, "composite(2,2,2,1,1,1,1,2,2,2,0,0,3,0,3,2,2,2,2,3,0,3,0,0)");
}

int
main (int argc, char *argv[])
{
  init_tests (&argc, &argv);
  g_test_add_func ("/object-shape/noise", test_noise);
  g_test_add_func ("/object-shape/ring", test_ring);
  return g_test_run ();
}
