/* SPDX-License-Identifier: MIT
 */
#include "core/files/formats.h"

#include "core/base/error.h"
#include "core/base/fork.h"
#include "core/files/pictures/apng.h"
#include "core/files/movies/avi.h"
#include "core/files/czi/format.h"
#include "core/files/dicom/format.h"
#include "core/files/fits/format.h"
#include "core/files/pictures/gif.h"
#include "core/files/jpeg2000/format.h"
#include "core/files/lif/format.h"
#include "core/files/volumes/metaimage.h"
#include "core/files/volumes/mrc.h"
#include "core/files/nd2/format.h"
#include "core/files/volumes/nifti.h"
#include "core/files/volumes/nrrd.h"
#include "core/files/volumes/numpy.h"
#include "core/files/objects.h"
#include "core/files/ome/format.h"
#include "core/files/openslide/format.h"
#include "core/files/pictures/pixbuf.h"
#include "core/files/pictures/pnm.h"
#include "core/files/plate/format.h"
#include "core/files/shared/subfolders.h"
#include "core/files/shared/unpack.h"
#include "core/files/text/text_image.h"
#include "core/files/tiff/format.h"
#include "core/files/movies/video.h"
#include "core/files/zarr/format.h"
#include "core/selection/selection.h"

#include <string.h>

/* A new format is a line here, its sources in core/meson.build, and nothing else. What is recognized by few bytes comes last, and text behind all others. */
static const FileFormat *const formats[] = {
  &format_tiff,     &format_ome_xml,   &format_fits, &format_png,   &format_apng,  &format_jpeg,
  &format_jpeg2000, &format_bmp,       &format_gif,  &format_avi,   &format_video, &format_pnm,
  &format_webp,     &format_heif,      &format_avif, &format_nifti, &format_nrrd,  &format_metaimage,
  &format_mrc,      &format_numpy,     &format_czi,  &format_lif,   &format_dicom, &format_nd2,
  &format_zarr,     &format_openslide, &format_jxl,  &format_plate, &format_text,  NULL,
};

static const FileFormat *const *list; /* in place of that, atomically replaced; NULL: nothing was added */
static GPtrArray *lists;              /* the later ones, which another thread may still read */
static GMutex lock;
FORK_GUARD_STATIC (lock)

const FileFormat *const *
formats_all (void)
{
  const FileFormat *const *now = g_atomic_pointer_get (&list);
  return now ? now : formats;
}

/* All but one, and another behind them; each may be NULL. The lock is held. */
static void
replace_list (const FileFormat *without, const FileFormat *with)
{
  GPtrArray *all = g_ptr_array_new ();
  for (const FileFormat *const *f = formats_all (); *f; f++)
    if (*f != without)
      g_ptr_array_add (all, (gpointer) *f);
  if (with)
    g_ptr_array_add (all, (gpointer) with);
  g_ptr_array_add (all, NULL);
  if (!lists)
    lists = g_ptr_array_new ();
  g_ptr_array_add (lists, all);
  g_atomic_pointer_set (&list, (const FileFormat *const *) all->pdata);
}

gboolean
formats_add (const FileFormat *format, GError **error)
{
  const FileFormat *taken = NULL;
  g_mutex_lock (&lock);
  for (const FileFormat *const *f = formats_all (); *f && !taken; f++)
    if (!strcmp ((*f)->key, format->key))
      taken = *f;
  if (!taken)
    replace_list (NULL, format);
  g_mutex_unlock (&lock);
  if (taken)
    step_error_set (error, FV_UNSUPPORTED, NULL,
                    "The format '%s' of the plugin %s is not used: %s reads one of that key.", format->key,
                    format->plugin, taken->plugin ? taken->plugin : "Fovea");
  return !taken;
}

void
formats_remove (const FileFormat *format)
{
  g_mutex_lock (&lock);
  replace_list (format, NULL);
  g_mutex_unlock (&lock);
}

