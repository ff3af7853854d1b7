/* SPDX-License-Identifier: MIT
 *
 * The numbers of a frame as DICOM files store them: as they are, or compressed in fragments (PS3.5, annex A).
 */
#ifndef CORE_FILES_DICOM_FRAMES_H
#define CORE_FILES_DICOM_FRAMES_H

#include "core/files/dicom/header.h"

/* Where the frames of a file lie. */
typedef struct DicomFrames DicomFrames;

/* The header must outlive it. NULL with *error when the fragments are not those of the frames. */
DicomFrames *dicom_frames_new (const DicomHeader *header, FilesBytes *bytes, GError **error);
void dicom_frames_free (DicomFrames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DicomFrames, dicom_frames_free)
/* Whether rows can be read without the others. */
gboolean dicom_frames_are_direct (const DicomFrames *self);
/* Bytes of a number in memory: 1, 2, 4 or 8. */
guint dicom_number_bytes (const DicomHeader *header);
/* n rows of a frame from `row` on, all of them if they are not direct: columns × samples numbers a row, the samples of a pixel side by side, in this
 * machine's byte order. Numbers of one bit become bytes of 0 and 1. Any thread. FALSE with *error. */
gboolean dicom_frames_read (const DicomFrames *self, FilesBytes *bytes, guint frame, guint row, guint n, void *to,
                            GError **error);

#endif
