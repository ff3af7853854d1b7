/* SPDX-License-Identifier: MIT
 *
 * Models by name: "nuclei" is part of this module; other names are ONNX files.
 */
#include "kernels/network/segment_model.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* nuclei.S */
extern const unsigned char fovea_nuclei_begin[], fovea_nuclei_end[];

enum { MOST_BYTES = 1 << 28 };

typedef struct model_file {
  const void *bytes;
  size_t n;
  void *own; /* to be freed */
} model_file;

static fv_status
read_file (const char *name, model_file *to, fv_error *error)
{
  FILE *file = fopen (name, "rb");
  struct stat about;
  if (!file || fstat (fileno (file), &about)) {
    const int code = errno;
    if (file)
      fclose (file);
    return fail (error, FV_BAD_ARGUMENT, "model",
                 "The model '%s' cannot be opened: %s. Give \"nuclei\" or an ONNX file.", name, strerror (code));
  }
  const bool fits = S_ISREG (about.st_mode) && about.st_size > 0 && about.st_size <= MOST_BYTES;
  to->n = fits ? (size_t) about.st_size : 0;
  to->bytes = to->own = fits ? malloc (to->n) : NULL;
  const size_t n = to->own ? fread (to->own, 1, to->n, file) : 0;
  fclose (file);
  if (!fits)
    return fail (error, FV_BAD_ARGUMENT, "model", "The model '%s' has to be a file of 1 to %d bytes.", name,
                 MOST_BYTES);
  if (!to->own)
    return fail (error, FV_NO_MEMORY, "", "Memory is short: the model '%s' does not fit.", name);
  if (n == to->n)
    return FV_OK;
  free (to->own);
  return fail (error, FV_BAD_ARGUMENT, "model", "The model '%s' cannot be read.", name);
}

static fv_status
open_model (const char *name, model_file *to, fv_error *error)
{
  *to =
    (model_file){fovea_nuclei_begin, (size_t) ((uintptr_t) fovea_nuclei_end - (uintptr_t) fovea_nuclei_begin), NULL};
  return strcmp (name, "nuclei") ? read_file (name, to, error) : FV_OK;
}

/* Each convolution of 3 x 3 reaches a pixel of its tensor further. */
static int64_t
halo_of (const network *net)
{
  const int64_t grid = (int64_t) 1 << net->deepest;
  int64_t pixels = 0;
  for (int i = 0; i < net->n_layers; i++)
    if (net->layers[i].kind == NETWORK_CONV && net->layers[i].taps == 9)
      pixels += (int64_t) 1 << net->tensors[net->layers[i].to].shrink;
  return (pixels + grid - 1) / grid * grid;
}

static fv_status
read_layers (const model_file *file, segment_model *model, fv_error *error)
{
  if (network_read (file->bytes, file->n, &model->net, NULL, error))
    return error->code;
  const network_tensor *out = &model->net.tensors[model->net.output];
  if (out->channels != SEGMENT_PLANES || out->shrink > 1)
    return fail (error, FV_BAD_ARGUMENT, "model",
                 "The model's output has %d planes, one number for %d x %d pixels. Possible are %d planes "
                 "(probability, %d distances, "
                 "foreground), one number for 1 x 1 or 2 x 2 pixels.",
                 (int) out->channels, 1 << out->shrink, 1 << out->shrink, SEGMENT_PLANES, STAR_RAYS);
  model->halo = halo_of (&model->net);
  return FV_OK;
}

fv_status
segment_model_read (const char *name, segment_model *model, fv_error *error)
{
  model_file file;
  model->weights = NULL;
  fv_status status = open_model (name, &file, error);
  if (status)
    return status;
  status = read_layers (&file, model, error);
  free (file.own);
  return status;
}

/* ---- On a device ---- */

static void
release_host (const fv_device *device, void *state)
{
  segment_model *model = state;
  (void) device;
  free (model->weights);
  free (model);
}

static void
release_device (const fv_device *device, void *state)
{
  segment_model *model = state;
  fv_error error = FV_ERROR_INIT;
  void *stream;
  if (model->weights && !device->stream_new (device, &stream, &error)) {
    device->free (device, stream, model->weights);
    device->stream_free (device, stream);
  }
  free (model);
}

/* The weights on the host become those of a device that has its own memory. */
static fv_status
upload (const fv_call *call, segment_model *model, fv_error *error)
{
  const fv_device *device = call->device;
  const size_t bytes = (size_t) model->net.n_weights * sizeof (float);
  float *weights = model->weights;
  model->weights = NULL;
  fv_status status = device->alloc (device, call->stream, bytes, (void **) &model->weights, error);
  if (!status)
    status = device->copy (device, call->stream, model->weights, bytes, weights, bytes, bytes, 1, FV_TO_DEVICE, error);
  if (!status)
    status = device->synchronize (device, call->stream, error);
  free (weights);
  return status;
}

static fv_status
make_model (const fv_call *call, const model_file *file, segment_model *model, fv_error *error)
{
  network net;
  fv_status status = read_layers (file, model, error);
  if (status)
    return status;
  model->weights = malloc ((size_t) model->net.n_weights * sizeof *model->weights);
  if (!model->weights)
    return fail (error, FV_NO_MEMORY, "", "Memory is short: the weights of the model do not fit.");
  status = network_read (file->bytes, file->n, &net, model->weights, error);
  return status || call->device->kind == FV_CPU ? status : upload (call, model, error);
}

static void (*release_of (const fv_call *call)) (const fv_device *device, void *state)
{
  return call->device->kind == FV_CPU ? release_host : release_device;
}

/* Of a file with its size and time, so that a changed one is read again. */
static void
key_of (const char *name, char *key, size_t size)
{
  struct stat about;
  if (!strcmp (name, "nuclei") || stat (name, &about))
    snprintf (key, size, "segment:%s", name);
  else
    snprintf (key, size, "segment:%lld:%lld:%s", (long long) about.st_size, (long long) about.st_mtime, name);
}

fv_status
segment_model_take (const fv_call *call, const char *name, segment_model **model, fv_error *error)
{
  char key[1100];
  model_file file;
  key_of (name, key, sizeof key);
  if ((*model = call->host->take_state (call, key)))
    return FV_OK;
  fv_status status = open_model (name, &file, error);
  if (status)
    return status;
  *model = calloc (1, sizeof **model);
  status = *model ? make_model (call, &file, *model, error)
                  : fail (error, FV_NO_MEMORY, "", "Memory is short: the model does not fit.");
  free (file.own);
  if (status && *model)
    release_of (call) (call->device, *model);
  return status;
}

void
segment_model_leave (const fv_call *call, const char *name, segment_model *model)
{
  char key[1100];
  key_of (name, key, sizeof key);
  call->host->leave_state (call, key, model, release_of (call));
}
