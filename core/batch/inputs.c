/* SPDX-License-Identifier: MIT
 *
 * A folder is read once and its files are not looked at: what the system says of their kind while it lists them has to do.
 */
#include "core/batch/inputs.h"

#include "core/base/error.h"
#include "core/base/file_hash.h"
#include "core/base/file_source.h"
#include "core/base/text.h"
#include "core/base/natural.h"
#include "core/base/progress.h"
#include "core/files/formats.h"
#include "core/files/plate/pattern.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 256 }; /* folders in folders */

typedef struct {
  BatchInputs *inputs;
  struct stat about_out;
  gboolean have_out, of_batch;
} Listing;

static void
clear_input (gpointer data)
{
  BatchInput *input = data;
  g_free (input->path);
  g_free (input->fault);
}

/* Takes both. */
static void
add (const Listing *l, char *path, char *fault)
{
  BatchInput input = {path, fault};
  g_array_append_val (l->inputs->files, input);
}

static void
add_fault (const Listing *l, const char *path, const char *what, int fault)
{
  g_autofree char *name = text_from_bytes (path);
  add (l, g_strdup (path), g_strdup_printf ("'%s' %s: %s.", name, what, g_strerror (fault)));
}

char *
batch_inputs_resolve (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  char *real = realpath (folder, NULL), *absolute = NULL, *resolved;
  if (!real)
    absolute = g_canonicalize_filename (folder, NULL);
  resolved = g_build_filename (real ? real : absolute, name, NULL);
  free (real);
  g_free (absolute);
  return resolved;
}

/* ---- Folders ---- */

/* DT_DIR, DT_REG or something else; of a link what it leads to, unless that is a folder. What cannot be looked at is taken for a file, so that it
 * is not forgotten. */
static int
kind_of (const char *path, int listed)
{
  struct stat about;
  if (listed != DT_UNKNOWN && listed != DT_LNK)
    return listed;
  if (listed == DT_UNKNOWN && !lstat (path, &about) && S_ISDIR (about.st_mode))
    return DT_DIR;
  return stat (path, &about) || S_ISREG (about.st_mode) ? DT_REG : DT_UNKNOWN;
}

static gboolean
is_out (const Listing *l, const char *path)
{
  struct stat about;
  return l->have_out && !stat (path, &about) && about.st_dev == l->about_out.st_dev
         && about.st_ino == l->about_out.st_ino;
}

/* Whether a batch has put its outputs there. Also TRUE when its manifests contradict each other. */
static gboolean
has_batch (const char *folder)
{
  guint shards;
  return !batch_journal_shards (folder, &shards, NULL) || shards;
}

static void
list_folder (const Listing *l, const char *folder, guint depth)
{
  DIR *dir = opendir (folder);
  if (!dir) {
    add_fault (l, folder, "cannot be read", errno);
    return;
  }
  for (struct dirent *entry; !progress_stopped (NULL) && (errno = 0, entry = readdir (dir));) {
    if (*entry->d_name == '.' || (entry->d_type == DT_REG && !formats_is_image_name (entry->d_name)))
      continue;
    char *path = g_build_filename (folder, entry->d_name, NULL);
    int kind = kind_of (path, entry->d_type);
    if (kind == DT_REG && formats_is_image_name (entry->d_name)) {
      add (l, path, NULL);
      continue;
    }
    if (kind == DT_DIR && formats_is_image_folder (path)) {
      add (l, path, NULL);
      continue;
    }
    if (kind == DT_DIR && depth == DEEPEST)
      add_fault (l, path, "cannot be read", ELOOP);
    else if (kind == DT_DIR && !is_out (l, path) && !has_batch (path))
      list_folder (l, path, depth + 1);
    g_free (path);
  }
  if (errno)
    add_fault (l, folder, "cannot be read to its end", errno);
  closedir (dir);
}

/* ---- What is named ---- */

static gboolean
add_there (const Listing *l, const char *name, const struct stat *about, GError **error)
{
  g_autofree char *shown = text_from_bytes (name);
  char *real;
  if (!S_ISDIR (about->st_mode) || formats_is_image_folder (name)) {
    add (l, batch_inputs_resolve (name), NULL);
    return TRUE;
  }
  if (is_out (l, name)) {
    step_error_set (error, FV_BAD_ARGUMENT, "inputs",
                    "'%s' is also the output folder, and outputs would become inputs. Choose another output "
                    "folder.",
                    shown);
    return FALSE;
  }
  if (l->of_batch && has_batch (name)) {
    step_error_set (error, FV_BAD_ARGUMENT, "inputs",
                    "'%s' contains the outputs of a batch (manifest.jsonl). Name the files or subfolders in "
                    "it that are inputs.",
                    shown);
    return FALSE;
  }
  if ((real = realpath (name, NULL)))
    list_folder (l, real, 0);
  free (real);
  return TRUE;
}

static gboolean
add_pattern (const Listing *l, const char *pattern, GError **error)
{
  g_autofree char *shown = text_from_bytes (pattern);
  glob_t found = {0};
  gboolean done = !glob (pattern, 0, NULL, &found);
  if (!done)
    step_error_set (error, FV_BAD_ARGUMENT, "inputs", "No file matches '%s'.", shown);
  for (gsize i = 0; done && i < found.gl_pathc; i++) {
    struct stat about;
    if (!stat (found.gl_pathv[i], &about) && !(S_ISDIR (about.st_mode) && has_batch (found.gl_pathv[i])))
      done = add_there (l, found.gl_pathv[i], &about, error);
  }
  globfree (&found);
  return done;
}

