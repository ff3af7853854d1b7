/* SPDX-License-Identifier: MIT
 *
 * Environment variables with numbers: parses and checks them all here.
 */
#ifndef CORE_BASE_ENVIRONMENT_H
#define CORE_BASE_ENVIRONMENT_H

#include <glib.h>

typedef enum EnvironmentLimit {
  ENVIRONMENT_DEVICE_MEMORY, /* FOVEA_DEVICE_MEMORY */
  ENVIRONMENT_HOST_MEMORY,   /* FOVEA_HOST_MEMORY */
  ENVIRONMENT_SCRATCH_LIMIT, /* FOVEA_SCRATCH_LIMIT */
  ENVIRONMENT_FETCH_LIMIT,   /* FOVEA_FETCH_LIMIT */
  ENVIRONMENT_LIMITS
} EnvironmentLimit;

/* Whether the variable is set to a limit, which then is *bytes. */
gboolean environment_limit (EnvironmentLimit which, gsize *bytes);
/* To be asked before anything depends on one of them. FALSE with *error, which names a variable that is set to no limit, and what would work. */
gboolean environment_check (GError **error);

#endif
