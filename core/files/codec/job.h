/* SPDX-License-Identifier: MIT
 *
 * What a program that decodes an image is given: a file in memory that has this, then the packed bytes, then room for the pixels.
 */
#ifndef CORE_FILES_CODEC_JOB_H
#define CORE_FILES_CODEC_JOB_H

#include <stdint.h>

#define CODEC_SECONDS 120 /* for one image, which takes a fraction of one: of the clock and of the processor */

enum {
  CODEC_FILE = 3 /* the descriptor that it has the file under */,
  CODEC_PACKED = 4096 /* where the packed bytes begin */
};

typedef struct {
  uint64_t whole;          /* bytes of the file */
  uint64_t packed, pixels; /* bytes of the packed ones; where the pixels begin */
  int32_t columns, rows;
  uint32_t bytes, samples; /* of a sample; of a pixel */
} codec_job;

/* How the program ends. */
typedef enum {
  CODEC_DONE,
  CODEC_NO_LIBRARY,
  CODEC_NOT,
  CODEC_OTHER,
  CODEC_DAMAGED,
  CODEC_LOST,
  CODEC_LATE,
  CODEC_ENDS
} codec_end;

#endif
