/* SPDX-License-Identifier: MIT
 *
 * A part of an image that the user has drawn: a shape in image pixels. As text: "oval(10,20,100,50)".
 */
#ifndef CORE_SELECTION_SELECTION_H
#define CORE_SELECTION_SELECTION_H

#include "core/data/plane.h"

typedef enum {
  SELECTION_RECTANGLE, /* points: top left and bottom right corner */
  SELECTION_OVAL,      /* the ellipse in that rectangle */
  SELECTION_POLYGON,   /* its corners */
  SELECTION_FREEHAND,  /* the same, drawn by hand */
  SELECTION_TRACED,    /* the same, an outline along pixel edges (wand) */
  SELECTION_LINE,      /* two ends */
  SELECTION_POINT,     /* one or more points */
  SELECTION_POLYLINE,  /* an open path: two or more points */
  SELECTION_FREELINE,  /* the same, drawn by hand */
  SELECTION_ANGLE,     /* three points; the second is the vertex */
  SELECTION_ROTATED, /* a polygon: the corners of a rotated rectangle, the ends of its axis in the middle of the sides 3-0 and 1-2 */
  SELECTION_ELLIPSE,  /* a polygon of 4 n corners around an ellipse, from an end of its major axis on */
  SELECTION_ROUNDED,  /* a polygon around an upright rectangle with round corners */
  SELECTION_COMPOSITE /* several polygons, holes and parts; each ends with a repetition of its first point */
} SelectionShape;

/* In pixels, x to the right and y down; the first pixel reaches from (0, 0) to (1, 1). ImageJ counts areas in the same way,
 * but lines and points from the center of the first pixel: half a pixel less, in its files too. */
typedef struct SelectionPoint {
  double x, y;
} SelectionPoint;

typedef struct Selection {
  SelectionShape shape;
  guint n_points;
  SelectionPoint *points;
  char *name;                   /* NULL: none */
  gint64 channel, slice, frame; /* where it was drawn, from 0; -1: everywhere */
  double stroke;                /* how wide ImageJ draws its outline; 0: as usual */
  guint32 stroke_color, fill;   /* ImageJ's colors, ARGB; 0: none of its own */
  gatomicrefcount references;   /* 0 in one that is not of selection_new() */
} Selection;

/* Copies the points. */
Selection *selection_new (SelectionShape shape, guint n_points, const SelectionPoint *points);
Selection *selection_copy (const Selection *selection);
/* A reference for another owner, on any thread; immutable from now on. Each owner frees it. */
Selection *selection_share (const Selection *selection);
void selection_free (Selection *selection);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Selection, selection_free)
/* The shape as the user reads it: "oval". */
const char *selection_shape_name (SelectionShape shape);

/* Text without blanks, one of
 *
 *   rectangle(x,y,width,height), oval(x,y,width,height), polygon(x,y,x,y,…), freehand(…), traced(…), line(x,y,x,y),
 *
 *   point(x,y,…), polyline(…), freeline(…), angle(x,y,x,y,x,y), rotated(…), ellipse(…), rounded(…), composite(…).
 *
 * NULL with *error, which says what is wrong and what would work. */
Selection *selection_parse (const char *text, GError **error);
/* The text that selection_parse() reads back to the same shape, in every locale. Free with g_free(). */
char *selection_format (const Selection *selection);

/* The line of a macro that selects it, in Lua and ImageJ's macro language at once: "makeOval(10, 20, 30, 40);". Free with g_free(). */
char *selection_macro_line (const Selection *selection);
/* Its points as a matrix of steps, the center of the first pixel at 0: "1 2; 30 40". Free with g_free(). */
char *selection_rows (const Selection *selection);

/* Whether it encloses pixels; lines, angles and points do not. */
gboolean selection_is_area (const Selection *selection);
gboolean selection_shape_is_area (SelectionShape shape);
/* Whether it is a path with a length and a profile. */
gboolean selection_is_line (const Selection *selection);
/* The polygon of a composite that begins at point `from`: the index behind its last point. Of all others the number of points. */
guint selection_loop_end (const Selection *selection, guint from);
/* The smallest box around it. */
void selection_bounds (const Selection *selection, SelectionPoint *low, SelectionPoint *high);
/* The box with so much room around it, as far as it lies in the image, and at least one pixel of that. */
PlanePart selection_part (const Selection *selection, const ImageInfo *info, int room);
/* Whether the pixel's center lies inside. */
gboolean selection_contains (const Selection *selection, gint64 x, gint64 y);
void selection_move (Selection *selection, double dx, double dy);
/* What one that is kept is called as in ImageJ: where its middle is, after the slice, "0003-0120-0245", and "-1" behind what one of the list
 * (element-type Selection) is called already. Free with g_free(). */
char *selection_free_name (const Selection *selection, const GPtrArray *kept);
/* Its perimeter, or its length; of the calibrated shape when a pixel is width × height large. */
double selection_length (const Selection *selection, double width, double height);
/* Of an angle: its degrees, 0 to 180, with such pixels. */
double selection_angle (const Selection *angle, double width, double height);

/* Goes along a line, or the sides of an angle. */
typedef struct SelectionWalk {
  const Selection *line;
  double width, height; /* of a pixel: steps have the same length there */
  guint steps;          /* of about a pixel, as many as make sense */
  double length, passed;
  guint side;
} SelectionWalk;

SelectionWalk selection_walk (const Selection *line, double width, double height);
/* Where it is after i of all steps; i never decreases. */
SelectionPoint selection_walk_to (SelectionWalk *walk, guint i);

/* Selections with their names and planes as text, one a line, and back. Coordinates keep their bits, and names can have any bytes.
 * (element-type Selection) Parsing returns NULL with *error, which names the line at fault. */
char *selection_list_format (const GPtrArray *selections);
GPtrArray *selection_list_parse (const char *text, GError **error);

/* A u8 mask, width × height, of the pixels that it selects, as ImageJ selects them; those under points and along a line.
 * NULL when there is not enough memory. */
Image *selection_mask (const Selection *selection, gint64 width, gint64 height);

/* The wand: the outline of the connected pixels around (x, y) of a plane of width × height values that lie in low … high; NULL
 * where that one does not. 8-connected, the outer outline. */
Selection *selection_trace (const double *plane, gint64 width, gint64 height, gint64 x, gint64 y, double low,
                            double high);
/* ImageJ's .roi and .zip, and GeoJSON. (element-type Selection), NULL with *error. *left_out, unless NULL: messages about unsupported
 * selections of a .zip and lost properties of others, or NULL; free with g_free(). */
GPtrArray *selections_read (const char *path, char **left_out, GError **error);
/* Whether the name ends as one of a file of selections. */
gboolean selections_is_name (const char *path);
/* By the name's end: .roi takes exactly one, .zip and .geojson any number. Existing files are replaced whole or not at all. */
gboolean selections_write (GPtrArray *selections, const char *path, GError **error);

#endif
