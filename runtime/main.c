/* SPDX-License-Identifier: MIT
 *
 * fovea-model: reads networks that other people have made, and runs those that Fovea cannot compute itself. It is a process of its own, started by
 * kernels/network/model_process.c, so that a damaged file or a fault of ONNX Runtime ends nothing else.
 *
 *     fovea-model read FILE FOLDER          makes what the plugin needs of a package or an ONNX file; an error is a sentence on standard output
 *     fovea-model run FOLDER THREADS GPU    computes the network for the process that started it, on that GPU or, with -1, on the CPU
 */
#include "runtime/bare.h"
#include "runtime/serve.h"
#include "runtime/store.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Package *
read_package (const char *path, GBytes *bytes, GError **error)
{
  gsize n;
  const char *start = g_bytes_get_data (bytes, &n);
  if (n < 2 || memcmp (start, "PK", 2))
    return bare_new (path, bytes, error);
  g_autoptr (Files) files = files_unzip (start, n, error);
  return files ? package_new (files, error) : NULL;
}

static int
read_file (const char *path, const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, &error);
  g_autoptr (GBytes) bytes = file ? g_mapped_file_get_bytes (file) : NULL;
  g_autoptr (Package) package = bytes ? read_package (path, bytes, &error) : NULL;
  if (package && store_package (package, folder, &error))
    return 0;
  fputs (error->message, stdout);
  return 1;
}

int
main (int argc, char **argv)
{
  setlocale (LC_CTYPE, ""); /* libarchive converts names of files */
  if (argc == 4 && !strcmp (argv[1], "read"))
    return read_file (argv[2], argv[3]);
  if (argc == 5 && !strcmp (argv[1], "run"))
    return serve_folder (argv[2], atoi (argv[3]), atoi (argv[4]));
  fputs ("fovea-model is started by Fovea.\n", stderr);
  return 2;
}
