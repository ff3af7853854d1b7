/* SPDX-License-Identifier: MIT
 *
 * The first line of the source names the compiler and the vectors that it may use, which so belong to the key of the cache. A worker loads
 * a library from a file in memory: wherever it was kept, the system need not be willing to run programs from there.
 */
#include "kernels/native/library.h"

#include "plugin/code_cache.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static fv_status
fault (const char *what, fv_error *error)
{
  return fail (error, FV_UNSUPPORTED, "", "%s: %s.", what, strerror (errno));
}

/* ---- Files ---- */

static bool
write_all (int file, const char *from, size_t bytes)
{
  for (ssize_t n; bytes; bytes -= (size_t) n, from += n)
    if ((n = write (file, from, bytes)) <= 0)
      return false;
  return true;
}

static bool
write_text (const char *path, const char *text)
{
  FILE *file = fopen (path, "w");
  bool written = file && fputs (text, file) >= 0;
  return file && fclose (file) == 0 && written;
}

/* All of a file, for free(). */
static void *
read_file (const char *path, size_t *bytes)
{
  FILE *file = fopen (path, "r");
  char *all = NULL;
  long n;
  if (file && !fseek (file, 0, SEEK_END) && (n = ftell (file)) > 0 && !fseek (file, 0, SEEK_SET)
      && (all = malloc ((size_t) n))) {
    *bytes = fread (all, 1, (size_t) n, file);
    if (*bytes != (size_t) n) {
      free (all);
      all = NULL;
    }
  }
  if (file)
    fclose (file);
  return all;
}

/* ---- Compiling ---- */

enum { FOLDER = 1024 /* most bytes of its name */ };

static void
remove_folder (const char *folder)
{
  static const char *const names[] = {COMPILER_SOURCE, COMPILER_LIBRARY, COMPILER_LOG};
  char path[FOLDER + 16];
  for (int i = 0; i < 3; i++) {
    snprintf (path, sizeof path, "%s/%s", folder, names[i]);
    unlink (path);
  }
  rmdir (folder);
}

/* The library's bytes, for free(). NULL with *error. */
static void *
build (const compiler *c, const char *source, const fv_call *call, size_t *bytes, fv_error *error)
{
  const char *temporary = getenv ("TMPDIR");
  char folder[FOLDER], path[FOLDER + 16];
  void *code = NULL;
  if (!temporary || strlen (temporary) > FOLDER / 2)
    temporary = "/tmp";
  snprintf (folder, sizeof folder, "%s/fovea-XXXXXX", temporary);
  if (!mkdtemp (folder)) {
    fault ("A folder to compile a kernel in cannot be made", error);
    return NULL;
  }
  snprintf (path, sizeof path, "%s/" COMPILER_SOURCE, folder);
  if (!write_text (path, source))
    fault ("The source of a kernel cannot be written", error);
  else if (!compiler_run (c, folder, call, error)) {
    snprintf (path, sizeof path, "%s/" COMPILER_LIBRARY, folder);
    if (!(code = read_file (path, bytes)))
      fault ("The compiled kernel cannot be read", error);
  }
  remove_folder (folder);
  return code;
}

/* ---- Loading ---- */

/* Objects of tcc do not declare that no code runs on their stack, and glibc refuses such from 2.41 on. A copy of the program headers,
 * behind the end, declares it. False: no room for it. */
static bool
say_that_stack_is_data (int file)
{
  enum { MOST = 16 };
  ElfW (Ehdr) head;
  ElfW (Phdr) headers[MOST];
  if (pread (file, &head, sizeof head, 0) != sizeof head || head.e_phentsize != sizeof *headers || head.e_phnum >= MOST
      || pread (file, headers, head.e_phnum * sizeof *headers, (off_t) head.e_phoff) < 0)
    return true;
  for (int i = 0; i < head.e_phnum; i++)
    if (headers[i].p_type == PT_GNU_STACK)
      return true;
  headers[head.e_phnum++] = (ElfW (Phdr)){.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W, .p_align = 16};
  head.e_phoff = (ElfW (Off)) (lseek (file, 0, SEEK_END) + 15) / 16 * 16;
  const size_t bytes = head.e_phnum * sizeof *headers;
  return pwrite (file, headers, bytes, (off_t) head.e_phoff) == (ssize_t) bytes
         && pwrite (file, &head, sizeof head, 0) == sizeof head;
}

static int
file_of (const void *code, size_t bytes, fv_error *error)
{
  const int file = memfd_create ("fovea-kernel", MFD_CLOEXEC);
  if (file >= 0 && write_all (file, code, bytes) && say_that_stack_is_data (file))
    return file;
  fault ("Not enough memory for a compiled kernel", error);
  if (file >= 0)
    close (file);
  return -1;
}

/* With the line that says what the compiler is, for free(). */
static char *
identified (const compiler *c, const char *source)
{
  const size_t room = strlen (c->identity) + strlen (source) + 1;
  char *text = malloc (room);
  if (text)
    snprintf (text, room, "%s%s", c->identity, source);
  return text;
}

static void *
build_either (const compiler *c, const char *source, const char *plain, const fv_call *call, size_t *bytes,
              fv_error *error)
{
  void *code = build (c, source, call, bytes, error);
  return code || error->code != FV_BAD_ARGUMENT ? code : build (c, plain, call, bytes, error);
}

int
kernel_library_open (const fv_call *call, const compiler *c, const char *source, const char *plain, fv_error *error)
{
  char *text = identified (c, source);
  size_t bytes;
  if (!text) {
    fail (error, FV_NO_MEMORY, "", "Not enough memory for the source of a kernel.");
    return -1;
  }
  void *code = code_cache_read (text, &bytes);
  if (!code && (code = build_either (c, text, plain, call, &bytes, error)))
    code_cache_write (text, code, bytes);
  const int file = code ? file_of (code, bytes, error) : -1;
  free (code);
  free (text);
  return file;
}
