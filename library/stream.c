/* SPDX-License-Identifier: MIT
 *
 * Streams in place of files.
 */
#include "library/private.h"

#include "core/base/file_source.h"
#include "core/base/file_target.h"

const char *
fovea_stream_input (int fd, const char *name, fovea_error **error)
{
  static GPtrArray *sources; /* as long as the process */
  GError *fault = NULL;
  FileSource *source;
  if (!library_has (name, "name", error))
    return NULL;
  if (!(source = file_source_of_stream (fd, name, &fault))) {
    library_fail (error, fault);
    return NULL;
  }
  if (!sources)
    sources = g_ptr_array_new ();
  g_ptr_array_add (sources, source);
  return file_source_path (source);
}

fovea_code
fovea_stream_output (int fd, const char *path, fovea_error **error)
{
  if (!library_has (path, "path", error))
    return FOVEA_BAD_ARGUMENT;
  file_target_stream (path, fd);
  return FOVEA_OK;
}
