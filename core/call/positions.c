/* SPDX-License-Identifier: MIT
 */
#include "core/call/positions.h"

#include "core/base/units.h"
#include "core/data/value_calibration.h"
#include "core/files/fits/move.h"
#include "core/selection/roi_move.h"

#include <math.h>
#include <string.h>

enum { Z, Y, X };

/* Where a plane of the output comes from; input -1: from none, or several. */
enum { MAX_PLANES = 1 << 22 };

typedef struct {
  int input;
  gint64 frame, channel, slice;
} Source;

/* Maps an axis of planes: position in the input = first + step * position. */
typedef struct {
  gboolean known, gathered; /* gathered: it follows no such rule, though all comes from the first image alone */
  gint64 first, step;
} Steps;

typedef struct {
  const Positions *p;
  const ImageInfo *in;
  ImageInfo *out;
  GString *left;
  fv_place mapping;
  gboolean
    planes; /* each plane of the output is the same plane of the input, as far as channels, slices and frames go */
  Source *sources; /* of each plane of the output */
  Steps slices, channels, frames;
} Carry;

static void
leave (Carry *c, const char *what)
{
  if (!strstr (c->left->str, what))
    g_string_append_printf (c->left, "%s%s", c->left->len ? ", " : "", what);
}

/* ---- Planes ---- */

static Source
source_of_plane (const ImageInfo *info, int input, gint64 plane)
{
  return (Source){input, plane / info->depth / info->channels, plane / info->depth % info->channels,
                  plane % info->depth};
}

static Source
named_source (const Carry *c, gint64 plane)
{
  const Positions *p = c->p;
  const gint64 planes = p->output->shape[0], group = plane / planes;
  guint32 input = 0;
  const gint64 from = p->op->fv.plane (p->op->declared, p->args, p->grids, p->output, plane % planes, &input);
  if (from < 0 || input >= p->op->n_inputs || !p->inputs[input] || from >= p->grids[input]->shape[0])
    return (Source){-1, 0, 0, 0};
  const ImageInfo *info = image_info (p->inputs[input]);
  const gint64 groups = image_info_planes (info) / p->grids[input]->shape[0];
  return source_of_plane (info, (int) input, group % groups * p->grids[input]->shape[0] + from);
}

/* Without fv_op.plane: axes of the same length stay. */
static Source
same_source (const Carry *c, gint64 plane)
{
  Source s = source_of_plane (c->out, 0, plane);
  if ((c->out->frames != c->in->frames) | (c->out->channels != c->in->channels) | (c->out->depth != c->in->depth))
    s.input = -1;
  return s;
}

static gint64
along (const Source *s, int axis)
{
  return axis == 0 ? s->slice : axis == 1 ? s->channel : s->frame;
}

/* axis: 0 slices, 1 channels, 2 frames. */
static Steps
find_steps (const Carry *c, int axis)
{
  const ImageInfo *o = c->out;
  const gint64 n = axis == 0 ? o->depth : axis == 1 ? o->channels : o->frames;
  const gint64 before = axis == 0 ? c->in->depth : axis == 1 ? c->in->channels : c->in->frames;
  const gint64 stride = axis == 0 ? 1 : axis == 1 ? o->depth : o->depth * o->channels;
  Steps steps = {TRUE, TRUE, 0, 1};
  if (!c->p->op->fv.plane)
    return (Steps){n == before, FALSE, 0, 1};
  steps.first = along (&c->sources[0], axis);
  if (n > 1)
    steps.step = along (&c->sources[stride], axis) - steps.first;
  steps.known = steps.step != 0;
  for (gint64 i = 0; i < image_info_planes (o); i++) {
    const Source *s = &c->sources[i];
    const gint64 at = i / stride % n;
    steps.gathered = steps.gathered && s->input == 0;
    steps.known = steps.known && s->input == 0 && along (s, axis) == steps.first + steps.step * at;
  }
  steps.gathered = steps.gathered && !steps.known && before > 1;
  return steps;
}

