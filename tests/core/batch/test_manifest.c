/* SPDX-License-Identifier: MIT
 *
 * What a manifest says is what was written into it, and of each image the last.
 */
#include "core/batch/manifest.h"
#include "tests/core/files/files_support.h"

#define WEIRD "a\\b\\x41\n\"\xff\xc3\xa9\x01.tif"

static BatchRecord
record_of (const char *file, guint series, gint64 rows)
{
  return (BatchRecord){.file = file,
                       .series = series,
                       .of = 2,
                       .stamp = {5, 1795368562291878367, -7, "0123456789abcdef0123456789abcdef"},
                       .work = "w",
                       .device = "cpu",
                       .part = 10,
                       .length = 20,
                       .rows = rows,
                       .seconds = 0.25};
}

static BatchRecords *
read_back (const GString *text, gint64 parts, gint64 *whole)
{
  g_autofree char *path = scratch ("manifest.jsonl");
  g_autoptr (GError) error = NULL;
  BatchRecords *records = batch_records_new ();
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, &error));
  g_assert_true (batch_records_read (records, 0, path, parts, whole, &error));
  g_assert_no_error (error);
  batch_records_settle (records);
  sweep ();
  return records;
}

static const BatchRecord *
at (const BatchRecords *records, guint i)
{
  return &g_array_index (records->all, BatchRecord, i);
}

static void
test_round_trip (void)
{
  static const char *const outputs[] = {WEIRD, "b", NULL};
  static const char *const reads[] = {"0123456789abcdef0123456789abcdefa/psf.tif",
                                      "fedcba9876543210fedcba9876543210" WEIRD, NULL};
  static const gint64 sizes[] = {G_MAXINT64, 3};
  g_autoptr (GString) text = g_string_new (NULL);
  BatchRecord one = record_of (WEIRD, 1, 3), other = record_of ("b.tif", 0, 0);
  gint64 whole;
  batch_header_write (&(BatchHeader){"1.2", "otsu \"x\"", "hash", 7, "{well}.tif", "/in/" WEIRD}, text);
  one.outputs = outputs;
  one.sizes = sizes;
  one.reads = reads;
  one.warning = "It misses \"x\".";
  one.reproducible = "nlmeans: reproducible to 1e-06 between devices.";
  one.sums = "segment: the SHA-256 of net.zip is 12ab.";
  other.error = "It failed.";
  batch_record_write (&other, text);
  batch_record_write (&one, text);
  g_autoptr (BatchRecords) records = read_back (text, 30, &whole);
  g_assert_cmpint (whole, ==, (gint64) text->len);
  g_assert_cmpuint (records->all->len, ==, 2);
  g_assert_cmpstr (g_array_index (records->headers, BatchHeader, 0).steps, ==, "otsu \"x\"");
  g_assert_cmpuint (g_array_index (records->headers, BatchHeader, 0).files, ==, 7);
  g_assert_cmpstr (g_array_index (records->headers, BatchHeader, 0).pattern, ==, "{well}.tif");
  g_assert_cmpstr (g_array_index (records->headers, BatchHeader, 0).below, ==, "/in/" WEIRD);
  g_assert_cmpstr (at (records, 0)->file, ==, WEIRD);
  g_assert_cmpuint (at (records, 0)->series, ==, 1);
  g_assert_cmpint (at (records, 0)->stamp.modified, ==, one.stamp.modified);
  g_assert_cmpint (at (records, 0)->stamp.changed, ==, one.stamp.changed);
  g_assert_cmpstr (at (records, 0)->stamp.hash, ==, one.stamp.hash);
  g_assert_cmpstr (at (records, 0)->outputs[0], ==, WEIRD);
  g_assert_cmpstr (at (records, 0)->outputs[1], ==, "b");
  g_assert_null (at (records, 0)->outputs[2]);
  g_assert_cmpint (at (records, 0)->sizes[0], ==, G_MAXINT64);
  g_assert_true (g_strv_equal (at (records, 0)->reads, reads));
  g_assert_null (at (records, 1)->reads);
  g_assert_cmpstr (at (records, 0)->warning, ==, one.warning);
  g_assert_null (at (records, 1)->warning);
  g_assert_cmpstr (at (records, 0)->reproducible, ==, one.reproducible);
  g_assert_null (at (records, 1)->reproducible);
  g_assert_cmpstr (at (records, 0)->sums, ==, one.sums);
  g_assert_null (at (records, 1)->sums);
  g_assert_cmpint (at (records, 0)->rows, ==, 3);
  g_assert_cmpstr (at (records, 1)->error, ==, "It failed.");
  g_assert_cmpuint (batch_records_find (records, "b.tif"), ==, 1);
  g_assert_cmpuint (batch_records_find (records, "c.tif"), ==, 2);
}

/* Rows that are not there, and a line without an end. */
static void
test_missing (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BatchRecord record = record_of ("a", 0, 1);
  gint64 whole;
  gsize end;
  batch_record_write (&record, text);
  end = text->len;
  record.file = "b";
  batch_record_write (&record, text);
  g_string_truncate (text, text->len - 1);
  g_autoptr (BatchRecords) short_parts = read_back (text, 29, &whole), all_parts = read_back (text, 30, &whole);
  g_assert_cmpuint (short_parts->all->len, ==, 0);
  g_assert_cmpuint (all_parts->all->len, ==, 1);
  g_assert_cmpint (whole, ==, (gint64) end);
}

/* Of one shard the last counts; what another one has taken back does not. */
static void
test_last (void)
{
  g_autoptr (BatchRecords) records = batch_records_new ();
  static const struct {
    guint shard, rows;
    gboolean removed;
  } lines[] = {{1, 1, FALSE}, {0, 2, FALSE}, {1, 3, FALSE}, {1, 4, TRUE}, {2, 5, TRUE}};
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
    BatchRecord record = record_of ("a", 0, lines[i].rows);
    record.shard = lines[i].shard;
    record.removed = lines[i].removed;
    g_array_append_val (records->all, record);
  }
  batch_records_settle (records);
  g_assert_cmpuint (records->all->len, ==, 1);
  g_assert_cmpint (at (records, 0)->rows, ==, 2);
  g_assert_false (at (records, 0)->removed);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/manifest/round-trip", test_round_trip);
  g_test_add_func ("/manifest/missing", test_missing);
  g_test_add_func ("/manifest/last", test_last);
  return run_files_tests ();
}
