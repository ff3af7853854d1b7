/* SPDX-License-Identifier: MIT
 *
 * What a DICOM file says of its images (PS3.3). Of patients, doctors, hospitals and dates nothing is kept.
 */
#ifndef CORE_FILES_DICOM_HEADER_H
#define CORE_FILES_DICOM_HEADER_H

#include "core/files/dicom/elements.h"

typedef enum { DICOM_GRAY, DICOM_GRAY_INVERTED, DICOM_PALETTE, DICOM_RGB, DICOM_YBR, DICOM_YBR_422 } DicomColors;

typedef enum {
  DICOM_NATIVE,
  DICOM_RLE,
  DICOM_JPEG,
  DICOM_JPEG_LOSSLESS,
  DICOM_JPEG_LS,
  DICOM_JPEG_2000,
  DICOM_OTHER /* cannot be decoded */
} DicomCodec;

/* What an image of a whole slide shows (PS3.3, C.8.12.4.1.1). */
typedef enum { DICOM_UNKNOWN, DICOM_VOLUME, DICOM_THUMBNAIL, DICOM_LABEL, DICOM_OVERVIEW } DicomFlavor;

/* How pixels and the elements themselves are stored. */
typedef struct DicomSyntax {
  const char *uid, *name;
  DicomCodec codec;
  gboolean is_big;
} DicomSyntax;

/* What may differ from frame to frame. */
typedef struct DicomFrame {
  gboolean has_position;
  double position[3];      /* of the center of the first pixel, in mm along x, y, z of the patient */
  double slope, intercept; /* a value is intercept + slope × stored number */
  gint64 tile[2];          /* of a whole slide: row and column of the first pixel in it, from 1; 0: unknown */
} DicomFrame;

/* A table of colors: a run of 16-bit numbers, or of bytes, for each of red, green and blue. */
typedef struct DicomPalette {
  guint entries, bits;
  gint64 first; /* the stored number of entry 0 */
  guint64 at[3];
  guint32 length[3];
} DicomPalette;

typedef struct DicomHeader {
  const DicomSyntax *syntax;
  guint rows, columns, samples; /* samples: numbers of a pixel */
  guint n_frames;
  gint64 matrix[2]; /* of a whole slide: rows and columns of all frames together; 0: it is none */
  DicomFlavor flavor;
  gint64 paths, focal; /* of a whole slide: optical paths and focal planes; 0: unknown */
  guint allocated, stored,
    high; /* bits of a number, those of them that count, and the number of the highest of these */
  gboolean is_signed, is_float;
  gboolean by_sample; /* red of all pixels comes first */
  gboolean in_words;  /* numbers of 8 bits are pairs in words of 16 bits */
  DicomColors colors;
  DicomPalette palette;
  DicomFrame *frames;
  double spacing[2];        /* mm along rows, y, and columns, x; 0: unknown */
  double between, interval; /* mm between slices, s between frames; 0: unknown */
  gboolean has_orientation;
  double orientation[6]; /* directions of a row, then of a column, in the patient */
  gboolean has_window;
  double center, width;  /* of values to show */
  char *space, *pyramid; /* UIDs of the frame of reference, of the levels of one pyramid; NULL: unknown */
  char *series, *modality, *value_unit; /* NULL: unknown */
  char *instance;       /* UID of what the file has, which copies of the file have, too; NULL: unknown */
  gint64 series_number; /* -1: unknown */
  gint64 number;        /* of the file in its series */
  char *concatenation;  /* UID of the frames that several files have together; NULL: the file has all */
  guint part, parts;    /* of these files, from 1, and how many there are; 0: unknown */
  gint64 first_frame;   /* of the file in the concatenation, from 0; -1: unknown */
  gboolean is_index;    /* of the files on a disc or in a folder, as DICOMDIR is */
  double time;          /* of the file, in any unit: orders files of one position */
  guint64 pixels_at;    /* 0: the file has no pixels */
  guint32 pixels_length;
  guint64 offsets_at; /* of the extended table of offsets of frames; 0: none */
  guint32 offsets_length;
} DicomHeader;

/* All elements but those of group 2, which say how the others are written. */
DicomElements dicom_elements_of (FilesBytes *bytes, const DicomSyntax **syntax);
/* Whether all but those of group 2 are deflated, and from where on. */
gboolean dicom_is_deflated (FilesBytes *bytes, guint64 *at);
/* Whether a file that begins so is DICOM. */
gboolean dicom_is (const guint8 *head, gsize n);
/* bytes: not deflated. NULL with *error when the file is damaged. Files without pixels are not. */
DicomHeader *dicom_header_new (FilesBytes *bytes, GError **error);
void dicom_header_free (DicomHeader *header);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DicomHeader, dicom_header_free)

#endif
