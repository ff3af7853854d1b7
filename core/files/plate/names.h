/* SPDX-License-Identifier: MIT
 *
 * What the names of images in a folder have in common: 't001_z01_DAPI.tif' and 't002_z01_FITC.tif' have three parts that differ, two numbers and a word.
 */
#ifndef CORE_FILES_PLATE_NAMES_H
#define CORE_FILES_PLATE_NAMES_H

#include "core/files/plate/pattern.h"

enum { PLATE_NAMES_PARTS = 8 /* that differ, at most */ };

/* A part that differs from name to name, or text that is the same in all. */
typedef struct PlateNamesPart {
  char *text;       /* the same in all; NULL: it differs */
  GPtrArray *texts; /* char *: else the different ones, in natural order */
  gboolean are_numbers;
  gboolean are_wells; /* letters and a number as of wells, "B02" */
  char *before;       /* the letters in front, in lower case, which say what a number is: "t"; "": none */
  PlatePart meaning;  /* PLATE_PART_NOTHING until plate_meanings_guess() sets it */
} PlateNamesPart;

typedef struct PlateNames {
  GPtrArray *alike;  /* char *: names with these parts, in natural order; the list's that they are of */
  GPtrArray *parts;  /* PlateNamesPart, in their order */
  GPtrArray *differ; /* those of them that differ, PLATE_NAMES_PARTS at most; the parts' */
} PlateNames;

/* What most of these names have in common. list: in natural order, all with an ending; it must live longer. */
PlateNames *plate_names_new (const GPtrArray *list);
void plate_names_free (PlateNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlateNames, plate_names_free)
/* Whether the names of a list are those of a sequence: nearly all of them alike, with a number that differs. */
gboolean plate_names_are_sequence (const PlateNames *names, const GPtrArray *list);

#endif
