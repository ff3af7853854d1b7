/* SPDX-License-Identifier: MIT
 *
 * What the targets share that decode files.
 */
#ifndef TESTS_FUZZ_SUPPORT_H
#define TESTS_FUZZ_SUPPORT_H

#include "core/files/files.h"

int LLVMFuzzerInitialize (int *argc, char ***argv); /* of all these targets: complaints of GLib are faults */
int LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size);

/* Whether all planes of an image can be read, if they have no more than `max` bytes; without an error for a plane it aborts. */
gboolean fuzz_read_planes (Image *image, gsize max);
/* The images of some bytes as a file, the first few of those that can be opened: GPtrArray of Image. */
GPtrArray *fuzz_open (const guint8 *bytes, gsize size);
/* A folder of this target's own. */
const char *fuzz_folder (void);

#endif
