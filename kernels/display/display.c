/* SPDX-License-Identifier: MIT
 *
 * display: image to screen pixels; the formulas are in display.h. Contrast that is not given: 0 ... 255 for u8, else
 * from the smallest to the largest finite pixel of the channel's slice, plus one where they are equal. LUTs that are
 * not given: gray for one channel, else magenta, green, cyan, yellow, red, blue, gray in turn. RGB images keep their
 * colors; label images have glasbey's and, like overlays, are sampled and never averaged. An outline stands out on any
 * image: inside, screen pixels of an object beside another label, in its color halfway to white; outside, background
 * beside an object, black.
 */
#include "kernels/display/display.h"
#include "kernels/common/grain.h"
#include "kernels/common/defined.h"
#include "kernels/common/histogram.h"

#define CHUNK 512
#define BLOCK 16 /* screen rows of one task */
#define BESIDE (-1)
#define RIM (-2) /* background beside an object */

typedef struct shown {
  int64_t plane;
  double low, scale;
  stretch stretch;
  uint32_t colors[DISPLAY_LEVELS];
} shown;

typedef struct view {
  const display_args *args;
  const fv_array *image, *overlay, *out;
  int64_t width, height;
  bool labels;       /* the image is one of labels */
  int first, n;      /* channels that are seen */
  shown *channels;   /* [n]; of labels none */
  int64_t *columns;  /* [-1 ... width]: the image column of each screen column, or -1 */
  double *from, *to; /* [width]: what it covers */
  double *sums;      /* [threads][sums_size]: sums over image rows */
  int64_t sums_size;
  uint32_t glasbey[256];
} view;

/* ---- Arguments ---- */

/* The name at `position`, the names being used in turn; its length, 0 where there are none. */
static size_t
name_at (const char *names, int64_t position, const char **name)
{
  int64_t count = 1;
  const char *at = names;
  if (!names[strspn (names, ", ")])
    return 0;
  for (const char *c = names; *c; c++)
    count += *c == ',';
  for (position %= count; position; position--)
    at = strchr (at, ',') + 1;
  at += strspn (at, " ");
  *name = at;
  return strcspn (at, ", ");
}

/* Which of the given tables a name means that is a number, "#1" the first of them; -1: the name is none. */
static int
given_table (const char *name, size_t n)
{
  return n == 2 && *name == '#' && name[1] >= '1' && name[1] <= '9' ? name[1] - '1' : -1;
}

void
display_table (const display_args *a, const fv_grid *g, int64_t channel, uint32_t table[256])
{
  static const lut usual[] = {LUT_MAGENTA, LUT_GREEN, LUT_CYAN, LUT_YELLOW, LUT_RED, LUT_BLUE, LUT_GRAY};
  const char *name;
  bool composite = a->mode == DISPLAY_COMPOSITE && g->channels > 1;
  bool rgb = g->role == FV_RGB && composite;
  size_t n = rgb ? 0 : name_at (a->luts, channel, &name);
  int given = n ? given_table (name, n) : -1;
  if (given >= 0)
    lut_of_text (a->colors, given, table);
  else if (rgb)
    lut_fill (channel == 0 ? LUT_RED : channel == 1 ? LUT_GREEN : LUT_BLUE, table);
  else
    lut_fill (n ? lut_find (name, n) : composite ? usual[channel % 7] : LUT_GRAY, table);
}

/* Whether the table of a channel is `labels`. */
static bool
has_label_colors (const display_args *a, int64_t channel)
{
  const char *name;
  size_t n = name_at (a->luts, channel, &name);
  return n && lut_find (name, n) == LUT_LABELS;
}

bool
display_is_labels (const display_args *a, const fv_grid *g)
{
  bool single = a->mode == DISPLAY_SINGLE, all = g->role != FV_RGB;
  for (int64_t c = single ? a->channel : 0; all && c < (single ? a->channel + 1 : g->channels); c++)
    all = has_label_colors (a, c);
  return all || (g->role == FV_LABELS && (g->type & FV_INTEGERS));
}

