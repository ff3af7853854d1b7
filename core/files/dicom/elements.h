/* SPDX-License-Identifier: MIT
 *
 * The data elements of a DICOM file, one after the other (PS3.5, chapter 7; PS3.10, chapter 7). Files come from anywhere: each length is checked
 * against what is left.
 */
#ifndef CORE_FILES_DICOM_ELEMENTS_H
#define CORE_FILES_DICOM_ELEMENTS_H

#include "core/files/shared/bytes.h"

#define DICOM_TAG(GROUP, ELEMENT) ((guint32) (GROUP) << 16 | (ELEMENT))
#define DICOM_UNDEFINED G_MAXUINT32 /* as a length: up to a delimiter */

#define DICOM_ITEM DICOM_TAG (0xfffe, 0xe000)
#define DICOM_ITEM_END DICOM_TAG (0xfffe, 0xe00d)
#define DICOM_SEQUENCE_END DICOM_TAG (0xfffe, 0xe0dd)

enum { DICOM_TEXT = 1 << 16 /* longest text that dicom_text() reads, in bytes */ };

typedef struct DicomElement {
  guint32 tag;
  char vr[3];     /* value representation; "" where the file has none */
  guint64 at;     /* of the value in the file */
  guint32 length; /* in bytes; may be DICOM_UNDEFINED */
} DicomElement;

/* A stretch of a file. Copies of it read on their own. */
typedef struct DicomElements {
  FilesBytes *bytes; /* not referenced */
  guint64 at, end;   /* the next element, and where the stretch ends */
  gboolean is_explicit, is_big;
} DicomElements;

/* The next element; its value is skipped when it has a known length. FALSE at the end, or where bytes follow that are not an element: `at` is before `end`
 * then. */
gboolean dicom_next (DicomElements *from, DicomElement *element);
/* What is in a sequence or in one of its items: a stretch that ends where it does, or at the end of `from`, when its length is undefined. */
DicomElements dicom_inside (const DicomElements *from, const DicomElement *element);
/* Moves behind a sequence, item or value of undefined length. FALSE: it does not end, or is nested too deeply. */
gboolean dicom_skip (DicomElements *from, const DicomElement *element);

/* The value as text, without the blanks at its ends, or NULL where it is longer than DICOM_TEXT or cannot be read. Free with g_free(). */
char *dicom_text (const DicomElements *from, const DicomElement *element);
/* Up to n decimal numbers of a text; how many there are. */
guint dicom_decimals (const DicomElements *from, const DicomElement *element, double *to, guint n);
/* Number i of the binary ones of type US, UL, SS or SL; 0 where it is missing. */
gint64 dicom_integer (const DicomElements *from, const DicomElement *element, guint i);

#endif
