/* SPDX-License-Identifier: MIT
 *
 * Slices are sorted along row direction × column direction (PS3.3, C.7.6.2.1.1), not by the names or numbers of files.
 */
#include "core/files/dicom/series.h"

#include "core/files/dicom/values.h"

#include <math.h>
#include <string.h>

#define SAME_POSITION 1e-3 /* mm */
#define SAME_DIRECTION 1e-3

/* A frame while it is sorted. */
typedef struct {
  DicomPlane plane;
  double along, time; /* mm along the normal */
  gint64 number;
} SortedFrame;

/* ---- Which frames belong together ---- */

static gboolean
same_direction (const DicomHeader *a, const DicomHeader *b)
{
  if (a->has_orientation != b->has_orientation)
    return FALSE;
  for (guint i = 0; a->has_orientation && i < G_N_ELEMENTS (a->orientation); i++)
    if (!(fabs (a->orientation[i] - b->orientation[i]) < SAME_DIRECTION))
      return FALSE;
  return TRUE;
}

static gboolean
belong_together (const DicomHeader *a, const DicomHeader *b)
{
  return !g_strcmp0 (a->series, b->series) && a->series && a->rows == b->rows && a->columns == b->columns
         && a->samples == b->samples && a->colors == b->colors && a->is_float == b->is_float
         && (a->flavor == b->flavor || (!a->matrix[0] && !b->matrix[0])) && (a->allocated == 1) == (b->allocated == 1)
         && (a->colors < DICOM_RGB || a->allocated == b->allocated) && same_direction (a, b);
}

/* ---- Order ---- */

static double
along_normal (const DicomHeader *h, const double *position)
{
  const double *r = h->orientation, *c = h->orientation + 3;
  return (r[1] * c[2] - r[2] * c[1]) * position[0] + (r[2] * c[0] - r[0] * c[2]) * position[1]
         + (r[0] * c[1] - r[1] * c[0]) * position[2];
}

static int
compare_numbers (double a, double b)
{
  return (a > b) - (a < b);
}

static int
compare_time (gconstpointer a, gconstpointer b)
{
  const SortedFrame *one = a, *other = b;
  const int by_time = compare_numbers (one->time, other->time);
  return by_time ? by_time : (one->number > other->number) - (one->number < other->number);
}

static int
compare_position (gconstpointer a, gconstpointer b)
{
  const SortedFrame *one = a, *other = b;
  return fabs (one->along - other->along) > SAME_POSITION ? compare_numbers (one->along, other->along) : 0;
}

/* All frames, and whether each has a position. */
static GArray *
slots_of (const DicomSeries *self, gboolean *have_positions)
{
  GArray *slots = g_array_new (FALSE, FALSE, sizeof (SortedFrame));
  *have_positions = TRUE;
  for (guint i = 0; i < self->files->len; i++) {
    DicomFile *file = self->files->pdata[i];
    const DicomHeader *h = file->header;
    for (guint k = 0; k < h->n_frames; k++) {
      SortedFrame slot = {{file, k}, 0, h->time, h->number * ((gint64) 1 << 32) + MAX (h->first_frame, 0) + k};
      *have_positions &= h->has_orientation && h->frames[k].has_position;
      slot.along = *have_positions ? along_normal (h, h->frames[k].position) : 0;
      g_array_append_val (slots, slot);
    }
  }
  return slots;
}

/* The number of slots that each position has; 0: positions have different numbers. Sorted by position. */
static guint
each_position (const GArray *slots)
{
  guint each = 0, from = 0;
  for (guint i = 1; i <= slots->len; i++) {
    if (i < slots->len
        && compare_position (&g_array_index (slots, SortedFrame, i - 1), &g_array_index (slots, SortedFrame, i)) == 0)
      continue;
    if (each && i - from != each)
      return 0;
    each = i - from;
    from = i;
  }
  return each;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  return compare_numbers (*(const double *) a, *(const double *) b);
}

