/* SPDX-License-Identifier: MIT
 *
 * In this order: ImageJ's, MetaMorph's and tifffile's files with one directory for many planes; OME; pages that are alike.
 * A text that contradicts the pages is not believed.
 */
#include "core/files/tiff/layout.h"

#include "core/base/file_error.h"
#include "core/base/file_name.h"
#include "core/files/tiff/aperio.h"
#include "core/files/tiff/groups.h"
#include "core/files/tiff/ome_series.h"
#include "core/files/tiff/shaped_series.h"

#include <string.h>
#include <tiffio.h>

#define MAX_PLANES (1 << 27) /* behind one directory */

/* ---- Series ---- */

/* Makes a hyperstack of pages that run in that order: as ImageJ has them. pages: their numbers; NULL: 0, 1, ... */
static FilesTiffSeries *
hyperstack (const char *order, const guint32 *pages, gint64 channels, gint64 depth, gint64 frames)
{
  const gint64 sizes[] = {channels, depth, frames};
  FilesTiffSeries *series = files_tiff_series_new (channels, depth, frames);
  for (gint64 t = 0; t < frames; t++)
    for (gint64 c = 0; c < channels; c++)
      for (gint64 z = 0; z < depth; z++) {
        guint32 n = (guint32) files_imagej_plane (order, sizes, (const gint64[]){c, z, t});
        FilesTiffPlane plane = {.page = pages ? pages[n] : n};
        g_array_append_val (series->planes, plane);
      }
  return series;
}

/* Whether a * b * c = n, all below 2^31. */
static gboolean
multiply_to (gint64 a, gint64 b, gint64 c, gint64 n)
{
  return a * b <= n && a * b * c == n;
}

/* `n` pages as ImageJ's text says, if it can be true: three samples are three of its channels. */
static FilesTiffSeries *
imagej_hyperstack (const FilesImagej *ij, const guint32 *pages, gint64 n, guint samples)
{
  gint64 channels = ij->channels;
  FilesTiffSeries *series;
  if (samples > 1 && channels % samples == 0 && multiply_to (channels / samples, ij->slices, ij->frames, n))
    channels /= samples;
  series = multiply_to (channels, ij->slices, ij->frames, n)
             ? hyperstack (ij->order, pages, channels, ij->slices, ij->frames)
             : hyperstack ("czt", pages, 1, n, 1);
  series->imagej = TRUE;
  return series;
}

/* ---- More planes than directories ---- */

/* Whether `n` strips of a page follow each other from `at` on. planes: that have all their strips one after the other. */
static gboolean
strips_follow (const FilesTiffFile *file, const FilesTiffPage *page, guint64 planes, guint64 row, guint64 at)
{
  guint64 of_plane = (page->rows - 1) / page->chunk_rows + 1, n = of_plane * planes, offsets[512];
  for (guint64 i = 0; i < n; i++) {
    guint64 *offset = &offsets[i % G_N_ELEMENTS (offsets)];
    if (offset == offsets
        && !files_tiff_numbers (file, &page->offsets, i, (gsize) MIN (n - i, G_N_ELEMENTS (offsets)), offsets))
      return FALSE;
    if (*offset != at)
      return FALSE;
    at += MIN (page->chunk_rows, page->rows - i % of_plane * page->chunk_rows) * row;
  }
  return TRUE;
}

/* Where the pixels of a page begin, if they are uncompressed and without gaps. */
static gboolean
solid_page (const FilesTiffFile *file, const FilesTiffPage *page, guint64 *at, guint64 *bytes)
{
  guint64 row = (guint64) page->columns * page->bits * (page->planar == PLANARCONFIG_SEPARATE ? 1 : page->samples);
  guint64 planes = page->planar == PLANARCONFIG_SEPARATE ? page->samples : 1;
  row = row / 8 + (row % 8 != 0);
  return page->compression == COMPRESSION_NONE && page->color == FILES_TIFF_PLAIN && !page->tiled
         && g_uint64_checked_mul (bytes, row, planes) && g_uint64_checked_mul (bytes, *bytes, page->rows)
         && *bytes <= file->size && files_tiff_numbers (file, &page->offsets, 0, 1, at)
         && strips_follow (file, page, planes, row, *at);
}

