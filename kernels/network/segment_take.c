/* SPDX-License-Identifier: MIT
 */
#include "kernels/network/segment_take.h"

#include "kernels/common/upload.h"
#include "kernels/network/model_name.h"
#include "kernels/network/segment_test.h"

#include <stdlib.h>
#include <sys/stat.h>

static void
release_host (const fv_device *device, void *state)
{
  segment_model *model = state;
  (void) device;
  if (model->process)
    model_process_free (model->process);
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
  model->weights = NULL;
  release_host (device, model);
}

/* The weights on the host become those of a device that has its own memory. */
static fv_status
upload (const fv_call *call, segment_model *model, fv_error *error)
{
  const size_t bytes = (size_t) model->net.n_weights * sizeof (float);
  float *weights = model->weights;
  model->weights = NULL;
  fv_status status = call->device->alloc (call->device, call->stream, bytes, (void **) &model->weights, error);
  if (!status)
    status = upload_now (call, model->weights, weights, bytes, error);
  free (weights);
  return status;
}

/* The call of a test has no device. */
static bool
is_on_gpu (const fv_call *call)
{
  return call->device && call->device->kind == FV_CUDA;
}

/* Its process is one that can be used now. */
static fv_status
start_process (const fv_call *call, segment_model *model, fv_error *error)
{
  const int threads = (int) threads_at_most (), gpu = is_on_gpu (call) ? call->device->dl.device_id : -1;
  if (model->process && model_process_is_usable (model->process, threads))
    return FV_OK;
  if (model->process)
    model_process_free (model->process);
  model->process = model_process_start (call, model->folder, threads, gpu, error);
  if (model->process && gpu >= 0)
    call->host->log (call, model_process_says (model->process));
  if (model->process || error->code == FV_CANCELLED || error->code == FV_NO_MEMORY)
    return model->process ? FV_OK : error->code;
  const fv_error now = *error;
  return fail (error, now.code, "model", "%s %s", now.text, model->head.why);
}

/* On the host, ready to run. */
static fv_status
load_model (const fv_call *call, const char *name, segment_model *model, fv_error *error)
{
  network net;
  segment_file file;
  fv_status status = segment_model_open (name, &file, model, error);
  if (!status && model->elsewhere)
    status = start_process (call, model, error);
  else if (!status) {
    model->weights = malloc ((size_t) model->net.n_weights * sizeof *model->weights);
    status = model->weights ? network_read (file.bytes, file.n, &net, model->weights, error)
                            : fail (error, FV_NO_MEMORY, "", "Memory is short: the weights of the model do not fit.");
  }
  free (file.own);
  return status;
}

/* The weights are those of the host until the end of an error. */
static fv_status
make_model (const fv_call *call, const char *name, segment_model *model, fv_error *error)
{
  fv_status status = load_model (call, name, model, error);
  if (!status && !model_package_is_tested (model->folder, model->process && model_process_is_on_gpu (model->process)))
    status = segment_model_test (call, model, NULL, 0, error);
  if (!status && !model->elsewhere && call->device->kind != FV_CPU)
    return upload (call, model, error);
  if (status) {
    free (model->weights);
    model->weights = NULL;
  }
  return status;
}

fv_status
segment_model_check (const fv_call *call, const char *name, char *report, size_t n, fv_error *error)
{
  segment_model *model = calloc (1, sizeof *model);
  if (!model)
    return fail (error, FV_NO_MEMORY, "", "Memory is short: the model does not fit.");
  fv_status status = load_model (call, name, model, error);
  if (!status)
    status = segment_model_test (call, model, report, n, error);
  release_host (NULL, model);
  return status;
}

static void (*release_of (const fv_call *call)) (const fv_device *device, void *state)
{
  return call->device->kind == FV_CPU ? release_host : release_device;
}

/* Of a file with its size and time, so that a changed one is read again. */
static void
key_of (const char *name, char *key, size_t size)
{
  char path[MODEL_PATH];
  struct stat about;
  if (!strcmp (name, "nuclei") || stat (model_name_file (name, path), &about))
    snprintf (key, size, "segment:%s", name);
  else
    snprintf (key, size, "segment:%lld:%lld:%s", (long long) about.st_size, (long long) about.st_mtime, name);
}

fv_status
segment_model_take (const fv_call *call, const char *name, segment_model **model, fv_error *error)
{
  char key[1100];
  key_of (name, key, sizeof key);
  if ((*model = call->host->take_state (call, key))) {
    const fv_status status = (*model)->elsewhere ? start_process (call, *model, error) : FV_OK;
    if (status)
      release_of (call) (call->device, *model);
    return status;
  }
  *model = calloc (1, sizeof **model);
  if (!*model)
    return fail (error, FV_NO_MEMORY, "", "Memory is short: the model does not fit.");
  const fv_status status = make_model (call, name, *model, error);
  if (status)
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