/* The median distance of neighbors, and how many slices would fit into wider gaps. */
static void
measure_distances (DicomSeries *self, const GArray *slots, guint each)
{
  g_autoptr (GArray) distances = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = each; i < slots->len; i += each) {
    const double distance =
      g_array_index (slots, SortedFrame, i).along - g_array_index (slots, SortedFrame, i - each).along;
    g_array_append_val (distances, distance);
  }
  if (!distances->len)
    return;
  g_array_sort (distances, compare_doubles);
  self->between = g_array_index (distances, double, distances->len / 2);
  for (guint i = 0; i < distances->len; i++) {
    const double gap = nearbyint (g_array_index (distances, double, i) / self->between);
    if (gap > 1 && self->missing < G_MAXUINT16)
      self->missing += (guint) fmin (gap - 1, G_MAXUINT16);
  }
}

/* All frames of files, in their order. */
static DicomPlane *
frames_of (const GPtrArray *files, guint *n)
{
  GArray *frames = g_array_new (FALSE, FALSE, sizeof (DicomPlane));
  for (guint i = 0; i < files->len; i++)
    for (guint k = 0; k < ((DicomFile *) files->pdata[i])->header->n_frames; k++) {
      const DicomPlane frame = {files->pdata[i], k};
      g_array_append_val (frames, frame);
    }
  *n = frames->len;
  return (DicomPlane *) (void *) g_array_free (frames, FALSE);
}

/* Without positions frames are time points where they have an interval, else slices. */
static void
sort_planes (DicomSeries *self)
{
  const DicomHeader *first = ((DicomFile *) self->files->pdata[0])->header;
  gboolean have_positions;
  g_autoptr (GArray) slots = slots_of (self, &have_positions);
  guint each = 0;
  g_array_sort (slots, compare_time);
  if (have_positions) {
    g_array_sort (slots, compare_position); /* stable: GLib's is */
    each = each_position (slots);
  }
  if (each)
    measure_distances (self, slots, each);
  else
    self->between = first->between;
  self->times = each ? each : first->interval > 0 ? slots->len : 1;
  self->depth = slots->len / self->times;
  self->planes = g_new (DicomPlane, slots->len);
  for (guint i = 0; i < slots->len; i++) {
    const guint to = each ? i % each * (guint) self->depth + i / each : i;
    self->planes[to] = g_array_index (slots, SortedFrame, i).plane;
  }
}

/* ---- Series ---- */

static void
set_type (DicomSeries *self)
{
  DicomRange range = {0};
  for (guint i = 0; i < self->files->len; i++)
    dicom_range_add (&range, ((DicomFile *) self->files->pdata[i])->header);
  const DicomHeader *first = ((DicomFile *) self->files->pdata[0])->header;
  const gboolean is_wide = first->colors >= DICOM_RGB && first->allocated == 16;
  self->type = is_wide                                                   ? FV_U16
               : first->colors >= DICOM_PALETTE || first->allocated == 1 ? FV_U8
                                                                         : dicom_range_type (&range);
}

/* ---- Levels of slides ---- */

static const DicomHeader *
header_of (const DicomSeries *series)
{
  return ((DicomFile *) series->files->pdata[0])->header;
}

static gboolean
is_slide (const DicomSeries *series)
{
  return series->mosaic && header_of (series)->flavor == DICOM_VOLUME && header_of (series)->series;
}

/* Whether the sides have one ratio; each can be rounded by a pixel. */
static gboolean
same_shape (const gint64 *a, const gint64 *of)
{
  return fabs ((double) a[0] * (double) of[1] - (double) a[1] * (double) of[0]) <= (double) MAX (of[0], of[1]);
}

