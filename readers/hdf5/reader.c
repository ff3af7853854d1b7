/* SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "readers/hdf5/hdf5.h"

#include "plugin/program.h"
#include "readers/process/reader.h"

#include <string.h>
#include <unistd.h>

static const char magic[] = "\x89HDF\r\n\x1a\n";
enum { MAGIC = 8, USER_BLOCK = 512 /* before HDF5 in files of MATLAB */ };

static bool
is (const fv_reader *reader, const char *path, const uint8_t *head, size_t n)
{
  static const char bdv[] = "<SpimData";
  (void) reader, (void) path;
  if (n < MAGIC)
    return false;
  return !memcmp (head, magic, MAGIC) || (n >= USER_BLOCK + MAGIC && !memcmp (head + USER_BLOCK, magic, MAGIC))
         || ((head[0] == '<' || head[0] == 0xef) && memmem (head, n, bdv, strlen (bdv)));
}

static fv_status
words (char *to[PROCESS_WORDS], fv_error *error)
{
  char path[PATH_MAX];
  if (!program_path (HDF5_PROGRAM, path) || access (path, X_OK))
    return process_fail (error, FV_UNSUPPORTED,
                         "This build of Fovea has no %s, which reads HDF5: save the image as TIFF "
                         "with Fiji or h5py, or install Fovea's Debian package or tarball.",
                         HDF5_PROGRAM);
  to[0] = strdup (path);
  return to[0] ? FV_OK : process_fail (error, FV_NO_MEMORY, "Not enough memory to start a process.");
}

static const process_program program = {"The HDF5 library", PROCESS_MOST, HDF5_SECONDS, true, words};

const fv_reader hdf5_reader = {.size = sizeof hdf5_reader,
                               .key = "hdf5",
                               .label = "HDF5",
                               .endings = "h5,hdf5,ims",
                               .mime = "application/x-hdf,image/x-imaris",
                               .user = (void *) &program,
                               .is = is,
                               PROCESS_READER_FUNCTIONS};
