/* SPDX-License-Identifier: MIT
 *
 * HASH.cc and HASH.so lie beside each other: the hash finds them, the text of HASH.cc says that they are the ones. Both are made in
 * a folder with a name of its own and renamed, so that whoever looks sees whole files.
 */
#include "kernels/native/library.h"

#include "kernels/native/compiler.h"
#include "kernels/native/source.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void
kernel_hash (const char *text, char hash[17])
{
  uint64_t h = 0xcbf29ce484222325; /* FNV-1a */
  for (; *text; text++)
    h = (h ^ (unsigned char) *text) * 0x100000001b3;
  snprintf (hash, 17, "%016llx", (unsigned long long) h);
}

/* ---- The folder ---- */

/* One of the user's, into which nobody else writes. */
static fv_status
make_folder (const char *path, fv_error *error)
{
  struct stat s;
  if ((mkdir (path, 0700) && errno != EEXIST) || lstat (path, &s))
    return fail (error, FV_UNSUPPORTED, "", "The folder %.200s for compiled kernels cannot be made: %s.", path,
                 strerror (errno));
  if (!S_ISDIR (s.st_mode) || s.st_uid != geteuid () || s.st_mode & (S_IWGRP | S_IWOTH))
    return fail (error, FV_UNSUPPORTED, "", "%.200s must be a folder of yours into which nobody else can write.", path);
  return FV_OK;
}

enum { ROOM = 1024 /* for the way of the folder, so that there is some for names in it */ };

static fv_status
find_folder (char folder[ROOM], fv_error *error)
{
  const char *cache = getenv ("XDG_CACHE_HOME"), *home = getenv ("HOME");
  bool given = cache && *cache == '/';
  const char *base = given ? cache : home;
  if (!base || *base != '/' || strlen (base) > ROOM / 2)
    return fail (error, FV_UNSUPPORTED, "", "There is no folder for compiled kernels: set HOME or XDG_CACHE_HOME.");
  snprintf (folder, ROOM, "%s%s", base, given ? "" : "/.cache");
  mkdir (folder, 0700); /* as a rule it is there */
  strcat (folder, "/fovea");
  if (make_folder (folder, error))
    return error->code;
  strcat (folder, "/native");
  return make_folder (folder, error);
}

/* ---- Files ---- */

static bool
holds (const char *path, const char *text)
{
  FILE *file = fopen (path, "r");
  char piece[4096];
  size_t n;
  if (!file)
    return false;
  while ((n = fread (piece, 1, sizeof piece, file)) && !strncmp (text, piece, n))
    text += n;
  fclose (file);
  return n == 0 && !*text;
}

static bool
write_text (const char *path, const char *text)
{
  FILE *file = fopen (path, "w");
  bool written = file && fputs (text, file) >= 0;
  return file && fclose (file) == 0 && written;
}

typedef struct places {
  char source[ROOM + 64], library[ROOM + 64]; /* for good */
  char folder[ROOM + 64];                     /* where they are made */
} places;

static void
remove_folder (const places *p)
{
  static const char *const names[] = {"kernel.cc", "kernel.so", "log"};
  char path[ROOM + 128];
  for (int i = 0; i < 3; i++) {
    snprintf (path, sizeof path, "%s/%s", p->folder, names[i]);
    unlink (path);
  }
  rmdir (p->folder);
}

/* The source last: it says that the library beside it is whole. */
static fv_status
put_in_place (const places *p, fv_error *error)
{
  char source[ROOM + 128], library[ROOM + 128];
  snprintf (source, sizeof source, "%s/kernel.cc", p->folder);
  snprintf (library, sizeof library, "%s/kernel.so", p->folder);
  if (rename (library, p->library) || rename (source, p->source))
    return fail (error, FV_UNSUPPORTED, "", "A compiled kernel cannot be kept as %.200s: %s.", p->library,
                 strerror (errno));
  return FV_OK;
}

static fv_status
build (const compiler *c, const char *text, places *p, const fv_call *call, fv_error *error)
{
  char source[ROOM + 128];
  if (!mkdtemp (p->folder))
    return fail (error, FV_UNSUPPORTED, "", "A kernel cannot be compiled in %.200s: %s.", p->folder, strerror (errno));
  snprintf (source, sizeof source, "%s/kernel.cc", p->folder);
  if (!write_text (source, text))
    fail (error, FV_UNSUPPORTED, "", "The source of a kernel cannot be written to %.200s: %s.", source,
          strerror (errno));
  else if (!compiler_run (c, p->folder, call, error))
    put_in_place (p, error);
  remove_folder (p);
  return error->code;
}

static fv_status
load (const char *path, void **handle, kernel_function *function, fv_error *error)
{
  void *symbol;
  *handle = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (!*handle)
    return fail (error, FV_UNSUPPORTED, "", "A compiled kernel cannot be loaded: %.300s.", dlerror ());
  if (!(symbol = dlsym (*handle, KERNEL_FUNCTION))) {
    dlclose (*handle);
    return fail (error, FV_UNSUPPORTED, "", "The compiled kernel %.300s has no function: remove it.", path);
  }
  memcpy (function, &symbol, sizeof symbol);
  return FV_OK;
}

fv_status
kernel_library_open (const fv_call *call, const char *source, void **handle, kernel_function *function, fv_error *error)
{
  compiler c;
  char folder[ROOM], hash[17], *text = NULL;
  places p;
  if (compiler_find (&c, error) || find_folder (folder, error))
    return error->code;
  if (asprintf (&text, "%s%s", c.identity, source) < 0)
    return fail (error, FV_NO_MEMORY, "", "There is no memory for the source of a kernel.");
  kernel_hash (text, hash);
  snprintf (p.source, sizeof p.source, "%s/%s.cc", folder, hash);
  snprintf (p.library, sizeof p.library, "%s/%s.so", folder, hash);
  snprintf (p.folder, sizeof p.folder, "%s/make-XXXXXX", folder);
  error->code = FV_OK;
  if (!(holds (p.source, text) && !load (p.library, handle, function, error))) {
    error->code = FV_OK; /* what does not load any more is made anew */
    if (!build (&c, text, &p, call, error))
      load (p.library, handle, function, error);
  }
  free (text);
  return error->code;
}
