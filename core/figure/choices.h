/* SPDX-License-Identifier: MIT
 *
 * What a figure is to look like, declared as the arguments of an operation are, so that it has the same text, checks and forms: "width=85
 * unit=mm dpi=600 bar=lower_left". Lengths in points are 1/72 inch.
 */
#ifndef CORE_FIGURE_CHOICES_H
#define CORE_FIGURE_CHOICES_H

#include "core/ops/op.h"

typedef enum { FIGURE_DOTS, FIGURE_MM, FIGURE_CM, FIGURE_INCH } FigureUnit;
typedef enum { FIGURE_COMPOSITE, FIGURE_SINGLE } FigureMode;
typedef enum { FIGURE_LOWER_RIGHT, FIGURE_LOWER_LEFT, FIGURE_UPPER_RIGHT, FIGURE_UPPER_LEFT } FigureCorner;
typedef enum { FIGURE_OUTLINES, FIGURE_FILL, FIGURE_NO_OBJECTS } FigureObjects;

typedef enum { FIGURE_ONE, FIGURE_CHANNELS, FIGURE_SLICES, FIGURE_FRAMES } FigurePanels;

typedef struct FigureChoices {
  int32_t step;   /* whose image is shown, from 1; 0: the opened image; -1: the last one */
  int32_t labels; /* the step that makes the objects over it, from 1; 0: as in a window */
  char part[128]; /* as selection_parse() has it; "": the whole image */
  double width;   /* of the image in the figure; 0: a dot for each of its pixels */
  int32_t unit;   /* FigureUnit of it */
  double dpi;
  int32_t panels, panel_columns; /* FigurePanels; 0: as many as rows */
  bool smooth;
  int32_t channel, slice, frame, mode; /* from 0; FigureMode */
  char display[4096];                  /* settings of the channels, as look_parse() has them; "": as usual */
  int32_t objects;                     /* FigureObjects */
  double opacity, line;                /* of objects; points */
  char selections[32768];              /* as selection_parse() has them, separated by semicolons */
  char selection_color[32];
  bool bar;
  int32_t bar_place; /* FigureCorner */
  double bar_length; /* 0: a round one that fits */
  char bar_unit[16]; /* "": the image's */
  double bar_height; /* points */
  bool bar_label;
  bool color_bar;
  char text[256];
  int32_t text_place; /* FigureCorner */
  bool time;
  int32_t time_place; /* FigureCorner */
  char color[32];
  char font[64];
  double size; /* of letters, points */
  bool shade;
} FigureChoices;

/* Its declaration. It has no functions: it cannot be run. */
const Op *figure_op (void);
/* All defaults. Free with g_free(). */
FigureChoices *figure_choices_new (void);
/* Changes it by words {"key=value", ...}, a list that ends with NULL. FALSE with *error, whose field is the key at fault. */
gboolean figure_choices_set (FigureChoices *choices, const char *const *words, GError **error);
/* Whether figures can be made so. choices: FigureChoices. FALSE with *error, whose field is the key at fault. */
gboolean figure_choices_check (gconstpointer choices, GError **error);
/* The selections that they say. (element-type Selection) NULL with *error. */
GPtrArray *figure_choices_selections (const FigureChoices *choices, GError **error);

#endif
