/* SPDX-License-Identifier: MIT
 *
 * An ND2 file of Nikon: chunks, each with its name, and at the end a map of all. A file that was cut off has no map; then its chunks are looked for
 * one behind the other.
 *
 *     chunk:  0x0abeceda, bytes of the name (4), bytes of the data (8), name, data
 *     map:    for each chunk its name up to '!', position (8), bytes (8)
 */
#ifndef CORE_FILES_ND2_FILE_H
#define CORE_FILES_ND2_FILE_H

#include "core/files/nd2/variant.h"
#include "core/files/shared/bytes.h"

typedef struct FilesNd2File {
  FilesBytes *bytes;
  guint version;      /* 2: metadata are XML; 3: lite variants */
  gboolean cut;       /* the map is missing */
  GHashTable *chunks; /* name -> guint64, position, without those of frames */
  GHashTable *frames; /* gint64, number -> the same */
} FilesNd2File;

typedef struct FilesNd2Chunk {
  guint64 at, size; /* of its data, which are within the file */
} FilesNd2Chunk;

gboolean files_nd2_is (const guint8 *head, gsize n);
/* NULL with *error. */
FilesNd2File *files_nd2_file_open (const char *path, GError **error);
void files_nd2_file_free (FilesNd2File *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesNd2File, files_nd2_file_free)
/* The data of a frame. FALSE: it is not there. */
gboolean files_nd2_frame (const FilesNd2File *file, gint64 number, FilesNd2Chunk *chunk);
/* All bytes of a chunk; NULL: there is none. Free with g_free(). */
guint8 *files_nd2_read (const FilesNd2File *file, const char *name, gsize *n);
/* Number i of a chunk of doubles; NAN: it has none. */
double files_nd2_double (const guint8 *bytes, gsize n, gsize i);
/* The metadata of that name, without "LV" and '!'; NULL: there are none. Free with files_nd2_node_free(). */
FilesNd2Node *files_nd2_metadata (const FilesNd2File *file, const char *name);

#endif
