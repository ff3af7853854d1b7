/* SPDX-License-Identifier: MIT
 */
#include "core/files/codec/main.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* A function pointer of an object pointer, as POSIX has it. */
static bool
load (const codec_program *program)
{
  void *library = dlopen (program->library, RTLD_NOW | RTLD_LOCAL), *found = library;
  for (const codec_function *f = program->functions; f->name && found; f++) {
    found = dlsym (library, f->name);
    memcpy (f->to, &found, sizeof found);
  }
  return found;
}

void
codec_run (const codec_program *program, int argc)
{
  const struct rlimit seconds = {CODEC_SECONDS, CODEC_SECONDS + 1}, none = {0, 0}; /* SIGXCPU, then SIGKILL */
  codec_job job;
  setrlimit (RLIMIT_CORE, &none);
  setrlimit (RLIMIT_CPU, &seconds);
  if (!load (program))
    _exit (CODEC_NO_LIBRARY);
  if (argc < 2)
    _exit (CODEC_DONE);
  if (pread (CODEC_FILE, &job, sizeof job, 0) != sizeof job)
    _exit (CODEC_LOST);
  uint8_t *file = mmap (NULL, job.whole, PROT_READ | PROT_WRITE, MAP_SHARED, CODEC_FILE, 0);
  _exit (file == MAP_FAILED ? CODEC_LOST : program->decode (&job, file));
}
