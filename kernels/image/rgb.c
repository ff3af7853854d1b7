/* SPDX-License-Identifier: MIT
 *
 * rgb: colors and weights, and the CPU: some pixels of a row at a time.
 */
#include "kernels/image/rgb.h"

#include "kernels/common/grain.h"
#include "kernels/common/imagej.h"
#include "kernels/common/row.h"
#include "kernels/common/rows.h"

enum { BLOCK = 512 };

/* ---- The rule ---- */

static const double weights[][3] = {{0.2125, 0.7154, 0.0721}, {0.299, 0.587, 0.114}, {1 / 3.0, 1 / 3.0, 1 / 3.0}};

/* What each stain absorbs of red, green and blue; three times 0: the cross product of the other two. */
static const double stains[][3][3] = {
  {{0.65, 0.70, 0.29}, {0.07, 0.99, 0.11}, {0.27, 0.57, 0.78}},
  {{0.650, 0.704, 0.286}, {0.268, 0.570, 0.776}, {0, 0, 0}},
  {{0.46420921, 0.83008335, 0.30827187}, {0.94705542, 0.25373821, 0.19650764}, {0, 0, 0}},
  {{0.834750233, 0.513556283, 0.196330403}, {0.092789, 0.954111, 0.283111}, {0, 0, 0}},
  {{0.21393921, 0.85112669, 0.47794022}, {0.74890292, 0.60624161, 0.26731082}, {0.268, 0.570, 0.776}},
  {{0.98003, 0.144316, 0.133146}, {0.268, 0.570, 0.776}, {0, 0, 0}},
  {{0.650, 0.704, 0.286}, {0.2743, 0.6796, 0.6803}, {0, 0, 0}},
  {{0.853033, 0.508733, 0.112656}, {0.09289875, 0.8662008, 0.49098468}, {0.10732849, 0.36765403, 0.9237484}},
  {{0.7995107, 0.5913521, 0.10528667}, {0.09997159, 0.73738605, 0.6680326}, {0, 0, 0}},
  {{0.874622, 0.457711, 0.158256}, {0.552556, 0.7544, 0.353744}, {0, 0, 0}},
  {{0.644211, 0.716556, 0.266844}, {0.175411, 0.972178, 0.154589}, {0, 0, 0}},
};

static const fv_choice stain_choices[] = {
  {"hed", "Hematoxylin, eosin, DAB", "Hematoxylin, eosin and DAB."},
  {"hdx", "Hematoxylin, DAB", "Hematoxylin and DAB."},
  {"fgx", "Feulgen, light green", "Feulgen and light green."},
  {"bex", "Giemsa", "Methyl blue and eosin."},
  {"rbd", "Fast red, fast blue, DAB", "Fast red, fast blue and DAB."},
  {"gdx", "Methyl green, DAB", "Methyl green and DAB."},
  {"hax", "Hematoxylin, AEC", "Hematoxylin and AEC."},
  {"bro", "Azan", "Aniline blue, azocarmine and orange G."},
  {"bpx", "Methyl blue, ponceau fuchsin", "Methyl blue and ponceau fuchsin."},
  {"ahx", "Alcian blue, hematoxylin", "Alcian blue and hematoxylin."},
  {"hpx", "Hematoxylin, PAS", "Hematoxylin and periodic acid with Schiff's reagent."},
  {0}};