static void
find_sources (Carry *c)
{
  const gint64 planes = image_info_planes (c->out);
  c->sources = g_new (Source, planes);
  for (gint64 i = 0; i < planes; i++)
    c->sources[i] = c->p->op->fv.plane ? named_source (c, i) : same_source (c, i);
  c->slices = find_steps (c, 0);
  c->channels = find_steps (c, 1);
  c->frames = find_steps (c, 2);
  c->planes = c->slices.known && c->channels.known && c->frames.known && c->out->frames == c->in->frames
              && c->out->channels == c->in->channels && c->out->depth == c->in->depth;
  for (gint64 i = 0; c->planes && i < planes; i++)
    c->planes = !c->p->op->fv.plane
                || (c->slices.first == 0 && c->slices.step == 1 && c->channels.first == 0 && c->channels.step == 1
                    && c->frames.first == 0 && c->frames.step == 1);
}

/* ---- Positions in a volume ---- */

static gboolean
is_identity (const fv_place *mapping, int first)
{
  for (int i = first; i < 3; i++)
    for (int j = 0; j < 4; j++)
      if (mapping->matrix[i][j] != (i == j))
        return FALSE;
  return TRUE;
}

/* The whole rule, with the slices that are taken. */
static void
find_mapping (Carry *c)
{
  const Positions *p = c->p;
  c->mapping = (fv_place){sizeof (fv_place), TRUE, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, p->op->fv.values};
  if (p->op->fv.place)
    p->op->fv.place (p->op->declared, p->args, p->grids, p->output, p->number, &c->mapping);
  else
    c->mapping.affine = c->out->rows == c->in->rows && c->out->columns == c->in->columns;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      c->mapping.affine = c->mapping.affine && isfinite (c->mapping.matrix[i][j]);
  if (p->op->fv.plane) {
    const double row[4] = {(double) c->slices.step, 0, 0, (double) c->slices.first};
    memcpy (c->mapping.matrix[Z], row, sizeof row);
  } else if (!c->slices.known) { /* as many slices as before, or a rule that says how there are others */
    const double same[4] = {1, 0, 0, 0};
    c->slices.known = c->mapping.affine && memcmp (c->mapping.matrix[Z], same, sizeof same) != 0;
  }
}

/* ---- Sizes of pixels ---- */

/* The one axis of the input along which this axis of the output goes; -1: there is none. */
static int
axis_under (const fv_place *mapping, int axis)
{
  int only = -1;
  for (int i = 0; i < 3; i++)
    if (mapping->matrix[i][axis] != 0) {
      if (only >= 0)
        return -1;
      only = i;
    }
  return only;
}

static void
set_size (ImageInfo *out, int axis, double size, const char *unit)
{
  out->spacing[axis] = size;
  g_free (out->units[axis]);
  out->units[axis] = g_strdup (unit);
}

/* Oblique axes have lengths where all of the plane is measured in one unit, and are axes where they stand upright on each other. */
static gboolean
oblique_sizes (const Carry *c, double sizes[3])
{
  double way[3][3], dot = 0;
  if (!image_info_has_scale (c->in, FALSE))
    return FALSE;
  for (int axis = Y; axis <= X; axis++) {
    sizes[axis] = 0;
    for (int i = Y; i <= X; i++) {
      const double factor = units_factor (c->in->units[i], c->in->units[X]);
      way[axis][i] = c->mapping.matrix[i][axis] * c->in->spacing[i] * (factor > 0 ? factor : 1);
      sizes[axis] = hypot (sizes[axis], way[axis][i]);
    }
  }
  for (int i = Y; i <= X; i++)
    dot += way[Y][i] * way[X][i];
  return fabs (dot) <= 1e-9 * sizes[Y] * sizes[X];
}

static void
carry_sizes (Carry *c)
{
  const fv_place *mapping = &c->mapping;
  const gboolean oblique = axis_under (mapping, Y) < 0 || axis_under (mapping, X) < 0;
  double sizes[3];
  if (c->slices.gathered && c->out->depth > 1 && *c->in->units[Z]) {
    set_size (c->out, Z, 1, "");
    leave (c, "distance of slices");
  } else if (c->slices.known && (c->p->op->fv.plane || c->p->op->fv.place) && mapping->affine
             && axis_under (mapping, Z) >= 0) {
    const int from = axis_under (mapping, Z);
    set_size (c->out, Z, c->in->spacing[from] * fabs (mapping->matrix[from][Z]), c->in->units[from]);
  }
  if (!c->p->op->fv.place || !mapping->affine)
    return;
  if (!oblique)
    for (int axis = Y; axis <= X; axis++) {
      const int from = axis_under (mapping, axis);
      set_size (c->out, axis, c->in->spacing[from] * fabs (mapping->matrix[from][axis]), c->in->units[from]);
    }
  else if (oblique_sizes (c, sizes))
    for (int axis = Y; axis <= X; axis++)
      set_size (c->out, axis, sizes[axis], c->in->units[X]);
  else {
    if (*c->in->units[Y] || *c->in->units[X])
      leave (c, "pixel size");
    for (int axis = Y; axis <= X; axis++)
      set_size (c->out, axis, 1, "");
  }
}

