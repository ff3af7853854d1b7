/* SPDX-License-Identifier: MIT
 *
 * An image that is being written as OME-Zarr: its levels, and the metadata of each.
 */
#ifndef CORE_FILES_ZARR_WRITER_H
#define CORE_FILES_ZARR_WRITER_H

#include "core/base/file_target.h"
#include "core/data/image.h"
#include "core/files/shared/numbers.h"
#include "core/files/zarr/choices.h"
#include "core/files/zarr/image.h"

typedef struct ZarrWriterLevel {
  gint64 rows, columns, chunk_rows, chunk_columns, stored_rows, stored_columns; /* stored: of a file */
} ZarrWriterLevel;

typedef struct ZarrWriter {
  const char *path;
  Image *image;
  const ImageInfo *info;
  const ZarrChoices *choices;
  FileTarget *target;
  FilesNumber number; /* as it is stored */
  gboolean nearest;   /* smaller levels have one of each four pixels, not their mean */
  guint n_levels;
  ZarrWriterLevel levels[ZARR_LEVELS];
} ZarrWriter;

/* The files of metadata of all groups and arrays. FALSE with *error. */
gboolean zarr_writer_describe (const ZarrWriter *writer, GError **error);

#endif
