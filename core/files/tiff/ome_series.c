/* SPDX-License-Identifier: MIT
 */
#include "core/files/tiff/ome_series.h"

#include "core/base/file_read.h"

#include <string.h>

#define COMPANION_BYTES ((gsize) 256 << 20) /* larger ones are not read */

/* A file with such a text, and the others that it names. */
typedef struct Set {
  const FilesTiffFile *file;
  const GArray *pages; /* guint64: positions of its directories */
  FilesOme *ome;
  GPtrArray *others; /* names */
} Set;

/* ---- Files of a set ---- */

static char *
beside (const Set *set, const char *name)
{
  g_autofree char *folder = g_path_get_dirname (set->file->path), *plain = g_strdelimit (g_strdup (name), "\\", '/');
  g_autofree char *base = g_path_get_basename (plain);
  return g_build_filename (folder, base, NULL);
}

/* Whether all blocks of all images name the same file or none: then it is this one, even if it was renamed. */
static gboolean
is_alone (const FilesOme *ome)
{
  const char *name = NULL;
  for (guint i = 0; i < ome->images->len; i++) {
    const FilesOmeImage *image = ome->images->pdata[i];
    for (guint j = 0; j < image->blocks->len; j++) {
      const FilesOmeBlock *block = &g_array_index (image->blocks, FilesOmeBlock, j);
      if (block->file && name && block->file != name)
        return FALSE;
      name = block->file ? block->file : name;
    }
  }
  return TRUE;
}

/* The number of the file that a block is in, or -1 when it is not there. known: by the names, of which there is one each. */
static gint
file_of_block (Set *set, const FilesOmeBlock *block, gboolean alone, GHashTable *known)
{
  g_autofree char *own = g_path_get_basename (set->file->path), *path = NULL;
  gpointer number;
  if (!block->file || alone || !strcmp (block->file, own)
      || (block->uuid && set->ome->uuid && !strcmp (block->uuid, set->ome->uuid)))
    return 0;
  if (g_hash_table_lookup_extended (known, block->file, NULL, &number))
    return GPOINTER_TO_INT (number);
  path = beside (set, block->file);
  number = GINT_TO_POINTER (-1);
  if (g_file_test (path, G_FILE_TEST_IS_REGULAR) && set->others->len < G_MAXUINT16) {
    g_ptr_array_add (set->others, g_steal_pointer (&path));
    number = GINT_TO_POINTER ((gint) set->others->len);
  }
  g_hash_table_insert (known, (gpointer) block->file, number);
  return GPOINTER_TO_INT (number);
}

/* The metadata of a set can be in a file of its own, which the others name. */
static void
read_companion (Set *set)
{
  g_autofree char *path = NULL, *text = NULL;
  FilesOme *companion;
  gsize size;
  if (!set->ome->companion || set->ome->images->len > 0)
    return;
  path = beside (set, set->ome->companion);
  text = file_read_small (path, 0, COMPANION_BYTES, &size, NULL);
  if (!text || !files_ome_is (text))
    return;
  companion = files_ome_parse (text, NULL);
  if (companion) {
    files_ome_free (set->ome);
    set->ome = companion;
    g_ptr_array_add (set->others, g_steal_pointer (&path));
  }
}

/* ---- Planes ---- */

/* Position of a plane of pages in the order of dimensions, and back. sizes, at: of z, c, t. */
static gint64
to_order (const char *order, const gint64 sizes[3], const gint64 at[3])
{
  gint64 n = 0;
  for (int i = 2; i >= 0; i--) {
    int axis = order[i] == 'Z' ? 0 : order[i] == 'C' ? 1 : 2;
    n = n * sizes[axis] + at[axis];
  }
  return n;
}

static void
from_order (const char *order, const gint64 sizes[3], gint64 n, gint64 at[3])
{
  for (int i = 0; i < 3; i++) {
    int axis = order[i] == 'Z' ? 0 : order[i] == 'C' ? 1 : 2;
    at[axis] = n % sizes[axis];
    n /= sizes[axis];
  }
}

/* Enters a run of planes; pages that this file does not have are left out. Returns how many it entered. */
static gint64
enter_block (const Set *set, const FilesOmeImage *image, const gint64 sizes[3], const FilesOmeBlock *block, gint file,
             FilesTiffPlane *planes)
{
  gint64 total = sizes[0] * sizes[1] * sizes[2], page = MAX (block->page, 0);
  gint64 at[3] = {block->z, block->c < sizes[1] ? block->c : block->c * sizes[1] / image->channels, block->t}, first, n,
         i;
  for (i = 0; i < 3; i++)
    if (at[i] < 0 || at[i] >= sizes[i])
      return 0;
  first = to_order (image->order, sizes, at);
  n = block->count >= 0 ? block->count : block->page >= 0 ? 1 : total;
  for (i = 0; i < n && first + i < total && (file > 0 || page + i < set->pages->len); i++) {
    from_order (image->order, sizes, first + i, at);
    planes[(at[2] * sizes[1] + at[1]) * sizes[0] + at[0]] = (FilesTiffPlane){(guint32) (page + i), 0, (guint16) file};
  }
  return i;
}

/* Samples of a pixel: what the file has, where the image's first page is in it, else what the text says. */
static gint64
samples_of (const Set *set, const FilesOmeImage *image, gint file)
{
  const FilesOmeBlock *block = image->blocks->len > 0 ? &g_array_index (image->blocks, FilesOmeBlock, 0) : NULL;
  gint64 at = block ? MAX (block->page, 0) : 0;
  FilesTiffPage page;
  if (file == 0 && at < set->pages->len
      && files_tiff_page_read (set->file, g_array_index (set->pages, guint64, at), at + 1, &page, NULL))
    return page.samples;
  return image->channel->len > 0 ? ((FilesOmeChannel *) image->channel->pdata[0])->samples : 1;
}

