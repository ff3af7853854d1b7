/* SPDX-License-Identifier: MIT
 *
 * Metadata of an image in addition to its info: ImageJ's notes, the meaning of its values, and what made it. It is
 * immutable once attached: images share it, and changes are made on a copy.
 */
#ifndef CORE_DATA_IMAGE_NOTES_H
#define CORE_DATA_IMAGE_NOTES_H

#include <glib.h>

enum { IMAGE_NOTES_COEFFICIENTS = 5 };
/* Keys of properties: where on a plate the image was taken. */
#define IMAGE_NOTES_WELL "Well"
#define IMAGE_NOTES_FIELD "Field"

typedef struct ImageNotes {
  gatomicrefcount references;
  char **labels;      /* NULL, or one for each plane, channel by channel in a frame; of RGB one for three planes */
  char *info;         /* NULL, or ImageJ's text of Show Info */
  char **properties;  /* NULL, or keys and values in turn */
  GBytes *roi;        /* NULL, or a selection as in a .roi file */
  GPtrArray *overlay; /* NULL, or several, of GBytes */
  /* What values mean, as ImageJ calibrates them: function 0 is a straight line, c0 + c1 value; -1: values are what they are. */
  int function;
  int n_coefficients;
  double coefficients[IMAGE_NOTES_COEFFICIENTS];
  gboolean zero_clip; /* values of 8 bit below zero become zero */
  char *value_unit;   /* NULL, or "HU" */
  char *values;       /* NULL, or all that for people: "-1024 + 1 × value HU" */
  char *
    made_by; /* NULL, or what made it of the file, a line each: the program with its version, and steps with all their values */
} ImageNotes;

/* Empty, or as another one, which may be NULL; to be changed by the caller alone until an image has it. */
ImageNotes *image_notes_new (const ImageNotes *like);
ImageNotes *image_notes_ref (ImageNotes *notes);
void image_notes_unref (ImageNotes *notes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ImageNotes, image_notes_unref)
/* Whether nothing is in it, or it is NULL. */
gboolean image_notes_is_empty (const ImageNotes *notes);
/* The value of a property; NULL: there is none, or notes are NULL. */
const char *image_notes_property (const ImageNotes *notes, const char *key);
/* Whether values mean the same with both, either of which may be NULL. */
gboolean image_notes_same_values (const ImageNotes *a, const ImageNotes *b);
/* Takes the function and its unit away. */
void image_notes_drop_values (ImageNotes *notes);
/* Sets `values` from the function. */
void image_notes_describe_values (ImageNotes *notes);

#endif