static fv_status
check_contrast (const fv_matrix *m, int64_t channels, fv_error *error)
{
  if (m->planes == 0)
    return FV_OK;
  if (m->planes != 1 || m->columns < 2 || m->columns > 4 || (m->rows != 1 && m->rows != channels))
    return fail (
      error, FV_BAD_ARGUMENT, "contrast",
      "The contrast must be 'low high', 'low high gamma' or 'low high gamma a', once or for each of %lld channels.",
      (long long) channels);
  for (int i = 2; m->columns > 2 && i < m->columns * m->rows; i += m->columns)
    if (!(m->v[i] > 0 && isfinite (m->v[i])))
      return fail (error, FV_BAD_ARGUMENT, "contrast", "Gamma must be above 0, not %g.", m->v[i]);
  return FV_OK;
}

static fv_status
check_luts (const char *names, const char *colors, fv_error *error)
{
  const char *name;
  const int tables = lut_texts (colors);
  if (tables < 0)
    return fail (
      error, FV_BAD_ARGUMENT, "colors",
      "Look-up tables must be 1536 hexadecimal digits each, six for each of 256 colors, separated by commas.");
  for (int64_t i = 0, n = (int64_t) strlen (names); i <= n; i++) {
    size_t length = name_at (names, i, &name);
    if (length && given_table (name, length) >= tables)
      return fail (error, FV_BAD_ARGUMENT, "luts", "Look-up table %.*s does not exist: colors has %d.", (int) length,
                   name, tables);
    if (length && given_table (name, length) < 0 && lut_find (name, length) == LUTS)
      return fail (error, FV_BAD_ARGUMENT, "luts",
                   "Unknown look-up table '%.*s'. Choose gray, inverted, red, green, blue, magenta, cyan, yellow, "
                   "fire, viridis, cividis, glasbey or labels.",
                   (int) length, name);
  }
  return FV_OK;
}

/* `a` of a channel, 0: the usual one. */
static double
contrast_a (const fv_matrix *m, int64_t channel)
{
  return m->planes && m->columns == 4 ? m->v[(m->rows > 1 ? channel : 0) * 4 + 3] : 0;
}

static stretch_kind
stretch_kind_of (const display_args *a, int64_t channel)
{
  const char *name;
  size_t n = name_at (a->stretch, channel, &name);
  return n ? stretch_find (name, n) : STRETCH_LINEAR;
}

stretch
display_stretch (const display_args *a, int64_t channel, double *gamma)
{
  stretch s = stretch_make (stretch_kind_of (a, channel), contrast_a (&a->contrast, channel));
  if (s.kind == STRETCH_POWER)
    *gamma *= (double) s.a;
  return s;
}

static fv_status
check_stretches (const display_args *a, int64_t channels, fv_error *error)
{
  const char *name;
  for (int64_t i = 0, n = (int64_t) strlen (a->stretch); i <= n; i++) {
    size_t length = name_at (a->stretch, i, &name);
    if (length && stretch_find (name, length) == STRETCHES)
      return fail (error, FV_BAD_ARGUMENT, "stretch",
                   "Unknown stretch '%.*s'. Choose linear, log, asinh, sqrt or power.", (int) length, name);
  }
  for (int64_t c = 0; c < channels; c++) {
    stretch_kind kind = stretch_kind_of (a, c);
    double least, most, usual, given = contrast_a (&a->contrast, c);
    if (stretch_range (kind, &least, &most, &usual) && given != 0 && !(given >= least && given <= most))
      return fail (error, FV_BAD_ARGUMENT, "contrast", "The a of stretch %s must be from %g to %g, not %g.",
                   stretch_names[kind], least, most, given);
  }
  return FV_OK;
}

static fv_status
display_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op;
  const display_args *a = args;
  const fv_grid *g = in[0], *labels = in[1];
  fv_status status;
  if (a->mode == DISPLAY_SINGLE && a->channel >= g->channels)
    return fail (error, FV_BAD_ARGUMENT, "channel", "No such channel: the image has %lld.", (long long) g->channels);
  if (a->z >= grid_depth (g))
    return fail (error, FV_BAD_ARGUMENT, "z", "No such slice: the image has %lld.", (long long) grid_depth (g));
  if ((status = check_contrast (&a->contrast, g->channels, error)) || (status = check_luts (a->luts, a->colors, error))
      || (status = check_stretches (a, g->channels, error)))
    return status;
  if (labels
      && (labels->channels != 1 || labels->shape[0] != grid_depth (g) || labels->shape[1] != g->shape[1]
          || labels->shape[2] != g->shape[2]))
    return fail (error, FV_BAD_INPUT, "overlay", "The labels must have one channel and the size of the image.");
  fv_grid *o = out[0];
  o->type = FV_U8;
  o->role = FV_IMAGE;
  o->channels = 1;
  o->shape[0] = 1;
  o->shape[1] = a->height ? a->height : display_size (g->shape[1], a->zoom);
  o->shape[2] = 4 * (a->width ? a->width : display_size (g->shape[2], a->zoom));
  o->spacing[0] = o->spacing[1] = o->spacing[2] = 1;
  o->unit[0] = 0;
  o->dense = false;
  o->channel_names = NULL;
  return FV_OK;
}

