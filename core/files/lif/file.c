/* SPDX-License-Identifier: MIT
 */
#include "core/files/lif/file.h"

#include "core/base/progress.h"
#include "core/files/shared/little.h"

#include <string.h>

enum {
  MAGIC = 0x70,
  MARK = 0x2a,
  HEADER = 13,     /* MAGIC, bytes behind these two numbers, MARK, characters of the text that follows */
  BLOCK = 22,      /* of a memory block: MAGIC, bytes, MARK, a size of 64 bits, MARK, characters of its id */
  OLD_BLOCK = 18,  /* the same with a size of 32 bits */
  ID = 256,        /* characters that an id may have */
  ROOT_WITHIN = 64 /* characters before the XML's first element */
};

#define OBJECT "LMS_Object_File"
#define ROOT "<LMSDataContainerHeader"

/* ---- Texts ---- */

static GString *
from_any (const guint8 *p, gsize n)
{
  if (n >= 2 && ((p[0] == 0xff && p[1] == 0xfe) || p[1] == 0))
    return files_little_utf16 (p, n / 2);
  return g_string_new_len ((const char *) p, (gssize) n);
}

/* Whether the text begins so, after white space, a byte order mark and <?xml ?>. */
static gboolean
is_xml (const GString *text)
{
  const char *root = g_strstr_len (text->str, ROOT_WITHIN + (gssize) strlen (ROOT), ROOT);
  return root
         && (g_str_has_prefix (text->str, "<") || g_str_has_prefix (text->str, "\357\273\277<")
             || g_ascii_isspace (*text->str));
}

gboolean
files_lif_is (const guint8 *head, gsize n)
{
  if (n >= HEADER + 2 && files_little (head, 4) == MAGIC && head[8] == MARK)
    return (head[13] == '<' || head[13] == 'L') && head[14] == 0;
  g_autoptr (GString) text = from_any (head, n);
  return is_xml (text);
}

/* n characters of the file. NULL with *error. */
static GString *
read_text (FilesBytes *bytes, guint64 at, guint32 n, GError **error)
{
  const gsize size = (gsize) n * 2;
  if (at > bytes->size || size > bytes->size - at) {
    file_fail (error, FILE_ERROR_DAMAGED, bytes->path,
               "is truncated: its XML ends at byte %" G_GUINT64_FORMAT ", the file at %" G_GUINT64_FORMAT ".",
               at + size, bytes->size);
    return NULL;
  }
  g_autofree guint8 *units = g_try_malloc (size + 1);
  if (!units || !files_bytes_read (bytes, at, units, size)) {
    file_fail (error, FILE_ERROR_OPEN, bytes->path, "cannot be read: its XML has %" G_GSIZE_FORMAT " bytes.", size);
    return NULL;
  }
  return files_little_utf16 (units, n);
}

/* FALSE with *error. */
static gboolean
parse (FilesLifFile *file, const GString *text, GError **error)
{
  g_autoptr (GError) own = NULL;
  const char *start = strchr (text->str, '<');
  const gsize skipped = start ? (gsize) (start - text->str) : 0;
  file->xml = files_lif_xml_parse (text->str + skipped, text->len - skipped, &own);
  return file->xml
         || file_fail (error, FILE_ERROR_DAMAGED, file->bytes->path, "has XML that cannot be read: %s.", own->message);
}

/* ---- Kinds ---- */

/* The XML of a LIF or LOF file, whose header is there. */
static gboolean
read_xml (FilesLifFile *file, guint64 at, GError **error)
{
  guint8 header[HEADER];
  if (!files_bytes_read (file->bytes, at, header, sizeof header) || files_little (header, 4) != MAGIC
      || header[8] != MARK)
    return file_fail (error, FILE_ERROR_DAMAGED, file->bytes->path,
                      "is damaged or truncated: its XML should begin at byte %" G_GUINT64_FORMAT ".", at);
  g_autoptr (GString) text = read_text (file->bytes, at + HEADER, (guint32) files_little (header + 9, 4), error);
  return text && parse (file, text, error);
}

