/* SPDX-License-Identifier: MIT
 *
 * What BigDataViewer stores as signed 16-bit integers are unsigned ones.
 */
#include "readers/hdf5/bdv.h"

#include "readers/hdf5/bdv_xml.h"
#include "readers/process/serve.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SETUPS = 1 << 16, MAX_LEVELS = 32, MAX_LISTED = 1 << 16 };

/* ---- Files ---- */

static gboolean
is_xml (const char *path)
{
  char head[64] = "";
  FILE *file = fopen (path, "rbe");
  const gsize n = file ? fread (head, 1, sizeof head - 1, file) : 0;
  if (file)
    fclose (file);
  return n && (g_str_has_prefix (head, "<") || g_str_has_prefix (head, "\xef\xbb\xbf<"));
}

static void
take_views (Hdf5File *f, Hdf5Views *views)
{
  f->about = views;
  f->about_free = hdf5_views_free;
}

char *
hdf5_bdv_path (Hdf5File *f, const char *path, fv_error *error)
{
  if (!is_xml (path))
    return g_strdup (path);
  Hdf5Views *views = hdf5_views_read (path, error);
  if (!views)
    return NULL;
  take_views (f, views);
  if (g_strcmp0 (views->format, "bdv.hdf5") || !views->file) {
    process_error (
      error, FV_UNSUPPORTED,
      "Its pixels are stored as '%.60s'; 'bdv.hdf5' can be: save them so with BigDataViewer or BigStitcher.",
      views->format ? views->format : "");
    return NULL;
  }
  if (g_path_is_absolute (views->file) || strstr (views->file, "..")) {
    process_error (error, FV_UNSUPPORTED, "Its pixels are in another folder, %.200s: open that file.", views->file);
    return NULL;
  }
  char *hdf5 = g_build_filename (f->folder, views->file, NULL);
  g_ptr_array_add (f->others, g_strdup (hdf5));
  g_free (f->folder);
  f->folder = g_path_get_dirname (hdf5);
  return hdf5;
}

/* The XML file of the same name, where the HDF5 file was opened. */
static void
find_xml (Hdf5File *f)
{
  const char *dot = strrchr (f->path, '.');
  g_autofree char *xml = dot ? g_strdup_printf ("%.*s.xml", (int) (dot - f->path), f->path) : NULL;
  fv_error ignored = FV_ERROR_INIT;
  if (f->about || !xml || !g_file_test (xml, G_FILE_TEST_IS_REGULAR) || !is_xml (xml))
    return;
  Hdf5Views *views = hdf5_views_read (xml, &ignored);
  if (!views)
    return;
  take_views (f, views);
  g_ptr_array_add (f->others, g_steal_pointer (&xml));
}

/* ---- What the groups are ---- */

/* The number in the name of a group, "t00012" or "s03"; FALSE: it is none. */
static gboolean
number_of (const char *name, char letter, guint *number)
{
  guint64 found;
  if (name[0] != letter || !g_ascii_string_to_unsigned (name + 1, 10, 0, G_MAXINT32, &found, NULL))
    return FALSE;
  *number = (guint) found;
  return TRUE;
}

typedef struct {
  GArray *frames, *setups;
  GPtrArray *files; /* names of files that links lead to */
  hid_t file;
} Listing;

static void
add_link (Listing *l, const char *name, gsize bytes)
{
  g_autofree char *value = g_malloc (bytes);
  const char *file, *object;
  unsigned flags;
  if (H5Lget_val (l->file, name, value, bytes, H5P_DEFAULT) >= 0
      && H5Lunpack_elink_val (value, bytes, &flags, &file, &object) >= 0
      && !g_ptr_array_find_with_equal_func (l->files, file, g_str_equal, NULL))
    g_ptr_array_add (l->files, g_strdup (file));
}

static herr_t
list (hid_t group, const char *name, const H5L_info_t *link, void *data)
{
  Listing *l = data;
  guint number;
  (void) group;
  if (l->frames->len >= MAX_LISTED || l->setups->len >= MAX_LISTED)
    return 1;
  if (number_of (name, 't', &number)) {
    g_array_append_val (l->frames, number);
    if (link->type == H5L_TYPE_EXTERNAL && link->u.val_size <= 4096)
      add_link (l, name, link->u.val_size);
  } else if (number_of (name, 's', &number))
    g_array_append_val (l->setups, number);
  return 0;
}

static void
list_groups (Hdf5File *f, Listing *l)
{
  *l = (Listing){g_array_new (FALSE, FALSE, sizeof (guint)), g_array_new (FALSE, FALSE, sizeof (guint)),
                 g_ptr_array_new_with_free_func (g_free), f->id};
  H5Literate (f->id, H5_INDEX_NAME, H5_ITER_INC, NULL, list, l);
}

static void
free_listing (Listing *l)
{
  g_array_unref (l->frames);
  g_array_unref (l->setups);
  g_ptr_array_unref (l->files);
}

static const Hdf5Setup *
setup_of (const Hdf5File *f, guint id)
{
  const Hdf5Views *views = f->about;
  for (guint i = 0; views && i < views->setups->len; i++)
    if (((const Hdf5Setup *) views->setups->pdata[i])->id == id)
      return views->setups->pdata[i];
  return NULL;
}

/* Whether one image has both as channels. */
static gboolean
are_channels (const Hdf5Setup *a, const Hdf5Setup *b)
{
  return a && b && a->channel_id && b->channel_id && strcmp (a->channel_id, b->channel_id) && !strcmp (a->view, b->view)
         && !memcmp (a->size, b->size, sizeof a->size);
}

