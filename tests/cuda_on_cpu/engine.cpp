/* SPDX-License-Identifier: MIT */
#include "engine.h"

#include "switch.h"

#include <algorithm>
#include <limits.h>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace cuda_on_cpu {

enum { STACK = 256 << 10, PATIENCE = 20000 /* pieces of code without a branch until a thread is interrupted */ };
enum { INVALID_VALUE = 1, INVALID_CONFIGURATION = 9, TOO_LARGE = 720 };

enum class state { READY, AT_WARP, AT_BLOCK, ENDED };

struct copy {
  void *to;
  const void *from;
  size_t bytes;
};

struct fiber : thread {
  state now = state::READY;
  std::vector<copy> copies = {};
  std::vector<size_t> groups = {}; /* of copies: how many in each */
  size_t grouped = 0;              /* copies of groups */
  stack own = {};
  bool begun = false;
};

struct block {
  uint3 index;
  std::vector<fiber> fibers;
  std::vector<int> order;
  std::vector<void *> variables;
  void *dynamic = nullptr;
  size_t bytes = 0; /* of variables */
  int alive = 0, arrived = 0, counted = 0, answer = 0;
  bool waits = false; /* a thread stepped back in this turn */
};

thread *self;

static std::mutex lock; /* a GPU's kernels run one after another */
static const launch *current;
static const std::function<void ()> *kernel;
static stack scheduler;
static std::vector<stack> stacks; /* that no thread has */
static int patience;

static block *
here ()
{
  return self->of;
}

int
block_threads ()
{
  return (int) here ()->fibers.size ();
}

void
stop (const char *what, ...)
{
  va_list ap;
  fprintf (stderr, "CUDA on the CPU: ");
  if (current)
    fprintf (stderr, "%s, ", current->name);
  if (self)
    fprintf (stderr, "block (%u, %u, %u), thread (%u, %u, %u): ", here ()->index.x, here ()->index.y, here ()->index.z,
             self->index.x, self->index.y, self->index.z);
  va_start (ap, what);
  vfprintf (stderr, what, ap);
  va_end (ap);
  fprintf (stderr, ".\n");
  abort ();
}

/* ---- Order ---- */

static struct chance {
  bool reverse = false;
  uint64_t seed = 0; /* 0: nothing is at random */

  chance ()
  {
    const char *text = getenv ("FOVEA_CUDA_ORDER");
    reverse = text && !strcmp (text, "reverse");
    seed = text ? strtoull (text, NULL, 10) : 0;
  }
  uint64_t next ()
  {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
  }
} chance;

/* 0 ... n - 1. */
static void
put_in_order (std::vector<int> *order, size_t n)
{
  order->resize (n);
  std::iota (order->begin (), order->end (), 0);
  if (chance.reverse)
    std::reverse (order->begin (), order->end ());
  for (size_t i = n; chance.seed && i > 1; i--)
    std::swap ((*order)[i - 1], (*order)[chance.next () % i]);
}

static int64_t
block_at (int64_t turn, int64_t n)
{
  return chance.reverse ? n - 1 - turn : turn;
}

/* ---- A thread ---- */

static void
leave (bool ends = false)
{
  fiber *me = (fiber *) self;
  stack_switch (&me->own, &scheduler, ends);
}

void
step_back ()
{
  here ()->waits = true;
  leave ();
}

/* The compiler puts a call of it before each piece of code without a branch: threads that wait in loops do not keep others from running. */
extern "C" void
__sanitizer_cov_trace_pc (void)
{
  if (self && --patience < 0)
    step_back ();
}

static void
end_of_barrier (block *b)
{
  b->answer = b->counted;
  b->arrived = b->counted = 0;
  for (fiber &f : b->fibers)
    if (f.now == state::AT_BLOCK)
      f.now = state::READY;
}

int
meet_block (bool yes)
{
  block *b = here ();
  b->arrived++;
  b->counted += yes;
  ((fiber *) self)->now = state::AT_BLOCK;
  if (b->arrived == b->alive)
    end_of_barrier (b);
  else
    leave ();
  return b->answer;
}

/* Whether all that are named are there; then they go on. */
static void
end_of_meeting (block *b, int warp, unsigned mask)
{
  thread *lanes[WARP] = {};
  const together meeting = [&] () -> together {
    together what = nullptr;
    for (int i = 0; i < WARP; i++) {
      const size_t at = (size_t) warp * WARP + i;
      fiber *f = at < b->fibers.size () ? &b->fibers[at] : nullptr;
      if (!(mask >> i & 1) || !f || f->now == state::ENDED)
        continue;
      if (f->now != state::AT_WARP || f->mask != mask)
        return nullptr;
      if (what && f->meeting != what)
        stop ("lanes of warp %d meet for different things", warp);
      what = f->meeting;
      lanes[i] = f;
    }
    return what;
  }();
  if (!meeting)
    return;
  const int left = patience;
  patience = INT_MAX; /* no other thread can continue before it is over */
  meeting (lanes, mask);
  patience = left;
  for (thread *t : lanes)
    if (t)
      ((fiber *) t)->now = state::READY;
}