static void
display_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output,
                   uint32_t number, fv_place *transform)
{
  (void) op, (void) args, (void) inputs, (void) output, (void) number;
  transform->affine = false;
}

/* ---- What does not depend on the row ---- */

static void
fill_colors (shown *s, const uint32_t table[256], double gamma)
{
  for (int k = 0; k < DISPLAY_LEVELS; k++) {
    double t = (double) k / (DISPLAY_LEVELS - 1);
    s->colors[k] = table[(int) (255 * (gamma == 1 ? t : defined_pow (t, gamma)) + 0.5)];
  }
}

bool
display_contrast (const display_args *a, const fv_grid *g, int64_t channel, double *low, double *high, double *gamma)
{
  const fv_matrix *m = &a->contrast;
  *low = 0;
  *high = 255;
  *gamma = 1;
  if (!m->planes)
    return g->type == FV_U8;
  const double *row = m->v + (m->rows > 1 ? channel : 0) * m->columns;
  *low = row[0];
  *high = row[1];
  *gamma = m->columns > 2 ? row[2] : 1;
  return true;
}

static fv_status
prepare_channel (view *v, shown *s, int64_t channel, buffer *partial, progress *progress, fv_error *error)
{
  const fv_grid *g = v->image->grid;
  double low, high, gamma;
  uint32_t table[256];
  s->plane = channel * grid_depth (g) + v->args->z;
  if (!display_contrast (v->args, g, channel, &low, &high, &gamma)) {
    pixels p = pixels_of (v->image, s->plane, 1);
    fv_status status = pixels_range (&p, partial, progress, &low, &high, error);
    if (status)
      return status;
    high = high > low ? high : low + 1;
  }
  s->low = low;
  s->scale = high == low ? HUGE_VAL : (DISPLAY_LEVELS - 1) / (high - low);
  s->stretch = display_stretch (v->args, channel, &gamma);
  display_table (v->args, g, channel, table);
  fill_colors (s, table, gamma);
  return FV_OK;
}

static fv_status
prepare_columns (view *v, const fv_call *call, fv_error *error)
{
  const display_args *a = v->args;
  int64_t n = array_columns (v->image), threads = 1;
#ifdef _OPENMP
  threads = (int) threads_at_most ();
#endif
  double most = CHUNK / a->zoom + 3;
  void *memory;
  v->sums_size = a->zoom >= 1 || v->labels ? 0 : most < (double) n ? (int64_t) most : n;
  size_t count = (size_t) (v->width + 2 + 2 * v->width + threads * v->sums_size);
  fv_status status = call->host->scratch (call, count * 8, &memory, error);
  if (status)
    return status;
  v->columns = (int64_t *) memory + 1;
  v->from = (double *) memory + v->width + 2;
  v->to = v->from + v->width;
  v->sums = v->to + v->width;
  for (int64_t i = -1; i <= v->width; i++)
    v->columns[i] = display_source (a->x, a->zoom, i, n);
  for (int64_t i = 0; i < v->width; i++)
    display_cover (a->x, a->zoom, i, n, &v->from[i], &v->to[i]);
  return FV_OK;
}

/* ---- Samples ---- */

#define DEFINE_PICK(NAME, T)                                                                                           \
  static void pick_##NAME (const void *row, const int64_t *columns, int64_t n, double *out)                            \
  {                                                                                                                    \
    const T *v = row;                                                                                                  \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      out[i] = columns[i] < 0 ? 0 : (double) v[columns[i]];                                                            \
  }                                                                                                                    \
  VECTORISED static void add_##NAME (const void *row, int64_t first, int64_t n, double weight, double *restrict sum)   \
  {                                                                                                                    \
    const T *v = (const T *) row + first;                                                                              \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      sum[i] += weight * (double) v[i];                                                                                \
  }
