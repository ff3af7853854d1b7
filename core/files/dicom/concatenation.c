/* SPDX-License-Identifier: MIT
 *
 * A disc often has a file twice. Its second copy would be a time point of its own at the same position.
 */
#include "core/files/dicom/concatenation.h"

#include <string.h>

static DicomFile *
file_of (const GPtrArray *files, guint i)
{
  return files->pdata[i];
}

static gboolean
same_shape (const DicomHeader *a, const DicomHeader *b)
{
  return !g_strcmp0 (a->series, b->series) && a->rows == b->rows && a->columns == b->columns && a->samples == b->samples
         && a->colors == b->colors && a->allocated == b->allocated && a->is_float == b->is_float
         && !memcmp (a->matrix, b->matrix, sizeof a->matrix);
}

/* Some programs give all files of a series the same UID: numbers and positions tell them apart. */
static gboolean
is_copy (const DicomHeader *a, const DicomHeader *b)
{
  const DicomFrame *one = a->frames, *other = b->frames;
  return same_shape (a, b) && a->n_frames == b->n_frames && a->number == b->number && a->part == b->part
         && one->has_position == other->has_position
         && (!one->has_position || !memcmp (one->position, other->position, sizeof one->position));
}

static gboolean
is_part (const DicomHeader *h)
{
  return h->concatenation && *h->concatenation && h->part;
}

/* ---- Parts in their order ---- */

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const DicomHeader *one = (*(DicomFile *const *) a)->header, *other = (*(DicomFile *const *) b)->header;
  return (one->part > other->part) - (one->part < other->part);
}

/* Leaves out parts whose number or frames another part has. */
static void
put_in_order (GPtrArray *parts, DicomRest *rest)
{
  const DicomHeader *first, *last = NULL;
  guint total = 0;
  g_ptr_array_sort (parts, compare_parts); /* stable: GLib's is */
  first = file_of (parts, 0)->header;
  for (guint i = 0; i < parts->len;) {
    DicomHeader *h = file_of (parts, i)->header;
    const gint64 next = last ? last->first_frame + last->n_frames : 0;
    if (h->first_frame < 0)
      h->first_frame = next;
    if (last && (h->part == last->part || h->first_frame < next)) {
      g_ptr_array_remove_index (parts, i);
      rest->copies++;
      continue;
    }
    h->time = first->time;
    h->number = first->number;
    total = MAX (MAX (total, h->parts), h->part);
    last = h;
    i++;
  }
  rest->missing += total - parts->len;
}

/* ---- Files ---- */

static GPtrArray *
find_parts (GHashTable *concatenations, const DicomHeader *h)
{
  GPtrArray *parts = is_part (h) ? g_hash_table_lookup (concatenations, h->concatenation) : NULL;
  return parts && same_shape (file_of (parts, 0)->header, h) ? parts : NULL;
}

static gboolean
is_known (GHashTable *instances, const DicomHeader *h)
{
  const DicomFile *known = h->instance && *h->instance ? g_hash_table_lookup (instances, h->instance) : NULL;
  return known && is_copy (known->header, h);
}

GPtrArray *
dicom_concatenations_of (const GPtrArray *files, DicomRest *rest)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) instances = g_hash_table_new (g_str_hash, g_str_equal),
                         concatenations = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < files->len; i++) {
    DicomFile *file = file_of (files, i);
    const DicomHeader *h = file->header;
    if (!file->frames)
      continue;
    if (is_known (instances, h)) {
      rest->copies++;
      continue;
    }
    if (h->instance)
      g_hash_table_insert (instances, h->instance, file);
    GPtrArray *parts = find_parts (concatenations, h);
    if (!parts) {
      parts = g_ptr_array_new_with_free_func ((GDestroyNotify) dicom_file_unref);
      g_ptr_array_add (all, parts);
      if (is_part (h))
        g_hash_table_insert (concatenations, h->concatenation, parts);
    }
    g_ptr_array_add (parts, dicom_file_ref (file));
  }
  for (guint i = 0; i < all->len; i++) {
    DicomHeader *h = file_of (all->pdata[i], 0)->header;
    if (is_part (h))
      put_in_order (all->pdata[i], rest);
    else
      h->first_frame = -1;
  }
  return all;
}
