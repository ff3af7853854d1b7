/* SPDX-License-Identifier: MIT
 *
 * What is wrong with a kernel shows here, and what is right works. Output is TAP.
 */
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 128 };
static int *out;

/* ---- Kernels ---- */

template <bool WAIT>
__global__ void
turn_round (int *to)
{
  __shared__ int all[THREADS];
  all[threadIdx.x] = (int) threadIdx.x;
  if (WAIT)
    __syncthreads ();
  to[threadIdx.x] = all[THREADS - 1 - threadIdx.x];
}

template <bool WAIT>
__global__ void
copy_through (const int *from, int *to)
{
  extern __shared__ __align__ (16) int copied[];
  __pipeline_memcpy_async (copied + threadIdx.x, from + threadIdx.x, sizeof (int));
  __pipeline_commit ();
  if (WAIT)
    __pipeline_wait_prior (0);
  to[threadIdx.x] = copied[threadIdx.x];
}

__global__ void
count_badly (volatile int *to)
{
  for (int i = 0; i < 100; i++) {
    int seen = *to;
    if (seen >= 0)
      *to = seen + 1;
  }
}

__global__ void
count_well (int *to)
{
  for (int i = 0; i < 100; i++)
    atomicAdd (to, 1);
}

__global__ void
half_a_warp (int *to)
{
  if (threadIdx.x % 32 < 16)
    to[threadIdx.x] = __shfl_xor_sync (~0u, (int) threadIdx.x, 1);
  else
    __syncthreads ();
}

__global__ void
not_in_mask (int *to)
{
  to[threadIdx.x] = __any_sync (0xffff, 1);
}

__global__ void __launch_bounds__ (64) small_blocks (int *to)
{
  to[threadIdx.x] = 0;
}

/* Each lane gets the sum of its warp. */
__global__ void
sum_warp (int *to)
{
  int v = (int) threadIdx.x;
  for (int d = 16; d; d /= 2)
    v += __shfl_xor_sync (~0u, v, d);
  to[threadIdx.x] = v;
}

__global__ void
beyond_its_room (int *to)
{
  __shared__ int few[2], others[32];
  few[threadIdx.x] = others[threadIdx.x] = 1;
  to[threadIdx.x] = few[0] + others[0];
}

/* All blocks wait for each other. */
__global__ void
meet_all (int *to)
{
  if (threadIdx.x == 0) {
    atomicAdd (to, 1);
    while (*(volatile int *) to < (int) gridDim.x)
      ;
  }
}

/* ---- Checks ---- */

static void
check (bool good, const char *what)
{
  static int n;
  printf ("%sok %d - %s\n", good ? "" : "not ", ++n, what);
}

/* Whether the program is stopped when it runs f. */
template <typename F>
static bool
stops (F f)
{
  fflush (stdout);
  pid_t child = fork ();
  if (!child) {
    f ();
    _exit (0);
  }
  int status = 0;
  waitpid (child, &status, 0);
  return status != 0;
}

static bool
all_are (int (*expected) (int))
{
  for (int i = 0; i < THREADS; i++)
    if (out[i] != expected (i))
      return false;
  return true;
}

static int
from_the_end (int i)
{
  return THREADS - 1 - i;
}

int
main (void)
{
  int *from, count = 0;
  void *args[] = {&out};
  cudaMallocAsync ((void **) &out, THREADS * sizeof (int), nullptr);
  cudaMallocAsync ((void **) &from, THREADS * sizeof (int), nullptr);
  for (int i = 0; i < THREADS; i++)
    from[i] = from_the_end (i);

  turn_round<true><<<1, THREADS>>> (out);
  check (all_are (from_the_end), "threads that wait see what the others wrote");
  turn_round<false><<<1, THREADS>>> (out);
  check (!all_are (from_the_end), "threads that do not wait miss it");

  copy_through<true><<<1, THREADS, THREADS * sizeof (int)>>> (from, out);
  check (all_are (from_the_end), "a copy that is waited for is there");
  copy_through<false><<<1, THREADS, THREADS * sizeof (int)>>> (from, out);
  check (!all_are (from_the_end), "a copy that is not waited for is missing");

  sum_warp<<<1, THREADS>>> (out);
  check (all_are ([] (int i) { return i / 32 * 1024 + 496; }), "lanes add up their numbers");

  cudaMemsetAsync (out, 0, sizeof (int), nullptr);
  count_well<<<3, THREADS>>> (out);
  check (out[0] == 3 * THREADS * 100, "atomics count all");
  cudaMemsetAsync (out, 0, sizeof (int), nullptr);
  count_badly<<<3, THREADS>>> (out);
  check (out[0] < 3 * THREADS * 100, "with threads interrupted at random counting without atomics loses some");

  cudaMemsetAsync (out, 0, sizeof (int), nullptr);
  check (!cudaLaunchCooperativeKernel ((const void *) meet_all, dim3 (6), dim3 (32), args, 0, nullptr) && out[0] == 6,
         "blocks of a cooperative grid meet");
  check (cudaLaunchCooperativeKernel ((const void *) meet_all, dim3 (100), dim3 (32), args, 0, nullptr)
           == cudaErrorCooperativeLaunchTooLarge,
         "a cooperative grid that cannot be resident is refused");
  cudaGetLastError ();

  check (stops ([] { half_a_warp<<<1, THREADS>>> (out); }), "waiting for missing lanes is reported");
  check (stops ([] { not_in_mask<<<1, 32>>> (out); }), "a lane that is not in its own mask is found");
  check (stops ([] { small_blocks<<<1, THREADS>>> (out); }), "so is a block beyond its launch bounds");
  small_blocks<<<1, 2048>>> (out);
  check (cudaGetLastError () == cudaErrorInvalidConfiguration, "2048 threads are refused");
  small_blocks<<<0, 64>>> (out);
  check (cudaGetLastError () == cudaErrorInvalidConfiguration, "no block at all is refused, too");
  small_blocks<<<1, 64, 64 << 10>>> (out);
  check (cudaGetLastError () == cudaErrorInvalidValue, "so is shared memory that was not asked for");
  check (cudaMemcpyAsync (out, from, (THREADS + 1) * sizeof (int), cudaMemcpyDeviceToDevice, nullptr)
           == cudaErrorInvalidValue,
         "so is a copy beyond the GPU's memory");
  check (cudaMemsetAsync (&count, 0, sizeof count, nullptr) == cudaErrorInvalidValue, "and one to the host's");
  bool found = stops ([] { beyond_its_room<<<1, 3>>> (out); });
#ifdef __SANITIZE_ADDRESS__
  check (found, "AddressSanitizer sees what goes beyond a shared variable");
#else
  check (!found, "what goes beyond a shared variable only AddressSanitizer sees");
#endif
  cudaFreeAsync (out, nullptr);
  cudaFreeAsync (from, nullptr);
  printf ("1..18\n");
}
