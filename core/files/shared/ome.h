/* SPDX-License-Identifier: MIT
 *
 * OME-XML, the metadata of OME-TIFF: sizes, order of planes, calibration, channels, and which page of which file each
 * plane is. Elements are recognized by their local names, so all versions of the schema are read. Pixels within the text are base64 (BinData).
 */
#ifndef CORE_FILES_SHARED_OME_H
#define CORE_FILES_SHARED_OME_H

#include <glib.h>

typedef struct FilesOmeChannel {
  char *name; /* NULL: none */
  gint64 samples;
  gboolean has_color;
  guint32 color; /* 0xRRGGBB */
} FilesOmeChannel;

/* A run of planes: `count` planes from z, c, t on, in the order of dimensions, are pages from `page` on of a file. */
typedef struct FilesOmeBlock {
  gint64 page, z, c, t, count; /* page -1, count -1: not given */
  const char *file, *uuid;     /* NULL: not given */
} FilesOmeBlock;

/* Where in the file the base64 of a BinData element is. The parser gets the instruction FILES_OME_DATA in place of it. */
typedef struct FilesOmeData {
  guint64 at, length;
  char compression[8]; /* as it is written, in lower case and cut off; empty or "none": plain */
  gboolean is_big;     /* big-endian */
} FilesOmeData;

#define FILES_OME_DATA "<?base64 "

typedef struct FilesOmeImage {
  char *name;                     /* NULL: none */
  char order[4];                  /* "ZCT": the fastest first */
  gint64 depth, channels, frames; /* channels counts samples, too */
  gint64 rows, columns;           /* 0: not given */
  char *type;                     /* of pixels, "uint16"; NULL: not given */
  gboolean is_big, interleaved;   /* what BinData elements that do not say it have; samples of a pixel side by side */
  double spacing[3];              /* of z, y, x; 0: not given */
  char *units[3];
  double interval; /* between frames; 0: not given */
  char *interval_unit;
  GPtrArray *channel; /* FilesOmeChannel */
  GArray *blocks;     /* FilesOmeBlock */
  GArray *data;       /* FilesOmeData; elements without any are left out */
} FilesOmeImage;

typedef struct FilesOme {
  GPtrArray *images;
  char *uuid;      /* of the file that has the text; NULL: none */
  char *companion; /* name of the file that has the metadata in place of this one; NULL: none */
  gsize length;    /* of the text */
  GTree *names;    /* the texts of blocks, each once */
} FilesOme;

gboolean files_ome_is (const char *text);
/* NULL with *error when it is not well-formed XML. */
FilesOme *files_ome_parse (const char *text, GError **error);
void files_ome_free (FilesOme *ome);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesOme, files_ome_free)

#endif