static const FileFormat *
find_format (const char *path, const guint8 *head, gsize n)
{
  guint8 inside[FORMAT_HEAD];
  const gsize unpacked = files_is_gzip (head, n) ? files_unpack_head_of (path, inside, sizeof inside) : 0;
  for (int turn = 1; turn >= -1; turn--)
    for (const FileFormat *const *f = formats_all (); *f; f++)
      if ((*f)->first - (*f)->last == turn
          && (unpacked && (*f)->gzip ? (*f)->is (*f, path, inside, unpacked) : (*f)->is (*f, path, head, n)))
        return *f;
  return NULL;
}

const FileFormat *
formats_of_head (const char *path, const guint8 *head, gsize n)
{
  const FileFormat *found = find_format (path, head, n);
  for (const FileFormat *const *f = formats_all (); !found && !n && *f; f++)
    if ((*f)->in_subfolders && g_file_test (path, G_FILE_TEST_IS_DIR)
        && subfolders_are (*f, path, formats_is_image_name))
      return *f;
  return found;
}

gboolean
formats_is_image_folder (const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_DIR) && find_format (path, (const guint8 *) "", 0);
}

gboolean
formats_opens_folder (const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_DIR) && formats_of_head (path, (const guint8 *) "", 0);
}

/* Whether the name ends with a dot and the ending. */
static gboolean
has_ending (const char *name, const char *ending)
{
  const gsize length = strlen (name), n = strlen (ending);
  return length > n && name[length - n - 1] == '.' && !g_ascii_strcasecmp (name + length - n, ending);
}

const FileFormat *
formats_of_output (const char *path)
{
  for (const FileFormat *const *f = formats_all (); *f; f++)
    for (guint i = 0; i < (*f)->n_written; i++)
      if (has_ending (path, (*f)->endings[i]))
        return *f;
  return selections_is_name (path) ? &format_objects : NULL;
}

gboolean
formats_is_image_name (const char *name)
{
  for (const FileFormat *const *f = formats_all (); *f; f++)
    for (const char *const *ending = (*f)->endings; *ending && !(*f)->only_named; ending++)
      if (has_ending (name, *ending))
        return TRUE;
  return FALSE;
}

const char **
formats_endings (gboolean written, const char *const *more)
{
  GPtrArray *endings = g_ptr_array_new ();
  for (const FileFormat *const *f = formats_all (); *f; f++)
    for (guint i = 0; written ? i < (*f)->n_written : (*f)->endings[i] != NULL; i++)
      g_ptr_array_add (endings, (gpointer) (*f)->endings[i]);
  for (; more && *more; more++)
    g_ptr_array_add (endings, (gpointer) *more);
  g_ptr_array_add (endings, NULL);
  return (const char **) g_ptr_array_free (endings, FALSE);
}

/* "a, b and c" of what `word` says of each format; NULL is left out. */
static char *
enumerate (char *(*word) (const FileFormat *), const char *conjunction)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  GString *s = g_string_new (NULL);
  for (const FileFormat *const *f = formats_all (); *f; f++) {
    char *one = word (*f);
    if (one)
      g_ptr_array_add (words, one);
  }
  for (guint i = 0; i < words->len; i++)
    g_string_append_printf (s, "%s%s",
                            !i                    ? ""
                            : i + 1 == words->len ? conjunction
                                                  : ", ",
                            (const char *) words->pdata[i]);
  return g_string_free (s, FALSE);
}

static char *
label_of (const FileFormat *f)
{
  return g_strdup (f->label);
}

static char *
output_of (const FileFormat *f)
{
  return f->n_written ? g_strconcat (".", f->endings[0], NULL) : NULL;
}

char *
formats_labels (void)
{
  return enumerate (label_of, " and ");
}

static char *
packed_label_of (const FileFormat *f)
{
  return f->gzip ? g_strdup (f->label) : NULL;
}

char *
formats_packed_labels (void)
{
  return enumerate (packed_label_of, " and ");
}

char *
formats_outputs (void)
{
  return enumerate (output_of, " or ");
}
