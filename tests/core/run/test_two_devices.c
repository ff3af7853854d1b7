/* SPDX-License-Identifier: MIT
 *
 * What one GPU has made and another one takes: it goes through the host, once. Two that the CPU poses as, on any machine, to which
 * the memory of the other is the end of the program; and two of CUDA where there are as many.
 */
#include "core/data/table.h"
#include "tests/posing/posing_device.h"
#include "tests/support/support.h"

typedef struct {
  Device *one, *other;
} Pair;

/* The results of the workflow. */
typedef struct {
  Image *smooth, *mask, *cells;
  Table *table;
} Made;

static void
made_clear (Made *made)
{
  image_unref (made->smooth);
  image_unref (made->mask);
  image_unref (made->cells);
  table_unref (made->table);
}

static Image *
image_by (const char *step, Image *input, Device *device)
{
  CallResult result;
  run_step (step, input, NULL, device, &result, NULL);
  Image *image = image_ref (result.images[0]);
  call_result_clear (&result);
  return image;
}

/* Step by step, on one and the other in turn. */
static Made
workflow (Image *source, Device *odd, Device *even)
{
  Made made = {.smooth = image_by ("gaussian sigma=3", source, odd)};
  CallResult result;
  made.mask = image_by ("otsu", made.smooth, even);
  made.cells = image_by ("label", made.mask, odd);
  run_step ("regionprops properties=label,area,centroid,intensity_mean", made.cells, made.smooth, even, &result, NULL);
  made.table = table_ref (result.table);
  call_result_clear (&result);
  return made;
}

static void
assert_tables_equal (Table *a, Table *b)
{
  g_assert_cmpint (table_rows (a), >, 10);
  g_assert_cmpint (table_rows (a), ==, table_rows (b));
  g_assert_cmpuint (table_columns (a), ==, table_columns (b));
  for (guint j = 0; j < table_columns (a); j++)
    for (gint64 i = 0; i < table_rows (a); i++)
      g_assert_cmpfloat (table_value (a, j, i), ==, table_value (b, j, i));
}

static void
test_in_turn (gconstpointer data)
{
  const Pair *pair = data;
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 1, 1, 301, 403, 3);
  Made alone = workflow (source, pair->one, pair->one);
  const gsize smooth = image_bytes (alone.smooth), mask = image_bytes (alone.mask), cells = image_bytes (alone.cells),
              scalar = sizeof (double);
  guint64 up = pair->other->uploaded, down = pair->one->downloaded, back = pair->one->uploaded,
          home = pair->other->downloaded;
  Made both = workflow (source, pair->one, pair->other);
  g_assert_cmpuint (pair->other->uploaded - up, ==, smooth + cells);
  g_assert_cmpuint (pair->one->downloaded - down, ==, smooth + cells + scalar); /* how many objects there are */
  g_assert_cmpuint (pair->one->uploaded - back, ==, mask);
  g_assert_cmpuint (pair->other->downloaded - home, >=, mask + scalar); /* the threshold, and the table */
  assert_images_equal (alone.smooth, both.smooth);
  assert_images_equal (alone.mask, both.mask);
  assert_images_equal (alone.cells, both.cells);
  assert_tables_equal (alone.table, both.table);
  made_clear (&alone);
  made_clear (&both);
}

enum { ROUNDS = 20 };

typedef struct {
  Image *input;
  Device *device;
  double mean;
} Work;

static gpointer
work (gpointer data)
{
  Work *w = data;
  for (int i = 0; i < ROUNDS; i++) {
    g_autoptr (Image) made = image_by ("gaussian sigma=1", w->input, w->device);
    w->mean += image_value (made, 0, 5, 5);
  }
  return NULL;
}

/* Each takes what the other one has made, at the same time. */
static void
test_across (gconstpointer data)
{
  const Pair *pair = data;
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 1, 1, 101, 203, 4);
  g_autoptr (Image) first = image_by ("gaussian sigma=2", source, pair->one),
                    second = image_by ("gaussian sigma=2", source, pair->other);
  Work works[] = {{first, pair->other, 0}, {second, pair->one, 0}};
  GThread *threads[] = {g_thread_new ("one", work, &works[0]), g_thread_new ("other", work, &works[1])};
  for (int i = 0; i < 2; i++)
    g_thread_join (threads[i]);
  g_assert_cmpfloat (works[0].mean, >, 0);
  g_assert_cmpfloat (works[0].mean, ==, works[1].mean);
}

/* ---- Devices ---- */

static void
add_pair (const char *name, const Pair *pair)
{
  static const struct {
    const char *key;
    void (*test) (gconstpointer);
  } tests[] = {{"in-turn", test_in_turn}, {"across", test_across}};
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strdup_printf ("/two-devices/%s/%s", tests[i].key, name);
    g_test_add_data_func (path, pair, tests[i].test);
  }
}

static void
add_posing (void)
{
  static fv_device second;
  static Pair pair;
  second = posing_device;
  second.key = "pose:1";
  second.dl.device_id = 1;
  for (guint i = 0; i < modules_ops (test_modules ())->len; i++)
    ((Op *) modules_ops (test_modules ())->pdata[i])->fv.run[POSING] = posing_run;
  pair = (Pair){device_new (&posing_device), device_new (&second)};
  g_assert_true (device_ready (pair.one, "pose:0", NULL) && device_ready (pair.other, "pose:1", NULL));
  add_pair ("posing", &pair);
}

static void
test_one_gpu (void)
{
  g_test_skip ("there is one GPU");
}

static void
add_cuda (void)
{
  static Pair pair;
  pair = (Pair){modules_device (test_modules (), "cuda:0", NULL), modules_device (test_modules (), "cuda:1", NULL)};
  if (pair.one && pair.other)
    add_pair ("cuda", &pair);
  else if (pair.one)
    g_test_add_func ("/two-devices/cuda", test_one_gpu);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_posing ();
  add_cuda ();
  return g_test_run ();
}