/* ---- Origin and world coordinates ---- */

static FilesFitsMove
move_of (const Carry *c)
{
  static const int axes[] = {X, Y, Z};
  FilesFitsMove m = {.affine = c->mapping.affine,
                     .known = {TRUE, TRUE, c->slices.known, c->channels.known, c->frames.known}};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      m.matrix[i][j] = c->mapping.matrix[axes[i]][axes[j]];
    m.shift[i] = c->mapping.matrix[axes[i]][3];
  }
  m.matrix[3][3] = (double) c->channels.step;
  m.shift[3] = (double) c->channels.first;
  m.matrix[4][4] = (double) c->frames.step;
  m.shift[4] = (double) c->frames.first;
  return m;
}

static gboolean
is_unmoved (const Carry *c)
{
  return c->planes && c->mapping.affine && is_identity (&c->mapping, Z);
}

static void
carry_header (Carry *c)
{
  gboolean sky = FALSE, axes = FALSE;
  if (!c->in->fits_header || is_unmoved (c))
    return;
  const FilesFitsMove move = move_of (c);
  g_ref_string_release (c->out->fits_header);
  c->out->fits_header = files_fits_moved (c->in->fits_header, &move, &sky, &axes);
  if (sky)
    leave (c, "world coordinates");
  if (axes)
    leave (c, "world coordinates of slices, channels or frames");
}

/* The origin is where it was: Cramer's rule. */
static void
carry_origin (Carry *c)
{
  double (*const m)[4] = c->mapping.matrix;
  double in[3], d = 0, to[3] = {0, 0, 0};
  if (c->in->origin[Z] == 0 && c->in->origin[Y] == 0 && c->in->origin[X] == 0)
    return;
  for (int i = 0; i < 3; i++) {
    in[i] = c->in->origin[i] - m[i][3];
    d += m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]);
  }
  if (!c->mapping.affine || !(fabs (d) > 0))
    leave (c, "origin");
  else
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        const int r = (j + 1) % 3, s = (j + 2) % 3, u = (i + 1) % 3, v = (i + 2) % 3;
        to[i] += in[j] * (m[r][u] * m[s][v] - m[r][v] * m[s][u]) / d;
      }
  memcpy (c->out->origin, to, sizeof to);
}

/* ---- Channels and frames ---- */

/* The info of the image that channel i comes from, and its number there; NULL: it is new. */
static const ImageInfo *
channel_source (const Carry *c, gint64 i, gint64 *number)
{
  const Source *first = &c->sources[i * c->out->depth];
  for (gint64 frame = 0; frame < c->out->frames; frame++)
    for (gint64 slice = 0; slice < c->out->depth; slice++) {
      const Source *s = &c->sources[(frame * c->out->channels + i) * c->out->depth + slice];
      if (s->channel != first->channel || (s->input < 0) != (first->input < 0))
        return NULL;
    }
  *number = first->channel;
  return first->input < 0 ? NULL : image_info (c->p->inputs[first->input]);
}

static void
carry_names (Carry *c)
{
  gboolean any = FALSE;
  g_auto (GStrv) names = g_new0 (char *, c->out->channels + 1);
  for (gint64 i = 0; i < c->out->channels; i++) {
    gint64 number;
    const ImageInfo *from = channel_source (c, i, &number);
    names[i] = g_strdup (from && from->channel_names ? from->channel_names[number] : "");
    any = any || *names[i];
  }
  g_strfreev (c->out->channel_names);
  c->out->channel_names = any ? g_steal_pointer (&names) : NULL;
}