uint64_t
meet (together meeting, unsigned mask, uint64_t value, int argument, int width)
{
  fiber *me = (fiber *) self;
  if (!(mask >> me->lane & 1))
    stop ("lane %d is not in the mask %08x that it meets others with", me->lane, mask);
  me->meeting = meeting;
  me->mask = mask;
  me->value = value;
  me->argument = argument;
  me->width = width;
  me->now = state::AT_WARP;
  end_of_meeting (me->of, (int) (me - me->of->fibers.data ()) / WARP, mask);
  if (me->now != state::READY)
    leave ();
  return me->result;
}

/* Those that wait for it need not wait any longer. */
static void
end_of_thread (fiber *me)
{
  block *b = me->of;
  const int warp = (int) (me - b->fibers.data ()) / WARP;
  me->now = state::ENDED;
  b->alive--;
  if (b->arrived && b->arrived == b->alive)
    end_of_barrier (b);
  for (int i = 0; i < WARP && warp * WARP + i < (int) b->fibers.size (); i++) {
    fiber *f = &b->fibers[warp * WARP + i];
    if (f->now == state::AT_WARP && f->mask >> me->lane & 1)
      end_of_meeting (b, warp, f->mask);
  }
}

static void
thread_main ()
{
  stack_entered (&scheduler);
  (*kernel) ();
  end_of_thread ((fiber *) self);
  leave (true);
}

static void
resume (fiber *f)
{
  if (!f->begun) {
    f->begun = true;
    if (stacks.empty ())
      stacks.push_back (stack_new (STACK));
    f->own = stacks.back ();
    stacks.pop_back ();
    stack_begin (&f->own, thread_main);
  }
  self = f;
  threadIdx = f->index;
  blockIdx = f->of->index;
  patience = chance.seed ? (int) (chance.next () % 200) : PATIENCE;
  stack_switch (&scheduler, &f->own, false);
  self = nullptr;
  if (f->now == state::ENDED) {
    f->own.fake = nullptr;
    stacks.push_back (f->own);
  }
}

/* ---- Shared memory ---- */

static void *
unwritten (size_t bytes, size_t alignment)
{
  void *memory;
  if (posix_memalign (&memory, std::max<size_t> (alignment, 16), bytes ? bytes : 1))
    abort ();
  return memset (memory, UNWRITTEN, bytes);
}

void *
dynamic_shared ()
{
  return here ()->dynamic;
}

size_t
dynamic_bytes ()
{
  return current->shared;
}

void *
static_shared (int *slot, size_t bytes, size_t alignment)
{
  static int slots;
  block *b = here ();
  if (!*slot)
    *slot = ++slots;
  if ((int) b->variables.size () <= *slot)
    b->variables.resize ((size_t) *slot + 1);
  void *&memory = b->variables[(size_t) *slot];
  if (!memory) {
    memory = unwritten (bytes, alignment);
    b->bytes += bytes;
    if (b->bytes > SHARED_UNASKED || current->shared > std::max (current->shared_allowed, SHARED_UNASKED - b->bytes)
        || b->bytes + current->shared > SHARED_MOST)
      stop ("%zu bytes of shared variables and %zu that were asked for are more than was allowed", b->bytes,
            current->shared);
  }
  return memory;
}

void
copy_later (void *to, const void *from, size_t bytes)
{
  if ((uintptr_t) to % bytes || (uintptr_t) from % bytes)
    stop ("%zu bytes are copied from %p to %p: not aligned", bytes, from, to);
  ((fiber *) self)->copies.push_back ({to, from, bytes});
}

void
copies_together ()
{
  fiber *f = (fiber *) self;
  f->groups.push_back (f->copies.size () - f->grouped);
  f->grouped = f->copies.size ();
}

void
copies_now (size_t all_but)
{
  fiber *f = (fiber *) self;
  size_t n = 0, groups = f->groups.size () - std::min (all_but, f->groups.size ());
  for (size_t i = 0; i < groups; i++)
    n += f->groups[i];
  for (size_t i = 0; i < n; i++)
    memcpy (f->copies[i].to, f->copies[i].from, f->copies[i].bytes);
  f->copies.erase (f->copies.begin (), f->copies.begin () + (ptrdiff_t) n);
  f->groups.erase (f->groups.begin (), f->groups.begin () + (ptrdiff_t) groups);
  f->grouped -= n;
}

