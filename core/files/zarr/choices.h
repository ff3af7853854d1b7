/* SPDX-License-Identifier: MIT
 *
 * How OME-Zarr is written: the options of the format.
 */
#ifndef CORE_FILES_ZARR_CHOICES_H
#define CORE_FILES_ZARR_CHOICES_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { ZARR_WRITE_05, ZARR_WRITE_04 } ZarrVersion;
typedef enum { ZARR_WRITE_ZSTD, ZARR_WRITE_DEFLATE, ZARR_WRITE_PLAIN } ZarrCompression;

typedef struct ZarrChoices {
  int32_t zarr;        /* ZarrVersion of OME-Zarr */
  int32_t compression; /* ZarrCompression */
  int32_t level;       /* of compression; 0: what is usual */
  int32_t tile;        /* rows and columns of a chunk */
  bool pyramid;        /* levels of half the size each, down to one chunk */
  int32_t sharding;    /* so many chunks of each row and column are one file; 0: a chunk is */
} ZarrChoices;

#endif
