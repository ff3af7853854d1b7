/* SPDX-License-Identifier: MIT */
#include "switch.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

stack
stack_new (size_t bytes)
{
  const size_t page = (size_t) sysconf (_SC_PAGESIZE);
  void *memory = mmap (NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect (memory, page, PROT_NONE)) {
    perror ("a stack");
    abort ();
  }
  return {(char *) memory + page, bytes, NULL, NULL};
}

void
stack_free (stack *s)
{
  const size_t page = (size_t) sysconf (_SC_PAGESIZE);
  munmap (s->low - page, s->bytes + page);
}

/* What functions that never returned have left of their frames. */
static void
forget_frames (stack *s)
{
#ifdef __SANITIZE_ADDRESS__
  ASAN_UNPOISON_MEMORY_REGION (s->low + s->bytes - 8192, 8192);
#else
  (void) s;
#endif
}

#ifdef __x86_64__

/* What a function that is called has to keep goes onto the stack that is left. */
extern "C" void cuda_on_cpu_jump (void **left, void *to);
asm(".text\n"
    ".type cuda_on_cpu_jump, @function\n"
    "cuda_on_cpu_jump:\n"
    "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
    "  ret\n"
    ".size cuda_on_cpu_jump, . - cuda_on_cpu_jump\n");

void
stack_begin (stack *s, void (*entry) (void))
{
  forget_frames (s);
  void **top = (void **) ((uintptr_t) (s->low + s->bytes) & ~(uintptr_t) 15);
  *--top = NULL; /* where entry() would return to; the stack is then as after a call */
  *--top = (void *) entry;
  for (int i = 0; i < 6; i++)
    *--top = NULL;
  s->top = top;
}

static void
jump (stack *from, stack *to)
{
  cuda_on_cpu_jump (&from->top, to->top);
}

#else

void
stack_begin (stack *s, void (*entry) (void))
{
  forget_frames (s);
  ucontext_t *context = (ucontext_t *) s->low;
  getcontext (context);
  context->uc_stack.ss_sp = context + 1;
  context->uc_stack.ss_size = s->bytes - sizeof *context;
  makecontext (context, entry, 0);
  s->top = context;
}

static void
jump (stack *from, stack *to)
{
  ucontext_t here;
  from->top = &here;
  swapcontext (&here, (ucontext_t *) to->top);
}

#endif

#ifdef __SANITIZE_ADDRESS__

void
stack_switch (stack *from, stack *to, bool ends)
{
  __sanitizer_start_switch_fiber (ends ? NULL : &from->fake, to->low, to->bytes);
  jump (from, to);
  __sanitizer_finish_switch_fiber (from->fake, NULL, NULL);
}

void
stack_entered (stack *from)
{
  const void *low;
  __sanitizer_finish_switch_fiber (NULL, &low, &from->bytes);
  from->low = (char *) low;
}

#else

void
stack_switch (stack *from, stack *to, bool)
{
  jump (from, to);
}

void
stack_entered (stack *)
{
}

#endif
