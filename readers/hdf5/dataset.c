/* SPDX-License-Identifier: MIT
 */
#include "readers/hdf5/dataset.h"

#include "readers/hdf5/links.h"
#include "readers/process/serve.h"

#include <string.h>

#define MAX_CHUNK ((gsize) 1 << 30) /* bytes */
#define MAX_ROOM ((gsize) 256 << 20)
#define MAX_BYTES ((gint64) 1 << 60)
enum { SLOTS = 12421 /* of the hash table of chunks: a prime */ };

/* ---- Types ---- */

static gboolean
is_bool (hid_t type)
{
  gint8 no = 0, yes = 0;
  const hid_t super = H5Tget_super (type);
  const gboolean small = super >= 0 && H5Tget_size (super) == 1;
  if (super >= 0)
    H5Tclose (super);
  return small && H5Tget_nmembers (type) == 2 && H5Tenum_valueof (type, "FALSE", &no) >= 0
         && H5Tenum_valueof (type, "TRUE", &yes) >= 0 && no == 0 && yes == 1;
}

static void
set_integer (Hdf5Dataset *d, hid_t type, gsize bytes)
{
  const gboolean is_signed = H5Tget_sign (type) == H5T_SGN_2;
  switch (bytes) {
  case 1:
    d->type = is_signed ? FV_I8 : FV_U8;
    d->memory = H5Tcopy (is_signed ? H5T_NATIVE_INT8 : H5T_NATIVE_UINT8);
    break;
  case 2:
    d->type = is_signed ? FV_I16 : FV_U16;
    d->memory = H5Tcopy (is_signed ? H5T_NATIVE_INT16 : H5T_NATIVE_UINT16);
    break;
  case 4:
    d->type = is_signed ? FV_I32 : FV_U32;
    d->memory = H5Tcopy (is_signed ? H5T_NATIVE_INT32 : H5T_NATIVE_UINT32);
    break;
  case 8:
    d->type = FV_F64;
    d->conversion = is_signed ? HDF5_SIGNED : HDF5_UNSIGNED;
    d->memory = H5Tcopy (is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64);
    break;
  }
}

/* IEEE 754's with 16 bits; HDF5 has no name for it. */
static hid_t
half_type (void)
{
  const hid_t type = H5Tcopy (H5T_NATIVE_FLOAT);
  H5Tset_fields (type, 15, 10, 5, 0, 10);
  H5Tset_size (type, 2);
  H5Tset_ebias (type, 15);
  return type;
}

static void
set_float (Hdf5Dataset *d, gsize bytes)
{
  switch (bytes) {
  case 2:
    d->type = FV_F16;
    d->memory = half_type ();
    break;
  case 4:
    d->type = FV_F32;
    d->memory = H5Tcopy (H5T_NATIVE_FLOAT);
    break;
  case 8:
    d->type = FV_F64;
    d->memory = H5Tcopy (H5T_NATIVE_DOUBLE);
    break;
  }
}

static gboolean
set_type (Hdf5Dataset *d, fv_error *error)
{
  const hid_t type = H5Dget_type (d->id);
  const H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class (type);
  const gsize bytes = type < 0 ? 0 : H5Tget_size (type);
  if (class == H5T_INTEGER)
    set_integer (d, type, bytes);
  else if (class == H5T_FLOAT)
    set_float (d, bytes);
  else if (class == H5T_ENUM && is_bool (type)) {
    d->type = FV_U8;
    d->conversion = HDF5_MASK;
    d->memory = H5Tcopy (type);
  }
  if (type >= 0)
    H5Tclose (type);
  d->bytes = d->memory >= 0 ? H5Tget_size (d->memory) : 0;
  return d->memory >= 0
         || process_error (error, FV_UNSUPPORTED, "Its pixels are neither integers, floats of 16 to 64 bits nor bool.");
}

/* ---- Sizes ---- */

static gboolean
set_shape (Hdf5Dataset *d, fv_error *error)
{
  hsize_t shape[H5S_MAX_RANK];
  const hid_t space = H5Dget_space (d->id);
  const int n = space < 0 ? -1 : H5Sget_simple_extent_ndims (space);
  const gboolean there = n >= 1 && n <= HDF5_AXES && H5Sget_simple_extent_dims (space, shape, NULL) == n;
  gint64 pixels = 1;
  if (space >= 0)
    H5Sclose (space);
  if (!there)
    return process_error (error, FV_UNSUPPORTED, "It has %d axes; 1 to %d can be.", MAX (n, 0), HDF5_AXES);
  d->n = (guint) n;
  for (guint i = 0; i < d->n; i++) {
    if (shape[i] < 1 || shape[i] > (hsize_t) (MAX_BYTES / pixels))
      return process_error (error, FV_UNSUPPORTED, "It has no pixels, or more than can be.");
    d->shape[i] = d->chunk[i] = (gint64) shape[i];
    pixels *= d->shape[i];
  }
  return TRUE;
}

