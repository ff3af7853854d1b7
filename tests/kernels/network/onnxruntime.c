/* SPDX-License-Identifier: MIT
 *
 * A library in the role of ONNX Runtime, for machines without it. It computes the networks of make_packages.py from the shape of their input alone: the
 * weighted sum of several channels, smoothed; one channel, smoothed; one channel behind rows and columns, in half the size.
 */
#include "runtime/ort_api.h"

#include <stdlib.h>
#include <string.h>

enum { AXES = 4 };

struct OrtValue {
  int64_t sizes[AXES];
  float *numbers;
  int own;
};

static int dummy; /* what handles point to */

#define HANDLE(TO) (*(void **) (void *) (TO) = &dummy)

static OrtStatus *
create_env (int level, const char *name, OrtEnv **env)
{
  (void) level, (void) name;
  HANDLE (env);
  return NULL;
}

static OrtStatus *
create_options (OrtSessionOptions **options)
{
  HANDLE (options);
  return NULL;
}

static OrtStatus *
set_option (OrtSessionOptions *options, int value)
{
  (void) options, (void) value;
  return NULL;
}

static OrtStatus *
create_session (const OrtEnv *env, const char *path, const OrtSessionOptions *options, OrtSession **session)
{
  (void) env, (void) path, (void) options;
  HANDLE (session);
  return NULL;
}

static void
release_options (OrtSessionOptions *options)
{
  (void) options;
}

static OrtStatus *
create_memory (int allocator, int memory, OrtMemoryInfo **info)
{
  (void) allocator, (void) memory;
  HANDLE (info);
  return NULL;
}

static OrtStatus *
get_allocator (OrtAllocator **allocator)
{
  HANDLE (allocator);
  return NULL;
}

static OrtStatus *
one (const OrtSession *session, size_t *n)
{
  (void) session;
  *n = 1;
  return NULL;
}

static OrtStatus *
name_input (const OrtSession *session, size_t i, OrtAllocator *allocator, char **name)
{
  (void) session, (void) i, (void) allocator;
  *name = strdup ("image");
  return NULL;
}

static OrtStatus *
name_output (const OrtSession *session, size_t i, OrtAllocator *allocator, char **name)
{
  (void) session, (void) i, (void) allocator;
  *name = strdup ("result");
  return NULL;
}

static OrtStatus *
create_tensor (const OrtMemoryInfo *memory, void *data, size_t bytes, const int64_t *sizes, size_t n, int type,
               OrtValue **value)
{
  (void) memory, (void) bytes, (void) type;
  *value = calloc (1, sizeof **value);
  memcpy ((*value)->sizes, sizes, n * sizeof *sizes);
  (*value)->numbers = data;
  return NULL;
}

/* ---- The networks ---- */

/* A tensor as channels of rows: where a number is. */
typedef struct Shape {
  int64_t channels, rows, columns, channel, row, column;
} Shape;

static Shape
shape_of (const int64_t *s, int behind)
{
  return behind ? (Shape){s[3], s[1], s[2], 1, s[2] * s[3], s[3]} : (Shape){s[1], s[2], s[3], s[2] * s[3], s[3], 1};
}

static float
sum_of (const OrtValue *in, const Shape *s, int64_t y, int64_t x)
{
  float sum = 0;
  for (int64_t c = 0; c < s->channels; c++) {
    const float weight = s->channels == 1 ? 1 : 0.8f - 0.6f * (float) c / (float) (s->channels - 1);
    sum += weight * in->numbers[c * s->channel + y * s->row + x * s->column];
  }
  return sum;
}

/* The mean of side * side pixels from there on; those outside are 0. */
static float
mean_of (const OrtValue *in, const Shape *s, int64_t top, int64_t left, int64_t side)
{
  float sum = 0;
  for (int64_t y = top; y < top + side; y++)
    for (int64_t x = left; x < left + side; x++)
      sum += y < 0 || x < 0 || y >= s->rows || x >= s->columns ? 0 : sum_of (in, s, y, x);
  return sum / (float) (side * side);
}

