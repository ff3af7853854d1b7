/* SPDX-License-Identifier: MIT
 *
 * How a TIFF file is written: the options of the format. All zero is TIFF as ImageJ writes it.
 */
#ifndef CORE_FILES_TIFF_CHOICES_H
#define CORE_FILES_TIFF_CHOICES_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { FILES_TIFF_UNCOMPRESSED, FILES_TIFF_DEFLATE, FILES_TIFF_ZSTD } FilesTiffCompression;

typedef struct FilesTiffChoices {
  int32_t compression; /* FilesTiffCompression */
  int32_t tile;        /* rows and columns of a tile, a multiple of 16; 0: strips, or with a pyramid 256 */
  bool pyramid;        /* levels of half the size each, as sub-images, down to one tile */
} FilesTiffChoices;

#endif
