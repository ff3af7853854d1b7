/* SPDX-License-Identifier: MIT
 *
 * Oracles: tifffile for sequences; indexes that a test writes by what vendors and Bio-Formats say of them.
 */
#include "core/files/plate/format.h"

#include "core/files/plate/pattern.h"
#include "core/files/plate/source.h"
#include "core/files/plate/vendor.h"

static const PlateVendor *const vendors[] = {&plate_operetta,     &plate_cell_voyager,  &plate_scan_r,
                                             &plate_image_xpress, &plate_micro_manager, &plate_nd_tiff};

/* That of an index, or with n = 0 of a folder; NULL: none. */
static const PlateVendor *
vendor_of (const char *path, const guint8 *head, gsize n)
{
  for (guint i = 0; i < G_N_ELEMENTS (vendors); i++)
    if (n ? vendors[i]->is_index (path, head, n) : vendors[i]->is_folder (path))
      return vendors[i];
  return NULL;
}

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self;
  return vendor_of (path, head, n) != NULL;
}

static gboolean
is_never (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self, (void) path, (void) head, (void) n;
  return FALSE;
}

/* Takes the index, which may be NULL. */
static gpointer
layout_of (PlateIndex *index, const char *path, GError **error)
{
  return index ? plate_layout_new (index, path, error) : NULL;
}

/* An index opens its folder. */
static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  const gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofree char *folder = is_folder ? g_strdup (path) : g_path_get_dirname (path);
  (void) self;
  for (guint i = 0; i < G_N_ELEMENTS (vendors); i++)
    if (vendors[i]->is_folder (folder))
      return layout_of (vendors[i]->read (folder, error), path, error);
  file_fail (error, FILE_ERROR_MISSING, path, "is a part of an index, and the rest of it is not beside it.");
  return NULL;
}

static gpointer
sequence_new (const FileFormat *self, const char *path, GError **error)
{
  (void) self;
  return layout_of (plate_pattern_read (path, error), path, error);
}

static guint
count (gconstpointer layout)
{
  return ((const PlateLayout *) layout)->series->len;
}

static gboolean
position (gconstpointer data, guint n, FilePosition *position)
{
  const PlateLayout *layout = data;
  const PlateSeries *series = layout->series->pdata[n];
  if (series->well == PLATE_NO_WELL)
    return FALSE;
  const PlateWell *well = &g_array_index (layout->index->wells, PlateWell, series->well);
  *position =
    (FilePosition){well->name, well->row, well->column, series->field, layout->index->rows, layout->index->columns};
  return TRUE;
}

/* Of sets in which a file leads to others, all. */
static GPtrArray *
paths (gconstpointer data, guint n)
{
  const PlateLayout *layout = data;
  const PlateSeries *series = layout->series->pdata[n];
  const gint64 planes = series->sizes[PLATE_SLICE] * series->sizes[PLATE_CHANNEL] * series->sizes[PLATE_FRAME];
  if (layout->index->sets)
    return NULL;
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  for (gint64 i = 0; i < planes; i++)
    g_ptr_array_add (paths, g_strdup (plate_layout_path (layout, series->entries[i])));
  return paths;
}

static const char *
left_out (gconstpointer layout)
{
  return ((const PlateLayout *) layout)->left_out->str;
}

static gboolean
describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  return plate_source_describe (layout, n, info, depends, error);
}

static Image *
open_image (gpointer layout, guint n, GError **error)
{
  return plate_source_image (layout, n, error);
}

#define OF_ALL                                                                                                         \
  .free = (GDestroyNotify) plate_layout_unref, .count = count, .position = position, .paths = paths,                   \
  .left_out = left_out, .describe = describe, .open = open_image

const FileFormat format_plate = {
  .key = "plate",
  .label = "Plate",
  .endings = (const char *const[]){"htd", "idx.xml", "xml", "mlf", "mrf", "mes", "wpi", NULL},
  .mime = (const char *const[]){"application/x-imagexpress-htd", "application/x-cellvoyager-mlf", NULL},
  .only_named = TRUE,
  .is = is,
  .layout = layout_new,
  OF_ALL,
};

const FileFormat format_sequence = {
  .key = "sequence",
  .label = "Sequence",
  .endings = (const char *const[]){NULL},
  .mime = (const char *const[]){NULL},
  .is = is_never,
  .layout = sequence_new,
  OF_ALL,
};
