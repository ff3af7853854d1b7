/* SPDX-License-Identifier: MIT
 *
 * The plugin of formats that are read in processes of their own. It links no library of theirs.
 */
#include "readers/bioformats/bioformats.h"
#include "readers/hdf5/hdf5.h"
#include "readers/process/process.h"

const fv_plugin *
fv_plugin_open (uint32_t host_abi, fv_error *error)
{
  static const fv_op *const no_operations[] = {NULL};
  static const fv_reader *const readers[] = {&hdf5_reader, &bioformats_reader, NULL};
  static const fv_plugin plugin = {.size = sizeof plugin,
                                   .abi = FV_ABI,
                                   .name = "fovea-readers",
                                   .version = FOVEA_VERSION,
                                   .ops = no_operations,
                                   .close = process_end_all,
                                   .readers = readers};
  (void) host_abi, (void) error;
  return &plugin;
}
