/* SPDX-License-Identifier: MIT
 */
#include "core/files/tiff/ome_series.h"

#include "core/base/file_read.h"
#include "core/files/shared/complete.h"

#include <stdlib.h>
#include <string.h>

#define COMPANION_BYTES ((gsize) 256 << 20) /* larger ones are not read */

/* A file with such a text, and the others that it names. */
typedef struct Set {
  const FilesTiffFile *file;
  const GArray *pages; /* guint64: positions of its directories */
  FilesOme *ome;
  GPtrArray *others;  /* names */
  GString *left_out;  /* what is missing, in words */
  GPtrArray *missing; /* names of files that are not there; the texts are the blocks' */
  const char *target; /* the file's path without links */
  gint unnamed;       /* number of the file in which blocks are that name none */
} Set;

enum { MAX_TOLD = 3 };

/* ---- Files of a set ---- */

/* Beside the file, or, of a file that was reached through a link, beside what that leads to. */
static char *
beside (const Set *set, const char *name)
{
  g_autofree char *folder = g_path_get_dirname (set->file->path), *plain = g_strdelimit (g_strdup (name), "\\", '/'),
                  *target = g_path_get_dirname (set->target);
  g_autofree char *base = g_path_get_basename (plain), *here = g_build_filename (folder, base, NULL);
  return g_file_test (here, G_FILE_TEST_EXISTS) ? g_steal_pointer (&here) : g_build_filename (target, base, NULL);
}

/* Whether a name is that of the file itself, also when it was reached through a link. */
static gboolean
is_own (const Set *set, const char *name)
{
  g_autofree char *own = g_path_get_basename (set->file->path), *target = g_path_get_basename (set->target);
  return !strcmp (name, own) || !strcmp (name, target);
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
  g_autofree char *path = NULL;
  gpointer number;
  if (!block->file && !alone)
    return set->unnamed;
  if (alone || is_own (set, block->file) || (block->uuid && set->ome->uuid && !strcmp (block->uuid, set->ome->uuid)))
    return 0;
  if (g_hash_table_lookup_extended (known, block->file, NULL, &number))
    return GPOINTER_TO_INT (number);
  path = beside (set, block->file);
  number = GINT_TO_POINTER (-1);
  if (set->unnamed && !strcmp (path, set->others->pdata[set->unnamed - 1]))
    number = GINT_TO_POINTER (set->unnamed);
  else if (g_file_test (path, G_FILE_TEST_IS_REGULAR) && set->others->len < G_MAXUINT16) {
    g_ptr_array_add (set->others, g_steal_pointer (&path));
    number = GINT_TO_POINTER ((gint) set->others->len);
  } else
    g_ptr_array_add (set->missing, (gpointer) block->file);
  g_hash_table_insert (known, (gpointer) block->file, number);
  return GPOINTER_TO_INT (number);
}

/* The text of a file that has the metadata: a text, or that of an image. NULL: there is none. */
static char *
read_metadata (const char *path, gboolean *is_image)
{
  g_autoptr (FilesTiffFile) file = files_tiff_file_open (path, NULL);
  FilesTiffPage page;
  gsize size;
  *is_image = file != NULL;
  if (!file)
    return file_read_small (path, 0, COMPANION_BYTES, &size, NULL);
  return file->first && files_tiff_page_read (file, file->first, 1, &page, NULL)
           ? files_tiff_bytes (file, &page.description)
           : NULL;
}

