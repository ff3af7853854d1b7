/* SPDX-License-Identifier: MIT
 *
 * What is open survives the death of its process, and nothing else does.
 */
#include "core/document/session.h"
#include "tests/support/init.h"

#include "core/measure/measurements.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  char *folder;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  (void) data;
  f->folder = g_dir_make_tmp ("fovea-session-XXXXXX", NULL);
}

static guint
count (const Fixture *f)
{
  g_autoptr (GDir) dir = g_dir_open (f->folder, 0, NULL);
  guint n = 0;
  while (g_dir_read_name (dir))
    n++;
  return n;
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (f->folder, 0, NULL);
  const char *name;
  (void) data;
  while ((name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (f->folder, name, NULL);
    g_remove (path);
  }
  g_rmdir (f->folder);
  g_free (f->folder);
}

static GPtrArray *
images_of (const char *path, const char *steps)
{
  GPtrArray *images = g_ptr_array_new_with_free_func (session_image_free);
  g_ptr_array_add (images, session_image_new (path, steps, "cpu"));
  return images;
}

/* A process that keeps this and is killed, or ends without a word. */
static void
crash (const Fixture *f, const char *path, const char *steps, gboolean kill_it)
{
  pid_t pid = fork ();
  int status;
  if (!pid) {
    Session *session = session_new (f->folder, NULL);
    g_autoptr (GPtrArray) first = images_of (path, "otsu"), images = images_of (path, steps);
    for (int i = 0; i < 100; i++)
      session_set (session, g_ptr_array_ref (first));
    session_set (session, g_ptr_array_ref (images));
    if (!session_flush (session, NULL))
      _exit (1);
    if (kill_it)
      kill (getpid (), SIGKILL);
    _exit (0);
  }
  waitpid (pid, &status, 0);
}

static void
check (const SessionOrphan *orphan, const char *path, const char *steps)
{
  const SessionImage *image = orphan->images->pdata[0];
  g_assert_cmpuint (orphan->images->len, ==, 1);
  g_assert_cmpstr (image->path, ==, path);
  g_assert_cmpstr (image->steps, ==, steps);
  g_assert_cmpstr (image->device, ==, "cpu");
}

static void
test_killed (Fixture *f, gconstpointer data)
{
  static const char *const texts[] = {"gaussian sigma=5 | otsu", "", "plain width=9 height=9",
                                      "  a \\ b\n\tc=\"x # [y]\" ; µ"};
  static const char *const paths[] = {"/tmp/a b.tif", "/tmp/\xff\xfe%41\n[x].tif", NULL, "/tmp/µ=1;2.tif"};
  (void) data;
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    crash (f, paths[i], texts[i], i < 2);
    g_autoptr (GPtrArray) orphans = session_orphans (f->folder, NULL);
    g_assert_cmpuint (orphans->len, ==, 1);
    check (orphans->pdata[0], paths[i], texts[i]);
    g_autoptr (GPtrArray) again = session_orphans (f->folder, NULL); /* it is held */
    g_assert_cmpuint (again->len, ==, 0);
    g_ptr_array_set_size (((SessionOrphan *) orphans->pdata[0])->images, 0);
    g_assert_true (session_orphan_keep (orphans->pdata[0], NULL));
    g_assert_cmpuint (count (f), ==, 0);
  }
}

/* What is not taken is offered again; what is kept of it, too. */
static void
test_kept (Fixture *f, gconstpointer data)
{
  GPtrArray *orphans;
  (void) data;
  crash (f, "/tmp/a.tif", "otsu", TRUE);
  crash (f, "/tmp/b.tif", "label", TRUE);
  orphans = session_orphans (f->folder, NULL);
  g_assert_cmpuint (orphans->len, ==, 2);
  SessionOrphan *first = orphans->pdata[0];
  g_ptr_array_set_size (first->images, 0);
  g_ptr_array_add (first->images, session_image_new ("/tmp/c.tif", "erosion", "cpu"));
  g_assert_true (session_orphan_keep (first, NULL));
  g_ptr_array_set_size (((SessionOrphan *) orphans->pdata[1])->images, 0);
  g_assert_true (session_orphan_keep (orphans->pdata[1], NULL));
  g_ptr_array_unref (orphans);
  orphans = session_orphans (f->folder, NULL);
  g_assert_cmpuint (orphans->len, ==, 1);
  check (orphans->pdata[0], "/tmp/c.tif", "erosion");
  g_ptr_array_unref (orphans);
}

