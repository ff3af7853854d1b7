/* SPDX-License-Identifier: MIT
 *
 * label2rgb: labels as colors, alone, over an image or as outlines; label2rgb.h has the formulas. The overlay image
 * is scaled as skimage.util.img_as_float does: integers by the largest value of the type, floats as they are; floats
 * outside 0 ... 1 from their minimum to their maximum. NaN is black. Reference: skimage.color.label2rgb,
 * skimage.segmentation.find_boundaries.
 */
#include "kernels/display/label2rgb.h"
#include "kernels/common/alike.h"
#include "kernels/common/grain.h"
#include "kernels/common/histogram.h"
#include "kernels/common/rows.h"

#define CHUNK 1024
#define LONG_RUN 24 /* pixels from which memset pays */

/* ---- Rows of labels ---- */

#define DEFINE_LOAD(NAME, T)                                                                                           \
  VECTORISED static void load_##NAME (const void *row, int64_t n, int32_t *out)                                        \
  {                                                                                                                    \
    const T *v = row;                                                                                                  \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      out[i] = v[i] > 0 ? v[i] : 0;                                                                                    \
  }
DEFINE_LOAD (u8, uint8_t)
DEFINE_LOAD (u16, uint16_t)
DEFINE_LOAD (i32, int32_t)

/* Labels of columns first ... first + n - 1 of a row, those below 0 as 0. */
static void
load_labels (const fv_array *a, int64_t plane, int64_t row, int64_t first, int64_t n, int32_t *out)
{
  fv_type type = a->grid->type;
  const char *at = (const char *) array_row (a, plane, row) + first * (int64_t) type_bytes (type);
  if (type == FV_U8)
    load_u8 (at, n, out);
  else if (type == FV_U16)
    load_u16 (at, n, out);
  else
    load_i32 (at, n, out);
}

/* The same with one more column at both ends; beyond the image the edge repeats. */
static void
load_around (const fv_array *a, int64_t plane, int64_t row, int64_t first, int64_t n, int32_t *out)
{
  int64_t rows = array_rows (a), columns = array_columns (a);
  row = row < 0 ? 0 : row >= rows ? rows - 1 : row;
  int64_t from = first ? first - 1 : 0, to = first + n < columns ? first + n + 1 : columns;
  load_labels (a, plane, row, from, to - from, out + (first ? 0 : 1));
  if (!first)
    out[0] = out[1];
  if (first + n == columns)
    out[n + 1] = out[n];
}

INLINE int32_t
larger (int32_t a, int32_t b)
{
  return a > b ? a : b;
}

/* What is drawn: the label on a boundary, in the background the largest neighbor, elsewhere 0. */
INLINE void
outline_row (const int32_t *up, const int32_t *row, const int32_t *down, int64_t n, int boundary, int32_t *out)
{
  for (int64_t i = 1; i <= n; i++) {
    int32_t c = row[i], most = larger (larger (up[i], down[i]), larger (row[i - 1], row[i + 1]));
    int32_t edge = (c != up[i]) | (c != down[i]) | (c != row[i - 1]) | (c != row[i + 1]);
    if (boundary == LABEL2RGB_INNER)
      most = 0;
    if (boundary == LABEL2RGB_OUTER) {
      int32_t other = 0;
      for (int k = -1; k <= 1; k++)
        other |= ((up[i + k] > 0) & (up[i + k] != c)) | ((row[i + k] > 0) & (row[i + k] != c))
                 | ((down[i + k] > 0) & (down[i + k] != c));
      edge &= (c == 0) | other;
    }
    out[i - 1] = (c | (most & -(c == 0))) & -edge;
  }
}

#define DEFINE_OUTLINE(NAME, BOUNDARY)                                                                                 \
  VECTORISED static void outline_##NAME (const int32_t *up, const int32_t *row, const int32_t *down, int64_t n,        \
                                         int32_t *restrict out)                                                        \
  {                                                                                                                    \
    outline_row (up, row, down, n, BOUNDARY, out);                                                                     \
  }
DEFINE_OUTLINE (thick, LABEL2RGB_THICK)
DEFINE_OUTLINE (inner, LABEL2RGB_INNER)
DEFINE_OUTLINE (outer, LABEL2RGB_OUTER)

static void
load_outlines (const fv_array *a, int boundary, int64_t plane, int64_t row, int64_t first, int64_t n, int32_t *out)
{
  int32_t rows[3][CHUNK + 2];
  for (int k = 0; k < 3; k++)
    load_around (a, plane, row + k - 1, first, n, rows[k]);
  if (boundary == LABEL2RGB_INNER)
    outline_inner (rows[0], rows[1], rows[2], n, out);
  else if (boundary == LABEL2RGB_OUTER)
    outline_outer (rows[0], rows[1], rows[2], n, out);
  else
    outline_thick (rows[0], rows[1], rows[2], n, out);
}