/* *there: whether `n` planes follow each other from where the only directory says. FALSE with *error when they should but
 * the file is too short; `certain`: they must. */
static gboolean
planes_follow (const FilesTiffFile *file, const FilesTiffPage *first, gint64 n, gboolean certain, gboolean *there,
               GError **error)
{
  guint64 at, bytes, size;
  *there = FALSE;
  if (n < 2 || n >= FILES_TIFF_NO_PAGE || !solid_page (file, first, &at, &bytes)
      || !g_uint64_checked_mul (&size, bytes, (guint64) n) || !g_uint64_checked_add (&size, size, at))
    return TRUE;
  *there = size <= file->size;
  if (*there && n > MAX_PLANES)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, file->path,
                      "has %" G_GINT64_FORMAT " planes; at most %d can be opened.", n, MAX_PLANES);
  if (!*there && (certain || size > G_MAXUINT32)) /* ImageJ writes one directory when the file is too large for more */
    return file_fail (error, FILE_ERROR_DAMAGED, file->path,
                      "is truncated: it has only %" G_GUINT64_FORMAT " of %" G_GINT64_FORMAT " planes.",
                      (file->size - at) / bytes, n);
  return TRUE;
}

/* Whether ImageJ's description counts more pages than the file has directories, and all directories have contiguous pages. A page with a
 * directory has its pixels where that says. */
static gboolean
planes_outnumber_directories (const FilesTiffLayout *layout)
{
  const FilesTiffFile *file = layout->file;
  const FilesTiffPage *first = &layout->first;
  guint64 at, bytes, size;
  if (!layout->imagej || layout->imagej->images <= layout->pages->len || layout->imagej->images > MAX_PLANES
      || !solid_page (file, first, &at, &bytes)
      || !g_uint64_checked_mul (&size, bytes, (guint64) layout->imagej->images)
      || !g_uint64_checked_add (&size, size, at) || size > file->size)
    return FALSE;
  for (guint i = 1; i < layout->pages->len; i++) {
    guint64 page_at, page_bytes;
    FilesTiffPage page;
    if (!files_tiff_page_read (file, g_array_index (layout->pages, guint64, i), i + 1, &page, NULL)
        || page.columns != first->columns || page.rows != first->rows || page.bits != first->bits
        || page.samples != first->samples || page.format != first->format
        || !solid_page (file, &page, &page_at, &page_bytes) || page_at != at + i * bytes)
      return FALSE;
  }
  return TRUE;
}

/* `n` pages that follow each other. */
static void
add_consecutive (FilesTiffLayout *layout, gint64 n)
{
  FilesTiffSeries *series;
  if (layout->imagej)
    series = imagej_hyperstack (layout->imagej, NULL, n, layout->first.samples);
  else
    series = files_tiff_shaped_series (layout->description, &layout->first, n);
  if (!series)
    series = hyperstack ("czt", NULL, 1, n, 1);
  series->consecutive = TRUE;
  g_ptr_array_add (layout->series, series);
}

/* The only directory can represent many pages. */
static gboolean
add_one_directory (FilesTiffLayout *layout, GError **error)
{
  const FilesTiffPage *first = &layout->first;
  gint64 shaped = files_tiff_shaped_pages (layout->description, &layout->first),
         stk = (gint64) MIN (first->stk.count, G_MAXINT32);
  gint64 n = layout->imagej ? layout->imagej->images : MAX (shaped, stk);
  gboolean there;
  if (!planes_follow (layout->file, first, n, !layout->imagej, &there, error))
    return FALSE;
  if (there)
    add_consecutive (layout, n);
  return TRUE;
}

/* ---- Pages that are alike ---- */

