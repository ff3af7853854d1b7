/* SPDX-License-Identifier: MIT
 *
 * The process ends with its network: nothing of a session is freed.
 */
#include "runtime/ort.h"

#include "runtime/description.h"
#include "runtime/error.h"
#include "runtime/library.h"

#include <string.h>

struct Ort {
  const OrtApi *api;
  char *version;
  OrtSession *session;
  OrtMemoryInfo *memory;
  OrtAllocator *allocator;
  char *input, *output;
  gint32 n_output; /* the index of output */
  gsize n_outputs;
};

#define ORT_MOST ((gint64) 1 << 31) /* numbers of a result */

/* Frees the error, whose text becomes part of *error. */
static gboolean
is_done (const OrtApi *api, OrtStatus *status, GError **error)
{
  if (!status)
    return TRUE;
  g_autofree char *text = g_utf8_make_valid (api->GetErrorMessage (status), -1);
  g_strdelimit (text, "\n\r\t", ' ');
  model_error (error, "ONNX Runtime: %.280s", text);
  api->ReleaseStatus (status);
  return FALSE;
}

static gboolean
open_session (Ort *o, const char *path, int threads, GError **error)
{
  const OrtApi *api = o->api;
  OrtEnv *env;
  OrtSessionOptions *options;
  gsize inputs;
  if (!is_done (api, api->CreateEnv (ORT_LOG_FATAL, "fovea", &env), error)
      || !is_done (api, api->CreateSessionOptions (&options), error)
      || !is_done (api, api->SetSessionGraphOptimizationLevel (options, ORT_ALL_OPTIMIZATIONS), error)
      || !is_done (api, api->SetIntraOpNumThreads (options, threads), error)
      || !is_done (api, api->SetInterOpNumThreads (options, 1), error)
      || !is_done (api, api->CreateSession (env, path, options, &o->session), error)
      || !is_done (api, api->CreateCpuMemoryInfo (ORT_ARENA, ORT_DEFAULT_MEMORY, &o->memory), error)
      || !is_done (api, api->GetAllocatorWithDefaultOptions (&o->allocator), error)
      || !is_done (api, api->SessionGetInputCount (o->session, &inputs), error)
      || !is_done (api, api->SessionGetOutputCount (o->session, &o->n_outputs), error))
    return FALSE;
  if (inputs != 1 || o->n_outputs < 1)
    return model_error (error, "Its network has %d inputs; one is possible.", (int) inputs);
  return is_done (api, api->SessionGetInputName (o->session, 0, o->allocator, &o->input), error);
}

Ort *
ort_new (const char *path, int threads, GError **error)
{
  const OrtApiBase *base = library_load (error);
  if (!base)
    return NULL;
  Ort *o = g_new0 (Ort, 1);
  o->version = g_strdup (base->GetVersionString ());
  o->api = base->GetApi (ORT_VERSION);
  if (o->api && open_session (o, path, threads, error))
    return o;
  if (!o->api)
    model_error (error, "ONNX Runtime %.40s does not have version %d of its interface.", o->version, ORT_VERSION);
  g_free (o->version);
  g_free (o);
  return NULL;
}

const char *
ort_version (const Ort *o)
{
  return o->version;
}

/* Of floats. */
static gboolean
read_sizes (const OrtApi *api, const OrtTensorInfo *info, gint64 sizes[MODEL_AXES], guint *n, GError **error)
{
  int type;
  gsize count;
  if (!is_done (api, api->GetTensorElementType (info, &type), error)
      || !is_done (api, api->GetDimensionsCount (info, &count), error))
    return FALSE;
  if (type != ORT_FLOAT || count >= MODEL_AXES)
    return model_error (error, "Its network has a tensor that is not of 32-bit floats, or has more than %d axes.",
                        MODEL_AXES - 1);
  *n = (guint) count;
  return is_done (api, api->GetDimensions (info, sizes, count), error);
}