static void
test_living (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) images = images_of ("/tmp/a.tif", "otsu"), none = g_ptr_array_new ();
  Session *session = session_new (f->folder, NULL);
  (void) data;
  session_set (session, g_ptr_array_ref (images));
  g_assert_true (session_flush (session, NULL));
  g_assert_cmpuint (count (f), ==, 2);
  g_autoptr (GPtrArray) orphans = session_orphans (f->folder, NULL);
  g_assert_cmpuint (orphans->len, ==, 0);
  session_set (session, g_ptr_array_ref (none));
  g_assert_true (session_flush (session, NULL));
  g_assert_cmpuint (count (f), ==, 1);
  session_set (session, g_ptr_array_ref (images));
  session_end (session); /* whether that was written or not */
  g_assert_cmpuint (count (f), ==, 0);
}

/* Where standard input is closed a file can be number 0. */
static void
test_no_input (Fixture *f, gconstpointer data)
{
  int input = dup (STDIN_FILENO);
  Session *session;
  (void) data;
  close (STDIN_FILENO);
  session = session_new (f->folder, NULL);
  g_assert_nonnull (session);
  g_assert_cmpuint (count (f), ==, 1);
  session_end (session);
  if (input >= 0 && dup2 (input, STDIN_FILENO) == STDIN_FILENO)
    close (input);
}

/* A number of writings far below that of the changes. */
static void
test_pace (Fixture *f, gconstpointer data)
{
  Session *session = session_new (f->folder, NULL);
  gint64 start = g_get_monotonic_time ();
  guint changes = 0;
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  (void) data;
  while (g_get_monotonic_time () - start < 600000) {
    g_autofree char *steps = g_strdup_printf ("gaussian sigma=%u", ++changes);
    g_autoptr (GPtrArray) images = images_of ("/tmp/a.tif", steps);
    g_autoptr (GDir) dir = g_dir_open (f->folder, 0, NULL);
    const char *name;
    session_set (session, g_ptr_array_ref (images));
    while ((name = g_dir_read_name (dir))) {
      g_autofree char *path = g_build_filename (f->folder, name, NULL);
      char *text = NULL;
      if (g_str_has_suffix (name, ".session") && g_file_get_contents (path, &text, NULL, NULL)) {
        g_assert_nonnull (strstr (text, "device=cpu")); /* whole, at any moment */
        g_hash_table_add (seen, text);
      }
    }
    g_usleep (1000);
  }
  g_assert_cmpuint (g_hash_table_size (seen), >=, 1);
  g_assert_cmpuint (g_hash_table_size (seen), <=, 4);
  session_end (session);
}

static void
write_bytes (const Fixture *f, const char *name, const char *bytes, gssize n)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  g_assert_true (g_file_set_contents (path, bytes, n, NULL));
}

#define HEAD "[Fovea]\nversion=1\n"

static void
test_damaged (Fixture *f, gconstpointer data)
{
  static const char *const texts[] = {
    "",
    "[",
    "garbage",
    HEAD "[Image 1]\nuri=file:///tmp/a.tif\n",
    HEAD "[Image 1]\nuri=http://x/a.tif\nsteps=\ndevice=cpu\n",
    HEAD "[Image 1]\nuri=file:///tmp/%00a.tif\nsteps=\ndevice=cpu\n",
    HEAD "[Image 1]\nuri=file:///tmp/a.tif\nsteps=\xff\xff\ndevice=cpu\n",
    HEAD "[Image 1]\nuri=file:///tmp/a.tif\nsteps=\\q\ndevice=cpu\n",
    "[Fovea]\nversion=2\n",
    "[Fovea]\nversion=99999999999999999999\n",
  };
  (void) data;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
    write_bytes (f, "1-x.session", texts[i], -1);
    g_autoptr (GPtrArray) orphans = session_orphans (f->folder, faults), again = NULL;
    g_assert_cmpuint (orphans->len, ==, 0);
    g_assert_cmpuint (faults->len, ==, 1);
    again = session_orphans (f->folder, faults); /* said once */
    g_assert_cmpuint (faults->len, ==, 1);
    g_assert_cmpuint (count (f), ==, 1); /* put aside, not thrown away */
  }
}

