/* SPDX-License-Identifier: MIT
 *
 * The objects of a label image as lists of runs: a run is a longest stretch of one label in one row, and an object is
 * its runs in raster order. Everything about an object's shape follows from its runs, in time that grows with their
 * number and not with the bounding box, and no object sees its neighbors. Labels of 0 and below are background.
 */
#ifndef KERNELS_REGIONS_REGIONS_H
#define KERNELS_REGIONS_REGIONS_H

#include "kernels/common/row.h"

/* Rows, columns and planes stay below this, so that cross products of doubled coordinates fit 64 bits. */
#define REGIONS_MAX_SIDE ((int64_t) 1 << 29)

#define PI 3.14159265358979323846
#define ROOT_2 1.41421356237309504880

typedef struct run {
  int32_t label, z, y, x0, x1; /* pixels x0 ... x1 - 1 */
} run;

typedef struct region {
  const run *runs; /* in the order of z, y, x */
  int64_t n_runs, first_run, pixels;
  int32_t label;
  int32_t low[3], high[3]; /* bounding box z, y, x; high is the first outside */
  int32_t padding;         /* 0: written like the rest, so that a copy reads initialized memory */
} region;

typedef struct regions {
  run *runs;
  region *items; /* by plane, then by label; by label alone in a volume */
  int64_t n_runs, n;
  int64_t n_groups, *group; /* a group is a plane, or the volume; its regions are group[i] ... group[i + 1] - 1 */
} regions;

/* The order in which doubles are added up, the same on every device. A run's pixels: chunks of REGION_CHUNK are added up in REGION_LANES
 * lanes, which are joined by halves, and chunks one after the other. An object's runs: blocks of REGION_BLOCK are added up in as many lanes,
 * run k of the block in lane k modulo REGION_LANES, and joined by halves; blocks likewise. */
enum { REGION_LANES = 8, REGION_CHUNK = 256, REGION_BLOCK = 128 };

/* Runs are numbered in 32 bits: the same error on every device. */
static inline fv_status
regions_check (int64_t n_runs, fv_error *error)
{
  if (n_runs < INT32_MAX)
    return FV_OK;
  return fail (
    error, FV_UNSUPPORTED, "image",
    "The objects have %lld pieces of rows, and at most %d can be measured: cut the image, or remove its noise first.",
    (long long) n_runs, INT32_MAX - 1);
}

#ifdef __cplusplus
extern "C" {
#endif

/* A label image whose objects can be found has one channel and no side too long. */
fv_status regions_check_image (const fv_grid *labels, fv_error *error);

/* Finds all objects. Memory is the call's. */
fv_status regions_find (const fv_call *call, const fv_array *labels, bool volume, regions *found, fv_error *error);

/* The objects of runs, in host memory on any device, sorted by plane (not in a volume), then by label. */
fv_status regions_of_runs (const fv_call *call, run *runs, int64_t n, int64_t planes, bool volume, regions *found,
                           fv_error *error);

#ifdef __cplusplus
}
#endif

/* Host memory for n items of `size` bytes, for any device of the first input. */
static inline fv_status
host_items (const fv_call *call, int64_t n, size_t size, void *memory, fv_error *error)
{
  const bool here = call->inputs[0]->tensor.device.device_type == kDLCPU;
  return (here ? call->host->scratch : call->host->host_scratch) (call, (size_t) (n > 0 ? n : 1) * size,
                                                                  (void **) memory, error);
}

/* Host memory for n > 0 items of `size` bytes; *error is filled when there is none. */
static inline fv_status
scratch_items (const fv_call *call, int64_t n, size_t size, void *memory, fv_error *error)
{
  return call->host->scratch (call, (size_t) (n > 0 ? n : 1) * size, (void **) memory, error);
}

#endif
