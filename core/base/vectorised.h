/* SPDX-License-Identifier: MIT
 *
 * One copy of a function for each generation of vector units, chosen when the program is loaded: for loops that take time.
 */
#ifndef CORE_BASE_VECTORISED_H
#define CORE_BASE_VECTORISED_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)                  \
  && !defined(__SANITIZE_THREAD__)
#define VECTORISED __attribute__ ((target_clones ("default", "arch=x86-64-v3", "arch=x86-64-v4"), noinline))
#else
#define VECTORISED __attribute__ ((noinline))
#endif

#endif
