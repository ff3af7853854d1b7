/* SPDX-License-Identifier: MIT
 *
 * Limits are integers in MiB.
 */
#include "core/base/environment.h"

#include "core/base/error.h"
#include "core/base/text.h"

enum { MEBIBYTE = 1 << 20 };

static const struct {
  const char *name, *takes;
  guint min;
} limits[ENVIRONMENT_LIMITS] = {
  [ENVIRONMENT_DEVICE_MEMORY] =
    {"FOVEA_DEVICE_MEMORY",
     "the memory of each GPU that Fovea may use, in MiB: an integer from 1, such as 2048. To "
     "avoid GPUs, choose device cpu.",
     1},
  [ENVIRONMENT_HOST_MEMORY] =
    {"FOVEA_HOST_MEMORY", "the memory of this machine that Fovea may use, in MiB: an integer from 1, such as 4096.", 1},
  [ENVIRONMENT_SCRATCH_LIMIT] = {"FOVEA_SCRATCH_LIMIT",
                                 "the disk space that Fovea may use for data that does not fit into memory, in MiB: an "
                                 "integer such as 50000, or 0 for none.",
                                 0},
  [ENVIRONMENT_FETCH_LIMIT] = {"FOVEA_FETCH_LIMIT",
                               "the size of a file that Fovea may fetch, in MiB: an integer from 1, such as 50000.", 1},
};

/* NULL: it is not set, or to nothing. */
static const char *
value_of (EnvironmentLimit which)
{
  const char *value = g_getenv (limits[which].name);
  return value && *value ? value : NULL;
}

static gboolean
parse (EnvironmentLimit which, const char *value, gsize *bytes)
{
  guint64 mebibytes;
  if (!g_ascii_string_to_unsigned (value, 10, limits[which].min, G_MAXSIZE / MEBIBYTE, &mebibytes, NULL))
    return FALSE;
  *bytes = (gsize) mebibytes * MEBIBYTE;
  return TRUE;
}

gboolean
environment_limit (EnvironmentLimit which, gsize *bytes)
{
  const char *value = value_of (which);
  return value && parse (which, value, bytes);
}

gboolean
environment_check (GError **error)
{
  for (EnvironmentLimit i = 0; i < ENVIRONMENT_LIMITS; i++) {
    const char *value = value_of (i);
    gsize bytes;
    if (!value || parse (i, value, &bytes))
      continue;
    g_autofree char *shown = text_visible (value, "");
    step_error_set (error, FV_BAD_ARGUMENT, limits[i].name, "%s is '%s', but must be %s", limits[i].name, shown,
                    limits[i].takes);
    return FALSE;
  }
  return TRUE;
}