/* It is below the folder of all inputs as a path would be, and outputs are called after it. */
static gboolean
add_url (const Listing *l, const char *url, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (url, "/", -1);
  g_autofree char *shown = text_from_bytes (url);
  if (g_str_has_suffix (url, "/") || g_strv_contains ((const char *const *) parts, "..")) {
    step_error_set (error, FV_BAD_ARGUMENT, "inputs", "'%s' must name a file, and must not contain '..'.", shown);
    return FALSE;
  }
  add (l, g_strdup (url), NULL);
  return TRUE;
}

static gboolean
add_named (const Listing *l, const char *name, GError **error)
{
  struct stat about;
  if (!*name)
    return TRUE;
  if (file_source_is_url (name))
    return add_url (l, name, error);
  if (!stat (name, &about))
    return add_there (l, name, &about, error);
  if (errno == ENOENT && strpbrk (name, "*?[") && !plate_pattern_is (name))
    return add_pattern (l, name, error);
  add (l, batch_inputs_resolve (name), NULL); /* to open it says why it cannot be */
  return TRUE;
}

/* ---- All ---- */

static int
compare (gconstpointer a, gconstpointer b)
{
  return natural_compare (((const BatchInput *) a)->path, ((const BatchInput *) b)->path);
}

/* Each file once. */
static void
sort (GArray *files)
{
  guint kept = 0;
  g_array_sort (files, compare);
  for (guint i = 0; i < files->len; i++) {
    BatchInput *input = &g_array_index (files, BatchInput, i);
    if (kept && !strcmp (g_array_index (files, BatchInput, kept - 1).path, input->path)) {
      clear_input (input);
      continue;
    }
    g_array_index (files, BatchInput, kept++) = *input;
  }
  g_array_set_clear_func (files, NULL); /* those behind are copies */
  g_array_set_size (files, kept);
  g_array_set_clear_func (files, clear_input);
}

/* What all paths have in common, up to and with a '/'. */
static char *
common_folder (const GArray *files)
{
  const char *first = g_array_index (files, BatchInput, 0).path;
  gsize n = (gsize) (strrchr (first, '/') - first) + 1;
  for (guint i = 1; i < files->len; i++) {
    const char *path = g_array_index (files, BatchInput, i).path;
    gsize same = 0;
    while (same < n && path[same] == first[same])
      same++;
    while (same && first[same - 1] != '/')
      same--;
    n = same;
  }
  return g_strndup (first, n);
}

static BatchInputs *
new_inputs (void)
{
  BatchInputs *inputs = g_new0 (BatchInputs, 1);
  inputs->files = g_array_new (FALSE, FALSE, sizeof (BatchInput));
  g_array_set_clear_func (inputs->files, clear_input);
  return inputs;
}

/* Takes the inputs. */
static BatchInputs *
put_in_order (BatchInputs *inputs, GError **error)
{
  if (!inputs->files->len) {
    step_error_set (error, FV_BAD_ARGUMENT, "inputs",
                    "No image files found: folders are searched for .tif, .fits, .png, .jpg and other image "
                    "files.");
    batch_inputs_free (inputs);
    return NULL;
  }
  sort (inputs->files);
  inputs->folder = common_folder (inputs->files);
  if (*inputs->folder)
    return inputs;
  step_error_set (error, FV_BAD_ARGUMENT, "inputs",
                  "Files and URLs, or URLs of different schemes, cannot be in one batch. Run one for each.");
  batch_inputs_free (inputs);
  return NULL;
}

BatchInputs *
batch_inputs_new (const char *const *names, const char *out, GError **error)
{
  g_autoptr (BatchInputs) inputs = new_inputs ();
  Listing l = {.inputs = inputs};
  l.of_batch = *out != 0;
  l.have_out = !stat (out, &l.about_out);
  for (; *names; names++)
    if (!add_named (&l, *names, error) || progress_stopped (error))
      return NULL;
  return put_in_order (g_steal_pointer (&inputs), error);
}

BatchInputs *
batch_inputs_of_files (const char *const *names, GError **error)
{
  g_autoptr (BatchInputs) inputs = new_inputs ();
  const Listing l = {.inputs = inputs};
  for (; *names; names++)
    if (file_source_is_url (*names)) {
      if (!add_url (&l, *names, error))
        return NULL;
    } else if (**names)
      add (&l, g_canonicalize_filename (*names, NULL), NULL);
  return put_in_order (g_steal_pointer (&inputs), error);
}

void
batch_inputs_free (BatchInputs *inputs)
{
  if (inputs->files)
    g_array_unref (inputs->files);
  g_free (inputs->folder);
  g_free (inputs);
}

const BatchInput *
batch_input (const BatchInputs *inputs, guint i)
{
  return &g_array_index (inputs->files, BatchInput, i);
}

const char *
batch_input_name (const BatchInputs *inputs, guint i)
{
  return batch_input (inputs, i)->path + strlen (inputs->folder);
}

gboolean
batch_inputs_find (const BatchInputs *inputs, const char *name, guint *number)
{
  g_autofree char *path = g_strconcat (inputs->folder, name, NULL);
  const BatchInput wanted = {path, NULL};
  return g_array_binary_search (inputs->files, &wanted, compare, number);
}

guint
batch_inputs_of_shard (const BatchInputs *inputs, BatchShard shard)
{
  const guint all = inputs->files->len;
  return all > shard.number ? (all - shard.number - 1) / shard.of + 1 : 0;
}

void
batch_inputs_hash (const BatchInputs *inputs, char *hash)
{
  g_autoptr (GString) all = g_string_new (NULL);
  for (guint i = 0; i < inputs->files->len; i++)
    g_string_append_len (all, batch_input_name (inputs, i), (gssize) strlen (batch_input_name (inputs, i)) + 1);
  file_hash_of_text (all->str, all->len, hash);
}
