/* SPDX-License-Identifier: MIT
 *
 * Runs a grid: each thread of a block has a stack of its own and runs until it has to wait. Blocks begin one after another, or, in a
 * cooperative launch, all at once; while threads of the blocks that run only wait in loops, another block begins.
 *
 * What CUDA leaves undefined is chosen so that relying on it shows. The order of threads and blocks and the interruption of threads follow
 * $FOVEA_CUDA_ORDER ("forward", "reverse", or a seed of a random order). Uninitialized memory has 0xcd in every byte. What a GPU does not allow ends
 * the program with a message.
 */
#ifndef CUDA_ON_CPU_ENGINE_H
#define CUDA_ON_CPU_ENGINE_H

#include <functional>
#include <stddef.h>
#include <stdint.h>
#include <vector>

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3 (unsigned x = 1, unsigned y = 1, unsigned z = 1) : x (x), y (y), z (z)
  {
  }
  operator uint3 () const
  {
    return {x, y, z};
  }
};

/* Of the thread that runs, and of the grid. */
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

namespace cuda_on_cpu {

enum {
  WARP = 32,
  MULTIPROCESSORS = 3,
  MOST_THREADS = 1024,
  THREADS_RESIDENT = 2048, /* of a multiprocessor */
  BLOCKS_RESIDENT = 8,
  SHARED_UNASKED = 48 << 10,
  SHARED_MOST = 227 << 10,
  SHARED_ALL = 228 << 10,
  UNWRITTEN = 0xcd
};

struct thread;

/* What lanes of a warp do together: gives each lane of `mask` its result. lanes[i]: of lane i, NULL where it has ended. */
typedef void (*together) (thread *const *lanes, unsigned mask);

struct block;

struct thread {
  uint3 index;
  int lane;
  block *of;
  /* What it brings to a meeting of its warp, and takes from it. */
  together meeting;
  unsigned mask;
  uint64_t value, result;
  int argument, width;
};

/* The thread that runs; NULL outside of kernels. */
extern thread *self;

uint64_t meet (together meeting, unsigned mask, uint64_t value, int argument = 0, int width = WARP);
/* Waits for all threads of the block; returns for how many of them `yes` was true. */
int meet_block (bool yes);
int block_threads ();
/* Lets others run. */
void step_back ();

/* Shared memory of the block: what the launch asked for, and variables. slot: of the variable, 0 at first. */
void *dynamic_shared ();
size_t dynamic_bytes ();
void *static_shared (int *slot, size_t bytes, size_t alignment);
template <typename T>
T *
shared (int *slot)
{
  return (T *) static_shared (slot, sizeof (T), alignof (T));
}

/* Copies to shared memory that the thread has begun: a group of them ends with copies_together(); copies_now() makes those of all groups
 * but the last few. */
void copy_later (void *to, const void *from, size_t bytes);
void copies_together ();
void copies_now (size_t all_but);

void launch_bounds (unsigned most);
[[noreturn]] void stop (const char *what, ...) __attribute__ ((format (printf, 1, 2)));

struct launch {
  const char *name;
  dim3 grid, block;
  size_t shared, shared_allowed;
  bool cooperative;
};
/* 0, or a cudaError_t: the launch was refused. */
int run (const launch &l, const std::function<void ()> &kernel);

/* How many blocks fit on a multiprocessor. */
int blocks_resident (int64_t threads, int64_t shared);

}

#endif