/* Only where all of them have some. */
static void
carry_display (Carry *c)
{
  const gint64 n = c->out->channels;
  const gboolean alike = c->out->type == c->in->type && c->out->role == c->in->role;
  g_autofree guint32 *colors = g_new (guint32, n);
  g_autofree double *ranges = g_new (double, 2 * n);
  gboolean colored = c->out->role != FV_RGB, ranged = alike;
  for (gint64 i = 0; i < n; i++) {
    gint64 number;
    const ImageInfo *from = channel_source (c, i, &number);
    colored = colored && from && from->channel_colors;
    ranged = ranged && from && from->display_ranges && from->type == c->out->type;
    if (colored)
      colors[i] = from->channel_colors[number];
    if (ranged)
      memcpy (ranges + 2 * i, from->display_ranges + 2 * number, 2 * sizeof *ranges);
  }
  g_free (c->out->channel_colors);
  c->out->channel_colors = colored ? g_steal_pointer (&colors) : NULL;
  g_free (c->out->display_ranges);
  c->out->display_ranges = ranged ? g_steal_pointer (&ranges) : NULL;
}

static void
carry_channels (Carry *c)
{
  if (c->p->op->fv.plane && !(c->planes && c->sources[0].input == 0)) {
    if (!c->p->output->channel_names || c->p->output->channel_names == c->p->grids[0]->channel_names)
      carry_names (c);
    carry_display (c);
  }
  if (c->frames.known)
    c->out->frame_interval *= fabs ((double) c->frames.step);
  else if (c->frames.gathered && c->out->frames > 1 && c->in->frame_interval > 0) {
    c->out->frame_interval = 0;
    leave (c, "frame interval");
  }
}

/* ---- Notes ---- */

/* The label of a plane, of which RGB has one for three channels. */
static const char *
label_of (const ImageInfo *info, const Source *s)
{
  const gint64 channels = info->role == FV_RGB ? 1 : info->channels;
  return info->notes && info->notes->labels
           ? info->notes->labels[(s->frame * channels + MIN (s->channel, channels - 1)) * info->depth + s->slice]
           : "";
}

static void
carry_labels (Carry *c, ImageNotes *notes)
{
  const ImageInfo *o = c->out;
  const gint64 channels = o->role == FV_RGB ? 1 : o->channels;
  gboolean any = FALSE, lost = FALSE;
  g_auto (GStrv) labels = g_new0 (char *, o->frames *channels * o->depth + 1);
  for (gint64 frame = 0, at = 0; frame < o->frames; frame++)
    for (gint64 channel = 0; channel < channels; channel++)
      for (gint64 slice = 0; slice < o->depth; slice++, at++) {
        const Source *s = &c->sources[(frame * o->channels + channel) * o->depth + slice];
        const gboolean there =
          s->input >= 0 && (c->p->op->fv.plane || is_identity (&c->mapping, Y) || axis_under (&c->mapping, Z) == Z);
        labels[at] = g_strdup (there ? label_of (image_info (c->p->inputs[s->input]), s) : "");
        any = any || *labels[at];
        lost = lost || !there;
      }
  if (lost && notes->labels)
    leave (c, "slice labels");
  g_strfreev (notes->labels);
  notes->labels = any ? g_steal_pointer (&labels) : NULL;
}

/* A function is of stored u8 or u16, and one for all channels: planes of other images must have the same. */
static gboolean
keeps_function (const Carry *c)
{
  const ImageInfo *in = c->in, *out = c->out;
  for (gint64 i = 0; i < image_info_planes (out); i++) {
    const int input = c->sources[i].input;
    if (input > 0 && !image_notes_same_values (in->notes, image_info (c->p->inputs[input])->notes))
      return FALSE;
  }
  return !value_is_calibrated (in) || out->type & (FV_U8 | FV_U16);
}

/* What values mean stays where they are the same; masks and labels have no unit. */
static void
carry_values (Carry *c, ImageNotes *notes)
{
  const gboolean intensities = c->out->role == FV_IMAGE && c->in->role == FV_IMAGE;
  const fv_values values = c->out->role != c->in->role ? FV_VALUES_OTHER : c->mapping.values;
  gboolean unit = FALSE;
  if (values == FV_VALUES_OTHER && c->out->fits_header) {
    GRefString *header = files_fits_without_unit (c->out->fits_header, &unit);
    g_ref_string_release (c->out->fits_header);
    c->out->fits_header = header;
  }
  if (notes->function >= 0 && (values != FV_VALUES_SAME || !keeps_function (c))) {
    unit = TRUE;
    image_notes_drop_values (notes);
  } else if (values == FV_VALUES_OTHER)
    image_notes_drop_values (notes);
  if (unit && intensities)
    leave (c, "unit of values");
}

