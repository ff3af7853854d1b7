/* SPDX-License-Identifier: MIT
 *
 * The metadata of a CZI file, which are XML: pixel sizes, channels, objective, times. Elements that are missing, or that say what cannot be, are
 * unknown.
 */
#ifndef CORE_FILES_CZI_METADATA_H
#define CORE_FILES_CZI_METADATA_H

#include "core/files/shared/bytes.h"

typedef struct FilesCziChannel {
  char *id, *name; /* NULL: none */
  gboolean has_color;
  guint32 color;    /* 0xRRGGBB */
  double low, high; /* of what is displayed, parts of the largest value; both 0: unknown */
} FilesCziChannel;

typedef struct FilesCziScene {
  gint64 index;
  char *name; /* NULL: none */
} FilesCziScene;

typedef struct FilesCziObjective {
  char *id, *name, *magnification, *aperture, *immersion; /* as the file has them; NULL: unknown */
} FilesCziObjective;

typedef struct FilesCziMetadata {
  double spacing[3];                  /* of a pixel along z, y, x, in µm; 0: unknown */
  double interval;                    /* between frames, in seconds; 0: unknown */
  GPtrArray *channels;                /* FilesCziChannel, in the order of the file's indices */
  GPtrArray *scenes;                  /* FilesCziScene */
  GPtrArray *objectives;              /* FilesCziObjective */
  char *objective;                    /* id of the one that was used; NULL: unknown */
  char *acquired, *program, *version; /* as the file has them; NULL: unknown */
  GArray *times;                      /* double: seconds of each frame; empty: unknown */
  gboolean is_damaged;                /* the metadata, or what of them is read */
} FilesCziMetadata;

/* Of the metadata's segment at `at`, 0: none. Never fails. */
FilesCziMetadata *files_czi_metadata_read (FilesBytes *bytes, gint64 at);
void files_czi_metadata_free (FilesCziMetadata *metadata);

#endif