void
launch_bounds (unsigned most)
{
  if (block_threads () > (int) most)
    stop ("%d threads, where __launch_bounds__ says %u", block_threads (), most);
}

/* ---- A grid ---- */

static std::unique_ptr<block>
begin_block (int64_t number)
{
  const launch &l = *current;
  std::unique_ptr<block> b (new block);
  b->index = {(unsigned) (number % l.grid.x), (unsigned) (number / l.grid.x % l.grid.y),
              (unsigned) (number / l.grid.x / l.grid.y)};
  b->alive = (int) (l.block.x * l.block.y * l.block.z);
  b->fibers.resize ((size_t) b->alive);
  for (int i = 0; i < b->alive; i++) {
    fiber &f = b->fibers[(size_t) i];
    f.index = {i % l.block.x, i / l.block.x % l.block.y, i / l.block.x / l.block.y};
    f.lane = i % WARP;
    f.of = b.get ();
  }
  b->dynamic = unwritten (l.shared, 1024);
  put_in_order (&b->order, b->fibers.size ());
  return b;
}

static void
end_block (block *b)
{
  free (b->dynamic);
  for (void *memory : b->variables)
    free (memory);
}

/* Each thread that need not wait runs until it has to. False: there was none. */
static bool
turn (block *b)
{
  bool moved = false;
  b->waits = false;
  for (int i : b->order)
    if (b->fibers[(size_t) i].now == state::READY) {
      resume (&b->fibers[(size_t) i]);
      moved = true;
    }
  return moved;
}

static void
stuck (const std::vector<std::unique_ptr<block>> &blocks)
{
  for (const std::unique_ptr<block> &b : blocks) {
    int at_warp = 0;
    for (const fiber &f : b->fibers)
      at_warp += f.now == state::AT_WARP;
    fprintf (stderr, "block (%u, %u, %u): %d threads at a barrier, %d at a meeting of their warps, %d in all\n",
             b->index.x, b->index.y, b->index.z, b->arrived, at_warp, b->alive);
  }
  stop ("no thread can continue");
}

static void
run_blocks ()
{
  const launch &l = *current;
  const int64_t n = (int64_t) l.grid.x * l.grid.y * l.grid.z;
  const int64_t most =
    (int64_t) MULTIPROCESSORS * blocks_resident ((int64_t) l.block.x * l.block.y * l.block.z, (int64_t) l.shared);
  std::vector<std::unique_ptr<block>> blocks;
  int64_t begun = 0, wanted = l.cooperative ? n : 1;
  while (begun < n || !blocks.empty ()) {
    while (begun < n && (int64_t) blocks.size () < wanted)
      blocks.push_back (begin_block (block_at (begun++, n)));
    bool moved = false, waits = false;
    for (std::unique_ptr<block> &b : blocks) {
      moved = turn (b.get ()) || moved;
      waits = waits || b->waits;
    }
    if (!moved)
      stuck (blocks);
    blocks.erase (std::remove_if (blocks.begin (), blocks.end (),
                                  [] (std::unique_ptr<block> &b) {
                                    if (!b->alive)
                                      end_block (b.get ());
                                    return !b->alive;
                                  }),
                  blocks.end ());
    if (waits && (int64_t) blocks.size () == wanted)
      wanted = std::min (wanted + 1, std::max (most, wanted));
  }
}

int
blocks_resident (int64_t threads, int64_t shared)
{
  const int64_t by_threads = THREADS_RESIDENT / std::max<int64_t> (threads, 1),
                by_shared = SHARED_ALL / (shared + 1024);
  return (int) std::min<int64_t> ({by_threads, by_shared, BLOCKS_RESIDENT});
}

int
run (const launch &l, const std::function<void ()> &work)
{
  const uint64_t threads = (uint64_t) l.block.x * l.block.y * l.block.z,
                 blocks = (uint64_t) l.grid.x * l.grid.y * l.grid.z;
  if (!threads || threads > MOST_THREADS || l.block.z > 64 || !blocks || l.grid.x > INT32_MAX || l.grid.y > 65535
      || l.grid.z > 65535)
    return INVALID_CONFIGURATION;
  if (l.shared > std::max<size_t> (l.shared_allowed, SHARED_UNASKED) || l.shared > SHARED_MOST)
    return INVALID_VALUE;
  if (l.cooperative && blocks > (uint64_t) (MULTIPROCESSORS * blocks_resident ((int64_t) threads, (int64_t) l.shared)))
    return TOO_LARGE;
  std::lock_guard<std::mutex> guard (lock);
  scheduler = {};
  current = &l;
  kernel = &work;
  blockDim = l.block;
  gridDim = l.grid;
  run_blocks ();
  current = nullptr;
  return 0;
}

}
