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

/* Some programs give all files of a series the same UID: numbers and positions tell them apart, and files without either are never copies. */
static gboolean
can_be_copy (const DicomHeader *h)
{
  return h->instance && *h->instance && (h->number || h->part || h->frames->has_position);
}

static guint
hash_instance (gconstpointer header)
{
  const DicomHeader *h = header;
  guint hash = g_str_hash (h->instance) ^ (guint) h->number ^ h->part << 16;
  for (guint i = 0; h->frames->has_position && i < 3; i++)
    hash = hash * 33 ^ g_double_hash (&h->frames->position[i]);
  return hash;
}

static gboolean
is_copy (gconstpointer one, gconstpointer other)
{
  const DicomHeader *a = one, *b = other;
  return !strcmp (a->instance, b->instance) && same_shape (a, b) && a->n_frames == b->n_frames && a->number == b->number
         && a->part == b->part && a->time == b->time && a->frames->has_position == b->frames->has_position
         && (!a->frames->has_position
             || !memcmp (a->frames->position, b->frames->position, sizeof a->frames->position));
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

/* Leaves out parts whose number another part has. Offsets within other parts are wrong: then parts follow each other. */
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
    h->first_frame = MAX (h->first_frame, next);
    if (last && h->part == last->part) {
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

GPtrArray *
dicom_concatenations_of (const GPtrArray *files, DicomRest *rest)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) instances = g_hash_table_new (hash_instance, is_copy),
                         concatenations = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < files->len; i++) {
    DicomFile *file = file_of (files, i);
    DicomHeader *h = file->header;
    if (!file->frames)
      continue;
    if (can_be_copy (h) && !g_hash_table_add (instances, h)) {
      rest->copies++;
      continue;
    }
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
