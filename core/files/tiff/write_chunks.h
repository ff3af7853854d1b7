/* SPDX-License-Identifier: MIT
 *
 * Strips and tiles, compressed on all cores, and pyramids of them.
 */
#ifndef CORE_FILES_TIFF_WRITE_CHUNKS_H
#define CORE_FILES_TIFF_WRITE_CHUNKS_H

#include "core/files/tiff/choices.h"
#include "core/files/tiff/writer.h"

/* All of the file into the writer's target. */
gboolean files_tiff_write_chunks (FilesTiffWriter *writer, const FilesTiffChoices *choices, GError **error);

#endif
