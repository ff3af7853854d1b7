/* SPDX-License-Identifier: MIT
 */
#include "kernels/network/model_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const model_name_endings[] = {"zip", "onnx", NULL};

const char *
model_name_file (const char *name, char path[MODEL_PATH])
{
  const char *data = getenv ("XDG_DATA_HOME"), *home = getenv ("HOME");
  const bool own = data && *data;
  if (!strcmp (name, "nuclei") || strchr (name, '/') || (!own && !home))
    return name;
  for (const char *const *ending = model_name_endings; *ending; ending++)
    if (snprintf (path, MODEL_PATH, "%s%s/fovea/%s/%s.%s", own ? data : home, own ? "" : "/.local/share",
                  MODEL_NAME_FOLDER, name, *ending)
          < MODEL_PATH
        && !access (path, F_OK))
      return path;
  return name;
}
