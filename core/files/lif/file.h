/* SPDX-License-Identifier: MIT
 *
 * A file of Leica's: XML, and in LIF and LOF files the memory blocks that it names.
 *
 *     LIF:  header, XML; then for each block: header, size, id, bytes
 *     LOF:  header, "LMS_Object_File", versions, size, bytes; header, XML
 *     XLEF, XLIF, XLCF: XML alone
 */
#ifndef CORE_FILES_LIF_FILE_H
#define CORE_FILES_LIF_FILE_H

#include "core/files/lif/xml.h"
#include "core/files/shared/bytes.h"

typedef struct FilesLifBlock {
  guint64 at, size; /* size: as the file says, which may end before */
} FilesLifBlock;

typedef struct FilesLifFile {
  FilesBytes *bytes;
  FilesLifXml *xml;
  GHashTable *blocks;   /* LIF: id -> FilesLifBlock, of those with bytes that images name; NULL: another kind */
  FilesLifBlock object; /* LOF: the only one */
  gboolean is_object;
} FilesLifFile;

/* Whether a file that begins so is one of them. */
gboolean files_lif_is (const guint8 *head, gsize n);
/* NULL with *error. */
FilesLifFile *files_lif_file_open (const char *path, GError **error);
void files_lif_file_free (FilesLifFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesLifFile, files_lif_file_free)
/* The memory block of an image of a LIF or LOF file; NULL: there is none. */
const FilesLifBlock *files_lif_file_block (const FilesLifFile *file, const FilesLifElement *element);

#endif
