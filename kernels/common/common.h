/* SPDX-License-Identifier: MIT
 *
 * What all operations share: access to rows, errors, borders, rounding, progress inside parallel loops.
 * NaN rule: a comparison with NaN is false, so NaN is never foreground and never above a threshold.
 */
#ifndef KERNELS_COMMON_COMMON_H
#define KERNELS_COMMON_COMMON_H

#include "fovea-plugin.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include "plugin/openmp.h"
#include <omp.h>
#endif

#ifdef FOVEA_CUDA
#define FV_CUDA_FN(F) F
#else
#define FV_CUDA_FN(F) NULL
#endif

/* One copy of the function for each generation of vector units, chosen when the module is loaded. The hot loop goes
 * into a function of its own with this mark: the clones do not reach the body of a parallel region. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)                  \
  && !defined(__SANITIZE_THREAD__)
#define VECTORISED __attribute__ ((target_clones ("default", "arch=x86-64-v3", "arch=x86-64-v4"), noinline))
#else
#define VECTORISED __attribute__ ((noinline))
#endif
#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif
/* For the host and the GPU alike. */
#define INLINE static inline BOTH __attribute__ ((always_inline))

/* ---- Errors ---- */

/* Fills *error and returns code. field: the key of the parameter or input at fault, or "". */
__attribute__ ((format (printf, 4, 5))) static inline fv_status
fail (fv_error *error, fv_status code, const char *field, const char *format, ...)
{
  va_list ap;
  error->code = code;
  snprintf (error->field, sizeof error->field, "%s", field);
  va_start (ap, format);
  vsnprintf (error->text, sizeof error->text, format, ap);
  va_end (ap);
  return code;
}

static inline fv_status
cancelled (fv_error *error)
{
  return fail (error, FV_CANCELLED, "", "Stopped.");
}

/* ---- Arrays ---- */

static inline size_t
type_bytes (fv_type type)
{
  switch (type) {
  case FV_U8:
  case FV_I8: return 1;
  case FV_U16:
  case FV_I16:
  case FV_F16: return 2;
  case FV_F64: return 8;
  default: return 4;
  }
}

static inline const char *
type_words (fv_type type)
{
  switch (type) {
  case FV_U8: return "8-bit";
  case FV_I8: return "signed 8-bit";
  case FV_U16: return "16-bit";
  case FV_I16: return "signed 16-bit";
  case FV_U32: return "unsigned 32-bit integers";
  case FV_I32: return "32-bit integers";
  case FV_F16: return "16-bit float";
  case FV_F32: return "32-bit float";
  default: return "64-bit float";
  }
}

static inline int64_t
array_planes (const fv_array *a)
{
  return a->tensor.shape[0];
}
static inline int64_t
array_rows (const fv_array *a)
{
  return a->tensor.shape[1];
}
static inline int64_t
array_columns (const fv_array *a)
{
  return a->tensor.shape[2];
}
static inline int64_t
grid_depth (const fv_grid *g)
{
  return g->shape[0] / g->channels;
}

/* The type of what is computed of an image: of the input's type, or `real`, in floating point. */
static inline fv_type
filter_type (const fv_grid *in, bool real)
{
  return real && in->type != FV_F64 ? FV_F32 : in->type;
}

/* A filter gives an image of that type; only 8-bit colors stay colors. */
static inline void
filter_grid (const fv_grid *in, fv_type type, fv_grid *out)
{
  out->type = type;
  if (in->role != FV_RGB || type != FV_U8)
    out->role = FV_IMAGE;
  out->dense = false;
}

/* First pixel of a row. */
static inline void *
array_row (const fv_array *a, int64_t plane, int64_t row)
{
  const DLTensor *t = &a->tensor;
  return (char *) t->data + (plane * t->strides[0] + row * t->strides[1]) * (int64_t) (t->dtype.bits / 8);
}

/* EXPR (T, args...) for the C type T of a fv_type: WITH_TYPE (type, status = run, call, error) expands the macro or
 * calls run_u8 (call, error), run_u16 ... : one switch, written once. */
#define WITH_TYPE(TYPE, ASSIGN_STEM, ...)                                                                              \
  switch (TYPE) {                                                                                                      \
  case FV_U8: ASSIGN_STEM##_u8 (__VA_ARGS__); break;                                                                   \
  case FV_U16: ASSIGN_STEM##_u16 (__VA_ARGS__); break;                                                                 \
  case FV_I32: ASSIGN_STEM##_i32 (__VA_ARGS__); break;                                                                 \
  case FV_F32: ASSIGN_STEM##_f32 (__VA_ARGS__); break;                                                                 \
  case FV_F64: ASSIGN_STEM##_f64 (__VA_ARGS__); break;                                                                 \
  default: break;                                                                                                      \
  }