/* ---- Colors ---- */

/* Which labels occur: bit label % 64 of bits[label / 64], and how many there are before each word. */
typedef struct ranks {
  uint64_t *bits;
  uint32_t *before; /* NULL: all labels occur */
} ranks;

static fv_status
ranks_need (ranks *r, const fv_call *call, int64_t words, fv_error *error)
{
  void *memory;
  fv_status status = call->host->scratch (call, (size_t) words * (sizeof *r->bits + sizeof *r->before), &memory, error);
  if (status)
    return status;
  r->bits = memory;
  r->before = (uint32_t *) (r->bits + words);
  memset (r->bits, 0, (size_t) words * sizeof *r->bits);
  return FV_OK;
}

static void
mark_labels (const int32_t *labels, int64_t n, uint64_t *bits)
{
  int32_t last = 0;
  for (int64_t i = 0; i < n; i++) {
    int32_t v = labels[i];
    if (v == last)
      continue;
    last = v;
    uint64_t bit = (uint64_t) 1 << v % 64, *word = &bits[v / 64];
    if (!(__atomic_load_n (word, __ATOMIC_RELAXED) & bit))
      __atomic_fetch_or (word, bit, __ATOMIC_RELAXED);
  }
}

static fv_status
ranks_make (const fv_array *a, ranks *r, progress *progress, fv_error *error)
{
  pixels p = pixels_of (a, 0, array_planes (a));
  buffer partial = {0};
  double low, high = a->grid->type == FV_U8 ? 255 : 65535;
  fv_status status = FV_OK;
  if (a->grid->type == FV_I32)
    status = pixels_range (&p, &partial, progress, &low, &high, error);
  int64_t words = (int64_t) fmax (high, 0) / 64 + 1;
  if (status || (status = ranks_need (r, progress->call, words, error)))
    return status;

#pragma omp parallel for schedule(dynamic) if (p.pieces > 1)
  for (int64_t i = 0; i < p.pieces; i++) {
    piece s = pixels_piece (&p, i);
    if (progress_stopped (progress))
      continue;
    for (int64_t y = 0; y < s.rows; y++)
      for (int64_t x = 0; x < s.columns; x += CHUNK) {
        int32_t labels[CHUNK];
        int64_t n = s.columns - x < CHUNK ? s.columns - x : CHUNK;
        load_labels (a, s.plane, s.row + y, s.column + x, n, labels);
        mark_labels (labels, n, r->bits);
      }
    progress_step (progress, 1);
  }
  if (progress->stop)
    return cancelled (error);
  uint32_t count = 0;
  r->bits[0] &= ~(uint64_t) 1; /* background */
  for (int64_t i = 0; i < words; i++) {
    r->before[i] = count;
    count += (uint32_t) __builtin_popcountll (r->bits[i]);
  }
  return FV_OK;
}

INLINE uint32_t
color_of (int32_t label, int palette, const ranks *r)
{
  if (label <= 0)
    return 0;
  if (palette == LABEL2RGB_DISTINCT)
    return label2rgb_distinct (label);
  uint32_t rank = (uint32_t) label - 1;
  if (r->before)
    rank = r->before[label / 64]
           + (uint32_t) __builtin_popcountll (r->bits[label / 64] & (((uint64_t) 1 << label % 64) - 1));
  return label2rgb_classic[rank % 10];
}

/* Colors equal neighbors together. */
VECTORISED static void
paint_row (const int32_t *labels, int64_t n, int palette, const ranks *r, uint8_t *const out[3])
{
  uint8_t *red = out[0], *green = out[1], *blue = out[2];
  for (int64_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && labels[end] == labels[i]; end++)
      ;
    uint32_t color = color_of (labels[i], palette, r);
    for (int c = 0; c < 3 && end - i >= LONG_RUN; c++)
      memset (out[c] + i, (int) (color >> 8 * c & 255), (size_t) (end - i));
    for (int64_t k = i; k < end && end - i < LONG_RUN; k++) {
      red[k] = (uint8_t) color;
      green[k] = (uint8_t) (color >> 8);
      blue[k] = (uint8_t) (color >> 16);
    }
  }
}

/* ---- The overlay image ---- */

typedef struct underlay {
  const fv_array *array; /* NULL: none */
  double low, scale;     /* to 0 ... 255 */
  int64_t depth;
  bool color;
} underlay;

