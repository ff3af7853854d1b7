/* SPDX-License-Identifier: MIT
 */
#include "core/files/plate/source.h"

#include "core/base/parallel.h"
#include "core/data/pixel_type.h"
#include "core/files/shared/opener.h"

#include <string.h>

enum { MAX_OPEN = 16 /* files that were read last and stay open, for other regions of them */ };

typedef struct {
  guint file, series;
  Image *image; /* NULL: none */
} Opened;

typedef struct {
  PlateLayout *layout;
  const PlateSeries *series;
  ImageInfo first;          /* of a file, or of one of its pages */
  gint64 sizes[PLATE_AXES]; /* of all */
  ImageLevel level;
  GMutex lock; /* guards what follows */
  Opened opened[MAX_OPEN];
  guint next;
} Source;

/* ---- Files ---- */

/* Whether a file is like the first one, and has the page. */
static gboolean
check_alike (const Source *s, const PlateEntry *entry, const ImageInfo *info, GError **error)
{
  const ImageInfo *f = &s->first;
  const gint64 pages = info->depth * info->frames;
  if (entry->page >= pages)
    return file_fail (error, FILE_ERROR_DAMAGED, plate_layout_path (s->layout, entry),
                      "has %" G_GINT64_FORMAT " pages, and the index says that it has %" G_GINT64_FORMAT ".", pages,
                      entry->page + 1);
  if (info->type == f->type && info->role == f->role && info->rows == f->rows && info->columns == f->columns
      && info->channels == f->channels && (entry->page >= 0 || (info->depth == f->depth && info->frames == f->frames)))
    return TRUE;
  g_autofree char *has = image_info_text (info), *wanted = image_info_text (f);
  return file_fail (error, FILE_ERROR_UNSUPPORTED, plate_layout_path (s->layout, entry),
                    "is %s, but '%s' is %s: the files of an image must be alike.", has,
                    (const char *) s->layout->index->files->pdata[s->series->entries[0]->file], wanted);
}

static Image *
find_opened (Source *s, const PlateEntry *entry)
{
  Image *found = NULL;
  g_mutex_lock (&s->lock);
  for (guint i = 0; i < MAX_OPEN && !found; i++)
    if (s->opened[i].image && s->opened[i].file == entry->file && s->opened[i].series == entry->series)
      found = image_ref (s->opened[i].image);
  g_mutex_unlock (&s->lock);
  return found;
}

static void
keep_opened (Source *s, const PlateEntry *entry, Image *image)
{
  g_mutex_lock (&s->lock);
  Opened *slot = &s->opened[s->next++ % MAX_OPEN], old = *slot;
  *slot = (Opened){entry->file, entry->series, image_ref (image)};
  g_mutex_unlock (&s->lock);
  if (old.image)
    image_unref (old.image);
}

static Image *
open_entry (Source *s, const PlateEntry *entry, GError **error)
{
  g_autoptr (Image) image = find_opened (s, entry);
  if (image)
    return check_alike (s, entry, image_info (image), error) ? g_steal_pointer (&image) : NULL;
  image = files_opener ()->open (plate_layout_path (s->layout, entry), entry->series, error);
  if (!image || !check_alike (s, entry, image_info (image), error))
    return NULL;
  keep_opened (s, entry, image);
  return g_steal_pointer (&image);
}

/* ---- The source ---- */

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const Source *s = self;
  *level = s->level;
  return n == 0;
}

/* The entry of a plane, and which of its file's planes it is. */
static const PlateEntry *
locate (const Source *s, gint64 plane, gint64 *own)
{
  const gint64 *sizes = s->sizes, *entries = s->series->sizes;
  const gint64 at[PLATE_AXES] = {plane % sizes[PLATE_SLICE], plane / sizes[PLATE_SLICE] % sizes[PLATE_CHANNEL],
                                 plane / sizes[PLATE_SLICE] / sizes[PLATE_CHANNEL]};
  const gint64 lengths[PLATE_AXES] = {s->first.depth, s->first.channels, s->first.frames};
  gint64 in_file[PLATE_AXES], of_entry[PLATE_AXES];
  for (int axis = 0; axis < PLATE_AXES; axis++) {
    in_file[axis] = lengths[axis] > 1 ? at[axis] : 0;
    of_entry[axis] = lengths[axis] > 1 ? 0 : at[axis];
  }
  *own = (in_file[PLATE_FRAME] * lengths[PLATE_CHANNEL] + in_file[PLATE_CHANNEL]) * lengths[PLATE_SLICE]
         + in_file[PLATE_SLICE];
  return s->series
    ->entries[(of_entry[PLATE_FRAME] * entries[PLATE_CHANNEL] + of_entry[PLATE_CHANNEL]) * entries[PLATE_SLICE]
              + of_entry[PLATE_SLICE]];
}