DEFINE_PICK (u8, uint8_t)
DEFINE_PICK (u16, uint16_t)
DEFINE_PICK (i32, int32_t)
DEFINE_PICK (f32, float)
DEFINE_PICK (f64, double)

/* Means of the image under n screen pixels: sums over rows first, which run along memory, then over columns. */
static void
average (const view *v, int64_t plane, int64_t row, int64_t first, int64_t n, double *sums, double *out)
{
  double top, bottom;
  while (n && v->columns[first] < 0)
    first++, out++, n--;
  while (n && v->columns[first + n - 1] < 0)
    n--;
  if (!n)
    return;
  int64_t left = (int64_t) v->from[first], right = (int64_t) ceil (v->to[first + n - 1]);
  display_cover (v->args->y, v->args->zoom, row, array_rows (v->image), &top, &bottom);
  memset (sums, 0, (size_t) (right - left) * sizeof *sums);
  for (int64_t y = (int64_t) top; (double) y < bottom; y++) {
    double weight = fmin ((double) (y + 1), bottom) - fmax ((double) y, top);
    WITH_TYPE (v->image->grid->type, add, array_row (v->image, plane, y), left, right - left, weight, sums)
  }
  for (int64_t i = 0; i < n; i++) {
    double from = v->from[first + i], to = v->to[first + i], sum;
    int64_t x = (int64_t) from, last = (int64_t) ceil (to) - 1;
    sum = sums[x - left] * (((double) (x + 1) < to ? (double) (x + 1) : to) - from);
    for (x++; x < last; x++)
      sum += sums[x - left];
    if (x == last)
      sum += sums[x - left] * (to - (double) x);
    out[i] = sum / ((to - from) * (bottom - top));
  }
}

VECTORISED static void
levels (const double *v, int64_t n, const shown *s, int32_t *restrict k)
{
  for (int64_t i = 0; i < n; i++) {
    double t = (v[i] - s->low) * s->scale;
    t = t > 0 ? t : 0;
    t = t < DISPLAY_LEVELS - 1 ? t : DISPLAY_LEVELS - 1;
    k[i] = (int32_t) (t + 0.5);
  }
}

/* NaN gives level 0. */
VECTORISED static void
add_colors (const int32_t *k, int64_t n, const shown *s, uint8_t *restrict red, uint8_t *restrict green,
            uint8_t *restrict blue)
{
  for (int64_t i = 0; i < n; i++) {
    uint32_t c = s->colors[k[i]];
    uint32_t r = red[i] + (c & 255), g = green[i] + (c >> 8 & 255), b = blue[i] + (c >> 16);
    red[i] = (uint8_t) (r < 255 ? r : 255);
    green[i] = (uint8_t) (g < 255 ? g : 255);
    blue[i] = (uint8_t) (b < 255 ? b : 255);
  }
}

/* ---- Labels ---- */

#define DEFINE_LABELS(NAME, T)                                                                                         \
  static void labels_##NAME (const T *v, const int64_t *columns, int64_t n, int32_t *out)                              \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      out[i] = columns[i] < 0 ? BESIDE : display_label ((double) v[columns[i]]);                                       \
  }
DEFINE_LABELS (u8, uint8_t)
DEFINE_LABELS (u16, uint16_t)
DEFINE_LABELS (i32, int32_t)
DEFINE_LABELS (f32, float)
DEFINE_LABELS (f64, double)

/* Labels under the screen pixels first ... first + n - 1 of an image row, BESIDE outside the image. */
static void
label_row (const view *v, const fv_array *labels, int64_t plane, int64_t row, int64_t first, int64_t n, int32_t *out)
{
  const int64_t *columns = v->columns + first;
  const void *pixels = row < 0 ? NULL : array_row (labels, plane, row);
  if (!pixels)
    for (int64_t i = 0; i < n; i++)
      out[i] = BESIDE;
  else
    WITH_TYPE (labels->grid->type, labels, pixels, columns, n, out)
}