static gboolean
loops (const FilesTiffFile *file, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, file->path, "is damaged: its directories go round in a circle.");
}

/* Reads all directories; groups may be NULL. slide: the first page of one of Aperio; NULL: it is none. A circle is found when a position comes again
 * that was kept at the last power of two. */
static gboolean
walk (const FilesTiffFile *file, GArray *pages, FilesTiffGroups *groups, const FilesTiffPage *slide, GError **error)
{
  guint64 at = file->first, kept = 0;
  if (at == 0)
    return file_fail (error, FILE_ERROR_DAMAGED, file->path, "is damaged: it has no pages.");
  while (at != 0) {
    FilesTiffPage page;
    if (at == kept || pages->len == G_MAXINT32)
      return loops (file, error);
    if ((pages->len & (pages->len - 1)) == 0)
      kept = at;
    if (!files_tiff_page_read (file, at, (gint64) pages->len + 1, &page, error))
      return FALSE;
    if (groups)
      files_tiff_groups_add (groups, &page, pages->len, slide ? files_tiff_aperio_name (file, &page, slide) : NULL);
    g_array_append_val (pages, at);
    at = page.next;
  }
  return TRUE;
}

GArray *
files_tiff_walk (const FilesTiffFile *file, GError **error)
{
  g_autoptr (GArray) pages = g_array_new (FALSE, FALSE, sizeof (guint64));
  return walk (file, pages, NULL, NULL, error) ? g_steal_pointer (&pages) : NULL;
}

/* ImageJ's text is about the group of the first page. */
static void
add_groups (FilesTiffLayout *layout, const FilesTiffGroups *groups)
{
  const gboolean all_reduced = groups->reduced->len == groups->all->len;
  for (guint i = 0; i < groups->all->len; i++) {
    const FilesTiffGroup *group = groups->all->pdata[i];
    const guint32 *pages = (const guint32 *) (const void *) group->pages->data;
    FilesTiffSeries *series;
    if (group->kind.reduced && !all_reduced && !group->name)
      continue;
    if (layout->imagej && pages[0] == 0)
      series = imagej_hyperstack (layout->imagej, pages, group->pages->len, group->kind.samples);
    else
      series = hyperstack ("czt", pages, 1, group->pages->len, 1);
    series->name = g_strdup (group->name);
    g_ptr_array_add (layout->series, series);
  }
}

/* ---- What is left out ---- */

enum { MAX_NAMED = 10 };

/* Which pages the images are made of, smaller levels included; as many as there are. */
static gboolean *
used_pages (const FilesTiffLayout *layout)
{
  gboolean *used = g_new0 (gboolean, layout->pages->len);
  for (guint i = 0; i < layout->series->len; i++) {
    const FilesTiffSeries *series = layout->series->pdata[i];
    for (guint j = 0; j < series->planes->len; j++) {
      const FilesTiffPlane *plane = &g_array_index (series->planes, FilesTiffPlane, j);
      if (plane->file == 0 && plane->page < layout->pages->len)
        used[plane->page] = TRUE;
    }
  }
  return used;
}

/* Whether the page shows an image of the file once more, in fewer pixels. */
static gboolean
is_thumbnail (const FilesTiffGroups *groups, const gboolean *used, guint page)
{
  const FilesTiffKind *small = &((FilesTiffGroup *) groups->of_page->pdata[page])->kind;
  for (guint i = 0; i < groups->all->len; i++) {
    const FilesTiffGroup *group = groups->all->pdata[i];
    const FilesTiffKind *kind = &group->kind;
    if (used[g_array_index (group->pages, guint32, 0)] && small->rows <= kind->rows && small->columns <= kind->columns
        && files_tiff_same_shape (small->rows, small->columns, kind->rows, kind->columns))
      return small->reduced != 0;
  }
  return FALSE;
}