/* The plane of a file with pages that has a page, in one of its channels. */
static gint64
plane_of_page (const ImageInfo *info, gint64 page, gint64 channel)
{
  return (page / info->depth * info->channels + channel) * info->depth + page % info->depth;
}

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  Source *s = self;
  gint64 own;
  const PlateEntry *entry = locate (s, plane, &own);
  g_autoptr (Image) image = open_entry (s, entry, error);
  if (image && entry->page >= 0)
    own = plane_of_page (image_info (image), entry->page, own);
  return image && image_read (image, level, own, region, to, stride, error);
}

static void
source_free (gpointer self)
{
  Source *s = self;
  for (guint i = 0; i < MAX_OPEN; i++)
    if (s->opened[i].image)
      image_unref (s->opened[i].image);
  g_mutex_clear (&s->lock);
  image_info_clear (&s->first);
  plate_layout_unref (s->layout);
  g_free (s);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Source, source_free)

/* ---- Images ---- */

/* A file that is read as a part of a set would be read for all of the set again. */
static gboolean
check_alone (const PlateLayout *layout, const PlateEntry *entry, GError **error)
{
  const char *path = plate_layout_path (layout, entry);
  g_autoptr (GPtrArray) others = NULL;
  if (layout->index->sets)
    return TRUE;
  const guint count = files_opener ()->count (path, &others, error);
  return count
         && ((count == 1 && !others)
             || file_fail (error, FILE_ERROR_UNSUPPORTED, path, "is %s. Open it instead of the folder.",
                           others ? "a set of files by itself" : "several images by itself"));
}

/* One page of a file. */
static void
take_page (ImageInfo *info)
{
  info->depth = info->frames = 1;
  info->frame_interval = 0;
}

gboolean
plate_source_describe (const PlateLayout *layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  const PlateEntry *entry = ((const PlateSeries *) layout->series->pdata[n])->entries[0];
  ImageInfo first;
  if (!check_alone (layout, entry, error)
      || !files_opener ()->describe (plate_layout_path (layout, entry), entry->series, &first, depends, error))
    return FALSE;
  if (entry->page >= 0)
    take_page (&first);
  const gboolean done = plate_layout_info (layout, n, &first, info, error);
  image_info_clear (&first);
  return done;
}

/* Looks at the file of a plane, but the first, without reading it. What only its pixels tell is seen when they are read. */
static gboolean
check_entry (gpointer self, guint64 n, GError **error)
{
  const Source *s = self;
  const guint64 i = n + 1;
  const PlateEntry *entry = s->series->entries[i], *before = s->series->entries[n];
  ImageInfo info;
  const char *depends;
  gboolean alike;
  if (entry->page >= 0 && entry->file == before->file)
    return TRUE; /* it is looked at already; whether it has the page is seen when that is read */
  if (!files_opener ()->describe (plate_layout_path (s->layout, entry), entry->series, &info, &depends, error))
    return FALSE;
  alike = depends || check_alike (s, entry, &info, error);
  image_info_clear (&info);
  return alike;
}

Image *
plate_source_image (PlateLayout *layout, guint n, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  const PlateSeries *series = layout->series->pdata[n];
  g_autoptr (Image) first =
    check_alone (layout, series->entries[0], error)
      ? files_opener ()->open (plate_layout_path (layout, series->entries[0]), series->entries[0]->series, error)
      : NULL;
  ImageInfo info, own;
  if (!first)
    return NULL;
  image_info_copy (&own, image_info (first));
  if (series->entries[0]->page >= 0)
    take_page (&own);
  if (!plate_layout_info (layout, n, &own, &info, error)) {
    image_info_clear (&own);
    return NULL;
  }
  g_autoptr (Source) s = g_new0 (Source, 1);
  g_mutex_init (&s->lock);
  s->layout = plate_layout_ref (layout);
  s->series = series;
  s->first = own;
  image_level (first, 0, &s->level);
  memcpy (s->sizes, (const gint64[]){info.depth, info.channels, info.frames}, sizeof s->sizes);
  keep_opened (s, series->entries[0], first);
  Image *image = NULL;
  if (image_info_check (&info, error)
      && parallel_do ((guint64) (series->sizes[0] * series->sizes[1] * series->sizes[2]) - 1, parallel_threads (),
                      check_entry, s, error))
    image = image_new_from_source (&info, &functions, g_steal_pointer (&s), error);
  image_info_clear (&info);
  return image;
}
