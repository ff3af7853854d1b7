/* SPDX-License-Identifier: MIT
 *
 * keep: the pixels of an image inside a mask. No border; NaN is copied.
 */
#include "kernels/image/keep.h"

#include "kernels/common/alike.h"
#include "kernels/common/grain.h"
#include "kernels/common/row.h"
#include "kernels/common/rows.h"

static fv_status
keep_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const fv_grid *image = in[KEEP_IMAGE], *outside = in[KEEP_OUTSIDE];
  fv_status status = check_alike (in[KEEP_INSIDE], "inside", image, "the image", ALIKE_OR_ONE, error);
  (void) op, (void) args;
  if (!status && outside && !keep_holds (image->type, outside->type))
    status = fail (error, FV_BAD_INPUT, "outside", "Pixels of %s and of %s cannot be in one image without loss.",
                   type_words (outside->type), type_words (image->type));
  if (!status && outside)
    status = check_alike (outside, "outside", image, "the image", ALIKE_OR_ONE, error);
  out[0]->dense = false;
  return status;
}

#define KEEP_ROW(T)                                                                                                    \
  VECTORISED static void keep_row_##T (T *restrict to, const T *restrict in, const T *restrict other,                  \
                                       const uint8_t *restrict mask, bool invert, int64_t n)                           \
  {                                                                                                                    \
    if (other)                                                                                                         \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        to[i] = (mask[i] != 0) != invert ? in[i] : other[i];                                                           \
    else                                                                                                               \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        to[i] = (mask[i] != 0) != invert ? in[i] : 0;                                                                  \
  }
KEEP_ROW (uint8_t)
KEEP_ROW (uint16_t)
KEEP_ROW (uint32_t)
KEEP_ROW (uint64_t)

/* A row of the image outside, in the type of the image; converted into `room` where that is needed. */
static const void *
outside_row (const fv_array *outside, const fv_grid *image, int64_t plane, int64_t y, void *room)
{
  const void *row = array_row (outside, keep_plane (outside->grid, image, plane), y);
  int64_t n = array_columns (outside);
  if (outside->grid->type == image->type)
    return row;
  if (image->type == FV_F32)
    row_to_f32 (room, row, outside->grid->type, n);
  else
    row_to_f64 (room, row, outside->grid->type, n);
  return room;
}

/* room: of each thread, for a row of the image outside. */
static void
keep_row (const fv_call *call, const void *room, int64_t plane, int64_t y)
{
  const fv_array *in = call->inputs[KEEP_IMAGE], *inside = call->inputs[KEEP_INSIDE];
  const fv_array *outside = call->inputs[KEEP_OUTSIDE];
  const size_t bytes = type_bytes (in->grid->type);
  const int64_t n = array_columns (in);
  const bool invert = ((const keep_args *) call->args)->invert;
  const uint8_t *mask = array_row (inside, keep_plane (inside->grid, in->grid, plane), y);
  char *own = room ? *(char *const *) room + (size_t) n * bytes * (size_t) thread_index () : NULL;
  const void *other = outside ? outside_row (outside, in->grid, plane, y, own) : NULL;
  void *to = array_row (call->outputs[0], plane, y), *from = array_row (in, plane, y);
  switch (bytes) {
  case 1: keep_row_uint8_t (to, from, other, mask, invert, n); break;
  case 2: keep_row_uint16_t (to, from, other, mask, invert, n); break;
  case 4: keep_row_uint32_t (to, from, other, mask, invert, n); break;
  default: keep_row_uint64_t (to, from, other, mask, invert, n);
  }
}

static fv_status
keep_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[KEEP_IMAGE], *outside = call->inputs[KEEP_OUTSIDE];
  const size_t row = (size_t) array_columns (in) * type_bytes (in->grid->type);
  char *room = NULL;
  if (outside && outside->grid->type != in->grid->type
      && call->host->scratch (call, row * (size_t) threads_at_most (), (void **) &room, error))
    return error->code;
  return rows_cpu (call, keep_row, room ? &room : NULL, error);
}

const fv_op fv_op_keep = {
  FV_OP (keep_args),
  .key = "keep",
  .menu = "Image",
  .label = "Keep Inside...",
  .search = "crop clear outside restrict roi region of interest",
  .help = "Keeps the pixels inside a mask or a selection; outside they are 0, or those of another image.",
  .kind = FV_POINT,
  .inputs =
    (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false},
                       {"inside", "Inside",
                        "A mask, or a selection such as oval(10,20,100,50); every value but 0 is inside.",
                        FV_U8 | FV_WANTS_MASK, false},
                       {"outside", "Outside", "The image whose pixels are taken outside; none: 0.", FV_ANY_TYPE, true},
                       {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){{FV_FIELD (keep_args, invert), .label = "Invert", .help = "Keeps what is outside."}, {0}},
  .grain = grain_frame,
  .infer = keep_infer,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = keep_cpu, [FV_CUDA] = FV_CUDA_FN (keep_cuda)},
};
