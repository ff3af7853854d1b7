/* SPDX-License-Identifier: MIT
 *
 * Files of selections that are damaged, have entries of other kinds, or are no such files.
 */
#include "tests/core/selection/selection_files_support.h"

#include <archive.h>
#include <archive_entry.h>

/* ---- Entries of archives ---- */

static void
add_entry (struct archive *archive, const char *name, gconstpointer bytes, gsize n)
{
  struct archive_entry *entry = archive_entry_new ();
  archive_entry_set_pathname_utf8 (entry, name);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_size (entry, (la_int64_t) n);
  g_assert_cmpint (archive_write_header (archive, entry), ==, ARCHIVE_OK);
  g_assert_cmpint (archive_write_data (archive, bytes, n), ==, (la_ssize_t) n);
  archive_entry_free (entry);
}

/* A header of 64 bytes has no name: ImageJ's list then shows the name of the file. A name in the header comes first. */
static void
test_names_of_entries (void)
{
  static const char *const names[][2] = {
    {"nucleus 7.roi", "nucleus 7"}, {"cells/nucleus 8.ROI", "nucleus 8"}, {".roi", NULL}, {"other.roi", "rectangle"}};
  g_autofree char *path = scratch ("names.zip"), *full = NULL, *file = kept ("imagej-rectangle.roi");
  g_autoptr (GPtrArray) selections = NULL;
  struct archive *archive = archive_write_new ();
  gsize n;
  g_assert_true (g_file_get_contents (file, &full, &n, NULL));
  archive_write_set_format_zip (archive);
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  add_entry (archive, names[3][0], full, n);
  memset (full + 60, 0, 4); /* no second header */
  for (guint i = 0; i < 3; i++)
    add_entry (archive, names[i][0], full, 64);
  g_assert_cmpint (archive_write_free (archive), ==, ARCHIVE_OK);
  selections = read_file (path);
  g_assert_cmpuint (selections->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpstr (((const Selection *) selections->pdata[i])->name, ==, names[(i + 3) % 4][1]);
  g_assert_cmpuint (sweep (), ==, 1);
}

static void
add_file (struct archive *archive, const char *name, const char *from)
{
  g_autofree char *path = kept (from), *bytes = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  add_entry (archive, name, bytes, n);
}

/* Unsupported selections do not prevent the rest from being opened, and are named; files that are not selections are not. */
static void
test_strange_entries (void)
{
  g_autofree char *path = scratch ("mixed.zip"), *left_out = NULL;
  g_autoptr (GPtrArray) selections = NULL;
  g_autoptr (GError) error = NULL;
  struct archive *archive = archive_write_new ();
  archive_write_set_format_zip (archive);
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  add_file (archive, "first.roi", "imagej-rectangle.roi");
  add_file (archive, "two parts.roi", "imagej-composite.roi");
  add_entry (archive, "__MACOSX/._first.roi", "\0\5\x16\7", 4);
  add_entry (archive, "notes.txt", "nothing", 7);
  add_file (archive, "title.roi", "imagej-text.roi");
  add_file (archive, "arrow.roi", "imagej-arrow.roi");
  add_file (archive, "last.roi", "imagej-polygon.roi");
  g_assert_cmpint (archive_write_free (archive), ==, ARCHIVE_OK);
  selections = selections_read (path, &left_out, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (selections->len, ==, 4);
  g_assert_cmpint (((const Selection *) selections->pdata[1])->shape, ==, SELECTION_COMPOSITE);
  g_assert_cmpint (((const Selection *) selections->pdata[3])->shape, ==, SELECTION_POLYGON);
  g_assert_nonnull (strstr (left_out, "1 of the 5 selections"));
  g_assert_nonnull (strstr (left_out, "1 of the selections of"));
  g_assert_nonnull (strstr (left_out, "'arrow.roi' in it loses its arrow head."));
  g_assert_nonnull (strstr (left_out, "'title.roi' in it is a text"));
  g_assert_null (strstr (left_out, "MACOSX"));
  g_assert_cmpuint (sweep (), ==, 1);
}

/* Of none of them one can be shown. */
static void
test_only_strange_entries (void)
{
  g_autofree char *path = scratch ("strange.zip");
  struct archive *archive = archive_write_new ();
  archive_write_set_format_zip (archive);
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  add_file (archive, "title.roi", "imagej-text.roi");
  g_assert_cmpint (archive_write_free (archive), ==, ARCHIVE_OK);
  check_cannot_read (path, FILE_ERROR_DAMAGED, "'title.roi' in it is a text");
  g_assert_cmpuint (sweep (), ==, 1);
}

/* ---- Damaged files ---- */

/* Reads the bytes as a file; any bytes give selections, or an error that names the file. */
static gboolean
read_bytes (const guint8 *bytes, gsize n, GError **error)
{
  g_autofree char *path = scratch ("damaged.roi");
  g_autoptr (GPtrArray) selections = NULL;
  g_autoptr (GError) fault = NULL;
  g_assert_true (
    g_file_set_contents_full (path, (const char *) bytes, (gssize) n, G_FILE_SET_CONTENTS_NONE, 0666, NULL));
  selections = selections_read (path, NULL, &fault);
  g_assert_true (!selections == !!fault);
  if (fault && (!strstr (fault->message, path) || !g_str_has_suffix (fault->message, ".")))
    g_error ("not a good error: %s", fault->message);
  for (guint i = 0; selections && i < selections->len; i++)
    g_free (selection_format (selections->pdata[i]));
  if (fault)
    g_propagate_error (error, g_steal_pointer (&fault));
  return selections != NULL;
}

/* Each file of the folder cut off at each length, and with bytes that are something else. */
static void
test_damaged (void)
{
  g_autofree char *path = kept ("");
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (const char *name; (name = g_dir_read_name (dir));) {
    g_autofree char *file = kept (name), *bytes = NULL;
    gsize n;
    if (!g_str_has_suffix (name, ".roi") && !g_str_has_suffix (name, ".zip") && !g_str_has_suffix (name, ".geojson"))
      continue;
    g_file_get_contents (file, &bytes, &n, NULL);
    for (gsize length = 0; length<n; length += n> 1000 ? 13 : 1)
      read_bytes ((guint8 *) bytes, length, NULL);
    for (guint i = 0; i < 300; i++) {
      g_autofree guint8 *changed = g_memdup2 (bytes, n);
      for (guint k = 0; k < 1 + i % 3; k++)
        changed[g_rand_int_range (rand, 0, (gint32) MIN (n, i % 2 ? 72 : n))] = (guint8) g_rand_int (rand);
      read_bytes (changed, n, NULL);
    }
  }
  g_assert_cmpuint (sweep (), ==, 1);
}

static void
check_changed (const char *name, gsize at, const char *hex, const char *text)
{
  g_autofree char *file = kept (name), *bytes = NULL, *path = scratch ("damaged.roi");
  GError *error = NULL;
  gsize n;
  g_file_get_contents (file, &bytes, &n, NULL);
  for (; hex[0]; hex += 2)
    bytes[at++] = (char) (g_ascii_xdigit_value (hex[0]) << 4 | g_ascii_xdigit_value (hex[1]));
  g_assert_false (read_bytes ((guint8 *) bytes, n, &error));
  check_error (error, FILE_ERROR_DAMAGED, path, text);
}

static void
test_wild_numbers (void)
{
  check_changed ("imagej-polygon.roi", 0, "00", "does not begin with 'Iout'");
  check_changed ("imagej-polygon.roi", 6, "0b", "selection type 11 does not exist");
  check_changed ("imagej-polygon.roi", 16, "ffff", "ends before its 65535 points");
  check_changed ("imagej-polygon.roi", 16, "0000ffffffff", "ends before its 4294967295 points");
  check_changed ("imagej-polygon.roi", 16, "000000000000", "too few points (0)");
  check_changed ("imagej-polygon.roi", 16, "0002", "too few points (2)");
  check_changed ("imagej-freehand.roi", 16, "0020", "ends before its 32 points");
  check_changed ("imagej-freehand.roi", 76, "7fc00000", "not numbers");
  check_changed ("imagej-line.roi", 18, "7f800000", "not numbers");
  check_changed ("imagej-rectangle.roi", 8, "0100", "width and height");
  check_changed ("imagej-fractions.roi", 26, "ffffffff", "not numbers");
  check_changed ("imagej-fractions.roi", 26, "c0000000", "width and height");
  check_changed ("roifile.zip", 0, "00", "does not begin with 'Iout'");
  check_changed ("imagej-composite.roi", 36, "00ffffff", "ends before its path does");
  check_changed ("imagej-composite.roi", 36, "0000000b", "its path is cut off");
  check_changed ("imagej-composite.roi", 36, "0000000c", "a composite with lines");
  check_changed ("imagej-composite.roi", 36, "00000006", "a composite with lines");
  check_changed ("imagej-composite.roi", 36, "00000003", "too few points");
  check_changed ("imagej-composite.roi", 64, "40a00000", "unknown command");
  check_changed ("imagej-composite.roi", 64, "3f000000", "unknown command");
  check_changed ("imagej-composite.roi", 68, "7f800000", "not numbers");
  check_changed ("imagej-ellipse.roi", 52, "7fc00000", "not numbers");
  check_changed ("imagej-polyline.roi", 16, "0001", "too few points (1)");
  check_changed ("imagej-angle.roi", 16, "0002", "too few points (2)");
  g_assert_cmpuint (sweep (), ==, 1);
}

/* A truncated second header has what remains of it; without one the position is that of the first. */
static void
test_short_headers (void)
{
  static const struct {
    gsize n;
    guint8 second; /* at its declared offset */
    gint32 position;
    gint64 channel, slice, frame;
    const char *name;
  } cases[] = {
    {158, 80, 7, 1, 2, 3, "polygon"}, {157, 80, 7, 1, 2, 3, "short"},   {104, 80, 7, 1, 2, 3, "short"},
    {103, 80, 7, -1, 6, -1, "short"}, {80, 80, 7, -1, 6, -1, "short"},  {158, 63, 7, -1, 6, -1, "short"},
    {158, 0, 1, -1, 0, -1, "short"},  {158, 0, 0, -1, -1, -1, "short"}, {158, 0, -7, -1, -1, -1, "short"},
  };
  g_autofree char *file = kept ("roifile-polygon.roi"), *path = scratch ("short.roi"), *bytes = NULL;
  g_assert_true (g_file_get_contents (file, &bytes, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    gint32 position = GINT32_TO_BE (cases[i].position);
    g_autoptr (GPtrArray) selections = NULL;
    const Selection *selection;
    memcpy (bytes + 56, &position, sizeof position);
    bytes[63] = (char) cases[i].second;
    g_assert_true (g_file_set_contents (path, bytes, (gssize) cases[i].n, NULL));
    selections = read_file (path);
    selection = selections->pdata[0];
    check_text (selection, "polygon(3,2,20,5,11,17,4,9)");
    g_assert_cmpint (selection->channel, ==, cases[i].channel);
    g_assert_cmpint (selection->slice, ==, cases[i].slice);
    g_assert_cmpint (selection->frame, ==, cases[i].frame);
    g_assert_cmpstr (selection->name, ==, cases[i].name);
  }
  g_assert_cmpuint (sweep (), ==, 1);
}

static void
test_cannot_read (void)
{
  g_autofree char *missing = scratch ("none.roi"), *empty = scratch ("empty.roi"), *zip = scratch ("empty.zip");
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  check_cannot_read (missing, FILE_ERROR_OPEN, "does not exist");
  check_cannot_read (folder, FILE_ERROR_OPEN, "not a regular file");
  g_file_set_contents (empty, "", 0, NULL);
  check_cannot_read (empty, FILE_ERROR_DAMAGED, "does not begin with 'Iout'");
  g_assert_true (selections_write (none, zip, NULL));
  check_cannot_read (zip, FILE_ERROR_FORMAT, "contains no selections");
  g_assert_cmpuint (sweep (), ==, 2);
}

/* A little file that unpacks to more than any selection has. */
static void
test_zip_bomb (void)
{
  g_autofree char *path = scratch ("bomb.zip"), *zeros = g_malloc0 (17 << 20);
  struct archive *archive = archive_write_new ();
  archive_write_set_format_zip (archive);
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  add_entry (archive, "zeros.roi", zeros, 17 << 20);
  g_assert_cmpint (archive_write_free (archive), ==, ARCHIVE_OK);
  check_cannot_read (path, FILE_ERROR_DAMAGED, "'zeros.roi' in it cannot be read: it is larger than 16 MB");
  g_assert_cmpuint (sweep (), ==, 1);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/selection/files/names-of-entries", test_names_of_entries);
  g_test_add_func ("/selection/files/damaged", test_damaged);
  g_test_add_func ("/selection/files/wild-numbers", test_wild_numbers);
  g_test_add_func ("/selection/files/short-headers", test_short_headers);
  g_test_add_func ("/selection/files/cannot-read", test_cannot_read);
  g_test_add_func ("/selection/files/strange-entries", test_strange_entries);
  g_test_add_func ("/selection/files/only-strange-entries", test_only_strange_entries);
  g_test_add_func ("/selection/files/zip-bomb", test_zip_bomb);
  return run_files_tests ();
}