#define DEFINE_GRAY(NAME, T)                                                                                           \
  VECTORISED static void gray_##NAME (const void *row, int64_t n, double low, double scale, float *out)                \
  {                                                                                                                    \
    const T *v = row;                                                                                                  \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      float g = (float) ((v[i] - low) * scale);                                                                        \
      g = g > 0 ? g : 0;                                                                                               \
      out[i] = g < 255 ? g : 255;                                                                                      \
    }                                                                                                                  \
  }
DEFINE_GRAY (u8, uint8_t)
DEFINE_GRAY (u16, uint16_t)
DEFINE_GRAY (i32, int32_t)
DEFINE_GRAY (f32, float)
DEFINE_GRAY (f64, double)

static void
load_gray (const underlay *u, int64_t plane, int64_t row, int64_t first, int64_t n, float *out)
{
  fv_type type = u->array->grid->type;
  const char *at = (const char *) array_row (u->array, plane, row) + first * (int64_t) type_bytes (type);
  WITH_TYPE (type, gray, at, n, u->low, u->scale, out)
}

static fv_status
underlay_make (const fv_call *call, underlay *u, progress *progress, fv_error *error)
{
  const label2rgb_args *a = call->args;
  static const double largest[] = {255, 65535, 2147483647.0, 1};
  const fv_array *array = a->mode == LABEL2RGB_PLAIN ? NULL : call->inputs[1];
  *u = (underlay){.array = array};
  if (!array)
    return FV_OK;
  fv_type type = array->grid->type;
  double low = 0, high = largest[type == FV_U8 ? 0 : type == FV_U16 ? 1 : type == FV_I32 ? 2 : 3];
  if (a->contrast == LABEL2RGB_RANGE || (type & FV_FLOATS)) {
    pixels p = pixels_of (array, 0, array_planes (array));
    buffer partial = {0};
    double least, most;
    fv_status status = pixels_range (&p, &partial, progress, &least, &most, error);
    if (status)
      return status;
    if (least < most && (a->contrast == LABEL2RGB_RANGE || least < 0 || most > 1))
      low = least, high = most;
  }
  u->low = low;
  u->scale = 255 / (high - low);
  u->color = array->grid->channels == 3;
  u->depth = grid_depth (array->grid);
  return FV_OK;
}

VECTORISED static void
largest_row (float *to, const float *from, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    to[i] = from[i] > to[i] ? from[i] : to[i];
}

/* keep: only labeled pixels are blended. */
VECTORISED static void
blend_row (uint8_t *restrict out, const float *gray, const int32_t *labels, int64_t n, float alpha, int32_t keep)
{
  for (int64_t i = 0; i < n; i++) {
    float a = (labels[i] == 0) & keep ? 0 : alpha;
    out[i] = (uint8_t) (int32_t) (out[i] * a + gray[i] * (1 - a) + 0.5f);
  }
}

static void
blend (const underlay *u, const label2rgb_args *a, int64_t z, int64_t row, int64_t first, int64_t n,
       const int32_t *labels, uint8_t *const out[3])
{
  float gray[CHUNK], other[CHUNK];
  bool outlines = a->mode == LABEL2RGB_OUTLINES;
  load_gray (u, z, row, first, n, gray);
  for (int c = 1; c < 3 && u->color && !outlines; c++) {
    load_gray (u, c * u->depth + z, row, first, n, other);
    largest_row (gray, other, n);
  }
  for (int c = 0; c < 3; c++) {
    if (c && u->color && outlines)
      load_gray (u, c * u->depth + z, row, first, n, gray);
    blend_row (out[c], gray, labels, n, outlines ? 1 : (float) a->alpha, outlines || a->background == LABEL2RGB_IMAGE);
  }
}

/* ---- The operation ---- */

static fv_status
label2rgb_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args;
  const fv_grid *labels = in[0], *image = in[1];
  if (labels->channels != 1)
    return fail (error, FV_BAD_INPUT, "image", "Labels have one channel, these have %lld.",
                 (long long) labels->channels);
  if (image && image->channels != 1 && image->channels != 3)
    return fail (error, FV_BAD_INPUT, "overlay", "The image has %lld channels; it may have 1 or 3.",
                 (long long) image->channels);
  if (check_alike (image, "overlay", labels, "the labels", ALIKE_IN_CHANNEL, error))
    return error->code;
  out[0]->type = FV_U8;
  out[0]->role = FV_RGB;
  out[0]->channels = 3;
  out[0]->shape[0] = 3 * labels->shape[0];
  out[0]->dense = false;
  out[0]->channel_names = NULL;
  return FV_OK;
}

/* What labels are drawn with. */
typedef struct drawing {
  ranks ranks;
  underlay under;
} drawing;