/* ---- What is missing ---- */

static FilesTiffPlane *
plane_at (FilesTiffSeries *s, gint64 t, gint64 c, gint64 z)
{
  return &g_array_index (s->planes, FilesTiffPlane, (t * s->channels + c) * s->depth + z);
}

/* Whether all planes with index i along an axis (0 z, 1 c, 2 t) are there. */
static gboolean
complete (FilesTiffSeries *s, int axis, gint64 i)
{
  for (gint64 t = axis == 2 ? i : 0; t < (axis == 2 ? i + 1 : s->frames); t++)
    for (gint64 c = axis == 1 ? i : 0; c < (axis == 1 ? i + 1 : s->channels); c++)
      for (gint64 z = axis == 0 ? i : 0; z < (axis == 0 ? i + 1 : s->depth); z++)
        if (plane_at (s, t, c, z)->page == FILES_TIFF_NO_PAGE)
          return FALSE;
  return TRUE;
}

/* Keeps the given indices along an axis. */
static void
keep (FilesTiffSeries *s, int axis, const GArray *kept)
{
  g_autoptr (GArray) planes = g_array_new (FALSE, FALSE, sizeof (FilesTiffPlane));
  gint64 sizes[3] = {s->depth, s->channels, s->frames};
  sizes[axis] = kept->len;
  for (gint64 t = 0; t < sizes[2]; t++)
    for (gint64 c = 0; c < sizes[1]; c++)
      for (gint64 z = 0; z < sizes[0]; z++) {
        gint64 at[3] = {z, c, t};
        at[axis] = g_array_index (kept, gint64, at[axis]);
        g_array_append_vals (planes, plane_at (s, at[2], at[1], at[0]), 1);
      }
  g_array_unref (s->planes);
  s->planes = g_steal_pointer (&planes);
  s->depth = sizes[0];
  s->channels = sizes[1];
  s->frames = sizes[2];
}

/* Leaves out what is not there; FALSE when nothing complete remains. */
static gboolean
trim (FilesTiffSeries *s)
{
  const int axes[] = {2, 0, 1};
  for (int i = 0; i < 3; i++) {
    gint64 size = axes[i] == 2 ? s->frames : axes[i] == 0 ? s->depth : s->channels;
    g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (gint64));
    for (gint64 j = 0; j < size; j++)
      if (complete (s, axes[i], j))
        g_array_append_val (kept, j);
    if (kept->len == size)
      return TRUE;
    if (kept->len == 0)
      continue;
    keep (s, axes[i], kept);
    if (axes[i] == 1)
      s->kept = g_steal_pointer (&kept);
    return TRUE;
  }
  return FALSE;
}

/* ---- The whole ---- */

/* How many planes a text and a file of this size can be about, all images together: each plane needs a page here, or a few
 * words about other files. */
static guint64
most_planes (const Set *set)
{
  return MAX (set->pages->len, MIN (set->ome->length * 1024, 1 << 23));
}

/* Whether an image of these sizes has no more than *left planes, which it then takes. */
static gboolean
believable (const gint64 sizes[3], guint64 *left)
{
  guint64 n;
  if (!g_uint64_checked_mul (&n, (guint64) sizes[0], (guint64) sizes[1])
      || !g_uint64_checked_mul (&n, n, (guint64) sizes[2]) || n > *left)
    return FALSE;
  *left -= n;
  return TRUE;
}

static FilesTiffSeries *
image_series (Set *set, const FilesOmeImage *image, gboolean alone, GHashTable *known, guint64 *planes_left)
{
  static const FilesOmeBlock everything = {.page = -1, .count = -1};
  guint n = MAX (image->blocks->len, 1);
  const FilesOmeBlock *blocks =
    image->blocks->len > 0 ? (const FilesOmeBlock *) (void *) image->blocks->data : &everything;
  gint64 samples = samples_of (set, image, file_of_block (set, blocks, alone, known));
  gint64 sizes[3] = {image->depth, image->channels / samples, image->frames};
  g_autoptr (FilesTiffSeries) s = NULL;
  gint64 left;
  if (image->channels % samples != 0 || !believable (sizes, planes_left))
    return NULL;
  s = files_tiff_series_new (sizes[1], sizes[0], sizes[2]);
  s->ome = image;
  g_array_set_size (s->planes, (guint) (sizes[0] * sizes[1] * sizes[2]));
  memset (s->planes->data, 0xff, s->planes->len * sizeof (FilesTiffPlane));
  left = 2 * (gint64) s->planes->len; /* runs that overlap must not take for ever */
  for (guint i = 0; i < n && left > 0; i++) {
    gint file = file_of_block (set, &blocks[i], alone, known);
    if (file >= 0)
      left -= enter_block (set, image, sizes, &blocks[i], file, (FilesTiffPlane *) (void *) s->planes->data);
  }
  return trim (s) ? g_steal_pointer (&s) : NULL;
}

gboolean
files_tiff_ome_series (const FilesTiffFile *file, const GArray *pages, FilesOme **ome, GPtrArray *series,
                       GPtrArray *others)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  Set set = {file, pages, *ome, others};
  guint64 planes_left;
  gboolean alone;
  read_companion (&set);
  *ome = set.ome;
  planes_left = most_planes (&set);
  alone = is_alone (set.ome);
  for (guint i = 0; i < set.ome->images->len; i++) {
    FilesTiffSeries *found = image_series (&set, set.ome->images->pdata[i], alone, known, &planes_left);
    if (found)
      g_ptr_array_add (series, found);
  }
  return series->len > 0;
}
