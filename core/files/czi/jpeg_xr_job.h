/* SPDX-License-Identifier: MIT
 *
 * What a program that decodes a sub-block in JPEG XR is given: a file in memory that has this, then the packed bytes, then room for the pixels.
 */
#ifndef CORE_FILES_CZI_JPEG_XR_JOB_H
#define CORE_FILES_CZI_JPEG_XR_JOB_H

#include <stdint.h>

#define JPEG_XR_PROGRAM "fovea-jpeg-xr"
#define JPEG_XR_SECONDS 120 /* for one sub-block, which takes a fraction of one: of the clock and of the processor */

enum {
  JPEG_XR_FILE = 3 /* the descriptor that it has the file under */,
  JPEG_XR_PACKED = 4096 /* where the packed bytes begin */
};

typedef struct {
  uint64_t whole;          /* bytes of the file */
  uint64_t packed, pixels; /* bytes of the packed ones; where the pixels begin */
  int32_t columns, rows;
  uint32_t bytes, samples; /* of a sample; of a pixel, colors as blue, green, red */
} jpeg_xr_job;

/* How the program ends. */
typedef enum {
  JPEG_XR_DONE,
  JPEG_XR_NO_LIBRARY,
  JPEG_XR_NOT,
  JPEG_XR_OTHER,
  JPEG_XR_DAMAGED,
  JPEG_XR_LOST,
  JPEG_XR_LATE
} jpeg_xr_end;

#endif
