/* SPDX-License-Identifier: MIT
 *
 * STEM.session is a key file, replaced as a whole. STEM.lock carries the flock() of its process, which the system
 * releases however that process dies. Unlike a process id, a lock cannot be reused.
 */
#include "core/document/session.h"

#include "core/base/file_target.h"
#include "core/base/file_read.h"
#include "core/base/system/lock_file.h"
#include "core/files/raw.h"
#include "core/measure/measurements.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define PAUSE (G_TIME_SPAN_MILLISECOND * 250)
#define LONGEST_PAUSE                                                                                                  \
  (G_TIME_SPAN_MILLISECOND * 1500) /* what a killed process loses at most, and what one writing takes */
#define LARGEST (256 << 20)        /* bytes of a file */
#define MAXIMUM 200                /* images */

struct Session {
  char *stem;
  int lock;
  GThread *thread;
  GMutex mutex; /* guards what follows */
  GCond changed;
  GPtrArray *wanted; /* SessionImage, to be written; NULL: none waits */
  guint asked, written;
  gboolean end;
  GError *error; /* of the last writing */
};

/* ---- Images as text ---- */

SessionImage *
session_image_new (const char *path, const char *steps, const char *device)
{
  SessionImage *image = g_new (SessionImage, 1);
  char *whole = path ? g_canonicalize_filename (path, NULL) : NULL;
  *image = (SessionImage){.path = whole, .device = g_strdup (device), .steps = g_strdup (steps), .look = g_strdup ("")};
  return image;
}

SessionImage *
session_image_of (const char *path, const Recipe *recipe, const char *device, char *look)
{
  SessionImage *image = session_image_new (path, NULL, device);
  g_free (image->look);
  image->look = look;
  image->recipe = recipe_ref (recipe);
  return image;
}

void
session_image_free (gpointer data)
{
  SessionImage *image = data;
  g_free (image->path);
  g_free (image->steps);
  recipe_unref (image->recipe);
  g_free (image->device);
  g_free (image->look);
  g_clear_pointer (&image->selections, g_ptr_array_unref);
  g_clear_pointer (&image->current, selection_free);
  g_clear_pointer (&image->measured, table_unref);
  g_free (image);
}

static void
format_handmade (GKeyFile *file, const char *group, const SessionImage *image)
{
  g_autofree char *selections =
    image->selections && image->selections->len ? selection_list_format (image->selections) : NULL;
  g_autofree char *current = image->current ? selection_format (image->current) : NULL;
  g_autofree char *measured = image->measured ? measurements_format (image->measured) : NULL;
  if (selections)
    g_key_file_set_string (file, group, "selections", selections);
  if (current)
    g_key_file_set_string (file, group, "current", current);
  if (measured)
    g_key_file_set_string (file, group, "measured", measured);
}

char *
session_format (const GPtrArray *images)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  if (!images->len)
    return g_strdup ("");
  g_key_file_set_integer (file, "Fovea", "version", 1);
  for (guint i = 0; i < images->len; i++) {
    const SessionImage *image = images->pdata[i];
    g_autofree char *group = g_strdup_printf ("Image %u", i + 1);
    g_autofree char *uri = image->path ? g_filename_to_uri (image->path, NULL, NULL) : g_strdup ("");
    g_autofree char *steps = image->recipe ? recipe_format (image->recipe) : g_strdup (image->steps);
    g_key_file_set_string (file, group, "uri", uri);
    g_autofree char *raw = image->path ? files_raw_of (image->path) : NULL;
    g_key_file_set_string (file, group, "steps", steps);
    if (raw)
      g_key_file_set_string (file, group, "raw", raw);
    g_key_file_set_string (file, group, "device", image->device);
    if (*image->look)
      g_key_file_set_string (file, group, "look", image->look);
    format_handmade (file, group, image);
  }
  return g_key_file_to_data (file, NULL, NULL);
}

/* GLib gives a text that it could not read as well as an error. */
static char *
text_at (GKeyFile *file, const char *group, const char *key, GError **error)
{
  GError *fault = NULL;
  g_autofree char *text = g_key_file_get_string (file, group, key, &fault);
  if (!fault)
    return g_steal_pointer (&text);
  g_propagate_error (error, fault);
  return NULL;
}

/* TRUE with *text NULL when the key is not there: files of before have none of these. */
static gboolean
optional_text (GKeyFile *file, const char *group, const char *key, char **text, GError **error)
{
  *text = g_key_file_has_key (file, group, key, NULL) ? text_at (file, group, key, error) : NULL;
  return *text || !g_key_file_has_key (file, group, key, NULL);
}

static gboolean
parse_handmade (GKeyFile *file, const char *group, SessionImage *image, GError **error)
{
  g_autofree char *selections = NULL, *current = NULL, *measured = NULL;
  return optional_text (file, group, "selections", &selections, error)
         && optional_text (file, group, "current", &current, error)
         && optional_text (file, group, "measured", &measured, error)
         && (!selections || (image->selections = selection_list_parse (selections, error)))
         && (!current || (image->current = selection_parse (current, error)))
         && (!measured || (image->measured = measurements_parse (measured, error)));
}

