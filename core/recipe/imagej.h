/* SPDX-License-Identifier: MIT
 *
 * ImageJ's commands, as its recorder writes them, as steps.
 */
#ifndef CORE_RECIPE_IMAGEJ_H
#define CORE_RECIPE_IMAGEJ_H

#include <glib.h>

/* Kinds of images as ImageJ has them. */
enum {
  IMAGEJ_8_BIT = 1,
  IMAGEJ_16_BIT = 2,
  IMAGEJ_32_BIT = 4,
  IMAGEJ_RGB = 8,
  IMAGEJ_BINARY = 16, /* 8 bits, all 0 or 255 */
  IMAGEJ_GREY = IMAGEJ_8_BIT | IMAGEJ_16_BIT | IMAGEJ_32_BIT,
  IMAGEJ_ANY = IMAGEJ_GREY | IMAGEJ_RGB
};

/* What a command does where an area is selected: it changes that alone, takes no notice, or something that the steps do not. */
typedef enum ImagejArea { IMAGEJ_AREA_CHANGED, IMAGEJ_AREA_IGNORED, IMAGEJ_AREA_OTHER } ImagejArea;

/* What becomes of the range in which the image is shown: it stays, is that from the smallest to the largest value, or another one. */
typedef enum ImagejRange { IMAGEJ_RANGE_STAYS, IMAGEJ_RANGE_FOLLOWS, IMAGEJ_RANGE_OTHER } ImagejRange;

/* Which slices of a stack it takes: all, or the current one, and all with the word "stack", or always the current one. */
typedef enum ImagejSlices { IMAGEJ_SLICES_ALL, IMAGEJ_SLICES_STACK, IMAGEJ_SLICES_CURRENT } ImagejSlices;

/* On which images a command's steps do what it does. */
typedef struct ImagejRule {
  guint images;
  ImagejArea area;
  ImagejSlices slices;
  ImagejRange range;
  const char *differs; /* NULL, or how it differs on other images */
  guint rounded;       /* images that it makes floats of, which are rounded, halves up */
} ImagejRule;

/* The steps that do what the command does in ImageJ, all of whose words are ImageJ's; NULL: it is none of these, with *error when the
 * command is ImageJ's alone and has other words. own: whether an operation has that label. Free with g_free(). */
char *imagej_steps (const char *command, char *const *words, gboolean own, GError **error);
/* Of a command for which imagej_steps() has steps. */
const ImagejRule *imagej_rule (const char *command);
/* "Otsu dark", as setAutoThreshold() takes it, as a step; NULL with *error. Free with g_free(). */
char *imagej_threshold (const char *words, GError **error);

#endif