static void
draw_row (const fv_call *call, const void *with, int64_t z, int64_t y)
{
  const ranks *r = &((const drawing *) with)->ranks;
  const underlay *u = &((const drawing *) with)->under;
  const label2rgb_args *a = call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  int64_t depth = array_planes (in), columns = array_columns (in);
  int32_t labels[CHUNK];
  for (int64_t x = 0; x < columns; x += CHUNK) {
    int64_t n = columns - x < CHUNK ? columns - x : CHUNK;
    uint8_t *to[3];
    for (int c = 0; c < 3; c++)
      to[c] = (uint8_t *) array_row (out, c * depth + z, y) + x;
    if (a->mode == LABEL2RGB_OUTLINES)
      load_outlines (in, a->boundary, z, y, x, n, labels);
    else
      load_labels (in, z, y, x, n, labels);
    paint_row (labels, n, a->palette, r, to);
    if (u->array)
      blend (u, a, z, y, x, n, labels, to);
  }
}

static fv_status
label2rgb_cpu (const fv_call *call, fv_error *error)
{
  const label2rgb_args *a = call->args;
  const fv_array *in = call->inputs[0];
  int64_t depth = array_planes (in), rows = array_rows (in);
  bool ranked = a->palette == LABEL2RGB_CLASSIC && !in->grid->dense;
  progress p = {call, .total = depth * rows + (ranked ? 2 * pixels_of (in, 0, depth).pieces : 0)};
  drawing d = {.ranks = {0}};
  fv_status status = underlay_make (call, &d.under, &p, error);
  if (status || (ranked && (status = ranks_make (in, &d.ranks, &p, error))))
    return status;
  rows_each (call, depth, rows, draw_row, &d, &p);
  return p.stop ? cancelled (error) : FV_OK;
}

const fv_op fv_op_label2rgb = {
  FV_OP (label2rgb_args),
  .key = "label2rgb",
  .menu = "Image/Color",
  .label = "Labels to RGB",
  .search = "overlay colour labels color map glasbey show objects",
  .help = "Colors labels, alone, over an image or as outlines; background and labels below 0 are black.",
  .kind = FV_GLOBAL,
  .inputs =
    (const fv_input[]){{"image", "Labels", "The labels.", FV_INTEGERS | FV_WANTS_LABELS, false},
                       {"overlay", "Image", "The image below the colors, with 1 or 3 channels.", FV_ANY_TYPE, true},
                       {0}},
  .outputs = (const fv_output[]){{"image", "Colors"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (label2rgb_args, mode), .label = "Mode", .def = LABEL2RGB_OVERLAY,
       .choices = (const fv_choice[]){{"plain", "Plain", "The colors alone."},
                                      {"overlay", "Overlay", "The colors over the image in gray."},
                                      {"outlines", "Outlines", "The outlines of the objects over the image."},
                                      {0}},
       .help = "What is drawn."},
      {FV_FIELD (label2rgb_args, palette), .label = "Palette", .advanced = true,
       .choices = (const fv_choice[]){{"classic", "Classic", "Ten colors in turn."},
                                      {"distinct", "Distinct", "A color of its own for each label."},
                                      {0}},
       .help = "The colors of the labels."},
      {FV_FIELD (label2rgb_args, alpha), .label = "Opacity", .def = 0.3, .max = 1, .enabled = "mode=overlay",
       .help = "How much of the color covers the image."},
      {FV_FIELD (label2rgb_args, background), .label = "Background", .advanced = true,
       .choices = (const fv_choice[]){{"black", "Black", "Darkened by black of the same opacity."},
                                      {"image", "Image", "The image as it is."},
                                      {0}},
       .enabled = "mode=overlay", .help = "What is drawn outside objects."},
      {FV_FIELD (label2rgb_args, boundary), .label = "Boundary", .advanced = true,
       .choices =
         (const fv_choice[]){{"thick", "Thick", "The pixels on both sides."},
                             {"inner", "Inner", "The outermost pixels of the objects."},
                             {"outer", "Outer", "The background around objects, and both sides where objects touch."},
                             {0}},
       .enabled = "mode=outlines", .help = "Which pixels make an outline."},
      {FV_FIELD (label2rgb_args, contrast), .label = "Contrast", .advanced = true,
       .choices = (const fv_choice[]){{"type", "Type", "From 0 to the largest value of the type; floats from 0 to 1."},
                                      {"range", "Range", "From the image's minimum to its maximum."},
                                      {0}},
       .enabled = "mode=overlay|outlines", .help = "Which values of the image are black and white."},
      {0}},
  .grain = grain_frame,
  .infer = label2rgb_infer,
  .run = {[FV_CPU] = label2rgb_cpu, [FV_CUDA] = FV_CUDA_FN (label2rgb_cuda)},
  .part = FV_PART_ALIKE,
};