/* The image's own labels: of the first channel that has an object there. */
static void
front_labels (const view *v, int64_t row, int64_t first, int64_t n, int32_t *out)
{
  int64_t depth = grid_depth (v->image->grid), plane = v->first * depth + v->args->z;
  label_row (v, v->image, plane, row, first, n, out);
  for (int k = 1; k < v->n; k++) {
    int32_t behind[CHUNK];
    label_row (v, v->image, plane + k * depth, row, first, n, behind);
    for (int64_t i = 0; i < n; i++)
      out[i] = out[i] ? out[i] : behind[i];
  }
}

INLINE bool
differs (int32_t label, int32_t neighbor)
{
  return (neighbor != BESIDE) & (neighbor != label);
}

/* Of rows that begin a pixel before and end a pixel after. */
VECTORISED static void
outlines (const int32_t *up, const int32_t *row, const int32_t *down, int64_t n, int32_t *restrict out)
{
  for (int64_t i = 0; i < n; i++) {
    int32_t c = row[i + 1];
    bool edge = differs (c, up[i + 1]) | differs (c, down[i + 1]) | differs (c, row[i]) | differs (c, row[i + 2]);
    int32_t drawn = c > 0 ? c : c == 0 ? RIM : BESIDE;
    out[i] = edge ? drawn : 0;
  }
}

/* Labels of n screen pixels, 0 where nothing is drawn. */
static void
drawn_labels (const view *v, int64_t row, int64_t first, int64_t n, int32_t *out)
{
  const display_args *a = v->args;
  int64_t rows = array_rows (v->image);
  int32_t around[3][CHUNK + 2];
  if (a->overlay_mode == DISPLAY_FILL) {
    label_row (v, v->overlay, a->z, display_source (a->y, a->zoom, row, rows), first, n, out);
    return;
  }
  for (int k = 0; k < 3; k++)
    label_row (v, v->overlay, a->z, display_source (a->y, a->zoom, row + k - 1, rows), first - 1, n + 2, around[k]);
  outlines (around[0], around[1], around[2], n, out);
}

/* share: of each pixel's color, whose bits from `shift` on are this channel's. */
VECTORISED static void
blend (const uint32_t *restrict colors, const float *restrict share, int shift, int64_t n, uint8_t *restrict channel)
{
  for (int64_t i = 0; i < n; i++) {
    float color = (float) (int32_t) (colors[i] >> shift & 255);
    channel[i] = (uint8_t) (int32_t) (color * share[i] + (float) channel[i] * (1 - share[i]) + 0.5f);
  }
}

/* The color of the pixel of each label, and its share of the picture: 0 without a label. */
static void
label_colors (const int32_t *labels, int64_t n, const uint32_t *glasbey, bool outline, float alpha, uint32_t *colors,
              float *share)
{
  for (int64_t i = 0; i < n; i++) {
    uint32_t color = labels[i] > 0 ? lut_of_label (glasbey, labels[i]) : 0;
    colors[i] = outline && labels[i] > 0 ? display_lighter (color) : color;
    share[i] = labels[i] > 0 || labels[i] == RIM ? alpha : 0;
  }
}

static void
blend_labels (const int32_t *labels, int64_t n, const uint32_t *glasbey, bool outline, float alpha,
              uint8_t rgb[3][CHUNK])
{
  uint32_t colors[CHUNK];
  float share[CHUNK];
  label_colors (labels, n, glasbey, outline, alpha, colors, share);
  for (int c = 0; c < 3; c++)
    blend (colors, share, 8 * c, n, rgb[c]);
}

/* ---- Rows ---- */

/* Red, green, blue and alpha of n pixels; nothing beside the image, where their columns are below 0. */
VECTORISED static void
join_channels (const uint8_t *restrict red, const uint8_t *restrict green, const uint8_t *restrict blue,
               const int64_t *restrict columns, int64_t n, uint32_t *restrict out)
{
  for (int64_t i = 0; i < n; i++) {
    uint32_t pixel = red[i] | (uint32_t) green[i] << 8 | (uint32_t) blue[i] << 16 | UINT32_C (255) << 24;
    out[i] = columns[i] >= 0 ? pixel : 0;
  }
}

