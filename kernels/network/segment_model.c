/* SPDX-License-Identifier: MIT
 *
 * Models by name: "nuclei" is part of this module; other names are ONNX files, or packages.
 */
#include "kernels/network/segment_model.h"

#include "kernels/network/model_name.h"
#include "kernels/network/star_polygons.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* nuclei.S */
extern const unsigned char fovea_nuclei_begin[], fovea_nuclei_end[];

enum { MOST_BYTES = 1 << 29 };

static fv_status
read_file (const char *name, segment_file *to, fv_error *error)
{
  FILE *file = fopen (name, "rb");
  struct stat about;
  if (!file || fstat (fileno (file), &about)) {
    const int code = errno;
    if (file)
      fclose (file);
    if (code == ENOENT)
      return fail (error, FV_BAD_ARGUMENT, "model",
                   "It is neither a file nor added on this computer. Add its file: Models… beside the field, or 'fovea "
                   "models add FILE'.");
    return fail (error, FV_BAD_ARGUMENT, "model", "It cannot be opened: %s.", strerror (code));
  }
  const bool fits = S_ISREG (about.st_mode) && about.st_size > 0 && about.st_size <= MOST_BYTES;
  to->n = fits ? (size_t) about.st_size : 0;
  to->bytes = to->own = fits ? malloc (to->n) : NULL;
  const size_t n = to->own ? fread (to->own, 1, to->n, file) : 0;
  fclose (file);
  if (!fits)
    return fail (error, FV_BAD_ARGUMENT, "model", "It has to be a file of 1 to %d bytes.", MOST_BYTES);
  if (!to->own)
    return fail (error, FV_NO_MEMORY, "", "Memory is short: the model '%.200s' does not fit.", name);
  if (n == to->n)
    return FV_OK;
  free (to->own);
  *to = (segment_file){0};
  return fail (error, FV_BAD_ARGUMENT, "model", "It cannot be read.");
}