/* Notes the blocks that images name. Reading ends with the first that is damaged: images of the others are told to miss theirs. */
static void
find_blocks (FilesLifFile *file, guint64 at)
{
  guint8 header[BLOCK];
  file->blocks = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  for (guint i = 0; i < file->xml->elements->len; i++) {
    const FilesLifElement *e = file->xml->elements->pdata[i];
    if (e->is_image && e->memory)
      g_hash_table_insert (file->blocks, e->memory, g_new0 (FilesLifBlock, 1));
  }
  while (!progress_stopped (NULL) && files_bytes_read (file->bytes, at, header, OLD_BLOCK)) {
    const gboolean old =
      header[13] == MARK && files_little (header + 4, 4) == OLD_BLOCK - 8 + 2 * files_little (header + 14, 4);
    const guint before = old ? OLD_BLOCK : BLOCK;
    if (!files_bytes_read (file->bytes, at, header, before) || files_little (header, 4) != MAGIC || header[8] != MARK
        || header[before - 5] != MARK)
      return;
    const guint64 size = files_little (header + 9, old ? 4 : 8);
    const guint32 n = (guint32) files_little (header + before - 4, 4);
    guint8 units[2 * ID];
    if (n > ID || !files_bytes_read (file->bytes, at + before, units, 2 * n))
      return;
    g_autoptr (GString) id = files_little_utf16 (units, n);
    FilesLifBlock *block = g_hash_table_lookup (file->blocks, id->str);
    at += before + 2 * n;
    if (block && !block->size)
      *block = (FilesLifBlock){at, size};
    if (size > file->bytes->size || at > file->bytes->size - size)
      return;
    at += size;
  }
}

static gboolean
read_object (FilesLifFile *file, GError **error)
{
  guint8 header[2 * 5 + 9]; /* MARK, version, MARK, version, MARK, size */
  guint64 at = HEADER + 2 * strlen (OBJECT);
  if (!files_bytes_read (file->bytes, at, header, sizeof header) || header[0] != MARK || header[5] != MARK
      || header[10] != MARK)
    return file_fail (error, FILE_ERROR_DAMAGED, file->bytes->path,
                      "is damaged or truncated: the header of its memory block is not at byte %" G_GUINT64_FORMAT ".",
                      at);
  at += sizeof header;
  file->is_object = TRUE;
  file->object = (FilesLifBlock){at, files_little (header + 11, 8)};
  if (file->object.size > file->bytes->size - at)
    return file_fail (error, FILE_ERROR_DAMAGED, file->bytes->path,
                      "is truncated: its %" G_GUINT64_FORMAT " bytes of pixels begin at byte %" G_GUINT64_FORMAT
                      ", the file ends at %" G_GUINT64_FORMAT ".",
                      file->object.size, at, file->bytes->size);
  return read_xml (file, at + file->object.size, error);
}

static gboolean
read_xml_file (FilesLifFile *file, GError **error)
{
  const gsize size = (gsize) file->bytes->size;
  g_autofree guint8 *bytes = g_try_malloc (size + 1);
  if (!bytes || !files_bytes_read (file->bytes, 0, bytes, size))
    return file_fail (error, FILE_ERROR_OPEN, file->bytes->path,
                      "cannot be read: its XML has %" G_GSIZE_FORMAT " bytes.", size);
  g_autoptr (GString) text = from_any (bytes, size);
  if (!is_xml (text))
    return file_fail (error, FILE_ERROR_FORMAT, file->bytes->path, "is not a file of Leica's (LIF, LOF, XLEF, XLIF).");
  return parse (file, text, error);
}

FilesLifFile *
files_lif_file_open (const char *path, GError **error)
{
  g_autoptr (FilesLifFile) file = g_new0 (FilesLifFile, 1);
  guint8 header[HEADER];
  if (!(file->bytes = files_bytes_open (path, error)))
    return NULL;
  if (!files_bytes_read (file->bytes, 0, header, sizeof header) || files_little (header, 4) != MAGIC
      || header[8] != MARK)
    return read_xml_file (file, error) ? g_steal_pointer (&file) : NULL;
  const guint32 n = (guint32) files_little (header + 9, 4);
  g_autoptr (GString) text = read_text (file->bytes, HEADER, n, error);
  if (!text)
    return NULL;
  if (!strcmp (text->str, OBJECT))
    return read_object (file, error) ? g_steal_pointer (&file) : NULL;
  if (!parse (file, text, error))
    return NULL;
  find_blocks (file, (guint64) 8 + files_little (header + 4, 4));
  return g_steal_pointer (&file);
}

void
files_lif_file_free (FilesLifFile *file)
{
  g_clear_pointer (&file->blocks, g_hash_table_unref);
  g_clear_pointer (&file->xml, files_lif_xml_free);
  g_clear_pointer (&file->bytes, files_bytes_unref);
  g_free (file);
}

const FilesLifBlock *
files_lif_file_block (const FilesLifFile *file, const FilesLifElement *element)
{
  const FilesLifBlock *block = file->is_object                   ? &file->object
                               : file->blocks && element->memory ? g_hash_table_lookup (file->blocks, element->memory)
                                                                 : NULL;
  return block && block->size ? block : NULL;
}
