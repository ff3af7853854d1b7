/* SPDX-License-Identifier: MIT
 *
 * The process ends with its network: nothing of a session is freed.
 */
#include "runtime/ort.h"

#include "runtime/error.h"
#include "runtime/library.h"
#include "runtime/planes.h"

#include <string.h>

struct Ort {
  const OrtApi *api;
  char *says;
  gboolean on_gpu;
  OrtSession *session;
  OrtMemoryInfo *memory;
  OrtAllocator *allocator;
  char *input, *output;
  gint32 n_output; /* the index of output */
  gsize n_outputs;
};

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

/* Products of full precision, and algorithms chosen without trying all of them, which would take seconds for each size. */
static gboolean
add_gpu (const OrtApi *api, OrtSessionOptions *options, int gpu, GError **error)
{
  static const char *const keys[] = {"device_id", "use_tf32", "cudnn_conv_algo_search", "arena_extend_strategy"};
  g_autofree char *number = g_strdup_printf ("%d", gpu);
  const char *const values[] = {number, "0", "HEURISTIC", "kSameAsRequested"};
  OrtCudaOptions *cuda;
  if (!is_done (api, api->CreateCUDAProviderOptions (&cuda), error))
    return FALSE;
  const gboolean done = is_done (api, api->UpdateCUDAProviderOptions (cuda, keys, values, G_N_ELEMENTS (keys)), error)
                        && is_done (api, api->SessionOptionsAppendExecutionProvider_CUDA_V2 (options, cuda), error);
  api->ReleaseCUDAProviderOptions (cuda);
  return done;
}

/* gpu -1: on the CPU. */
static gboolean
create_session (Ort *o, const OrtEnv *env, const char *path, int threads, int gpu, GError **error)
{
  const OrtApi *api = o->api;
  OrtSessionOptions *options;
  if (!is_done (api, api->CreateSessionOptions (&options), error))
    return FALSE;
  const gboolean done = is_done (api, api->SetSessionGraphOptimizationLevel (options, ORT_ALL_OPTIMIZATIONS), error)
                        && is_done (api, api->SetIntraOpNumThreads (options, threads), error)
                        && is_done (api, api->SetInterOpNumThreads (options, 1), error)
                        && (gpu < 0 || add_gpu (api, options, gpu, error))
                        && is_done (api, api->CreateSession (env, path, options, &o->session), error);
  api->ReleaseSessionOptions (options);
  return done;
}

/* On the GPU if that is possible, else on the CPU. */
static gboolean
choose_place (Ort *o, const OrtEnv *env, const char *path, int threads, int gpu, const char *version, GError **error)
{
  g_autoptr (GError) why = NULL;
  o->on_gpu = gpu >= 0 && create_session (o, env, path, threads, gpu, &why);
  if (o->on_gpu)
    o->says = g_strdup_printf ("ONNX Runtime %s computes it on the GPU.", version);
  else if (why)
    o->says = g_strdup_printf ("ONNX Runtime %s computes it on the CPU, since it cannot use the GPU: %s", version,
                               why->message);
  else
    o->says = g_strdup_printf ("ONNX Runtime %s computes it on the CPU.", version);
  return o->on_gpu || create_session (o, env, path, threads, -1, error);
}

static gboolean
open_session (Ort *o, const char *path, int threads, int gpu, const char *version, GError **error)
{
  const OrtApi *api = o->api;
  OrtEnv *env;
  gsize inputs;
  if (!is_done (api, api->CreateEnv (ORT_LOG_FATAL, "fovea", &env), error)
      || !choose_place (o, env, path, threads, gpu, version, error)
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
ort_new (const char *path, int threads, int gpu, GError **error)
{
  const OrtApiBase *base = library_load (gpu >= 0, error);
  if (!base)
    return NULL;
  g_autofree char *version = g_strndup (base->GetVersionString (), 40);
  Ort *o = g_new0 (Ort, 1);
  o->api = base->GetApi (ORT_VERSION);
  if (o->api && open_session (o, path, threads, gpu, version, error))
    return o;
  if (!o->api)
    model_error (error, "ONNX Runtime %s is too old: version 1.%d or later is needed.", version, ORT_VERSION);
  g_free (o->says);
  g_free (o);
  return NULL;
}

gboolean
ort_is_on_gpu (const Ort *o)
{
  return o->on_gpu;
}

const char *
ort_says (const Ort *o)
{
  return o->says;
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

static gboolean
take_output (Ort *o, OrtValue *value, const char *axes, float **numbers, Planes *planes, GError **error)
{
  OrtTensorInfo *info;
  gint64 sizes[MODEL_AXES];
  void *data;
  guint n;
  if (!is_done (o->api, o->api->GetTensorTypeAndShape (value, &info), error))
    return FALSE;
  const gboolean done = read_sizes (o->api, info, sizes, &n, error)
                        && is_done (o->api, o->api->GetTensorMutableData (value, &data), error)
                        && (*numbers = planes_of (data, sizes, n, axes, "network's output", planes, error));
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

float *
ort_run (Ort *o, const model_head *head, const float *from, gint64 rows, gint64 columns, Planes *planes, GError **error)
{
  const Planes in = {head->inputs, rows, columns};
  gint64 sizes[MODEL_AXES];
  g_autofree float *tensor = planes_tensor (from, &in, head->in_axes, sizes);
  const gsize bytes = (gsize) (head->inputs * rows * columns) * sizeof *tensor;
  float *numbers = NULL;
  OrtValue *input, *output = NULL;
  if (!choose_output (o, head->output, error)
      || !is_done (o->api,
                   o->api->CreateTensorWithDataAsOrtValue (o->memory, tensor, bytes, sizes, strlen (head->in_axes),
                                                           ORT_FLOAT, &input),
                   error))
    return NULL;
  if (is_done (o->api,
               o->api->Run (o->session, NULL, (const char *const *) &o->input, (const OrtValue *const *) &input, 1,
                            (const char *const *) &o->output, 1, &output),
               error))
    take_output (o, output, head->out_axes, &numbers, planes, error);
  if (output)
    o->api->ReleaseValue (output);
  o->api->ReleaseValue (input);
  return numbers;
}