static fv_status
open_model (const char *name, segment_file *to, fv_error *error)
{
  *to =
    (segment_file){fovea_nuclei_begin, (size_t) ((uintptr_t) fovea_nuclei_end - (uintptr_t) fovea_nuclei_begin), NULL};
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

/* ---- What the output means ---- */

enum { SHIPPED_PLANES = STAR_RAYS + 2 };

/* Of a network without a description, by how many channels it has. Planes are taken as those of nuclei. FALSE: it has another number. */
static bool
describe (const network *net, model_head *head)
{
  const network_tensor *out = &net->tensors[net->output];
  const bool stars = out->channels == SHIPPED_PLANES || out->channels == STAR_RAYS + 1;
  *head = (model_head){.inputs = 1,
                       .shrink = out->shrink,
                       .channels = out->channels,
                       .probability = stars ? 0 : -1,
                       .rays = stars ? 1 : -1,
                       .foreground = out->channels == SHIPPED_PLANES ? STAR_RAYS + 1
                                     : stars                         ? -1
                                                                     : 0,
                       .boundary = out->channels == 2 ? 1 : -1,
                       .scales = stars,
                       .statistic = MODEL_PERCENTILES,
                       .low = 0.5,
                       .high = 99.9};
  return (stars || out->channels <= 2) && out->shrink <= 1;
}

static void
set_grid (segment_model *model)
{
  const int32_t grid = 1 << model->net.deepest;
  for (int i = 0; i < 2; i++)
    model->head.least[i] = model->head.step[i] = grid;
  model->halo = halo_of (&model->net);
}

/* The layers of an ONNX file; FV_UNSUPPORTED: it has others. */
static fv_status
read_layers (const segment_file *file, segment_model *model, fv_error *error)
{
  if (network_read (file->bytes, file->n, &model->net, NULL, error))
    return error->code;
  const network_tensor *out = &model->net.tensors[model->net.output];
  if (!*model->folder && !describe (&model->net, &model->head))
    return fail (
      error, FV_BAD_ARGUMENT, "model",
      "Its output has %d planes, one number for %d x %d pixels. Possible are %d planes (probability, %d distances, "
      "foreground), %d without the last, 2 (foreground, boundary) or 1 (foreground), one number for 1 x 1 or 2 x 2 "
      "pixels.",
      (int) out->channels, 1 << out->shrink, 1 << out->shrink, SHIPPED_PLANES, STAR_RAYS, STAR_RAYS + 1);
  set_grid (model);
  return FV_OK;
}

/* A network of which only the input and the output are known. */
static void
set_ends (segment_model *model)
{
  const model_head *head = &model->head;
  network *net = &model->net;
  *net = (network){.n_tensors = 2, .input = 0, .output = 1, .deepest = head->shrink};
  net->tensors[0] = (network_tensor){.channels = head->inputs, .parent = -1, .written = 0, .read = 1};
  net->tensors[1] =
    (network_tensor){.channels = head->channels, .shrink = head->shrink, .parent = -1, .written = 0, .read = 1};
  model->halo = head->halo;
  model->elsewhere = true;
}

/* ---- Packages ---- */

static bool
is_package (const char *name)
{
  char start[2] = {0};
  FILE *file = fopen (name, "rbe");
  const size_t n = file ? fread (start, 1, sizeof start, file) : 0;
  if (file)
    fclose (file);
  return n == sizeof start && start[0] == 'P' && start[1] == 'K';
}

/* The network of a package, or of a file with other layers than network.h has. *file becomes its ONNX file, where that is computed here. */
static fv_status
read_package (const char *name, segment_file *file, segment_model *model, fv_error *error)
{
  char files[MODEL_FOLDER + 16], path[MODEL_FOLDER + 16 + MODEL_NAME];
  fv_status status = model_package_open (name, model->folder, &model->head, error);
  if (status)
    return status;
  free (file->own);
  *file = (segment_file){0};
  if (*model->head.why) {
    set_ends (model);
    return FV_OK;
  }
  model_package_path (model->folder, MODEL_FILES, files, sizeof files);
  model_package_path (files, model->head.onnx, path, sizeof path);
  status = read_file (path, file, error);
  return status ? status : read_layers (file, model, error);
}

/* Of an ONNX file that cannot be computed here: both reasons, where the program cannot either. */
static fv_status
read_elsewhere (const char *name, segment_file *file, segment_model *model, fv_error *error)
{
  const fv_error before = *error;
  const fv_status status = read_package (name, file, model, error);
  if (!status || status == FV_NO_MEMORY)
    return status;
  const fv_error now = *error;
  return fail (error, status, "model", "%s %s", now.text, before.text);
}

fv_status
segment_model_open (const char *name, segment_file *file, segment_model *model, fv_error *error)
{
  char added[MODEL_PATH];
  const char *path = model_name_file (name, added);
  *model = (segment_model){0};
  *file = (segment_file){0};
  if (strcmp (name, "nuclei") && is_package (path))
    return read_package (path, file, model, error);
  fv_status status = open_model (path, file, error);
  if (!status)
    status = read_layers (file, model, error);
  return status == FV_UNSUPPORTED ? read_elsewhere (path, file, model, error) : status;
}

fv_status
segment_model_fault (const char *name, fv_error *error)
{
  enum { NAME = 120 };
  if (strcmp (error->field, "model"))
    return error->code;
  const fv_error cause = *error;
  const char *end = name; /* of a long path */
  while (strlen (end) > NAME || ((unsigned char) *end & 0xc0) == 0x80)
    end++;
  fail (error, cause.code, "model", "The model '%s%s' cannot be used. %s", end > name ? "…" : "", end, cause.text);
  size_t n = strlen (error->text);
  if (n == sizeof error->text - 1) { /* whole sentences alone */
    while (n > 0 && strncmp (error->text + n, ". ", 2))
      n--;
    error->text[n + 1] = 0;
  }
  return error->code;
}

fv_status
segment_model_read (const char *name, segment_model *model, fv_error *error)
{
  segment_file file;
  const fv_status status = segment_model_open (name, &file, model, error);
  free (file.own);
  return status;
}

/* ---- Sizes ---- */

static int64_t
up_to (int64_t n, int64_t step)
{
  return (n + step - 1) / step * step;
}

int64_t
segment_model_whole (const segment_model *model, int direction, int64_t n)
{
  const int64_t least = model->head.least[direction], step = model->head.step[direction];
  return n <= least ? least : least + up_to (n - least, step ? step : (int64_t) 1 << model->head.shrink);
}

int64_t
segment_model_side (const segment_model *model, int direction, int64_t tile, int64_t whole)
{
  const int64_t least = model->head.least[direction], step = model->head.step[direction];
  const int64_t wanted = tile + 2 * model->halo, more = wanted > least ? wanted - least : 0;
  const int64_t most = step ? least + more / step * step : least;
  return whole < most ? whole : most;
}