static OrtStatus *
run (OrtSession *session, const OrtRunOptions *options, const char *const *inputs, const OrtValue *const *values,
     size_t n_inputs, const char *const *outputs, size_t n_outputs, OrtValue **results)
{
  const OrtValue *in = values[0];
  const int behind = in->sizes[1] > 8, half = behind && in->sizes[3] == 1;
  const Shape s = shape_of (in->sizes, behind);
  const int64_t rows = half ? s.rows / 2 : s.rows, columns = half ? s.columns / 2 : s.columns;
  OrtValue *out = calloc (1, sizeof *out);
  (void) session, (void) options, (void) inputs, (void) n_inputs, (void) outputs, (void) n_outputs;
  out->own = 1;
  out->numbers = malloc ((size_t) (rows * columns) * sizeof *out->numbers);
  memcpy (out->sizes, behind ? (int64_t[]){1, rows, columns, 1} : (int64_t[]){1, 1, rows, columns}, sizeof out->sizes);
  for (int64_t y = 0; y < rows; y++)
    for (int64_t x = 0; x < columns; x++)
      out->numbers[y * columns + x] = half ? mean_of (in, &s, 2 * y, 2 * x, 2) : mean_of (in, &s, y - 1, x - 1, 3);
  *results = out;
  return NULL;
}

/* ---- Results ---- */

static OrtStatus *
get_data (OrtValue *value, void **data)
{
  *data = value->numbers;
  return NULL;
}

static OrtStatus *
get_info (const OrtValue *value, OrtTensorInfo **info)
{
  memcpy (info, &value, sizeof value);
  return NULL;
}

static OrtStatus *
get_type (const OrtTensorInfo *info, int *type)
{
  (void) info;
  *type = ORT_FLOAT;
  return NULL;
}

static OrtStatus *
get_count (const OrtTensorInfo *info, size_t *n)
{
  (void) info;
  *n = AXES;
  return NULL;
}

static OrtStatus *
get_sizes (const OrtTensorInfo *info, int64_t *sizes, size_t n)
{
  memcpy (sizes, ((const OrtValue *) (const void *) info)->sizes, n * sizeof *sizes);
  return NULL;
}

static void
release_info (OrtTensorInfo *info)
{
  (void) info;
}

static void
release_value (OrtValue *value)
{
  if (value->own)
    free (value->numbers);
  free (value);
}

static const OrtApi api = {
  .CreateEnv = create_env,
  .CreateSession = create_session,
  .Run = run,
  .CreateSessionOptions = create_options,
  .SetSessionGraphOptimizationLevel = set_option,
  .SetIntraOpNumThreads = set_option,
  .SetInterOpNumThreads = set_option,
  .SessionGetInputCount = one,
  .SessionGetOutputCount = one,
  .SessionGetInputName = name_input,
  .SessionGetOutputName = name_output,
  .CreateTensorWithDataAsOrtValue = create_tensor,
  .GetTensorMutableData = get_data,
  .GetTensorElementType = get_type,
  .GetDimensionsCount = get_count,
  .GetDimensions = get_sizes,
  .GetTensorTypeAndShape = get_info,
  .CreateCpuMemoryInfo = create_memory,
  .GetAllocatorWithDefaultOptions = get_allocator,
  .ReleaseValue = release_value,
  .ReleaseTensorTypeAndShapeInfo = release_info,
  .ReleaseSessionOptions = release_options,
};

static const OrtApi *
get_api (uint32_t version)
{
  return version <= ORT_VERSION ? &api : NULL;
}

static const char *
get_version (void)
{
  return "of the tests";
}

__attribute__ ((visibility ("default"))) const OrtApiBase *OrtGetApiBase (void);

const OrtApiBase *
OrtGetApiBase (void)
{
  static const OrtApiBase base = {get_api, get_version};
  return &base;
}
