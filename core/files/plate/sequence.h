/* SPDX-License-Identifier: MIT
 *
 * How the images of a folder are opened together, as people choose it. The result is a path with named parts (pattern.h), which opens the same
 * everywhere.
 */
#ifndef CORE_FILES_PLATE_SEQUENCE_H
#define CORE_FILES_PLATE_SEQUENCE_H

#include "core/files/plate/names.h"
#include "core/ops/op.h"

typedef enum {
  PLATE_AS_STACK,   /* all in one row */
  PLATE_AS_PARTS,   /* by the parts of their names */
  PLATE_AS_PATTERN, /* by a pattern that is typed */
  PLATE_AS_IMAGES,  /* each by itself */
} PlateAs;

enum { PLATE_SEQUENCE_TEXT = 256, PLATE_SEQUENCE_PATTERN = 1024 /* bytes */ };

typedef struct PlateSequence {
  int32_t as;                      /* PlateAs */
  char names[PLATE_SEQUENCE_TEXT]; /* what names contain; "": all */
  int32_t along;                   /* of a stack: the index of its choice */
  int32_t first, count, step;      /* of a stack: positions from 1; count 0: all */
  int32_t part1, part2, part3, part4, part5, part6, part7,
    part8; /* PlatePart of each part that differs; the choice after the last: nothing */
  char slices[PLATE_SEQUENCE_TEXT], channels[PLATE_SEQUENCE_TEXT],
    frames[PLATE_SEQUENCE_TEXT];        /* positions, "1-20-2"; "": all */
  char pattern[PLATE_SEQUENCE_PATTERN]; /* below the folder */
} PlateSequence;

/* Its parameters, declared as if they were those of an operation. */
const Op *plate_sequence_op (void);
/* Which part that differs the parameter is of, from 0; -1: of none. */
int plate_sequence_part (const fv_param *param);
/* Whether a parameter is of no use beside the others, as a part that the names do not have. */
gboolean plate_sequence_lacks (const PlateSequence *self, const PlateNames *names, const fv_param *param);

/* What names have in common, with the meaning of each part. list: see plate_names_new(). */
PlateNames *plate_sequence_names (const GPtrArray *list);
/* What is probably meant: a stack of one number, parts of several. */
PlateSequence plate_sequence_guess (const PlateNames *names);
/* The meanings of parts as the names suggest them, when the names are others now. */
void plate_sequence_set_parts (PlateSequence *self, const PlateNames *names);
/* Names that contain the filter's text, before their ending; * and ? are wildcards. Array of char *, the list's. */
GPtrArray *plate_sequence_filter (const PlateSequence *self, const GPtrArray *list);
/* The path that opens them. list, names: what the filter left, and what these have in common. NULL with *error. Free with g_free(). */
char *plate_sequence_path (const PlateSequence *self, const char *folder, const GPtrArray *list,
                           const PlateNames *names, GError **error);

#endif