static void
cross (const double a[3], const double b[3], double to[3])
{
  for (int i = 0; i < 3; i++)
    to[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* The inverse of rows a, b, c has the columns b x c, c x a and a x b, over a . (b x c). */
static void
invert (const double rows[3][3], double to[3][3])
{
  double third[3], columns[3][3];
  memcpy (third, rows[2], sizeof third);
  if (third[0] == 0 && third[1] == 0 && third[2] == 0)
    cross (rows[0], rows[1], third);
  cross (rows[1], third, columns[0]);
  cross (third, rows[0], columns[1]);
  cross (rows[0], rows[1], columns[2]);
  const double volume = rows[0][0] * columns[0][0] + rows[0][1] * columns[0][1] + rows[0][2] * columns[0][2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      to[i][j] = columns[j][i] / volume;
}

rgb_rule
rgb_rule_of (const rgb_args *a, fv_type type)
{
  rgb_rule r = {.to = a->to, .full = type == FV_U8 ? 255 : type == FV_U16 ? 65535 : 1};
  if (a->to == RGB_GRAY)
    memcpy (r.matrix[0], weights[a->weights], sizeof r.matrix[0]);
  if (a->to == RGB_STAINS)
    invert (stains[a->stains], r.matrix);
  return r;
}

/* ---- The CPU ---- */

#define DEFINE_BLOCK(NAME, TO)                                                                                         \
  VECTORISED static void block_##NAME (const rgb_rule *rule, double v[3][BLOCK], int64_t n)                            \
  {                                                                                                                    \
    rgb_rule r = *rule;                                                                                                \
    r.to = TO;                                                                                                         \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      const double stored[3] = {v[0][i], v[1][i], v[2][i]};                                                            \
      double to[3] = {0, 0, 0};                                                                                        \
      rgb_pixel (&r, stored, to);                                                                                      \
      v[0][i] = to[0], v[1][i] = to[1], v[2][i] = to[2];                                                               \
    }                                                                                                                  \
  }
DEFINE_BLOCK (gray, RGB_GRAY)
DEFINE_BLOCK (hsb, RGB_HSB)
DEFINE_BLOCK (lab, RGB_LAB)
DEFINE_BLOCK (stains, RGB_STAINS)

static void
rgb_row (const fv_call *call, const void *rule, int64_t z, int64_t y)
{
  static void (*const blocks[]) (const rgb_rule *, double[3][BLOCK], int64_t) = {block_gray, block_hsb, block_lab,
                                                                                 block_stains};
  const rgb_rule *r = rule;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const int64_t depth = grid_depth (in->grid), step = in->grid->channels == 1 ? 0 : depth;
  const size_t from = type_bytes (in->grid->type), to = type_bytes (out->grid->type);
  double v[3][BLOCK];
  for (int64_t x = 0, n; x < array_columns (in); x += n) {
    n = array_columns (in) - x < BLOCK ? array_columns (in) - x : BLOCK;
    for (int64_t c = 0; c < 3; c++)
      row_to_f64 (v[c], (const char *) array_row (in, z + c * step, y) + (size_t) x * from, in->grid->type, n);
    blocks[r->to](r, v, n);
    for (int64_t c = 0; c < out->grid->channels; c++)
      row_from_f64 ((char *) array_row (out, z + c * depth, y) + (size_t) x * to, out->grid->type, v[c], n);
  }
}

static fv_status
rgb_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const rgb_rule r = rgb_rule_of (call->args, in->grid->type);
  progress p = {call, .total = grid_depth (in->grid) * array_rows (in)};
  rows_each (call, grid_depth (in->grid), array_rows (in), rgb_row, &r, &p);
  return p.stop ? cancelled (error) : FV_OK;
}

/* ---- The operation ---- */

static fv_status
rgb_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  static const char *const hsb[] = {"hue", "saturation", "brightness"}, *const lab[] = {"L*", "a*", "b*"};
  const rgb_args *a = args;
  (void) op;
  if (in[0]->channels != 3 && in[0]->channels != 1)
    return fail (error, FV_BAD_INPUT, "image",
                 "Colors are made of three channels, red, green and blue, and the image has %lld: substack or "
                 "merge_channels gives three.",
                 (long long) in[0]->channels);
  out[0]->channels = a->to == RGB_GRAY ? 1 : 3;
  out[0]->shape[0] = out[0]->channels * grid_depth (in[0]);
  out[0]->channel_names = a->to == RGB_HSB ? hsb : a->to == RGB_LAB ? lab : NULL;
  if (a->to != RGB_GRAY)
    out[0]->type = in[0]->type == FV_F64 ? FV_F64 : FV_F32;
  out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

static double
rgb_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  static const double products[] = {3, 10, 150, 60};
  (void) op, (void) in;
  return products[((const rgb_args *) args)->to];
}

const fv_op fv_op_rgb = {
  FV_OP (rgb_args),
  .key = "rgb",
  .menu = "Image/Color",
  .label = "Convert Colors...",
  .search = "color colour space hsb hsv lab grey gray luminance stains deconvolution hematoxylin eosin dab histology",
  .imagej =
    (const fv_imagej[]){
      {.command = "Lab Stack", .args = "to=lab", .area = FV_IMAGEJ_AREA_IGNORED, .range = FV_IMAGEJ_RANGE_FOLLOWS},
      {.command = "HSB (32-bit)",
       .args = "to=hsb",
       .images = FV_IMAGEJ_RGB,
       .area = FV_IMAGEJ_AREA_IGNORED,
       .range = FV_IMAGEJ_RANGE_FOLLOWS},
      {.command = "RGB to Luminance",
       .args = "weights=luminance",
       .area = FV_IMAGEJ_AREA_IGNORED,
       .differs = "is a plugin that ImageJ itself does not have, with the weights 0.2126, 0.7152 and 0.0722"},
      {0}},
  .help = "Converts red, green and blue to a gray image, hue, saturation and brightness, CIE L*a*b*, or the amounts of "
          "stains; NaN spreads.",
  .cite = "A. C. Ruifrok and D. A. Johnston, Quantification of histochemical staining by color deconvolution, Anal. "
          "Quant. Cytol. Histol. 23 (2001), 291",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image",
                                "The colors: three channels, from 0 to the largest value of the type, 1 for floats. A "
                                "single channel counts as three equal ones.",
                                FV_U8 | FV_U16 | FV_FLOATS, false},
                               {0}},
  .outputs = (const fv_output[]){{"image", "Converted"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (rgb_args, to), .label = "To",
       .choices = (const fv_choice[]){{"grey", "Gray", "One channel of the image's type."},
                                      {"hsb", "HSB", "Hue, saturation and brightness, from 0 to 1."},
                                      {"lab", "CIE L*a*b*", "Lightness from 0 to 100, and two axes of color."},
                                      {"stains", "Stains", "The amounts of two or three stains."},
                                      {0}},
       .help = "What colors become."},
      {FV_FIELD (rgb_args, weights), .label = "Weights", .enabled = "to=grey",
       .choices =
         (const fv_choice[]){{"luminance", "Luminance", "0.2125, 0.7154 and 0.0721, as in scikit-image."},
                             {"rec601", "Rec. 601", "0.299, 0.587 and 0.114, as ImageJ with weighted conversions."},
                             {"equal", "Equal", "The mean, as ImageJ's 8-bit."},
                             {0}},
       .help = "Weights of red, green and blue."},
      {FV_FIELD (rgb_args, stains), .label = "Stains", .enabled = "to=stains", .choices = stain_choices,
       .help = "Which stains; where there are two the third channel is what they do not explain."},
      {0}},
  .grain = grain_frame,
  .infer = rgb_infer,
  .arithmetic = rgb_arithmetic,
  .run = {[FV_CPU] = rgb_cpu, [FV_CUDA] = FV_CUDA_FN (rgb_cuda)},
};