static SessionImage *
parse_image (GKeyFile *file, const char *group, GError **error)
{
  g_autofree char *uri = text_at (file, group, "uri", error), *raw = NULL;
  g_autofree char *steps = uri ? text_at (file, group, "steps", error) : NULL;
  g_autofree char *device = steps ? text_at (file, group, "device", error) : NULL;
  g_autofree char *path = device && *uri ? g_filename_from_uri (uri, NULL, error) : NULL;
  gboolean opened = path || (device && !*uri), shown = opened && g_key_file_has_key (file, group, "look", NULL);
  g_autofree char *look = shown ? text_at (file, group, "look", error) : g_strdup ("");
  SessionImage *image = opened && look ? session_image_new (path, steps, device) : NULL;
  if (!image)
    return NULL;
  g_free (image->look);
  image->look = g_steal_pointer (&look);
  if (parse_handmade (file, group, image, error) && optional_text (file, group, "raw", &raw, error)
      && (!raw || !path || files_raw_set (path, raw, error)))
    return image;
  session_image_free (image);
  return NULL;
}

GPtrArray *
session_parse (const char *text, gsize n, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GPtrArray) images = g_ptr_array_new_with_free_func (session_image_free);
  g_auto (GStrv) groups = NULL;
  if (memchr (text, 0, n)) {
    g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_PARSE, "It contains a byte that is not text.");
    return NULL;
  }
  if (!g_key_file_load_from_data (file, text, n, G_KEY_FILE_NONE, error))
    return NULL;
  if (g_key_file_get_integer (file, "Fovea", "version", error) != 1) {
    if (error && !*error)
      g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_PARSE, "It was made by another version of Fovea.");
    return NULL;
  }
  groups = g_key_file_get_groups (file, NULL);
  for (char **group = groups; *group && images->len < MAXIMUM; group++)
    if (g_str_has_prefix (*group, "Image ")) {
      SessionImage *image = parse_image (file, *group, error);
      if (!image)
        return NULL;
      g_ptr_array_add (images, image);
    }
  return g_steal_pointer (&images);
}

/* ---- Files ---- */

static char *
folder_of_user (const char *folder)
{
  return folder ? g_strdup (folder) : g_build_filename (g_get_user_state_dir (), "fovea", "sessions", NULL);
}

static char *
file_of (const char *stem, const char *extension)
{
  return g_strconcat (stem, extension, NULL);
}

static void
fail (GError **error, const char *failed)
{
  g_set_error (error, G_FILE_ERROR, (gint) g_file_error_from_errno (errno), "%s: %s.", failed, g_strerror (errno));
}

/* With the lock last, so that no one takes over what is half removed. */
static void
remove_files (const char *stem)
{
  g_autofree char *session = file_of (stem, ".session"), *lock = file_of (stem, ".lock");
  g_unlink (session);
  g_unlink (lock);
}

static gboolean
write_file (const char *stem, const char *text, GError **error)
{
  g_autofree char *path = file_of (stem, ".session");
  if (strlen (text) > LARGEST) /* it could not be read again; what was kept before stays */
    return file_fail (error, FILE_ERROR_WRITE, path, "would be larger than 256 MiB.");
  if (*text)
    return file_save_text (path, text, 0600, error);
  g_unlink (path);
  return TRUE;
}

static int
take_lock (const char *stem, int flags)
{
  g_autofree char *path = file_of (stem, ".lock");
  return lock_file_take (path, flags);
}

/* ---- The session of this process ---- */

static gpointer
write_thread (gpointer data)
{
  Session *s = data;
  g_mutex_lock (&s->mutex);
  while (!s->end) {
    if (!s->wanted) {
      g_cond_wait (&s->changed, &s->mutex);
      continue;
    }
    g_autoptr (GPtrArray) images = g_steal_pointer (&s->wanted);
    guint asked = s->asked;
    GError *error = NULL;
    const gint64 start = g_get_monotonic_time ();
    g_mutex_unlock (&s->mutex);
    g_autofree char *text = session_format (images);
    if (!write_file (s->stem, text, &error))
      g_message ("What is open cannot be saved for crash recovery: %s", error->message);
    const gint64 took = g_get_monotonic_time () - start;
    const gint64 next_save = start + took + CLAMP (3 * took, PAUSE, LONGEST_PAUSE);
    g_mutex_lock (&s->mutex);
    g_clear_error (&s->error);
    s->error = error;
    s->written = asked;
    g_cond_broadcast (&s->changed);
    while (!s->end && g_cond_wait_until (&s->changed, &s->mutex, next_save))
      ;
  }
  g_mutex_unlock (&s->mutex);
  return NULL;
}