/* ---- Selections ---- */

static gint64
channels_of_imagej (const ImageInfo *info)
{
  return info->role == FV_RGB ? 1 : info->channels;
}

/* How selections go, which are in planes; FALSE: the planes of both images are not the same. */
static gboolean
roi_move_of (const Carry *c, RoiMove *move)
{
  const double (*const m)[4] = (const double (*)[4]) c->mapping.matrix;
  const double d = m[X][X] * m[Y][Y] - m[X][Y] * m[Y][X];
  if (!c->mapping.affine || m[Y][Z] != 0 || m[X][Z] != 0 || m[Z][Y] != 0 || m[Z][X] != 0 || !(fabs (d) > 0))
    return FALSE;
  *move = (RoiMove){
    .x = {m[Y][Y] / d, -m[X][Y] / d, (m[X][Y] * m[Y][3] - m[Y][Y] * m[X][3]) / d},
    .y = {-m[Y][X] / d, m[X][X] / d, (m[Y][X] * m[X][3] - m[X][X] * m[Y][3]) / d},
    .columns = c->out->columns,
    .rows = c->out->rows,
    .planes = {{c->channels.known, (double) c->channels.first, (double) c->channels.step, channels_of_imagej (c->in),
                channels_of_imagej (c->out)},
               {c->slices.known && m[Z][Z] != 0, m[Z][3], m[Z][Z], c->in->depth, c->out->depth},
               {c->frames.known, (double) c->frames.first, (double) c->frames.step, c->in->frames, c->out->frames}}};
  return TRUE;
}

static void
carry_overlay (Carry *c, ImageNotes *notes, const RoiMove *move)
{
  g_autoptr (GPtrArray) moved = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  for (guint i = 0; move && i < notes->overlay->len; i++) {
    GBytes *roi = roi_moved (notes->overlay->pdata[i], move);
    if (roi)
      g_ptr_array_add (moved, roi);
  }
  if (moved->len < notes->overlay->len)
    leave (c, moved->len ? "part of the overlay" : "overlay");
  g_ptr_array_unref (notes->overlay);
  notes->overlay = moved->len ? g_steal_pointer (&moved) : NULL;
}

static void
carry_selections (Carry *c, ImageNotes *notes)
{
  RoiMove move;
  const gboolean moves = roi_move_of (c, &move);
  GBytes *roi = notes->roi && moves ? roi_moved (notes->roi, &move) : NULL;
  if (notes->roi && !roi)
    leave (c, "selection");
  g_clear_pointer (&notes->roi, g_bytes_unref);
  notes->roi = roi;
  if (notes->overlay)
    carry_overlay (c, notes, moves ? &move : NULL);
}

static void
carry_notes (Carry *c)
{
  g_autoptr (ImageNotes) notes = image_notes_new (c->in->notes);
  carry_values (c, notes);
  carry_labels (c, notes);
  if (!is_unmoved (c))
    carry_selections (c, notes);
  image_notes_unref (c->out->notes);
  c->out->notes = image_notes_is_empty (notes) ? NULL : g_steal_pointer (&notes);
}

/* Millions of planes are not tracked individually. */
static void
leave_all (Carry *c)
{
  leave (c, "positions");
  g_clear_pointer (&c->out->fits_header, g_ref_string_release);
  g_clear_pointer (&c->out->notes, image_notes_unref);
}

void
positions_carry (const Positions *p, ImageInfo *out, GString *left)
{
  Carry c = {.p = p, .out = out, .left = left};
  if (!p->op->n_inputs || !p->inputs[0])
    return;
  c.in = image_info (p->inputs[0]);
  if (image_info_planes (out) > MAX_PLANES) {
    leave_all (&c);
    return;
  }
  find_sources (&c);
  find_mapping (&c);
  carry_sizes (&c);
  carry_header (&c);
  carry_origin (&c);
  carry_channels (&c);
  carry_notes (&c);
  g_free (c.sources);
}
