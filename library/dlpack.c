/* SPDX-License-Identifier: MIT
 *
 * Pixels of DLPack tensors: as a copy, because images never change, or lent.
 */
#include "library/tensor.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/data/pixel_type.h"

#include <math.h>
#include <string.h>

/* Of an image's first pixel on a GPU. In host memory that of its type is enough: parts of images begin at any pixel. */
enum { GPU_ALIGNMENT = 64 };

/* Bytes that a thread copies at a time: ten times what it copies while another one starts. */
enum { PIECE = 2 << 20 };

static void
copy_row (const Tensor *source, const char *from, char *to)
{
  int64_t n = source->shape[AXES - 1], step = source->steps[AXES - 1] * (int64_t) source->bytes;
  if (step == (int64_t) source->bytes)
    memcpy (to, from, (gsize) n * source->bytes);
  else
    for (int64_t x = 0; x < n; x++)
      memcpy (to + (gsize) x * source->bytes, from + x * step, source->bytes);
}

/* A copy of a tensor, in pieces of so many of its rows. */
typedef struct {
  const Tensor *source;
  char *to;
  gint64 rows, piece;
} Copy;

static const char *
row_at (const Tensor *source, gint64 i)
{
  gint64 offset = 0;
  for (int axis = AXES - 2; axis >= 0; i /= source->shape[axis--])
    offset += i % source->shape[axis] * source->steps[axis];
  return source->pixels + offset * (gint64) source->bytes;
}

static gboolean
copy_piece (gpointer data, guint64 i, GError **error)
{
  const Copy *c = data;
  const gint64 first = (gint64) i * c->piece, end = MIN (first + c->piece, c->rows);
  const gsize row = (gsize) c->source->shape[AXES - 1] * c->source->bytes;
  (void) error;
  for (gint64 r = first; r < end; r++)
    copy_row (c->source, row_at (c->source, r), c->to + (gsize) r * row);
  return TRUE;
}

/* Dense, to an image of the same shape, whose size has been checked. FALSE with *error when it shall stop. */
static gboolean
copy_all (const Tensor *source, char *to, GError **error)
{
  const gint64 row = source->shape[AXES - 1] * (gint64) source->bytes;
  Copy copy = {source, to, 1, MAX (1, PIECE / row)};
  for (int axis = 0; axis < AXES - 1; axis++)
    copy.rows *= source->shape[axis];
  return parallel_do ((guint64) ((copy.rows + copy.piece - 1) / copy.piece), G_MAXUINT64, copy_piece, &copy, error);
}

/* Whether the values can be what the role says; FALSE with *error. */
static gboolean
check_role (const ImageInfo *info, const void *pixels, GError **error)
{
  const gint32 *labels = pixels;
  gsize n = (gsize) image_info_planes (info) * (gsize) info->rows * (gsize) info->columns;
  for (gsize i = 0; info->role == FV_LABELS && i < n; i++)
    if (labels[i] < 0) {
      step_error_set (error, FV_BAD_INPUT, "pixels", "pixels: Labels must not be negative; pixel %zu is %d.", i,
                      labels[i]);
      return FALSE;
    }
  return TRUE;
}

/* FALSE with *error when a tensor of this type and so many channels cannot have the role. */
static gboolean
check_type (fovea_role role, fv_type type, int64_t channels, fovea_error **error)
{
  if (role == FOVEA_IMAGE || (role == FOVEA_MASK && type == FV_U8) || (role == FOVEA_LABELS && type == FV_I32)
      || (role == FOVEA_RGB && type == FV_U8 && channels == 3))
    return TRUE;
  library_fail_argument (error, "role",
                         "A mask must be u8, labels i32, and RGB u8 with 3 channels; FOVEA_IMAGE accepts any type.");
  return FALSE;
}

/* Whether what it says of its channels can be said of so many; FALSE with *error. */
static gboolean
check_channels (const fovea_image_info *info, int64_t channels, fovea_error **error)
{
  guint names = info->channel_names ? g_strv_length ((char **) info->channel_names) : 0;
  if (info->channel_names && names != channels) {
    library_fail_argument (error, "channel_names", "There are %u of them, but %" G_GINT64_FORMAT " channels.", names,
                           channels);
    return FALSE;
  }
  for (int64_t i = 0; info->display_ranges && i < 2 * channels; i++)
    if (!isfinite (info->display_ranges[i])) {
      library_fail_argument (error, "display_ranges", "A limit of channel %" G_GINT64_FORMAT " is not finite.", i / 2);
      return FALSE;
    }
  return TRUE;
}

static double
positive (double value, double otherwise)
{
  return value > 0 && isfinite (value) ? value : otherwise;
}

