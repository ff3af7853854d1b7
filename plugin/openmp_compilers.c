/* SPDX-License-Identifier: MIT
 *
 * The same with the OpenMP of a compiler that does not call what openmp.c has.
 */
#include "plugin/openmp.h"

#ifdef _OPENMP
#include <omp.h>
#endif

void
openmp_limit (int32_t threads)
{
#ifdef _OPENMP
  omp_set_num_threads (threads > 0 ? threads : omp_get_num_procs ());
#else
  (void) threads;
#endif
}

bool
openmp_is_caller (void)
{
#ifdef _OPENMP
  return omp_get_thread_num () == 0;
#else
  return true;
#endif
}
