/* SPDX-License-Identifier: MIT
 *
 * What a CZI file has in addition to its image: thumbnail, label, time stamps.
 */
#ifndef CORE_FILES_CZI_ATTACHMENTS_H
#define CORE_FILES_CZI_ATTACHMENTS_H

#include "core/files/czi/segment.h"

/* Adds the names of the attachments in the directory at `at`, each free with g_free(), and the time stamps in seconds (double), which are an attachment,
 * too, and not among the names. What is damaged is left out. */
void files_czi_attachments_read (FilesBytes *bytes, gint64 at, GPtrArray *names, GArray *times);

#endif