/* The metadata of a set can be in a file of its own, or in one of its images, which the others name. */
static void
read_companion (Set *set)
{
  g_autofree char *path = NULL, *text = NULL;
  FilesOme *companion;
  gboolean is_image;
  if (!set->ome->companion || set->ome->images->len > 0)
    return;
  path = beside (set, set->ome->companion);
  text = read_metadata (path, &is_image);
  if (!text || !files_ome_is (text) || !(companion = files_ome_parse (text, NULL)))
    return;
  g_free (companion->uuid);
  companion->uuid = g_steal_pointer (&set->ome->uuid);
  files_ome_free (set->ome);
  set->ome = companion;
  g_ptr_array_add (set->others, g_steal_pointer (&path));
  set->unnamed = is_image ? (gint) set->others->len : 0;
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

static guint
absent_planes (const FilesTiffSeries *s)
{
  guint n = 0;
  for (guint i = 0; i < s->planes->len; i++)
    n += g_array_index (s->planes, FilesTiffPlane, i).page == FILES_TIFF_NO_PAGE;
  return n;
}

/* Keeps the given indices along an axis of files_complete_find(). */
static void
keep (FilesTiffSeries *s, int axis, const GArray *kept)
{
  g_autoptr (GArray) planes = g_array_new (FALSE, FALSE, sizeof (FilesTiffPlane));
  gint64 sizes[3] = {s->depth, s->channels, s->frames};
  sizes[axis] = kept->len;
  for (gint64 t = 0; t < sizes[FILES_FRAMES]; t++)
    for (gint64 c = 0; c < sizes[FILES_CHANNELS]; c++)
      for (gint64 z = 0; z < sizes[FILES_SLICES]; z++) {
        gint64 at[3] = {z, c, t};
        at[axis] = g_array_index (kept, gint64, at[axis]);
        g_array_append_vals (planes, plane_at (s, at[FILES_FRAMES], at[FILES_CHANNELS], at[FILES_SLICES]), 1);
      }
  g_array_unref (s->planes);
  s->planes = g_steal_pointer (&planes);
  s->depth = sizes[FILES_SLICES];
  s->channels = sizes[FILES_CHANNELS];
  s->frames = sizes[FILES_FRAMES];
}

static gboolean
is_there (gconstpointer series, gint64 plane)
{
  return g_array_index (((const FilesTiffSeries *) series)->planes, FilesTiffPlane, plane).page != FILES_TIFF_NO_PAGE;
}

/* Notes which channels remain; kept: of those that remained before. */
static void
keep_channels (FilesTiffSeries *s, GArray *kept)
{
  for (guint i = 0; s->kept && i < kept->len; i++)
    g_array_index (kept, gint64, i) = g_array_index (s->kept, gint64, g_array_index (kept, gint64, i));
  if (s->kept)
    g_array_unref (s->kept);
  s->kept = kept;
}

/* Leaves out what is not there; FALSE when nothing complete remains. */
static gboolean
trim (FilesTiffSeries *s)
{
  for (;;) {
    const gint64 sizes[3] = {s->depth, s->channels, s->frames};
    g_autoptr (GArray) kept = NULL;
    int axis;
    if (!files_complete_find (sizes, is_there, s, &axis, &kept))
      return FALSE;
    if (!kept)
      return TRUE;
    keep (s, axis, kept);
    if (axis == FILES_CHANNELS)
      keep_channels (s, g_steal_pointer (&kept));
  }
}

/* Notes planes that the metadata declare but the files lack. */
static void
note_planes (const Set *set, const FilesOmeImage *image, guint all, guint absent, guint kept)
{
  if (kept == all)
    return;
  g_string_append_printf (set->left_out, "%s%u of the %u planes", set->left_out->len ? ", " : "", all - kept, all);
  if (set->ome->images->len > 1 && image->name)
    g_string_append_printf (set->left_out, " of '%s'", image->name);
  if (absent == all - kept)
    g_string_append (set->left_out, ", which are missing");
  else
    g_string_append_printf (set->left_out, ", as %u %s missing", absent, absent == 1 ? "is" : "are");
}

static void
note_files (const Set *set)
{
  for (guint i = 0; i < MIN (set->missing->len, MAX_TOLD); i++) {
    g_autofree char *plain = g_strdelimit (g_strdup (set->missing->pdata[i]), "\\", '/'),
                    *name = g_path_get_basename (plain);
    g_string_append_printf (set->left_out, "%s%s'%s'", set->left_out->len ? ", " : "",
                            i ? "" : "files that are not there: ", name);
  }
  if (set->missing->len > MAX_TOLD)
    g_string_append_printf (set->left_out, " and %u more", set->missing->len - MAX_TOLD);
}

/* ---- The whole ---- */

/* How many planes a text and a file of this size can be about, all images together: each plane needs a page here, or a few
 * words about other files. */
static guint64
max_planes (const Set *set)
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
  const guint all = s->planes->len, absent = absent_planes (s);
  const gboolean some = trim (s);
  note_planes (set, image, all, absent, some ? s->planes->len : 0);
  return some ? g_steal_pointer (&s) : NULL;
}

gboolean
files_tiff_ome_series (const FilesTiffFile *file, const GArray *pages, FilesOme **ome, GPtrArray *series,
                       GPtrArray *others, GString *left_out)
{
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autofree char *target = realpath (file->path, NULL);
  Set set = {.file = file,
             .pages = pages,
             .ome = *ome,
             .others = others,
             .left_out = left_out,
             .missing = missing,
             .target = target ? target : file->path};
  guint64 planes_left;
  gboolean alone;
  read_companion (&set);
  *ome = set.ome;
  planes_left = max_planes (&set);
  alone = !set.unnamed && is_alone (set.ome);
  for (guint i = 0; i < set.ome->images->len; i++) {
    FilesTiffSeries *found = image_series (&set, set.ome->images->pdata[i], alone, known, &planes_left);
    if (found)
      g_ptr_array_add (series, found);
  }
  if (series->len == 0)
    g_string_truncate (left_out, 0); /* the pages are taken as they are */
  else
    note_files (&set);
  return series->len > 0;
}