static void
draw_chunk (const view *v, int64_t row, int64_t source, int64_t first, int64_t n, double *sums, uint8_t *out)
{
  uint8_t rgb[3][CHUNK] = {{0}};
  double values[CHUNK] = {0};
  int32_t labels[CHUNK], k_of[CHUNK];
  uint32_t joined[CHUNK];
  if (v->labels) {
    front_labels (v, source, first, n, labels);
    for (int64_t i = 0; i < n; i++)
      for (int c = 0; c < 3; c++)
        rgb[c][i] = (uint8_t) (lut_of_label (v->glasbey, labels[i]) >> 8 * c);
  }
  for (int k = 0; !v->labels && k < v->n; k++) {
    const shown *s = &v->channels[k];
    if (v->args->zoom < 1)
      average (v, s->plane, row, first, n, sums, values);
    else
      WITH_TYPE (v->image->grid->type, pick, array_row (v->image, s->plane, source), v->columns + first, n, values)
    if (stretch_is_steep (s->stretch.kind))
      stretch_levels (&s->stretch, values, n, s->low, s->scale, DISPLAY_LEVELS - 1, k_of);
    else
      levels (values, n, s, k_of);
    add_colors (k_of, n, s, rgb[0], rgb[1], rgb[2]);
  }
  if (v->overlay) {
    drawn_labels (v, row, first, n, labels);
    blend_labels (labels, n, v->glasbey, v->args->overlay_mode == DISPLAY_OUTLINE, (float) v->args->overlay_alpha, rgb);
  }
  join_channels (rgb[0], rgb[1], rgb[2], v->columns + first, n, joined);
  memcpy (out, joined, (size_t) n * sizeof *joined); /* which may begin at any byte */
}

/* above: the row before, drawn by the same thread, or NULL. */
static void
draw_row (const view *v, int64_t row, const uint8_t *above, double *sums)
{
  const display_args *a = v->args;
  int64_t rows = array_rows (v->image), source = display_source (a->y, a->zoom, row, rows);
  bool outline = v->overlay && a->overlay_mode == DISPLAY_OUTLINE;
  uint8_t *out = array_row (v->out, 0, row);
  if (source < 0)
    memset (out, 0, (size_t) v->width * 4);
  else if (above && a->zoom >= 1 && !outline && display_source (a->y, a->zoom, row - 1, rows) == source)
    memcpy (out, above, (size_t) v->width * 4);
  else
    for (int64_t x = 0; x < v->width; x += CHUNK)
      draw_chunk (v, row, source, x, v->width - x < CHUNK ? v->width - x : CHUNK, sums, out + 4 * x);
}

static void
draw (const view *v, progress *p)
{
#pragma omp parallel for schedule(dynamic)
  for (int64_t block = 0; block < v->height; block += BLOCK) {
    int me = 0;
#ifdef _OPENMP
    me = (int) thread_index ();
#endif
    int64_t end = block + BLOCK < v->height ? block + BLOCK : v->height;
    for (int64_t row = block; row < end && !progress_stopped (p); row++) {
      draw_row (v, row, row > block ? array_row (v->out, 0, row - 1) : NULL, v->sums + me * v->sums_size);
      progress_step (p, 1);
    }
  }
}

static fv_status
display_cpu (const fv_call *call, fv_error *error)
{
  const display_args *a = call->args;
  const fv_array *image = call->inputs[0], *out = call->outputs[0];
  view v = {.args = a, .image = image, .overlay = call->inputs[1], .out = out};
  buffer partial = {0};
  fv_status status;
  v.width = array_columns (out) / 4;
  v.height = array_rows (out);
  v.labels = display_is_labels (a, image->grid);
  v.first = a->mode == DISPLAY_SINGLE ? a->channel : 0;
  v.n = a->mode == DISPLAY_SINGLE ? 1 : (int) image->grid->channels;
  lut_fill (LUT_GLASBEY, v.glasbey);
  bool ranges = !v.labels && !a->contrast.planes && image->grid->type != FV_U8;
  progress p = {call, .total = v.height + (ranges ? v.n * pixels_of (image, 0, 1).pieces : 0)};
  void *memory = NULL;
  if ((status = prepare_columns (&v, call, error))
      || (!v.labels && (status = call->host->scratch (call, (size_t) v.n * sizeof (shown), &memory, error))))
    return status;
  v.channels = memory;
  for (int k = 0; !v.labels && k < v.n; k++)
    if ((status = prepare_channel (&v, &v.channels[k], v.first + k, &partial, &p, error)))
      return status;
  draw (&v, &p);
  return p.stop ? cancelled (error) : FV_OK;
}