/* One pixel of any type as double; for code that is not hot. */
static inline double
pixel_get (const void *row, fv_type type, int64_t i)
{
  switch (type) {
  case FV_U8: return ((const uint8_t *) row)[i];
  case FV_U16: return ((const uint16_t *) row)[i];
  case FV_I32: return ((const int32_t *) row)[i];
  case FV_F32: return ((const float *) row)[i];
  default: return ((const double *) row)[i];
  }
}

/* Nearest integer, ties to even, clamped to the type; NaN gives 0. */
#define DEFINE_ROUND_TO(NAME, T, LOW, HIGH)                                                                            \
  INLINE T round_to_##NAME (double v)                                                                                  \
  {                                                                                                                    \
    return v >= (HIGH) ? (T) (HIGH) : v > (LOW) ? (T) nearbyint (v) : v <= (LOW) ? (T) (LOW) : (T) 0;                  \
  }
DEFINE_ROUND_TO (u8, uint8_t, 0.0, 255.0)
DEFINE_ROUND_TO (u16, uint16_t, 0.0, 65535.0)
DEFINE_ROUND_TO (i32, int32_t, -2147483648.0, 2147483647.0)

/* ---- Borders, SciPy's names ---- */

typedef enum border {
  BORDER_NEAREST,  /* aaaa|abcd|dddd */
  BORDER_REFLECT,  /* dcba|abcd|dcba */
  BORDER_MIRROR,   /* _dcb|abcd|cba_ : about the center of the last pixel */
  BORDER_WRAP,     /* abcd|abcd|abcd */
  BORDER_CONSTANT, /* kkkk|abcd|kkkk */
} border;

#define BORDER_CHOICES                                                                                                 \
  {"nearest", "Nearest", "The edge pixel repeats: aaa|abcd|ddd."},                                                     \
    {"reflect", "Reflect", "The image is reflected about its edge: cba|abcd|dcb."},                                    \
    {"mirror", "Mirror", "The image is reflected about the edge pixel: dcb|abcd|cba."},                                \
    {"wrap", "Wrap", "The image is repeated: bcd|abcd|abc."},                                                          \
  {                                                                                                                    \
    "constant", "Constant", "Outside the image is a constant value."                                                   \
  }

/* Index inside 0 ... n-1 whose value i takes, or -1 for the constant. Any i, n >= 1. */
INLINE int64_t
border_index (int64_t i, int64_t n, border b)
{
  if (i >= 0 && i < n)
    return i;
  switch (b) {
  case BORDER_NEAREST: return i < 0 ? 0 : n - 1;
  case BORDER_WRAP: i %= n; return i < 0 ? i + n : i;
  case BORDER_REFLECT: {
    i %= 2 * n;
    if (i < 0)
      i += 2 * n;
    return i < n ? i : 2 * n - 1 - i;
  }
  case BORDER_MIRROR: {
    if (n == 1)
      return 0;
    i %= 2 * n - 2;
    if (i < 0)
      i += 2 * n - 2;
    return i < n ? i : 2 * n - 2 - i;
  }
  default: return -1;
  }
}

/* ---- Threads ---- */

static inline int64_t
threads_at_most (void)
{
#ifdef _OPENMP
  return omp_get_max_threads ();
#else
  return 1;
#endif
}

static inline int64_t
thread_index (void)
{
#ifdef _OPENMP
  return omp_get_thread_num ();
#else
  return 0;
#endif
}

/* Whether this is the thread that entered run(). */
static inline bool
is_calling_thread (void)
{
#ifdef _OPENMP
  return openmp_is_caller ();
#else
  return true;
#endif
}

/* ---- Progress and cancellation in parallel loops ----
 *
 *   progress p = {call, .total = rows};
 *   #pragma omp parallel for schedule (dynamic, 16)
 *   for (int64_t y = 0; y < rows; y++) {
 *     if (progress_stopped (&p))
 *       continue;
 *     ... row y ...
 *     progress_step (&p, 1);
 *   }
 *   if (p.stop) return cancelled (error);
 */
typedef struct progress {
  const fv_call *call;
  int64_t total, done;
  int stop;
} progress;

static inline int
progress_stopped (const progress *p)
{
  return __atomic_load_n (&p->stop, __ATOMIC_RELAXED);
}

/* Counts n parts as done and, on the thread that entered run(), asks the host. */
static inline void
progress_step (progress *p, int64_t n)
{
  int64_t done = __atomic_add_fetch (&p->done, n, __ATOMIC_RELAXED);
  if (!is_calling_thread ())
    return;
  if (p->call->host->tick (p->call, done, p->total))
    __atomic_store_n (&p->stop, 1, __ATOMIC_RELAXED);
}

#endif
