/* SPDX-License-Identifier: MIT
 *
 * The files that ImageJ's Import ▸ Image Sequence opens, as a path with named parts (pattern.h).
 */
#ifndef CORE_FILES_IMAGEJ_SEQUENCE_H
#define CORE_FILES_IMAGEJ_SEQUENCE_H

#include "core/base/file_error.h"

/* As ImageJ 1.53t means it. */
typedef struct ImageJSequence {
  const char *folder; /* or a file in it */
  const char
    *filter; /* what names contain; NULL: all. In parentheses a regular expression that a part of them matches */
  const char *whole;         /* a regular expression that they match as a whole; NULL: none */
  gboolean sorted;           /* by the numbers in names; else as the file system has them */
  gint64 start, count, step; /* count and step are of files from `start` on, which is counted from 1; count < 1: all */
} ImageJSequence;

/* The path that opens these files as slices, in this order. NULL with *error. Free with g_free(). */
char *imagej_sequence_path (const ImageJSequence *self, GError **error);

#endif