const fv_op fv_op_display = {
  FV_OP (display_args),
  .key = "display",
  .label = "Display",
  .help = "Makes the screen pixels of the visible part of a slice, as rows of red, green, blue and alpha bytes.",
  .kind = FV_GLOBAL,
  .inputs =
    (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false},
                       {"overlay", "Labels", "Labels to draw over the image.", FV_INTEGERS | FV_WANTS_LABELS, true},
                       {0}},
  .outputs = (const fv_output[]){{"image", "Display"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (display_args, mode), .label = "Mode",
       .choices = (const fv_choice[]){{"composite", "Composite",
                                       "All channels, their colors added; of labels the first ones in front."},
                                      {"single", "Single", "One channel."},
                                      {0}},
       .help = "Which channels are shown."},
      {FV_FIELD (display_args, channel), .label = "Channel", .max = 1e6, .soft_max = 7, .enabled = "mode=single",
       .ordinal = true, .help = "The channel to show."},
      {FV_FIELD (display_args, z), .label = "Slice", .max = 1e9, .soft_max = 100, .ordinal = true,
       .help = "The slice to show."},
      {FV_FIELD (display_args, contrast), .label = "Contrast",
       .help =
         "For each channel, or once for all: the values shown darkest and brightest and, if wanted, gamma and what "
         "the stretch calls a, 0 being the usual one."},
      {FV_FIELD (display_args, luts), .label = "Look-up tables",
       .help = "Names of look-up tables for the channels in turn, separated by commas. With labels, which all that are "
               "seen must have, each integer has a color of its own."},
      {FV_FIELD (display_args, x), .label = "X", .advanced = true, .unit = FV_PIXELS, .min = -1e9, .max = 1e9,
       .soft_max = 10000, .help = "Image column at the left edge of the screen."},
      {FV_FIELD (display_args, y), .label = "Y", .advanced = true, .unit = FV_PIXELS, .min = -1e9, .max = 1e9,
       .soft_max = 10000, .help = "Image row at the top edge of the screen."},
      {FV_FIELD (display_args, zoom), .label = "Zoom", .advanced = true, .def = 1, .min = 1e-4, .max = 1000,
       .soft_min = 0.01, .soft_max = 64, .scale = FV_LOG, .help = "Screen pixels for each image pixel."},
      {FV_FIELD (display_args, width), .label = "Width", .advanced = true, .unit = FV_PIXELS, .max = 65536,
       .soft_max = 4096, .help = "Width of the screen; 0 is that of the whole image."},
      {FV_FIELD (display_args, height), .label = "Height", .advanced = true, .unit = FV_PIXELS, .max = 65536,
       .soft_max = 4096, .help = "Height of the screen; 0 is that of the whole image."},
      {FV_FIELD (display_args, overlay_alpha), .label = "Opacity", .def = 0.5, .max = 1,
       .help = "How much of a label's color covers the image."},
      {FV_FIELD (display_args, overlay_mode), .label = "Labels",
       .choices =
         (const fv_choice[]){{"fill", "Fill", "The whole objects."}, {"outline", "Outline", "Their outlines."}, {0}},
       .help = "What is drawn of the labels."},
      {FV_FIELD (display_args, stretch), .label = "Stretch", .advanced = true,
       .help = "How brightness grows with the value, for the channels in turn, separated by commas: linear, log (a "
               "usually 1000), "
               "asinh (0.1), sqrt, power (2)."},
      {FV_FIELD (display_args, colors), .aliases = "colours", .label = "Colors", .advanced = true,
       .help = "Further look-up tables, which luts calls #1, #2 and so on: 256 colors of six hexadecimal digits each, "
               "the tables separated by commas."},
      {0}},
  .grain = grain_frame,
  .infer = display_infer,
  .place = display_transform,
  .values = FV_VALUES_OTHER,
  .run = {[FV_CPU] = display_cpu, [FV_CUDA] = FV_CUDA_FN (display_cuda)},
};
