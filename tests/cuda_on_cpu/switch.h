/* SPDX-License-Identifier: MIT
 *
 * Going from one stack to another. AddressSanitizer is told, as it keeps account of stacks.
 */
#ifndef CUDA_ON_CPU_SWITCH_H
#define CUDA_ON_CPU_SWITCH_H

#include <stddef.h>

struct stack {
  char *low; /* its memory; NULL: that of the operating system's thread */
  size_t bytes;
  void *top;  /* where it was left: its saved registers are there */
  void *fake; /* AddressSanitizer's */
};

/* A new one, with a guard page behind its end. */
stack stack_new (size_t bytes);
void stack_free (stack *s);

/* Lays out `s` so that the first switch to it calls entry(), which never returns. */
void stack_begin (stack *s, void (*entry) (void));

/* Switches to `to`; returns when another switches back. ends: none will. */
void stack_switch (stack *from, stack *to, bool ends);

/* The first thing that entry() does; from: where its stack was switched to from. */
void stack_entered (stack *from);

#endif
