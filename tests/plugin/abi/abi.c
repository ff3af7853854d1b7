/* SPDX-License-Identifier: MIT
 *
 * All types of the ABI: those reachable from fv_plugin_open(), and members of argument structs.
 */
#include <fovea-plugin.h>

FV_EXPORT void fields (const fv_axes *axes, const fv_set *set, const fv_matrix *matrix);

void
fields (const fv_axes *axes, const fv_set *set, const fv_matrix *matrix)
{
  (void) axes, (void) set, (void) matrix;
}

const fv_plugin *
fv_plugin_open (uint32_t host_abi, fv_error *error)
{
  (void) host_abi, (void) error;
  return NULL;
}