static gboolean
set_chunk (Hdf5Dataset *d, hid_t list, fv_error *error)
{
  hsize_t chunk[H5S_MAX_RANK];
  gsize bytes = d->bytes;
  if (H5Pget_chunk (list, (int) d->n, chunk) != (int) d->n)
    return process_error (error, FV_BAD_INPUT, "Its chunks cannot be read.");
  for (guint i = 0; i < d->n; i++) {
    if (chunk[i] < 1 || chunk[i] > MAX_CHUNK / bytes)
      return process_error (error, FV_UNSUPPORTED, "Its chunks have more than %d MiB.", (int) (MAX_CHUNK >> 20));
    bytes *= chunk[i];
    d->chunk[i] = MIN ((gint64) chunk[i], d->shape[i]);
  }
  d->chunked = TRUE;
  return TRUE;
}

static gboolean
set_layout (Hdf5Dataset *d, fv_error *error)
{
  const hid_t list = H5Dget_create_plist (d->id);
  const H5D_layout_t layout = list < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout (list);
  gboolean done = FALSE;
  if (layout == H5D_CHUNKED)
    done = set_chunk (d, list, error);
  else if (layout == H5D_VIRTUAL || (layout == H5D_CONTIGUOUS && H5Pget_external_count (list) > 0))
    process_error (error, FV_UNSUPPORTED, "Its pixels are in other files: open these.");
  else if (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT)
    done = TRUE;
  else
    process_error (error, FV_BAD_INPUT, "It does not say where its pixels are.");
  if (list >= 0)
    H5Pclose (list);
  return done;
}

/* ---- Opening ---- */

static gboolean
open_with (Hdf5Dataset *d, hid_t file, const char *path, hid_t access, fv_error *error)
{
  *d = (Hdf5Dataset){.id = H5Dopen2 (file, path, access), .memory = H5I_INVALID_HID};
  if (d->id < 0)
    return process_error (error, FV_BAD_INPUT, "Its dataset %.200s cannot be opened.", path);
  if (set_type (d, error) && set_shape (d, error) && set_layout (d, error))
    return TRUE;
  hdf5_dataset_close (d);
  return FALSE;
}

gboolean
hdf5_dataset_open (Hdf5Dataset *d, hid_t file, const char *path, fv_error *error)
{
  const hid_t access = hdf5_links_access (H5P_DATASET_ACCESS);
  const gboolean done = open_with (d, file, path, access, error);
  H5Pclose (access);
  return done;
}

/* Of the chunks that a plane touches: all along the two axes with most of them. */
static gsize
room_of (const Hdf5Dataset *d)
{
  gsize chunk = d->bytes, most[2] = {1, 1};
  for (guint i = 0; i < d->n; i++) {
    const gsize along = (gsize) ((d->shape[i] - 1) / d->chunk[i] + 1);
    chunk *= (gsize) d->chunk[i];
    if (along >= most[0]) {
      most[1] = most[0];
      most[0] = along;
    } else if (along > most[1])
      most[1] = along;
  }
  return most[0] > MAX_ROOM / chunk / most[1] ? MAX (MAX_ROOM, chunk) : (most[0] * most[1] + 1) * chunk;
}

static gboolean
has_filters (hid_t list, fv_error *error)
{
  const int n = H5Pget_nfilters (list);
  for (int i = 0; i < n; i++) {
    char name[64] = "";
    unsigned flags, info;
    size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2 (list, (unsigned) i, &flags, &values, NULL, sizeof name, name, &info);
    if (filter < 0 || H5Zfilter_avail (filter) <= 0)
      return process_error (
        error, FV_UNSUPPORTED,
        "Its pixels are compressed with the HDF5 filter %d (%.40s), which is not installed: install "
        "a package with it, such as hdf5-filter-plugin, or set HDF5_PLUGIN_PATH.",
        (int) filter, *name ? name : "without a name");
  }
  return TRUE;
}

/* What compresses must be there to read pixels, and not to tell what the file holds. */
static gboolean
check_filters (const Hdf5Dataset *d, fv_error *error)
{
  const hid_t list = H5Dget_create_plist (d->id);
  const gboolean there = list >= 0 && has_filters (list, error);
  if (list >= 0)
    H5Pclose (list);
  if (list < 0)
    process_error (error, FV_BAD_INPUT, "Its filters cannot be read.");
  return there;
}

gboolean
hdf5_dataset_open_to_read (Hdf5Dataset *d, hid_t file, const char *path, gsize *room, fv_error *error)
{
  *room = 0;
  if (!hdf5_dataset_open (d, file, path, error))
    return FALSE;
  if (!d->chunked)
    return TRUE;
  if (!check_filters (d, error)) {
    hdf5_dataset_close (d);
    return FALSE;
  }
  const hid_t access = hdf5_links_access (H5P_DATASET_ACCESS);
  *room = room_of (d);
  H5Pset_chunk_cache (access, SLOTS, *room, H5D_CHUNK_CACHE_W0_DEFAULT);
  hdf5_dataset_close (d);
  const gboolean done = open_with (d, file, path, access, error);
  H5Pclose (access);
  return done;
}

void
hdf5_dataset_close (Hdf5Dataset *d)
{
  if (d->memory >= 0)
    H5Tclose (d->memory);
  if (d->id >= 0)
    H5Dclose (d->id);
  d->id = d->memory = H5I_INVALID_HID;
}