static void
test_hostile (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) many = g_string_new (HEAD);
  g_autofree char *pipe = g_build_filename (f->folder, "2-x.session", NULL);
  g_autofree char *link = g_build_filename (f->folder, "3-x.session", NULL);
  g_autofree char *lock = g_build_filename (f->folder, "4-x.lock", NULL);
  (void) data;
  write_bytes (f, "0-x.session", "a\0b", 3);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_cmpint (symlink ("/dev/zero", link), ==, 0);
  g_assert_cmpint (symlink ("/etc/passwd", lock), ==, 0);
  write_bytes (f, "4-x.session", HEAD, -1);
  write_bytes (f, "5-x.session", "", 0);
  g_autofree char *large = g_build_filename (f->folder, "5-x.session", NULL);
  g_assert_cmpint (truncate (large, (off_t) 1 << 40), ==, 0);
  for (int i = 0; i < 3000; i++)
    g_string_append_printf (many, "[Image %d]\nuri=file:///tmp/a.tif\nsteps=otsu\ndevice=cpu\n", i);
  write_bytes (f, "6-x.session", many->str, -1);
  g_autoptr (GPtrArray) orphans = session_orphans (f->folder, faults);
  g_assert_cmpuint (faults->len, ==, 4);
  g_assert_cmpuint (orphans->len, ==, 1);
  g_assert_cmpuint (((SessionOrphan *) orphans->pdata[0])->images->len, <=, 200);
}

/* Files of others in the folder stay as they are. */
static void
test_foreign (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free), orphans = NULL;
  (void) data;
  write_bytes (f, "README", "a", 1);
  write_bytes (f, "notes.txt", "b", 1);
  orphans = session_orphans (f->folder, faults);
  g_assert_cmpuint (orphans->len, ==, 0);
  g_assert_cmpuint (faults->len, ==, 0);
  g_assert_cmpuint (count (f), ==, 2);
}

/* All display settings are saved with the image; older files have none. */
static void
test_look (Fixture *f, gconstpointer data)
{
  (void) f, (void) data;
  for (const char *const *look = (const char *const[]){"", "low=0 high=9; limits=automatic", NULL}; *look; look++) {
    g_autoptr (Recipe) recipe = recipe_new ();
    g_autoptr (GPtrArray) images = g_ptr_array_new_with_free_func (session_image_free), back = NULL;
    g_ptr_array_add (images, session_image_of ("/tmp/a.tif", recipe, "cpu", g_strdup (*look)));
    g_autofree char *text = session_format (images);
    back = session_parse (text, strlen (text), NULL);
    g_assert_cmpstr (((SessionImage *) back->pdata[0])->look, ==, *look);
    g_assert_cmpint (strstr (text, "look=") != NULL, ==, **look != 0);
  }
  g_autoptr (GError) error = NULL;
  static const char wrong[] = "[Fovea]\nversion=1\n[Image 1]\nuri=file:///tmp/a.tif\nsteps=\ndevice=cpu\nlook=low\\q\n";
  g_assert_null (session_parse (wrong, strlen (wrong), &error));
  g_assert_nonnull (error);
}

/* ---- What was made by hand ---- */

static void
add_selection (GPtrArray *list, const char *shape, const char *name, gint64 slice)
{
  Selection *s = selection_parse (shape, NULL);
  g_assert_nonnull (s);
  s->name = g_strdup (name);
  s->slice = slice;
  g_ptr_array_add (list, s);
}

/* Each shape, and names with all that could end a field, a line or a text. */
static GPtrArray *
every_selection (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  add_selection (list, "rectangle(0.1,-2,3e-7,4)", "a\tb\nc\\n;=[x]\"", 3);
  add_selection (list, "oval(1,2,3,4)", NULL, -1);
  add_selection (list, "polygon(0,0,1,0.3333333333333333,1,1)", "\xff\xfe not text", 0);
  add_selection (list, "freehand(0,0,1,0,1,1)", "µ 細胞", 7);
  add_selection (list, "traced(0,0,1,0,1,1)", " ", -1);
  add_selection (list, "line(0,0,5,5)", "0003-0120", 2);
  add_selection (list, "point(1,2,3.25,4,5,6)", "points", -1);
  return list;
}

static void
check_selection (const Selection *s, const Selection *want)
{
  g_assert_cmpint (s->shape, ==, want->shape);
  g_assert_cmpmem (s->points, s->n_points * sizeof *s->points, want->points, want->n_points * sizeof *want->points);
  g_assert_cmpstr (s->name, ==, want->name);
  g_assert_true (s->channel == want->channel && s->slice == want->slice && s->frame == want->frame);
}

/* An area, a line and a point, each with cells that have no value. */
static Table *
three_rows (void)
{
  return measurements_parse ("µm\n12 5.5 3.605551275463989 0 11 nan nan 0 0 4 3 1 1 1\n"
                             "nan 2.5 1 1 4 5 0.1 nan 0 4 3 1 1 1\n0 7 nan 7 7 nan nan 3 1 0 0 1 2 1",
                             NULL);
}