Session *
session_new (const char *where, GError **error)
{
  g_autofree char *folder = folder_of_user (where);
  g_autofree char *stem = NULL;
  int lock = -1;
  if (g_mkdir_with_parents (folder, 0700)) {
    fail (error, folder);
    return NULL;
  }
  for (int attempt = 0; attempt < 20 && lock < 0; attempt++) {
    g_autofree char *name = g_strdup_printf ("%d-%08x", (int) getpid (), g_random_int ());
    g_free (stem);
    stem = g_build_filename (folder, name, NULL);
    lock = take_lock (stem, O_EXCL);
  }
  if (lock < 0) {
    fail (error, folder);
    return NULL;
  }
  Session *s = g_new0 (Session, 1);
  s->stem = g_steal_pointer (&stem);
  s->lock = lock;
  g_mutex_init (&s->mutex);
  g_cond_init (&s->changed);
  s->thread = g_thread_new ("session", write_thread, s);
  return s;
}

void
session_set (Session *s, GPtrArray *images)
{
  g_mutex_lock (&s->mutex);
  g_clear_pointer (&s->wanted, g_ptr_array_unref);
  s->wanted = images;
  s->asked++;
  g_cond_broadcast (&s->changed);
  g_mutex_unlock (&s->mutex);
}

gboolean
session_flush (Session *s, GError **error)
{
  g_mutex_lock (&s->mutex);
  while (s->written != s->asked)
    g_cond_wait (&s->changed, &s->mutex);
  if (s->error)
    g_propagate_error (error, g_error_copy (s->error));
  gboolean written = !s->error;
  g_mutex_unlock (&s->mutex);
  return written;
}

void
session_end (Session *s)
{
  g_mutex_lock (&s->mutex);
  s->end = TRUE;
  g_cond_broadcast (&s->changed);
  g_mutex_unlock (&s->mutex);
  g_thread_join (s->thread);
  remove_files (s->stem);
  close (s->lock);
  g_clear_error (&s->error);
  g_mutex_clear (&s->mutex);
  g_cond_clear (&s->changed);
  g_clear_pointer (&s->wanted, g_ptr_array_unref);
  g_free (s->stem);
  g_free (s);
}

/* ---- Orphans ---- */

static void
orphan_free (gpointer data)
{
  SessionOrphan *orphan = data;
  g_ptr_array_unref (orphan->images);
  close (orphan->lock);
  g_free (orphan->stem);
  g_free (orphan);
}

/* What the file says. NULL without *error: there is none. */
static char *
read_file (const char *path, gsize *n, GError **error)
{
  GError *fault = NULL;
  char *text = file_read_small (path, O_NOFOLLOW, LARGEST, n, &fault);
  if (g_error_matches (fault, FILE_ERROR, FILE_ERROR_MISSING))
    g_clear_error (&fault);
  if (fault)
    g_propagate_error (error, fault);
  return text;
}

static void
put_aside (const char *path, const GError *error, GPtrArray *faults)
{
  g_autofree char *aside = file_of (path, ".damaged"), *name = g_filename_display_name (path);
  g_rename (path, aside);
  if (faults)
    g_ptr_array_add (faults,
                     g_strdup_printf ("The last session cannot be restored from '%s': %s", name, error->message));
}

/* NULL when its process lives, or when there is nothing in it. */
static SessionOrphan *
adopt (const char *stem, GPtrArray *faults)
{
  g_autofree char *path = file_of (stem, ".session"), *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) images = NULL;
  gsize n;
  int lock = take_lock (stem, 0);
  if (lock < 0)
    return NULL;
  if ((text = read_file (path, &n, &error)))
    images = session_parse (text, n, &error);
  if (error)
    put_aside (path, error, faults);
  if (!images || !images->len) {
    g_autofree char *lock_path = file_of (stem, ".lock");
    if (error)
      g_unlink (lock_path);
    else
      remove_files (stem);
    close (lock);
    return NULL;
  }
  SessionOrphan *orphan = g_new (SessionOrphan, 1);
  *orphan = (SessionOrphan){g_steal_pointer (&images), g_strdup (stem), lock};
  return orphan;
}

/* Every stem once, the oldest name first. */
static GPtrArray *
stems_in (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *stems = g_ptr_array_new_with_free_func (g_free);
  const char *name;
  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *base = g_strdup (name);
    char *dot = strrchr (base, '.');
    if (!dot || (strcmp (dot, ".lock") && strcmp (dot, ".session")))
      continue;
    *dot = 0;
    char *stem = g_build_filename (folder, base, NULL);
    if (g_hash_table_add (known, stem))
      g_ptr_array_add (stems, stem);
    else
      g_free (stem);
  }
  return stems;
}

GPtrArray *
session_orphans (const char *where, GPtrArray *faults)
{
  g_autofree char *folder = folder_of_user (where);
  g_autoptr (GPtrArray) stems = stems_in (folder);
  GPtrArray *orphans = g_ptr_array_new_with_free_func (orphan_free);
  for (guint i = 0; i < stems->len; i++) {
    SessionOrphan *orphan = adopt (stems->pdata[i], faults);
    if (orphan)
      g_ptr_array_add (orphans, orphan);
  }
  return orphans;
}

gboolean
session_orphan_keep (SessionOrphan *orphan, GError **error)
{
  g_autofree char *text = session_format (orphan->images);
  if (*text)
    return write_file (orphan->stem, text, error);
  remove_files (orphan->stem);
  return TRUE;
}
