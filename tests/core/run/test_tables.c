/* SPDX-License-Identifier: MIT
 *
 * Where the rows of a table come from: one call of an operation, whose memory becomes the table's, or one for each frame.
 */
#include "tests/support/support.h"
#include "core/data/table.h"
#include "core/call/rows.h"

enum { FRAMES = 3, ROWS = 4, COLUMNS = 5 };

/* Frame t: an object of t + 1 pixels in the first row, and but for the second frame one of two in the last. */
static Image *
series (gint64 frames)
{
  gint32 labels[FRAMES][ROWS][COLUMNS] = {0};
  Npy npy = {FV_I32, 5, {frames, 1, 1, ROWS, COLUMNS}, labels};
  for (int t = 0; t < FRAMES; t++) {
    for (int x = 0; x <= t; x++)
      labels[t][0][x] = 1;
    if (t != 1)
      labels[t][ROWS - 1][1] = labels[t][ROWS - 1][2] = 2;
  }
  return image_from_npy (&npy, FV_LABELS);
}

static void
check_column (const Table *table, const char *key, const double *expected, gint64 rows)
{
  const TableColumn *column = table_find (table, key);
  g_assert_nonnull (column);
  g_assert_cmpint (column->rows, ==, rows);
  for (gint64 i = 0; i < rows; i++)
    g_assert_cmpfloat (column->values[i], ==, expected[i]);
}

static void
measure (Image *labels, Device *device, CallResult *result)
{
  g_autoptr (GError) error = NULL;
  run_step ("regionprops properties=label,area", labels, NULL, device, result, &error);
  g_assert_no_error (error);
  g_assert_nonnull (result->table);
}

/* The rows of all frames in turn, also where their numbers differ. */
static void
test_frames (Device *device)
{
  g_autoptr (Image) labels = series (FRAMES);
  CallResult result;
  measure (labels, device, &result);
  g_assert_cmpint (table_rows (result.table), ==, 5);
  check_column (result.table, "frame", (const double[]){1, 1, 2, 3, 3}, 5);
  check_column (result.table, "label", (const double[]){1, 2, 1, 1, 2}, 5);
  check_column (result.table, "area", (const double[]){1, 2, 2, 3, 2}, 5);
  call_result_clear (&result);
}

/* What one call has written is the table, without a copy: columns follow one another as the call wrote them. */
static void
test_one_call (Device *device)
{
  g_autoptr (Image) labels = series (1);
  CallResult result;
  measure (labels, device, &result);
  check_column (result.table, "label", (const double[]){1, 2}, 2);
  check_column (result.table, "area", (const double[]){1, 2}, 2);
  g_assert_true (table_column (result.table, 1)->values == table_column (result.table, 0)->values + 2);
  call_result_clear (&result);
}

/* A table without rows has its columns. */
static void
test_no_rows (Device *device)
{
  const double empty[ROWS * COLUMNS] = {0};
  g_autoptr (Image) labels = image_of (FV_I32, FV_LABELS, ROWS, COLUMNS, empty);
  CallResult result;
  measure (labels, device, &result);
  g_assert_cmpint (table_rows (result.table), ==, 0);
  check_column (result.table, "area", NULL, 0);
  call_result_clear (&result);
}

/* An operation that takes a table gets of each frame that frame's rows, however many others have. */
static void
test_taken_by_frames (Device *device)
{
  gint32 labels[2][2][6] = {{{1, 1, 2, 2, 3, 3}, {0}}, {{1, 0, 2, 2, 0, 0}, {0}}};
  static const double kept[2][6] = {{1, 1, 2, 2, 3, 3}, {0, 0, 2, 2, 0, 0}};
  Npy npy = {FV_I32, 5, {2, 1, 1, 2, 6}, labels};
  g_autoptr (Image) source = image_from_npy (&npy, FV_LABELS);
  g_autoptr (Run) run = run_of ("regionprops properties=label,area | filter_objects from=source min=2", source);
  g_autoptr (GError) error = NULL;
  run_execute (run, device, NULL, &error);
  g_assert_no_error (error);
  for (int t = 0; t < 2; t++)
    for (int x = 0; x < 6; x++)
      g_assert_cmpfloat (image_value (run_last_image (run), t, 0, x), ==, kept[t][x]);
}

/* The maximum number of rows; not having the memory for them is another error. */
static void
test_too_many_rows (void)
{
  static const struct {
    gint64 there, more;
    fv_status status;
  } cases[] = {{0, -1, FV_UNSUPPORTED},
               {0, G_MAXINT32, FV_NO_MEMORY},
               {0, (gint64) G_MAXINT32 + 1, FV_UNSUPPORTED},
               {10, G_MAXINT32 - 10, FV_NO_MEMORY},
               {10, G_MAXINT32 - 9, FV_UNSUPPORTED},
               {10, G_MAXINT64, FV_UNSUPPORTED}};
  g_setenv ("FOVEA_HOST_MEMORY", "1", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    CallRows rows;
    fv_error error = FV_ERROR_INIT;
    call_rows_init (&rows);
    g_assert_true (!cases[i].there || call_rows_add (&rows, cases[i].there, 1, &error));
    g_assert_null (call_rows_add (&rows, cases[i].more, 1, &error));
    g_assert_cmpint (error.code, ==, cases[i].status);
    call_rows_clear (&rows);
  }
  g_unsetenv ("FOVEA_HOST_MEMORY");
}

/* Rows behind the last one are seen. */
static void
test_guard (void)
{
  CallRows rows;
  fv_error error = FV_ERROR_INIT;
  call_rows_init (&rows);
  call_rows_add (&rows, 3, 2, &error);
  double *block = call_rows_add (&rows, 4, 2, &error);
  g_assert_true (call_rows_stand (&rows, 0, 2));
  block[8] = 0;
  g_assert_false (call_rows_stand (&rows, 0, 2));
  g_assert_false (call_rows_stand (&rows, 1, 2));
  g_assert_true (call_rows_stand (&rows, 2, 2));
  call_rows_forget (&rows);
  block = call_rows_add (&rows, 4, 2, &error);
  block[8 + 63] = 1;
  g_assert_false (call_rows_stand (&rows, 0, 2));
  call_rows_clear (&rows);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/tables/frames", test_frames);
  add_device_test ("/tables/one-call", test_one_call);
  add_device_test ("/tables/no-rows", test_no_rows);
  add_device_test ("/tables/taken-by-frames", test_taken_by_frames);
  g_test_add_func ("/tables/too-many-rows", test_too_many_rows);
  g_test_add_func ("/tables/guard", test_guard);
  return g_test_run ();
}