static void
test_handmade (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) images = images_of ("/tmp/a.tif", "otsu"), want = every_selection (), back = NULL;
  SessionImage *image = images->pdata[0];
  (void) f, (void) data;
  image->selections = g_ptr_array_ref (want);
  image->current = selection_parse ("polygon(0,0,1,0,1,1)", NULL);
  image->measured = three_rows ();
  g_autofree char *text = session_format (images), *again = NULL;
  g_assert_true (g_utf8_validate (text, -1, NULL));
  back = session_parse (text, strlen (text), NULL);
  const SessionImage *read = back->pdata[0];
  g_assert_cmpuint (read->selections->len, ==, want->len);
  for (guint i = 0; i < want->len; i++)
    check_selection (read->selections->pdata[i], want->pdata[i]);
  check_selection (read->current, image->current);
  g_assert_cmpint (table_rows (read->measured), ==, 3);
  g_assert_cmpfloat (table_value (read->measured, 3, 0), ==, 3.605551275463989);
  g_assert_cmpfloat (table_value (read->measured, 0, 2), ==, 3); /* rows are numbered */
  g_assert_true (isnan (table_value (read->measured, 1, 1)));
  g_assert_cmpstr (table_find (read->measured, "area")->unit, ==, "µm²");
  again = session_format (back);
  g_assert_cmpstr (again, ==, text);
}

/* A damaged part is reported, and nothing is read after it. */
static void
test_handmade_damaged (Fixture *f, gconstpointer data)
{
  static const char *const lines[] = {
    "selections=-1\\t-1\\t-1\\tname\\tblob(1,2)\\n",
    "selections=-1\\t-1\\t-1\\tname\\n",
    "selections=-1\\t-1\\tx\\tname\\tpoint(1,2)\\n",
    "selections=99999999999999999999\\t-1\\t-1\\tname\\tpoint(1,2)\\n",
    "selections=-1\\t-1\\t-1\\tname\\tpoint(1,2)\\tmore\\n",
    "current=polygon(1,2)",
    "current=",
    "measured=",
    "measured=px",
    "measured=px\\n1 2 3",
    "measured=px\\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
    "measured=px\\n1 2 3 4 5 6 7 8 9 10 11 12 13 x",
  };
  (void) f, (void) data;
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *text =
      g_strconcat (HEAD "[Image 1]\nuri=file:///tmp/a.tif\nsteps=\ndevice=cpu\n", lines[i], "\n", NULL);
    g_assert_null (session_parse (text, strlen (text), &error));
    g_assert_nonnull (error);
  }
}

/* Twenty thousand outlines come back whole from a process that was killed. */
static void
test_many (Fixture *f, gconstpointer data)
{
  pid_t pid = fork ();
  int status;
  (void) data;
  if (!pid) {
    Session *session = session_new (f->folder, NULL);
    GPtrArray *images = images_of ("/tmp/a.tif", ""), *list = g_ptr_array_new ();
    for (int i = 0; i < 20000; i++) {
      g_autofree char *shape = g_strdup_printf ("traced(%d,0,%d,0,%d,9,%d,9)", i, i + 9, i + 9, i);
      add_selection (list, shape, "object", -1);
    }
    ((SessionImage *) images->pdata[0])->selections = list;
    session_set (session, images);
    if (!session_flush (session, NULL))
      _exit (1);
    kill (getpid (), SIGKILL);
  }
  waitpid (pid, &status, 0);
  g_autoptr (GPtrArray) orphans = session_orphans (f->folder, NULL);
  g_assert_cmpuint (orphans->len, ==, 1);
  const GPtrArray *list = ((SessionImage *) ((SessionOrphan *) orphans->pdata[0])->images->pdata[0])->selections;
  g_assert_cmpuint (list->len, ==, 20000);
  g_assert_cmpfloat (((Selection *) list->pdata[19999])->points[1].x, ==, 20008);
}

/* A folder that cannot be: an error, no crash. */
static void
test_nowhere (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  (void) f, (void) data;
  g_assert_null (session_new ("/dev/null/sessions", &error));
  g_assert_nonnull (error);
  g_autoptr (GPtrArray) orphans = session_orphans ("/dev/null/sessions", NULL);
  g_assert_cmpuint (orphans->len, ==, 0);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
#define ADD(NAME, TEST) g_test_add ("/session/" NAME, Fixture, NULL, set_up, TEST, tear_down)
  ADD ("killed", test_killed);
  ADD ("kept", test_kept);
  ADD ("living", test_living);
  ADD ("no-input", test_no_input);
  ADD ("pace", test_pace);
  ADD ("damaged", test_damaged);
  ADD ("hostile", test_hostile);
  ADD ("foreign", test_foreign);
  ADD ("look", test_look);
  ADD ("handmade", test_handmade);
  ADD ("handmade-damaged", test_handmade_damaged);
  ADD ("many", test_many);
  ADD ("nowhere", test_nowhere);
  return g_test_run ();
}