/* Pages that are in no image and show what no image shows. */
static void
note_pages (FilesTiffLayout *layout, const FilesTiffGroups *groups)
{
  g_autofree gboolean *used = used_pages (layout);
  guint named = 0;
  for (guint i = 0; i < layout->pages->len; i++)
    if (!used[i] && !is_thumbnail (groups, used, i) && named++ < MAX_NAMED) {
      const FilesTiffKind *kind = &((FilesTiffGroup *) groups->of_page->pdata[i])->kind;
      g_string_append_printf (layout->left_out, "%spage %u (%u×%u pixels)", layout->left_out->len ? ", " : "", i + 1,
                              kind->columns, kind->rows);
    }
  if (named > MAX_NAMED)
    g_string_append_printf (layout->left_out, " and %u more page%s", named - MAX_NAMED,
                            named == MAX_NAMED + 1 ? "" : "s");
}

/* ImageJ's text counts more planes than the file has: it was cut off, or some were taken out. */
static void
note_imagej (FilesTiffLayout *layout)
{
  const FilesTiffSeries *series = layout->series->pdata[0];
  if (layout->imagej && series->imagej && layout->imagej->images > series->planes->len)
    g_string_append_printf (
      layout->left_out,
      "%s%" G_GINT64_FORMAT " of the %" G_GINT64_FORMAT " planes of ImageJ's text, which are not in the file",
      layout->left_out->len ? ", " : "", layout->imagej->images - series->planes->len, (gint64) layout->imagej->images);
}

/* ---- Which of these it is ---- */

static gboolean
add_series (FilesTiffLayout *layout, const FilesTiffGroups *groups)
{
  FilesTiffSeries *shaped;
  if (layout->ome
      && files_tiff_ome_series (layout->file, layout->pages, &layout->ome, layout->series, layout->others,
                                layout->left_out))
    return TRUE;
  shaped =
    groups->all->len == 1 ? files_tiff_shaped_series (layout->description, &layout->first, layout->pages->len) : NULL;
  if (shaped)
    g_ptr_array_add (layout->series, shaped);
  return shaped != NULL;
}

static gboolean
add_pages (FilesTiffLayout *layout, GError **error)
{
  g_autoptr (FilesTiffGroups) groups = files_tiff_groups_new ();
  const gboolean is_slide = files_tiff_aperio_is (layout->description);
  if (!walk (layout->file, layout->pages, groups, is_slide ? &layout->first : NULL, error))
    return FALSE;
  if (planes_outnumber_directories (layout)) {
    add_consecutive (layout, layout->imagej->images);
    return TRUE;
  }
  if (!add_series (layout, groups)) {
    files_tiff_groups_find_pyramid (groups, is_slide);
    add_groups (layout, groups);
  }
  for (guint i = 0; i < layout->series->len; i++)
    files_tiff_groups_levels (groups, layout->series->pdata[i]);
  note_pages (layout, groups);
  note_imagej (layout);
  return TRUE;
}

/* ---- The whole ---- */

/* The text in the first directory, and what it is. */
static void
read_description (FilesTiffLayout *layout)
{
  g_autofree char *text = files_tiff_bytes (layout->file, &layout->first.description), *utf8 = NULL;
  if (!text)
    return;
  utf8 =
    g_utf8_validate (text, -1, NULL) ? g_strdup (text) : g_convert (text, -1, "UTF-8", "ISO-8859-1", NULL, NULL, NULL);
  layout->description = g_ref_string_new (utf8);
  if (files_imagej_is (layout->description))
    layout->imagej = files_imagej_parse (layout->description);
  else if (files_ome_is (layout->description))
    layout->ome = files_ome_parse (layout->description, NULL);
}

/* An array that ends in colors is not a stack of slices that are three pixels wide; FALSE with *error, which asks. */
static gboolean
is_no_array_of_colors (const FilesTiffLayout *layout, GError **error)
{
  guint size;
  return !files_tiff_shaped_colors (layout->description, &layout->first, &size)
         || file_fail (
           error, FILE_ERROR_UNSUPPORTED, layout->file->path,
           "holds an array that ends in %u as slices which are %u pixels wide. Are these colors? Save it with "
           "photometric='rgb'; are they columns, with metadata={'axes': 'ZYX'}.",
           size, size);
}

