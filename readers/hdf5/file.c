/* SPDX-License-Identifier: MIT
 *
 * Links to other files are followed only as the first part of a path, and only to files in the same folder: BigDataViewer divides large data so.
 */
#include "readers/hdf5/file.h"

#include "readers/hdf5/links.h"
#include "readers/process/serve.h"

#include <string.h>

#define ROOM ((gsize) 512 << 20) /* bytes of decoded chunks that are kept */
enum { MAX_IMAGES = 1 << 16, MAX_OPEN = 64, MAX_NAME = 4096 };

typedef struct {
  Hdf5Dataset dataset;
  char *path;
  gsize room;
} Open;

static void
open_free (gpointer data)
{
  Open *o = data;
  hdf5_dataset_close (&o->dataset);
  g_free (o->path);
  g_free (o);
}

static void
close_part (gpointer id)
{
  H5Fclose ((hid_t) GPOINTER_TO_SIZE (id) - 1);
}

/* ---- Files ---- */

Hdf5File *
hdf5_file_new (const char *path)
{
  Hdf5File *f = g_new0 (Hdf5File, 1);
  f->id = H5I_INVALID_HID;
  f->names = g_ptr_array_new_with_free_func (g_free);
  f->images = g_ptr_array_new_with_free_func (hdf5_image_free);
  f->others = g_ptr_array_new_with_free_func (g_free);
  f->left_out = g_string_new (NULL);
  f->parts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, close_part);
  f->open = g_ptr_array_new_with_free_func (open_free);
  f->folder = g_path_get_dirname (path);
  return f;
}

void
hdf5_file_free (gpointer data)
{
  Hdf5File *f = data;
  for (guint i = 0; i < f->images->len; i++)
    if (f->images->pdata[i])
      hdf5_image_free (f->images->pdata[i]);
  g_ptr_array_set_free_func (f->images, NULL);
  g_ptr_array_unref (f->images);
  g_ptr_array_unref (f->names);
  g_ptr_array_unref (f->others);
  g_ptr_array_unref (f->open);
  g_hash_table_unref (f->parts);
  g_string_free (f->left_out, TRUE);
  if (f->about_free)
    f->about_free (f->about);
  if (f->id >= 0)
    H5Fclose (f->id);
  g_free (f->path);
  g_free (f->folder);
  g_free (f);
}

gboolean
hdf5_file_add (Hdf5File *f, const char *name, fv_error *error)
{
  if (f->names->len == MAX_IMAGES)
    return process_error (error, FV_UNSUPPORTED, "It has more than %d images.", MAX_IMAGES);
  g_ptr_array_add (f->names, g_strdup (name));
  return TRUE;
}

Hdf5Image *
hdf5_file_image (Hdf5File *f, guint n, fv_error *error)
{
  if (n >= f->images->len) {
    process_error (error, FV_BAD_INPUT, "It has no image %u.", n);
    return NULL;
  }
  if (!f->images->pdata[n])
    f->images->pdata[n] = f->kind->image (f, n, error);
  return f->images->pdata[n];
}

/* ---- Links to other files ---- */

/* The file beside this one with that name, which must be one; opened once. */
static hid_t
part_of (Hdf5File *f, const char *name)
{
  gsize found = GPOINTER_TO_SIZE (g_hash_table_lookup (f->parts, name));
  if (found)
    return (hid_t) found - 1;
  if (strchr (name, '/'))
    return H5I_INVALID_HID;
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  const hid_t id = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id >= 0)
    g_hash_table_insert (f->parts, g_strdup (name), GSIZE_TO_POINTER ((gsize) id + 1));
  return id;
}

/* The file that has what the path names, and its path there. */
static hid_t
holder_of (Hdf5File *f, const char *path, char **inside)
{
  g_autofree char *first = g_strndup (path, strcspn (path, "/"));
  char value[MAX_NAME];
  const char *name, *object;
  unsigned flags;
  H5L_info_t about;
  *inside = g_strdup (path);
  if (H5Lexists (f->id, first, H5P_DEFAULT) <= 0 || H5Lget_info (f->id, first, &about, H5P_DEFAULT) < 0
      || about.type != H5L_TYPE_EXTERNAL)
    return f->id;
  if (about.u.val_size > sizeof value || H5Lget_val (f->id, first, value, sizeof value, H5P_DEFAULT) < 0
      || H5Lunpack_elink_val (value, about.u.val_size, &flags, &name, &object) < 0)
    return H5I_INVALID_HID;
  g_free (*inside);
  *inside = g_strconcat (object, path + strlen (first), NULL);
  return part_of (f, name);
}

gboolean
hdf5_file_has (Hdf5File *f, const char *path)
{
  g_autofree char *inside = NULL;
  const hid_t holder = holder_of (f, path, &inside);
  return holder >= 0 && hdf5_links_exist (holder, inside);
}

hid_t
hdf5_file_object (Hdf5File *f, const char *path)
{
  g_autofree char *inside = NULL;
  const hid_t holder = holder_of (f, path, &inside);
  return holder >= 0 && hdf5_links_exist (holder, inside) ? hdf5_links_open (holder, inside) : H5I_INVALID_HID;
}

/* ---- Datasets ---- */

gboolean
hdf5_file_look (Hdf5File *f, const char *path, Hdf5Dataset *d, fv_error *error)
{
  g_autofree char *inside = NULL;
  const hid_t holder = holder_of (f, path, &inside);
  if (holder < 0)
    return process_error (error, FV_BAD_INPUT, "The file with its dataset %.200s is missing or elsewhere.", path);
  return hdf5_dataset_open (d, holder, inside, error);
}

/* Closes what was not used for the longest time. */
static void
make_room (Hdf5File *f, gsize room)
{
  while (f->open->len && (f->open->len >= MAX_OPEN || f->room + room > ROOM)) {
    f->room -= ((const Open *) f->open->pdata[0])->room;
    g_ptr_array_remove_index (f->open, 0);
  }
}

const Hdf5Dataset *
hdf5_file_dataset (Hdf5File *f, const char *path, fv_error *error)
{
  for (guint i = f->open->len; i-- > 0;) {
    Open *o = f->open->pdata[i];
    if (!strcmp (o->path, path)) {
      g_ptr_array_steal_index (f->open, i);
      g_ptr_array_add (f->open, o);
      return &o->dataset;
    }
  }
  g_autofree char *inside = NULL;
  const hid_t holder = holder_of (f, path, &inside);
  Hdf5Dataset d;
  gsize room;
  if (holder < 0)
    process_error (error, FV_BAD_INPUT, "The file with its dataset %.200s is missing or elsewhere.", path);
  if (holder < 0 || !hdf5_dataset_open_to_read (&d, holder, inside, &room, error))
    return NULL;
  make_room (f, room);
  f->room += room;
  Open *o = g_new (Open, 1);
  *o = (Open){d, g_strdup (path), room};
  g_ptr_array_add (f->open, o);
  return &o->dataset;
}