/* Whether a slide shows all of another in fewer pixels. */
static gboolean
is_level_of (const DicomSeries *series, const DicomSeries *full)
{
  const DicomHeader *a = header_of (series), *b = header_of (full);
  return !strcmp (a->series, b->series) && !g_strcmp0 (a->space, b->space) && !g_strcmp0 (a->pyramid, b->pyramid)
         && series->type == full->type && (a->colors >= DICOM_PALETTE) == (b->colors >= DICOM_PALETTE)
         && (a->colors == DICOM_GRAY_INVERTED) == (b->colors == DICOM_GRAY_INVERTED)
         && series->mosaic->channels == full->mosaic->channels && series->depth == full->depth
         && a->matrix[0] < b->matrix[0] && a->matrix[1] < b->matrix[1] && same_shape (a->matrix, b->matrix);
}

/* Slides first, the largest ones before the others; GLib's sorting keeps the order of the rest. */
static int
compare_slides (gconstpointer a, gconstpointer b)
{
  const DicomSeries *one = *(const DicomSeries *const *) a, *other = *(const DicomSeries *const *) b;
  const gboolean first = is_slide (one), second = is_slide (other);
  return !first || !second
           ? second - first
           : compare_numbers ((double) header_of (other)->matrix[0], (double) header_of (one)->matrix[0]);
}

/* Moves slides that are levels of others to these. */
static void
find_levels (GPtrArray *all)
{
  g_ptr_array_sort (all, compare_slides);
  for (guint i = 0; i < all->len && is_slide (all->pdata[i]); i++) {
    DicomSeries *full = all->pdata[i];
    full->levels = g_ptr_array_new_with_free_func ((GDestroyNotify) dicom_series_unref);
    for (guint k = i + 1; k < all->len && is_slide (all->pdata[k]);)
      if (is_level_of (all->pdata[k], full))
        g_ptr_array_add (full->levels, g_ptr_array_steal_index (all, k));
      else
        k++;
  }
}

static DicomSeries *
series_new (GPtrArray *all)
{
  DicomSeries *series = g_new0 (DicomSeries, 1);
  g_atomic_ref_count_init (&series->references);
  series->files = g_ptr_array_new_with_free_func ((GDestroyNotify) dicom_file_unref);
  g_ptr_array_add (all, series);
  return series;
}

/* The series of a file that shows no slide, which may be a new one. */
static DicomSeries *
find_series (GPtrArray *all, const DicomFile *file)
{
  for (guint i = 0; i < all->len; i++) {
    DicomSeries *series = all->pdata[i];
    if (!series->mosaic && belong_together (header_of (series), file->header))
      return series;
  }
  return series_new (all);
}

/* Adds the files of a concatenation, or one alone, to their series. */
static void
add_files (GPtrArray *all, GPtrArray *files)
{
  guint n;
  g_autofree DicomPlane *frames = frames_of (files, &n);
  DicomMosaic *mosaic = dicom_mosaic_new (frames, n);
  DicomSeries *series = mosaic ? series_new (all) : find_series (all, files->pdata[0]);
  for (guint i = 0; i < files->len; i++)
    g_ptr_array_add (series->files, dicom_file_ref (files->pdata[i]));
  if (!mosaic)
    return;
  series->mosaic = mosaic;
  series->times = 1;
  series->depth = mosaic->depth;
  series->planes = g_steal_pointer (&frames);
}

GPtrArray *
dicom_series_of (const GPtrArray *files, DicomRest *rest)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) dicom_series_unref);
  g_autoptr (GPtrArray) whole = dicom_concatenations_of (files, rest);
  for (guint i = 0; i < whole->len; i++)
    add_files (all, whole->pdata[i]);
  for (guint i = 0; i < all->len; i++) {
    DicomSeries *series = all->pdata[i];
    if (!series->mosaic)
      sort_planes (series);
    set_type (series);
  }
  find_levels (all);
  return all;
}