static ImageInfo
describe (const Tensor *source, const fovea_image_info *info)
{
  ImageInfo to = {
    .type = source->type,
    .role = (fv_role) info->role,
    .frames = source->shape[0],
    .channels = source->shape[1],
    .depth = source->shape[2],
    .rows = source->shape[3],
    .columns = source->shape[4],
    .frame_interval = positive (info->interval, 0),
    .frame_unit = (char *) info->interval_unit,
    .name = (char *) info->name,
    .channel_names = (char **) info->channel_names,
    .channel_colors = (guint32 *) info->channel_colors,
    .display_ranges = (double *) info->display_ranges,
  };
  for (int i = 0; i < 3; i++) {
    to.spacing[i] = positive (info->spacing[i], 1);
    to.units[i] = (char *) info->unit[i];
  }
  return to;
}

static void
give_back (gpointer data)
{
  DLManagedTensor *lent = data;
  if (lent->deleter)
    lent->deleter (lent);
}

/* Whether the pixels are dense, as those of an image are, and the first is aligned to so many bytes. The size has been checked. */
static gboolean
lies_well (const Tensor *source, gsize alignment)
{
  gboolean well = (guintptr) source->pixels % alignment == 0;
  for (int64_t axis = AXES, step = 1; axis--; step *= source->shape[axis])
    well = well && (source->shape[axis] == 1 || source->steps[axis] == step);
  return well;
}

/* In memory that the CPU keeps for later, where there are operations at all. */
static Image *
copy_pixels (const Tensor *source, const ImageInfo *info, Modules *modules, GError **error)
{
  g_autoptr (Image) image = image_new_near (info, modules_device (modules, "cpu", NULL), error);
  if (!image || !copy_all (source, image_pixels (image), error))
    return NULL;
  return check_role (info, image_pixels (image), error) ? g_steal_pointer (&image) : NULL;
}

/* ---- On a GPU ---- */

/* Rows of pixels side by side. */
static gboolean
has_rows (const Tensor *source)
{
  return (source->steps[4] == 1 || source->shape[4] == 1)
         && (source->steps[3] >= source->shape[4] || source->shape[3] == 1);
}

/* Whether planes are dense rows, or pixels at equal distances. FALSE with *error. */
static gboolean
has_planes (const Tensor *source, GError **error)
{
  const int64_t y = source->steps[3], x = source->steps[4];
  if (has_rows (source) || (x > 0 && y == x * source->shape[4]))
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, "pixels",
                  "pixels: Strides of %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
                  " along y and x cannot be copied on a GPU; make them dense.",
                  y, x);
  return FALSE;
}

static fv_status
copy_plane_on (Device *gpu, const Tensor *source, const char *from, char *to, fv_error *fault)
{
  const gsize pixel = source->bytes, rows = (gsize) source->shape[3], row = (gsize) source->shape[4] * pixel;
  const gsize pitch = rows == 1 ? row : (gsize) source->steps[3] * pixel, step = (gsize) source->steps[4] * pixel;
  const fv_device *fv = gpu->fv;
  if (has_rows (source))
    return fv->copy (fv, gpu->stream, to, row, from, pitch, row, rows, FV_ON_DEVICE, fault);
  return fv->copy (fv, gpu->stream, to, pixel, from, step, pixel, rows * (row / pixel), FV_ON_DEVICE, fault);
}

static fv_status
copy_planes_on (Device *gpu, const Tensor *source, char *to, fv_error *fault)
{
  const int64_t *n = source->shape, *steps = source->steps;
  const gsize plane = (gsize) (n[3] * n[4]) * source->bytes;
  fv_status status = FV_OK;
  for (int64_t i = 0; i < n[0] * n[1] * n[2] && !status; i++) {
    int64_t z = i % n[2], c = i / n[2] % n[1], t = i / n[2] / n[1];
    int64_t from = (t * steps[0] + c * steps[1] + z * steps[2]) * (int64_t) source->bytes;
    status = copy_plane_on (gpu, source, source->pixels + from, to + (gsize) i * plane, fault);
  }
  return status;
}

static Image *
copy_pixels_on (Device *gpu, const Tensor *source, const ImageInfo *info, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  void *memory;
  Image *image;
  if (!has_planes (source, error) || !(image = image_new_on_device (info, gpu, 0, &memory, error)))
    return NULL;
  fv_status copied = copy_planes_on (gpu, source, memory, &fault), done;
  done = gpu->fv->synchronize (gpu->fv, gpu->stream, copied ? &(fv_error) FV_ERROR_INIT : &fault);
  image_off_device (image, gpu);
  if (!copied && !done)
    return image;
  step_error_set_from_plugin (error, "pixels", &fault);
  image_unref (image);
  return NULL;
}