/* With its first page, and no series. NULL with *error. */
static FilesTiffLayout *
open_layout (const char *path, GError **error)
{
  FilesTiffLayout *layout = g_new0 (FilesTiffLayout, 1);
  layout->references = 1;
  layout->pages = g_array_new (FALSE, FALSE, sizeof (guint64));
  layout->series = g_ptr_array_new_with_free_func ((GDestroyNotify) files_tiff_series_free);
  layout->others = g_ptr_array_new_with_free_func (g_free);
  layout->left_out = g_string_new (NULL);
  layout->file = files_tiff_file_open (path, error);
  if (layout->file && layout->file->first == 0)
    file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: it has no pages.");
  else if (layout->file && files_tiff_page_read (layout->file, layout->file->first, 1, &layout->first, error))
    return layout;
  files_tiff_layout_unref (layout);
  return NULL;
}

static void
number_series (FilesTiffLayout *layout)
{
  for (guint i = 0; i < layout->series->len; i++)
    ((FilesTiffSeries *) layout->series->pdata[i])->number = i;
}

FilesTiffLayout *
files_tiff_layout_new (const char *path, GError **error)
{
  g_autoptr (FilesTiffLayout) layout = open_layout (path, error);
  if (!layout)
    return NULL;
  read_description (layout);
  if (!is_no_array_of_colors (layout, error))
    return NULL;
  if (layout->first.next == 0 && !add_one_directory (layout, error))
    return NULL;
  if (layout->series->len == 0 && !add_pages (layout, error))
    return NULL;
  number_series (layout);
  return g_steal_pointer (&layout);
}

FilesTiffLayout *
files_tiff_layout_of_text (const char *path, FilesOme *ome, const char *text, const char *metadata, GError **error)
{
  g_autoptr (FilesTiffLayout) layout = open_layout (path, error);
  if (!layout) {
    files_ome_free (ome);
    return NULL;
  }
  layout->title = file_name_short (metadata);
  layout->description = g_ref_string_new (text);
  layout->ome = ome;
  g_ptr_array_add (layout->others, g_strdup (metadata));
  if (!add_pages (layout, error))
    return NULL;
  if (!((FilesTiffSeries *) layout->series->pdata[0])->ome) { /* the pages as they are */
    file_fail (error, FILE_ERROR_DAMAGED, metadata, "describes no image of which all planes are there.");
    return NULL;
  }
  number_series (layout);
  return g_steal_pointer (&layout);
}

FilesTiffLayout *
files_tiff_layout_ref (FilesTiffLayout *layout)
{
  g_atomic_int_inc (&layout->references);
  return layout;
}

void
files_tiff_layout_unref (FilesTiffLayout *layout)
{
  if (!g_atomic_int_dec_and_test (&layout->references))
    return;
  if (layout->file)
    files_tiff_file_unref (layout->file);
  g_clear_pointer (&layout->description, g_ref_string_release);
  g_free (layout->title);
  if (layout->imagej)
    files_imagej_free (layout->imagej);
  g_array_unref (layout->pages);
  g_ptr_array_unref (layout->series);
  g_ptr_array_unref (layout->others);
  g_string_free (layout->left_out, TRUE);
  if (layout->ome)
    files_ome_free (layout->ome);
  g_free (layout);
}

guint
files_tiff_layout_count (gconstpointer layout)
{
  return ((const FilesTiffLayout *) layout)->series->len;
}

const char *
files_tiff_layout_left_out (gconstpointer layout)
{
  return ((const FilesTiffLayout *) layout)->left_out->str;
}

const GPtrArray *
files_tiff_layout_others (gconstpointer layout)
{
  return ((const FilesTiffLayout *) layout)->others;
}