/* An image for each setup, "s00", but for those that are channels of one before: "s00 s01". */
static gboolean
add_images (Hdf5File *f, const GArray *setups, fv_error *error)
{
  g_autofree gboolean *taken = g_new0 (gboolean, setups->len);
  for (guint i = 0; i < setups->len; i++) {
    const guint id = g_array_index (setups, guint, i);
    g_autoptr (GString) name = g_string_new (NULL);
    if (taken[i])
      continue;
    g_string_append_printf (name, "%u", id);
    for (guint k = i + 1; k < setups->len; k++) {
      const guint other = g_array_index (setups, guint, k);
      if (!taken[k] && are_channels (setup_of (f, id), setup_of (f, other))) {
        taken[k] = TRUE;
        g_string_append_printf (name, " %u", other);
      }
    }
    if (!hdf5_file_add (f, name->str, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
find (Hdf5File *f, fv_error *error)
{
  Listing l;
  gboolean is = FALSE;
  list_groups (f, &l);
  if (l.frames->len && l.setups->len && l.setups->len <= MAX_SETUPS) {
    g_autofree char *cells =
      g_strdup_printf ("t%05u/s%02u/0/cells", g_array_index (l.frames, guint, 0), g_array_index (l.setups, guint, 0));
    is = hdf5_file_has (f, cells);
  }
  if (is) {
    find_xml (f);
    for (guint i = 0; i < l.files->len; i++)
      g_ptr_array_add (f->others, g_build_filename (f->folder, l.files->pdata[i], NULL));
    add_images (f, l.setups, error);
  }
  free_listing (&l);
  return is;
}

/* ---- An image ---- */

static char *
cells_path (guint frame, guint setup, guint level)
{
  return g_strdup_printf ("t%05u/s%02u/%u/cells", frame, setup, level);
}

static char *
dataset_path (const Hdf5Image *image, guint level, gint64 frame, gint64 channel)
{
  return cells_path (g_array_index (image->frames, guint, frame), g_array_index (image->channels, guint, channel),
                     level);
}

/* Time points that have the setup. */
static void
set_frames (Hdf5File *f, Hdf5Image *image)
{
  Listing l;
  const guint setup = g_array_index (image->channels, guint, 0);
  list_groups (f, &l);
  image->frames = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < l.frames->len; i++) {
    const guint frame = g_array_index (l.frames, guint, i);
    g_autofree char *path = cells_path (frame, setup, 0);
    if (hdf5_file_has (f, path))
      g_array_append_val (image->frames, frame);
  }
  free_listing (&l);
}

static gboolean
add_levels (Hdf5File *f, Hdf5Image *image, fv_error *error)
{
  for (guint level = 0; level < MAX_LEVELS; level++) {
    g_autofree char *path = dataset_path (image, level, 0, 0);
    Hdf5Dataset d;
    if (level && !hdf5_file_has (f, path))
      break;
    if (!hdf5_file_look (f, path, &d, error))
      return FALSE;
    const gboolean done = hdf5_image_add_level (image, &d, NULL, error);
    hdf5_dataset_close (&d);
    if (!done)
      return FALSE;
  }
  image->sizes[HDF5_T] = image->frames->len;
  image->sizes[HDF5_C] = image->channels->len;
  return TRUE;
}

/* Names that are the numbers of the channels say nothing. */
static void
read_names (const Hdf5File *f, Hdf5Image *image)
{
  const guint n = image->channels->len;
  gboolean named = FALSE;
  image->channel_names = g_new0 (char *, n + 1);
  for (guint c = 0; c < n; c++) {
    const Hdf5Setup *s = setup_of (f, g_array_index (image->channels, guint, c));
    image->channel_names[c] = g_strdup (s && s->channel ? s->channel : "");
    named = named || (s && g_strcmp0 (s->channel, s->channel_id));
  }
  if (!named)
    g_clear_pointer (&image->channel_names, g_strfreev);
}

static void
read_setup (const Hdf5File *f, Hdf5Image *image)
{
  const Hdf5Setup *s = setup_of (f, g_array_index (image->channels, guint, 0));
  if (!s)
    return;
  image->unit = hdf5_unit_of (s->unit);
  for (guint i = 0; i < 3 && image->unit; i++)
    image->spacing[2 - i] = s->size[i];
  read_names (f, image);
  g_free (image->name);
  image->name = g_strdup (s->name && *s->name ? s->name : s->view);
  hdf5_image_describe (image, "View", s->view);
}

static Hdf5Image *
make_image (Hdf5File *f, guint n, fv_error *error)
{
  g_autoptr (Hdf5Image) image = hdf5_image_new ();
  g_auto (GStrv) setups = g_strsplit (f->names->pdata[n], " ", -1);
  image->dataset = dataset_path;
  image->unsigned16 = TRUE;
  image->channels = g_array_new (FALSE, FALSE, sizeof (guint));
  for (char **setup = setups; *setup; setup++) {
    const guint id = (guint) g_ascii_strtoull (*setup, NULL, 10);
    g_array_append_val (image->channels, id);
  }
  image->name = g_strdup_printf ("setup %u", g_array_index (image->channels, guint, 0));
  hdf5_image_set_axes (image, "zyx");
  set_frames (f, image);
  if (!image->frames->len) {
    process_error (error, FV_BAD_INPUT, "No time point has the pixels of %.60s.", image->name);
    return NULL;
  }
  if (!add_levels (f, image, error))
    return NULL;
  read_setup (f, image);
  return g_steal_pointer (&image);
}

const Hdf5Kind hdf5_bdv = {find, make_image};
