/* SPDX-License-Identifier: MIT
 *
 * No input is looked at until one is found that is a part of a set.
 */
#include "core/batch/sets.h"

#include <sys/stat.h>

typedef struct {
  dev_t device;
  ino_t inode;
} Id;

struct BatchSets {
  const BatchInputs *inputs;
  GMutex lock;
  GHashTable *numbers; /* Id -> number of the first input that is this file; NULL: not known yet */
  GHashTable *members; /* number of an input that came first -> the set of Id of all its files */
};

static guint
id_hash (gconstpointer data)
{
  const Id *id = data;
  return g_int64_hash (&(gint64){(gint64) id->inode}) ^ (guint) id->device;
}

static gboolean
id_equal (gconstpointer a, gconstpointer b)
{
  const Id *one = a, *other = b;
  return one->device == other->device && one->inode == other->inode;
}

/* NULL: it is not there. Free with g_free(). */
static Id *
id_of (const char *path)
{
  struct stat about;
  const Id id = stat (path, &about) ? (Id){0, 0} : (Id){about.st_dev, about.st_ino};
  return id.inode ? g_memdup2 (&id, sizeof id) : NULL;
}

BatchSets *
batch_sets_new (const BatchInputs *inputs)
{
  BatchSets *sets = g_new0 (BatchSets, 1);
  sets->inputs = inputs;
  sets->members = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  g_mutex_init (&sets->lock);
  return sets;
}

void
batch_sets_free (BatchSets *sets)
{
  g_clear_pointer (&sets->numbers, g_hash_table_unref);
  g_hash_table_unref (sets->members);
  g_mutex_clear (&sets->lock);
  g_free (sets);
}

/* ---- With the lock held ---- */

static void
look_at_inputs (BatchSets *sets)
{
  if (sets->numbers)
    return;
  sets->numbers = g_hash_table_new_full (id_hash, id_equal, g_free, NULL);
  for (guint i = 0; i < sets->inputs->files->len; i++) {
    Id *id = id_of (batch_input (sets->inputs, i)->path);
    if (id && !g_hash_table_contains (sets->numbers, id))
      g_hash_table_insert (sets->numbers, id, GUINT_TO_POINTER (i));
    else
      g_free (id);
  }
}

/* The files that images are read from, theirs among them. */
static GHashTable *
new_members (const FilesImages *images, const char *path)
{
  GHashTable *members = g_hash_table_new_full (id_hash, id_equal, g_free, NULL);
  const GPtrArray *others = images ? files_images_others (images) : NULL;
  for (guint i = 0; others && i <= others->len; i++) {
    Id *id = id_of (i < others->len ? others->pdata[i] : path);
    if (id)
      g_hash_table_add (members, id);
  }
  return members;
}

/* Those of an input that is not open. */
static GHashTable *
members_of (BatchSets *sets, guint input)
{
  const char *path = batch_input (sets->inputs, input)->path;
  GHashTable *members = g_hash_table_lookup (sets->members, GUINT_TO_POINTER (input));
  if (members)
    return members;
  g_autoptr (FilesImages) images = files_images_new (path, NULL);
  members = new_members (images, path);
  g_hash_table_insert (sets->members, GUINT_TO_POINTER (input), members);
  return members;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  return (*(const guint *) a > *(const guint *) b) - (*(const guint *) a < *(const guint *) b);
}

/* The inputs among the files of some images, in order: array of guint. */
static GArray *
inputs_of (BatchSets *sets, guint input, const FilesImages *images)
{
  g_autoptr (GHashTable) members = new_members (images, batch_input (sets->inputs, input)->path);
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  GHashTableIter iter;
  gpointer member, number;
  look_at_inputs (sets);
  g_hash_table_iter_init (&iter, members);
  while (g_hash_table_iter_next (&iter, &member, NULL))
    if (g_hash_table_lookup_extended (sets->numbers, member, NULL, &number)) {
      guint n = GPOINTER_TO_UINT (number);
      g_array_append_val (numbers, n);
    }
  g_array_sort (numbers, compare_numbers);
  return numbers;
}

/* ---- All ---- */

guint
batch_sets_owner (BatchSets *sets, guint input, const FilesImages *images)
{
  guint owner = input;
  if (!files_images_others (images))
    return input;
  g_autofree Id *id = id_of (batch_input (sets->inputs, input)->path);
  g_mutex_lock (&sets->lock);
  g_autoptr (GArray) numbers = inputs_of (sets, input, images);
  for (guint i = 0; id && i < numbers->len && owner == input && g_array_index (numbers, guint, i) < input; i++)
    if (g_hash_table_contains (members_of (sets, g_array_index (numbers, guint, i)), id))
      owner = g_array_index (numbers, guint, i);
  g_mutex_unlock (&sets->lock);
  return owner;
}

const char **
batch_sets_names (BatchSets *sets, guint input, const FilesImages *images)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  if (!files_images_others (images))
    return NULL;
  g_mutex_lock (&sets->lock);
  g_autoptr (GArray) numbers = inputs_of (sets, input, images);
  g_mutex_unlock (&sets->lock);
  for (guint i = 0; i < numbers->len; i++)
    if (g_array_index (numbers, guint, i) != input)
      g_ptr_array_add (names, (gpointer) batch_input_name (sets->inputs, g_array_index (numbers, guint, i)));
  g_ptr_array_add (names, NULL);
  return (const char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}
