/* SPDX-License-Identifier: MIT
 *
 * The functions of ONNX Runtime's C interface that are called here. Its table only grows: version 11 has the first 209 entries in this order, and more
 * (onnxruntime.ai/docs/api/c). Every function but the releases returns an error, or NULL.
 */
#ifndef RUNTIME_ORT_API_H
#define RUNTIME_ORT_API_H

#include <stddef.h>
#include <stdint.h>

enum {
  ORT_VERSION = 11,
  ORT_LOG_FATAL = 4,
  ORT_FLOAT = 1,
  ORT_ALL_OPTIMIZATIONS = 99,
  ORT_ARENA = 1,
  ORT_DEFAULT_MEMORY = 0
};

typedef struct OrtStatus OrtStatus;
typedef struct OrtEnv OrtEnv;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtSession OrtSession;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtAllocator OrtAllocator;
typedef struct OrtTypeInfo OrtTypeInfo;
typedef struct OrtTensorInfo OrtTensorInfo;
typedef struct OrtValue OrtValue;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtCudaOptions OrtCudaOptions;

/* Numbers in names are positions of the first function that is left out. */
typedef struct OrtApi {
  void *none_0[2];
  const char *(*GetErrorMessage) (const OrtStatus *status);
  OrtStatus *(*CreateEnv) (int level, const char *name, OrtEnv **env);
  void *none_4[3];
  OrtStatus *(*CreateSession) (const OrtEnv *env, const char *path, const OrtSessionOptions *options,
                               OrtSession **session);
  void *none_8;
  OrtStatus *(*Run) (OrtSession *session, const OrtRunOptions *options, const char *const *inputs,
                     const OrtValue *const *values, size_t n_inputs, const char *const *outputs, size_t n_outputs,
                     OrtValue **results);
  OrtStatus *(*CreateSessionOptions) (OrtSessionOptions **options);
  void *none_11[12];
  OrtStatus *(*SetSessionGraphOptimizationLevel) (OrtSessionOptions *options, int level);
  OrtStatus *(*SetIntraOpNumThreads) (OrtSessionOptions *options, int threads);
  OrtStatus *(*SetInterOpNumThreads) (OrtSessionOptions *options, int threads);
  void *none_26[4];
  OrtStatus *(*SessionGetInputCount) (const OrtSession *session, size_t *n);
  OrtStatus *(*SessionGetOutputCount) (const OrtSession *session, size_t *n);
  void *none_32;
  OrtStatus *(*SessionGetInputTypeInfo) (const OrtSession *session, size_t i, OrtTypeInfo **info);
  void *none_34[2];
  OrtStatus *(*SessionGetInputName) (const OrtSession *session, size_t i, OrtAllocator *allocator, char **name);
  OrtStatus *(*SessionGetOutputName) (const OrtSession *session, size_t i, OrtAllocator *allocator, char **name);
  void *none_38[11];
  OrtStatus *(*CreateTensorWithDataAsOrtValue) (const OrtMemoryInfo *memory, void *data, size_t bytes,
                                                const int64_t *sizes, size_t n_sizes, int type, OrtValue **value);
  void *none_50;
  OrtStatus *(*GetTensorMutableData) (OrtValue *value, void **data);
  void *none_52[3];
  OrtStatus *(*CastTypeInfoToTensorInfo) (const OrtTypeInfo *info, const OrtTensorInfo **tensor);
  void *none_56[4];
  OrtStatus *(*GetTensorElementType) (const OrtTensorInfo *info, int *type);
  OrtStatus *(*GetDimensionsCount) (const OrtTensorInfo *info, size_t *n);
  OrtStatus *(*GetDimensions) (const OrtTensorInfo *info, int64_t *sizes, size_t n);
  void *none_63[2];
  OrtStatus *(*GetTensorTypeAndShape) (const OrtValue *value, OrtTensorInfo **info);
  void *none_66[3];
  OrtStatus *(*CreateCpuMemoryInfo) (int allocator, int memory, OrtMemoryInfo **info);
  void *none_70[8];
  OrtStatus *(*GetAllocatorWithDefaultOptions) (OrtAllocator **allocator);
  void *none_79[14];
  void (*ReleaseStatus) (OrtStatus *status);
  void *none_94[2];
  void (*ReleaseValue) (OrtValue *value);
  void *none_97;
  void (*ReleaseTypeInfo) (OrtTypeInfo *info);
  void (*ReleaseTensorTypeAndShapeInfo) (OrtTensorInfo *info);
  void (*ReleaseSessionOptions) (OrtSessionOptions *options);
  void *none_101[103];
  OrtStatus *(*SessionOptionsAppendExecutionProvider_CUDA_V2) (OrtSessionOptions *options, const OrtCudaOptions *cuda);
  OrtStatus *(*CreateCUDAProviderOptions) (OrtCudaOptions **cuda);
  OrtStatus *(*UpdateCUDAProviderOptions) (OrtCudaOptions *cuda, const char *const *keys, const char *const *values,
                                           size_t n);
  void *none_207;
  void (*ReleaseCUDAProviderOptions) (OrtCudaOptions *cuda);
} OrtApi;

_Static_assert(sizeof (OrtApi) == 209 * sizeof (void *), "the table ends with function 208");
_Static_assert(offsetof (OrtApi, ReleaseStatus) == 93 * sizeof (void *), "ReleaseStatus is function 93");

/* What the library's one symbol, OrtGetApiBase(), returns. */
typedef struct OrtApiBase {
  const OrtApi *(*GetApi) (uint32_t version); /* NULL: it has none of that version */
  const char *(*GetVersionString) (void);
} OrtApiBase;

#endif
