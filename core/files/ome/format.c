/* SPDX-License-Identifier: MIT
 */
#include "core/files/ome/format.h"

#include "core/files/ome/companion.h"
#include "core/files/ome/embedded.h"
#include "core/files/ome/text.h"
#include "core/files/tiff/tiff.h"

#include <string.h>

/* One of them is NULL. */
typedef struct {
  OmeEmbedded *embedded;
  FilesTiffLayout *set;
} Layout;

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  g_autofree char *text = g_strndup ((const char *) head, n);
  (void) self, (void) path;
  return n && files_ome_is (text) && (strstr (text, "<OME") || strstr (text, ":OME"));
}

static void
layout_free (gpointer data)
{
  Layout *layout = data;
  g_clear_pointer (&layout->embedded, ome_embedded_unref);
  g_clear_pointer (&layout->set, files_tiff_layout_unref);
  g_free (layout);
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  g_autoptr (FilesBytes) file = files_bytes_open (path, error);
  g_autofree char *text = file ? ome_text_read (file, error) : NULL;
  GError *fault = NULL;
  Layout layout = {0};
  (void) self;
  if (!text)
    return NULL;
  g_autoptr (FilesOme) ome = files_ome_parse (text, &fault);
  if (!ome) {
    file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: %s.", fault->message);
    g_error_free (fault);
    return NULL;
  }
  g_autofree char *plain = ome_text_plain (text);
  if (ome_embedded_is (ome))
    layout.embedded = ome_embedded_new (file, g_steal_pointer (&ome), plain, error);
  else
    layout.set = ome_companion_layout (path, g_steal_pointer (&ome), plain, error);
  return layout.embedded || layout.set ? g_memdup2 (&layout, sizeof layout) : NULL;
}

static guint
count (gconstpointer data)
{
  const Layout *layout = data;
  return layout->set ? files_tiff_layout_count (layout->set) : ome_embedded_count (layout->embedded);
}

static const char *
left_out (gconstpointer data)
{
  const Layout *layout = data;
  return layout->set ? files_tiff_layout_left_out (layout->set) : ome_embedded_left_out (layout->embedded);
}

static const GPtrArray *
others (gconstpointer data)
{
  const Layout *layout = data;
  return layout->set ? files_tiff_layout_others (layout->set) : NULL;
}

static Image *
open_image (gpointer data, guint n, GError **error)
{
  const Layout *layout = data;
  return layout->set ? files_tiff_open (layout->set, n, error) : ome_embedded_open (layout->embedded, n, error);
}

static FileHash **
hash (gpointer data, int *fd)
{
  const Layout *layout = data;
  if (layout->set)
    return NULL;
  FilesBytes *file = ome_embedded_file (layout->embedded);
  *fd = file->fd;
  return &file->hash;
}

const FileFormat format_ome_xml = {
  .key = "ome_xml",
  .label = "OME-XML",
  .endings = (const char *const[]){"ome.xml", "companion.ome", "ome", NULL},
  .mime = (const char *const[]){"application/x-ome-xml", NULL},
  .only_named = TRUE,
  .is = is,
  .layout = layout_new,
  .free = layout_free,
  .count = count,
  .left_out = left_out,
  .others = others,
  .open = open_image,
  .hash = hash,
};
