/* SPDX-License-Identifier: MIT
 *
 * The XML of Leica's files (LIF, LOF, XLEF, XLIF, XLCF): a tree of elements, of which some are images. Of each image it says where in its memory
 * block pixels are, by the steps of all dimensions in bytes, and with which settings of the microscope they were acquired.
 *
 * Source: "Leica Image File Formats", version 3.2, Leica Microsystems 2016.
 */
#ifndef CORE_FILES_LIF_XML_H
#define CORE_FILES_LIF_XML_H

#include <glib.h>

/* DimID */
enum {
  FILES_LIF_X = 1,
  FILES_LIF_Y = 2,
  FILES_LIF_Z = 3,
  FILES_LIF_T = 4,
  FILES_LIF_EMISSION = 5,
  FILES_LIF_ROTATION = 6,
  FILES_LIF_EXCITATION = 9,
  FILES_LIF_TILES = 10,
  FILES_LIF_LOOP = 11,
};

typedef struct FilesLifDimension {
  gint64 id;
  gint64 n, step;        /* elements; bytes from one to the next. -1: not given, or no number */
  double origin, length; /* of the first element; from there to the last */
  char unit[16];
} FilesLifDimension;

typedef struct FilesLifChannel {
  gint64 at;   /* bytes from the first channel; -1: not given */
  gint64 bits; /* of a value; -1: not given */
  gint64 tag;  /* 1, 2, 3: red, green, blue; else gray */
  gboolean is_float;
  char lut[32], dye[64]; /* "": none */
} FilesLifChannel;

/* Other files that hold the pixels of an XLIF file. */
typedef struct FilesLifPart {
  char *file;  /* as it is written there */
  gint64 at;   /* offset in the memory block */
  gint64 size; /* -1: not given */
} FilesLifPart;

typedef struct FilesLifElement {
  const struct FilesLifElement *parent; /* NULL: none */
  char *name;                           /* NULL: none */
  char *reference;                      /* to another file, which has the rest; NULL: none */
  gboolean is_image, has_memory;
  /* What follows is of images; arrays are NULL while they are empty. */
  char *memory;       /* id of the memory block; NULL: none */
  GArray *parts;      /* FilesLifPart */
  GArray *channels;   /* FilesLifChannel */
  GArray *dimensions; /* FilesLifDimension; the one that was scanned fastest comes first */
  GArray *times;      /* guint64, of each plane as it is in memory: units of 100 ns since 1601-01-01 UTC */
  GArray *tiles;      /* double[3], stage position x, y, z of each tile in m */
  GArray *ranges;     /* double[2], black and white of each channel as fractions of its range */
  GPtrArray *dyes[2]; /* names of channels: by the setting, and by the settings of a sequential scan */
  GString *facts;     /* lines "Objective: ..." for people; NULL: none */
} FilesLifElement;

typedef struct FilesLifXml {
  GPtrArray *elements; /* FilesLifElement, in the order of the text, parents first */
} FilesLifXml;

/* text: UTF-8. NULL with *error, of GMarkup, when it is not well-formed. */
FilesLifXml *files_lif_xml_parse (const char *text, gsize n, GError **error);
void files_lif_xml_free (FilesLifXml *xml);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesLifXml, files_lif_xml_free)

/* "folder/image": without the root, which is the file, unless it is the image itself. Free with g_free(). */
char *files_lif_element_path (const FilesLifElement *element);

#endif