gboolean
ort_input (const Ort *o, gint64 sizes[MODEL_AXES], guint *n, GError **error)
{
  OrtTypeInfo *type;
  const OrtTensorInfo *info = NULL;
  if (!is_done (o->api, o->api->SessionGetInputTypeInfo (o->session, 0, &type), error))
    return FALSE;
  gboolean done = is_done (o->api, o->api->CastTypeInfoToTensorInfo (type, &info), error);
  if (done && !info)
    done = model_error (error, "The input of its network is not a tensor.");
  done = done && read_sizes (o->api, info, sizes, n, error);
  o->api->ReleaseTypeInfo (type);
  for (guint i = 0; i < *n && done; i++)
    sizes[i] = MAX (sizes[i], 0);
  return done;
}

/* The tensor as channels of rows, all other axes having one position. */
static gboolean
copy_planes (const float *from, const gint64 *dims, guint n, const char *axes, float **numbers, gint64 sizes[3],
             GError **error)
{
  gint64 steps[3] = {0, 0, 0}, step = 1;
  sizes[0] = sizes[1] = sizes[2] = 1;
  if (n != strlen (axes))
    return model_error (error, "The output of its network has %u axes instead of '%s'.", n, axes);
  for (guint i = n; i > 0; i--) {
    const int which = description_axis ("cyx", axes[i - 1]);
    if (dims[i - 1] < 1 || dims[i - 1] > ORT_MOST / step || (which < 0 && dims[i - 1] != 1))
      return model_error (error, "The output of its network has a size that is not possible.");
    if (which >= 0) {
      sizes[which] = dims[i - 1];
      steps[which] = step;
    }
    step *= dims[i - 1];
  }
  float *at = *numbers = g_new (float, step);
  for (gint64 c = 0; c < sizes[0]; c++)
    for (gint64 y = 0; y < sizes[1]; y++)
      for (gint64 x = 0; x < sizes[2]; x++)
        *at++ = from[c * steps[0] + y * steps[1] + x * steps[2]];
  return TRUE;
}

static gboolean
take_output (Ort *o, OrtValue *value, const char *axes, float **numbers, gint64 sizes[3], GError **error)
{
  OrtTensorInfo *info;
  gint64 dims[MODEL_AXES];
  void *data;
  guint n;
  if (!is_done (o->api, o->api->GetTensorTypeAndShape (value, &info), error))
    return FALSE;
  const gboolean done = read_sizes (o->api, info, dims, &n, error)
                        && is_done (o->api, o->api->GetTensorMutableData (value, &data), error)
                        && copy_planes (data, dims, n, axes, numbers, sizes, error);
  o->api->ReleaseTensorTypeAndShapeInfo (info);
  return done;
}

/* The name of an output stays where it is. */
static gboolean
choose_output (Ort *o, gint32 i, GError **error)
{
  if (o->output && o->n_output == i)
    return TRUE;
  if (i < 0 || (gsize) i >= o->n_outputs)
    return model_error (error, "Its network has %d outputs.", (int) o->n_outputs);
  o->n_output = i;
  return is_done (o->api, o->api->SessionGetOutputName (o->session, (gsize) i, o->allocator, &o->output), error);
}

gboolean
ort_run (Ort *o, const model_head *head, const float *plane, gint64 rows, gint64 columns, float **numbers,
         gint64 sizes[3], GError **error)
{
  gint64 dims[MODEL_AXES];
  const gsize n = strlen (head->in_axes);
  OrtValue *input, *output = NULL;
  for (gsize i = 0; i < n; i++)
    dims[i] = head->in_axes[i] == 'y' ? rows : head->in_axes[i] == 'x' ? columns : 1;
  if (!choose_output (o, head->output, error)
      || !is_done (o->api,
                   o->api->CreateTensorWithDataAsOrtValue (
                     o->memory, (void *) plane, (gsize) (rows * columns) * sizeof (float), dims, n, ORT_FLOAT, &input),
                   error))
    return FALSE;
  const gboolean done =
    is_done (o->api,
             o->api->Run (o->session, NULL, (const char *const *) &o->input, (const OrtValue *const *) &input, 1,
                          (const char *const *) &o->output, 1, &output),
             error)
    && take_output (o, output, head->out_axes, numbers, sizes, error);
  if (output)
    o->api->ReleaseValue (output);
  o->api->ReleaseValue (input);
  return done;
}
