/* SPDX-License-Identifier: MIT
 *
 * The process that decodes JPEG XR, as its owner sees it.
 */
#ifndef CORE_FILES_CZI_JPEG_XR_PROCESS_H
#define CORE_FILES_CZI_JPEG_XR_PROCESS_H

#include "core/files/czi/jpeg_xr_job.h"

#include <glib.h>

/* Runs a program with these words (NULL at the end), with a file as JPEG_XR_FILE unless it is negative, for so many seconds at most, and until the work of the
 * thread shall stop. */
jpeg_xr_end files_czi_jpeg_xr_process (const char *path, char *const *words, int file, double seconds);

#endif
