/* SPDX-License-Identifier: MIT
 *
 * Decoders of compressed frames.
 */
#ifndef CORE_FILES_DICOM_CODECS_H
#define CORE_FILES_DICOM_CODECS_H

#include "core/files/dicom/header.h"

/* Decodes the n bytes of a frame to rows × columns × samples numbers of as many bytes as the header allocates, the samples of a pixel side by side, in
 * this machine's byte order. NULL, or why it cannot be done, in a few words. Any thread. */
const char *dicom_decode (const DicomHeader *header, const guint8 *stream, gsize n, void *to);

#endif