/* The same as make_image() of what lies in the memory of a GPU. */
static Image *
make_image_on (Device *gpu, const Tensor *source, const ImageInfo *info, DLManagedTensor *lent, GError **error)
{
  Image *image;
  if (info->role == FV_LABELS) {
    step_error_set (error, FV_BAD_ARGUMENT, "role",
                    "role: Labels on a GPU cannot be checked: lend them as FOVEA_IMAGE; steps that need "
                    "labels check them.");
    return NULL;
  }
  if (!device_ready (gpu, gpu->fv->key, error))
    return NULL;
  if (lies_well (source, GPU_ALIGNMENT))
    return image_new_lent_on (info, gpu, source->pixels, give_back, lent, error);
  library_device_enter (gpu);
  if ((image = copy_pixels_on (gpu, source, info, error)))
    give_back (lent);
  library_device_leave (gpu);
  return image;
}

/* ---- Images ---- */

/* The pixels are on the gpu, or in host memory when that is NULL. They belong to `lent`, NULL: to none. NULL with *error,
 * and give_back is not called. */
static Image *
make_image (const Tensor *source, const ImageInfo *info, Device *gpu, DLManagedTensor *lent, Modules *modules,
            GError **error)
{
  Image *image;
  if (!image_info_check (info, error))
    return NULL;
  if (gpu)
    return make_image_on (gpu, source, info, lent, error);
  if (lent && lies_well (source, source->bytes))
    return check_role (info, source->pixels, error) ? image_new_lent (info, source->pixels, give_back, lent, error)
                                                    : NULL;
  if ((image = copy_pixels (source, info, modules, error)) && lent)
    give_back (lent);
  return image;
}

/* The GPU that a tensor is on, NULL: it is in host memory; FALSE with *error. */
static gboolean
find_device (fovea_context *context, DLDevice where, Device **gpu, fovea_error **error)
{
  const GPtrArray *found = NULL;
  *gpu = NULL;
  if (where.device_type == kDLCPU || where.device_type == kDLCUDAHost)
    return TRUE;
  found = modules_find_devices (context->modules);
  for (guint i = 0; i < found->len && !*gpu; i++) {
    Device *device = found->pdata[i];
    if (device->fv->dl.device_type == where.device_type && device->fv->dl.device_id == where.device_id)
      *gpu = device;
  }
  if (!*gpu)
    library_fail_argument (error, "pixels", "They are on device %d of type %d, which Fovea does not have.",
                           (int) where.device_id, (int) where.device_type);
  return *gpu != NULL;
}

static fovea_image *
image_of (fovea_context *context, const DLTensor *pixels, DLManagedTensor *lent, const fovea_image_info *info,
          fovea_error **error)
{
  fovea_image_info about = {0};
  GError *fault = NULL;
  Device *gpu = NULL;
  Tensor source;
  Image *image;
  if (!library_has (context, "context", error) || !library_has (pixels, "pixels", error)
      || !(lent ? find_device (context, pixels->device, &gpu, error) : tensor_on_host (pixels, "pixels", error))
      || (info && !library_take (info, &about, sizeof about, "info", error))
      || !tensor_read (pixels, "pixels", &source, error)
      || !check_type (about.role, source.type, source.shape[1], error)
      || !check_channels (&about, source.shape[1], error))
    return NULL;
  ImageInfo described = describe (&source, &about);
  described.description = about.description ? g_ref_string_new (about.description) : NULL;
  if (!(image = make_image (&source, &described, gpu, lent, context->modules, &fault)))
    library_fail (error, fault);
  g_clear_pointer (&described.description, g_ref_string_release);
  return library_image_new (context, image);
}

fovea_image *
fovea_image_from_dlpack (fovea_context *context, const DLTensor *pixels, const fovea_image_info *info,
                         fovea_error **error)
{
  return image_of (context, pixels, NULL, info, error);
}

fovea_image *
fovea_image_borrow_dlpack (fovea_context *context, DLManagedTensor *pixels, const fovea_image_info *info,
                           fovea_error **error)
{
  return image_of (context, pixels ? &pixels->dl_tensor : NULL, pixels, info, error);
}

Image *
library_image_promised (const fovea_image_info *info, fovea_error **error)
{
  fovea_image_info about;
  GError *fault = NULL;
  Tensor source;
  if (!library_take (info, &about, sizeof about, "info", error))
    return NULL;
  const DLTensor nowhere = {.data = &about, .ndim = AXES, .dtype = about.type, .shape = about.shape};
  if (!tensor_read (&nowhere, "info", &source, error) || !check_type (about.role, source.type, source.shape[1], error))
    return NULL;
  const ImageInfo described = describe (&source, &about);
  if (image_info_check (&described, &fault))
    return image_new_promised (&described);
  library_fail_argument (error, "info", "info: %s", fault->message);
  g_error_free (fault);
  return NULL;
}