DicomSeries *
dicom_series_ref (DicomSeries *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
dicom_series_unref (DicomSeries *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_ptr_array_unref (self->files);
  g_clear_pointer (&self->mosaic, dicom_mosaic_free);
  g_clear_pointer (&self->levels, g_ptr_array_unref);
  g_free (self->planes);
  g_free (self);
}

/* ---- What is known of it ---- */

static void
set_size (ImageInfo *info, guint axis, double mm)
{
  const gboolean known = mm > 0 && isfinite (mm);
  info->spacing[axis] = known ? mm : 1;
  info->units[axis] = g_strdup (known ? "mm" : "");
}

/* Geometry and modality, nothing about people or hospitals. */
static char *
text_of (const DicomHeader *h)
{
  GString *text = g_string_new (NULL);
  const double *p = h->frames[0].position, *o = h->orientation;
  if (h->modality)
    g_string_append_printf (text, "Modality: %s\n", h->modality);
  if (h->frames[0].has_position)
    g_string_append_printf (text, "Position of the first pixel: %g, %g, %g mm\n", p[0], p[1], p[2]);
  if (h->has_orientation)
    g_string_append_printf (text, "Direction of rows: %g, %g, %g; of columns: %g, %g, %g\n", o[0], o[1], o[2], o[3],
                            o[4], o[5]);
  return g_string_free (text, FALSE);
}

static ImageNotes *
notes_of (const DicomHeader *h)
{
  const gboolean is_hounsfield = h->modality && !strcmp (h->modality, "CT");
  ImageNotes *notes = image_notes_new (NULL);
  const char *unit = h->value_unit && *h->value_unit && strcmp (h->value_unit, "US") ? h->value_unit
                     : is_hounsfield                                                 ? "HU"
                                                                                     : NULL;
  notes->info = text_of (h);
  if (h->colors < DICOM_PALETTE && !h->is_float)
    notes->value_unit = g_strdup (unit);
  return notes;
}

char *
dicom_series_label (const DicomSeries *self)
{
  const DicomHeader *h = header_of (self);
  const char *modality = h->modality ? h->modality : "";
  if (h->series_number < 0)
    return *modality ? g_strdup (modality) : NULL;
  return g_strdup_printf ("%s%sseries %" G_GINT64_FORMAT, modality, *modality ? " " : "", h->series_number);
}

void
dicom_series_info (const DicomSeries *self, const char *name, guint number, ImageInfo *info)
{
  const DicomHeader *h = self->planes[0].file->header;
  static const char *const flavors[] = {"", "", "thumbnail", "label", "overview"};
  const char *flavor = flavors[h->matrix[0] ? h->flavor : DICOM_UNKNOWN];
  const gboolean has_colors = h->colors >= DICOM_PALETTE;
  *info = (ImageInfo){.type = self->type,
                      .role = has_colors && self->type == FV_U8 ? FV_RGB
                              : h->allocated == 1               ? FV_MASK
                                                                : FV_IMAGE,
                      .frames = self->times,
                      .channels = has_colors     ? 3
                                  : self->mosaic ? self->mosaic->channels
                                                 : 1,
                      .depth = self->depth,
                      .rows = self->mosaic ? h->matrix[0] : h->rows,
                      .columns = self->mosaic ? h->matrix[1] : h->columns,
                      .frame_interval = self->times > 1 ? h->interval : 0,
                      .frame_unit = g_strdup (self->times > 1 && h->interval > 0 ? "s" : ""),
                      .inverted = h->colors == DICOM_GRAY_INVERTED,
                      .name = *flavor ? g_strconcat (name, ": ", flavor, NULL) : g_strdup (name),
                      .number = number};
  g_autoptr (ImageNotes) notes = notes_of (self->planes[0].file->header);
  set_size (info, 0, self->between);
  set_size (info, 1, h->spacing[0]);
  set_size (info, 2, h->spacing[1]);
  if (h->has_window && !has_colors) { /* C.11.2.1.2.1 */
    info->display_ranges = g_new (double, 2);
    info->display_ranges[0] = h->center - 0.5 - (h->width - 1) / 2;
    info->display_ranges[1] = h->center - 0.5 + (h->width - 1) / 2;
  }
  if (!image_notes_is_empty (notes))
    info->notes = g_steal_pointer (&notes);
}
