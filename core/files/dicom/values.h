/* SPDX-License-Identifier: MIT
 *
 * From stored numbers to values: intercept + slope × number (PS3.3, C.11.1), such as HU of a CT. Integers stay integers where they can.
 */
#ifndef CORE_FILES_DICOM_VALUES_H
#define CORE_FILES_DICOM_VALUES_H

#include "core/files/dicom/header.h"
#include "fovea-plugin.h"

/* What the frames of an image have in common: the narrowest range of values, and whether all are integers. Begins empty. */
typedef struct DicomRange {
  gboolean some, is_scaled, is_float;
  double low, high;
  guint allocated, stored;
} DicomRange;

/* Widens the range by all frames of a file. */
void dicom_range_add (DicomRange *range, const DicomHeader *header);
/* The type of pixels that holds all values of the range. */
fv_type dicom_range_type (const DicomRange *range);
/* n numbers of a gray frame as values of that type. */
void dicom_values (const DicomHeader *header, const DicomFrame *frame, const void *numbers, gsize n, fv_type type,
                   void *to);
/* Red, green or blue of n pixels of three numbers of 8 or 16 bits, in the same type. */
void dicom_color (const DicomHeader *header, const void *pixels, gsize n, guint c, void *to);
/* The tables of a palette: 3 × 65536 bytes, index by the stored bits. NULL with *error. Free with g_free(). */
guint8 *dicom_palette_read (const DicomHeader *header, FilesBytes *bytes, GError **error);

#endif
