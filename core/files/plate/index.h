/* SPDX-License-Identifier: MIT
 *
 * Where the planes of a data set in many files are: of a plate with wells and fields, or of a stack in numbered files. Readers of the indexes of vendors
 * and of names fill it; layout.h makes images of it.
 */
#ifndef CORE_FILES_PLATE_INDEX_H
#define CORE_FILES_PLATE_INDEX_H

#include "core/base/file_error.h"

#include <math.h>

enum {
  PLATE_MAX_FILES = 1 << 22,
  PLATE_MAX_ROWS = 32, /* of a plate of 1536 wells */
  PLATE_MAX_COLUMNS = 48,
};

/* A well, which most plates name by row and column. */
typedef struct PlateWell {
  char *name;       /* "B02" */
  gint row, column; /* from 0; -1: the name says none */
} PlateWell;

typedef struct PlateChannel {
  gint64 number; /* as entries call it */
  char *name;    /* NULL: none */
  guint32 color; /* 0xRRGGBB */
  gboolean has_color;
} PlateChannel;

/* The axes of entries. */
enum { PLATE_SLICE, PLATE_CHANNEL, PLATE_FRAME, PLATE_AXES };
#define PLATE_NO_WELL G_MAXUINT

/* Image `series` of a file: a plane, or as many as it has, or one of them. Numbers only have to be in order. */
typedef struct PlateEntry {
  guint file, series;
  gint64 page; /* the plane of it, in the order of the file; -1: all */
  guint well;  /* index of PlateIndex.wells, or PLATE_NO_WELL */
  gint64 field;
  gint64 at[PLATE_AXES];
  double height, time; /* of the slice in µm, since the start in s; NaN: unknown */
} PlateEntry;

typedef struct PlateIndex {
  char *folder;             /* that all files are below */
  GPtrArray *files;         /* char *: paths below it */
  GArray *entries;          /* PlateEntry */
  GArray *wells, *channels; /* PlateWell, PlateChannel */
  gboolean has_fields;      /* whether entries say so */
  gboolean sets;            /* files may be parts of sets, which each of them opens */
  gint rows, columns;       /* of the plate; 0: unknown */
  double spacing[3];        /* µm, of z, y, x; 0: as the files say, or by the heights */
  GString *facts;           /* lines "Objective: ..." for people */
  guint failed;             /* records of images that the microscope could not take */
  guint projections;        /* of stacks that are here, too */
  guint missing;            /* files that the index names and that are not there */
  char *first_missing;      /* the name of one; NULL: none */
  GHashTable *listed;       /* of folders below `folder` -> the set of names in it; made when it is needed */
  GHashTable *numbers;      /* of wells by (row, column) */
  GHashTable *named;        /* of wells without a row, by their names */
  GHashTable *channel_numbers;
  GHashTable *file_numbers; /* of files by path */
} PlateIndex;

PlateIndex *plate_index_new (const char *folder);
void plate_index_free (PlateIndex *index);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlateIndex, plate_index_free)

/* An entry with nothing known. */
PlateEntry plate_entry (void);
/* The number of a file, a path below the folder, which is added if it is new. Names with backslashes are those of Windows. FALSE: the file does not exist,
 * which is counted, or it is outside of the folder (*error). */
gboolean plate_index_file (PlateIndex *index, const char *name, guint *file, GError **error);
/* The number of a file that is there and new, by its path below the folder. */
guint plate_index_add_file (PlateIndex *index, const char *path);
/* The names in a folder below the folder of the index, "" for itself: a set of char *. Never NULL. */
GHashTable *plate_index_list (PlateIndex *index, const char *below);
/* The names of a folder in natural order, without hidden ones; those of plate_index_list(). Free with g_ptr_array_unref(). */
GPtrArray *plate_index_names (PlateIndex *index, const char *below);
/* The well in that row and column, from 0, or PLATE_NO_WELL outside of all plates. */
guint plate_index_well (PlateIndex *index, gint64 row, gint64 column);
/* A well with a name of its own, which is in no row. */
guint plate_index_named_well (PlateIndex *index, const char *name);
/* The channel of that number, added if it is new. Valid until the next call. */
PlateChannel *plate_index_channel (PlateIndex *index, gint64 number);
/* "B02" -> 1, 1. Letters A to AF, a number up to 48, with or without a zero before it. */
gboolean plate_well_parse (const char *text, gint *row, gint *column);
/* Adds "key: value" to the facts, as one line, unless they have the key. "" and NULL: nothing. */
void plate_index_fact (PlateIndex *index, const char *key, const char *value);

#endif
