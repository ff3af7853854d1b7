/* SPDX-License-Identifier: MIT
 *
 * Decoded parts of a file that are likely to be needed again: for their other colors, and for what lies beside a region. Each is decoded by one thread
 * while others wait for it. Any thread.
 */
#ifndef CORE_FILES_SHARED_DECODED_H
#define CORE_FILES_SHARED_DECODED_H

#include <glib.h>

typedef struct FilesDecoded FilesDecoded;
/* The bytes of a part. NULL with *error, or without: the file has none of it. Freed with g_free(). Any thread. */
typedef guint8 *(*FilesDecodedDecode) (gpointer owner, gconstpointer part, GError **error);
/* The owner outlives it. */
FilesDecoded *files_decoded_new (FilesDecodedDecode decode, gpointer owner);
void files_decoded_free (FilesDecoded *kept);

typedef struct FilesDecodedPart FilesDecodedPart;
/* A part, which is known by its address or by another pointer of its own, decoded to so many bytes. used: how many of them the caller takes. When all
 * have been taken they are not kept any longer. NULL with *error. */
FilesDecodedPart *files_decoded_take (FilesDecoded *kept, gconstpointer part, gsize bytes, guint64 used,
                                      GError **error);
/* Whether it is there, or is being decoded. */
gboolean files_decoded_has (FilesDecoded *kept, gconstpointer part);
/* NULL: the file has none of it. */
const guint8 *files_decoded_bytes (const FilesDecodedPart *part);
void files_decoded_part_unref (FilesDecodedPart *part);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesDecodedPart, files_decoded_part_unref)

#endif
