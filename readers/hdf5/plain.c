/* SPDX-License-Identifier: MIT
 */
#include "readers/hdf5/plain.h"

#include "readers/hdf5/attributes.h"
#include "readers/hdf5/axes.h"
#include "readers/hdf5/links.h"
#include "readers/process/serve.h"

#include <string.h>

enum { MAX_DEPTH = 32, MAX_OBJECTS = 1 << 18, MAX_LISTED = 20 };

/* ---- Finding datasets ---- */

typedef struct {
  Hdf5File *f;
  fv_error *error;
  GHashTable *seen; /* addresses of objects: a group may be reached in several ways, or contain itself */
  GString *path;    /* of the group */
  guint depth, n_left_out;
} Search;

static herr_t look_at (hid_t group, const char *name, const H5L_info_t *link, void *data);

/* Tables, texts and what else is not an image. */
static void
leave_out (Search *s)
{
  if (s->n_left_out++ < MAX_LISTED)
    g_string_append_printf (s->f->left_out, "%s%s", s->f->left_out->len ? ", " : "", s->path->str);
}

static gboolean
is_image (Search *s)
{
  char letters[HDF5_AXES + 1];
  fv_error fault = FV_ERROR_INIT;
  gboolean colors;
  Hdf5Dataset d;
  if (!hdf5_file_look (s->f, s->path->str, &d, &fault))
    return FALSE;
  const gboolean is = d.n >= 2 && hdf5_axes_find (&d, letters, &colors, &fault);
  hdf5_dataset_close (&d);
  return is;
}

static gboolean
look_into (Search *s, hid_t object)
{
  switch (H5Iget_type (object)) {
  case H5I_GROUP:
    if (s->depth == MAX_DEPTH)
      return TRUE;
    s->depth++;
    g_string_append_c (s->path, '/');
    H5Literate (object, H5_INDEX_NAME, H5_ITER_INC, NULL, look_at, s);
    s->depth--;
    break;
  case H5I_DATASET:
    if (!is_image (s))
      leave_out (s);
    else if (!hdf5_file_add (s->f, s->path->str, s->error))
      return FALSE;
    break;
  default: break;
  }
  return !s->error->code;
}

/* A link of a group; links to other files are not followed. */
static herr_t
look_at (hid_t group, const char *name, const H5L_info_t *link, void *data)
{
  Search *s = data;
  const gsize length = s->path->len;
  if (link->type != H5L_TYPE_HARD)
    return 0;
  if (g_hash_table_size (s->seen) == MAX_OBJECTS) {
    process_error (s->error, FV_UNSUPPORTED, "It has more than %d groups and datasets.", MAX_OBJECTS);
    return -1;
  }
  if (!g_hash_table_add (s->seen, GSIZE_TO_POINTER ((gsize) link->u.address)))
    return 0;
  g_string_append (s->path, name);
  const hid_t object = hdf5_links_open (group, name);
  const gboolean on = object < 0 || look_into (s, object);
  if (object >= 0)
    H5Oclose (object);
  g_string_truncate (s->path, length);
  return on ? 0 : -1;
}

static gboolean
find (Hdf5File *f, fv_error *error)
{
  Search s = {.f = f, .error = error};
  s.seen = g_hash_table_new (NULL, NULL);
  s.path = g_string_new (NULL);
  H5Literate (f->id, H5_INDEX_NAME, H5_ITER_INC, NULL, look_at, &s);
  if (s.n_left_out > MAX_LISTED)
    g_string_append_printf (f->left_out, " and %u more datasets", s.n_left_out - MAX_LISTED);
  g_hash_table_unref (s.seen);
  g_string_free (s.path, TRUE);
  return TRUE;
}

/* ---- An image ---- */

static char *
dataset_path (const Hdf5Image *image, guint level, gint64 frame, gint64 channel)
{
  (void) level, (void) frame, (void) channel;
  return g_strdup (image->path);
}

/* As Fiji's HDF5 plugins, PlantSeg and others write it: z, y, x in µm. */
static void
read_size (const Hdf5Dataset *d, Hdf5Image *image)
{
  double um[3];
  const guint n = hdf5_attribute_numbers (d->id, "element_size_um", um, 3);
  for (guint i = 0; n >= 2 && i < n; i++)
    image->spacing[3 - n + i] = um[i];
  image->unit = n >= 2 ? "µm" : NULL;
}

static void
describe (const Hdf5Dataset *d, Hdf5Image *image)
{
  static const char *const texts[][2] = {
    {"description", "Description"}, {"Description", "Description"}, {"title", "Title"}};
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree char *text = hdf5_attribute_text (d->id, texts[i][0]);
    hdf5_image_describe (image, texts[i][1], text);
  }
}

static Hdf5Image *
make_image (Hdf5File *f, guint n, fv_error *error)
{
  g_autoptr (Hdf5Image) image = hdf5_image_new ();
  const char *path = f->names->pdata[n];
  char letters[HDF5_AXES + 1];
  gboolean colors = FALSE, done;
  Hdf5Dataset d;
  if (!hdf5_file_look (f, path, &d, error))
    return NULL;
  done = hdf5_axes_find (&d, letters, &colors, error);
  if (done) {
    image->dataset = dataset_path;
    image->path = g_strdup (path);
    image->name = g_strdup (path);
    hdf5_image_set_axes (image, letters);
    done = hdf5_image_add_level (image, &d, NULL, error);
    read_size (&d, image);
    describe (&d, image);
  }
  if (done && colors && image->type == FV_U8 && image->sizes[HDF5_C] == 3)
    image->role = FV_RGB;
  hdf5_dataset_close (&d);
  return done ? g_steal_pointer (&image) : NULL;
}

const Hdf5Kind hdf5_plain = {find, make_image};
