/* SPDX-License-Identifier: MIT
 *
 * Pages that are alike: those of one image, and those that show the same in fewer pixels.
 */
#ifndef CORE_FILES_TIFF_GROUPS_H
#define CORE_FILES_TIFF_GROUPS_H

#include "core/files/tiff/dir.h"
#include "core/files/tiff/series.h"

/* What pages of one image have in common; without gaps, so that it can be compared as bytes. */
typedef struct FilesTiffKind {
  guint32 columns, rows;
  guint32 named; /* 0; or the number, from 1 on, of a page that has a name: it is an image of its own */
  guint16 bits, samples, format, photometric, extra, alpha, rotated, reduced;
} FilesTiffKind;

typedef struct FilesTiffGroup {
  FilesTiffKind kind;
  char *name;     /* NULL: none */
  gboolean tiled; /* the first page */
  GArray *pages;  /* guint32: their numbers, ascending */
} FilesTiffGroup;

typedef struct FilesTiffGroups {
  GPtrArray *all; /* FilesTiffGroup, in the order of their first pages */
  GPtrArray
    *reduced;    /* those of them whose pages are smaller ones: most files have few, however many images they have */
  GArray *pages; /* guint32: the numbers of all pages, ascending */
  GPtrArray *of_page; /* the group of each */
  GTree *by_kind;     /* no hash table: a file could have kinds that all hash alike */
} FilesTiffGroups;

FilesTiffGroups *files_tiff_groups_new (void);
void files_tiff_groups_free (FilesTiffGroups *groups);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesTiffGroups, files_tiff_groups_free)
/* The page's number is larger than all before. name: of the page, which is then an image of its own; takes it; NULL: none. */
void files_tiff_groups_add (FilesTiffGroups *groups, const FilesTiffPage *page, guint32 number, char *name);
/* Finds the levels of the pyramid of the first page that do not say that they are reduced: tiled pages, each smaller than the one before. If there are
 * some, or the file is a slide of a scanner, smaller pages that show the same are reduced ones, too, such as a thumbnail in strips. */
void files_tiff_groups_find_pyramid (FilesTiffGroups *groups, gboolean is_slide);
/* Gives the series the groups of reduced pages that have one for each of its pages. */
void files_tiff_groups_levels (const FilesTiffGroups *groups, FilesTiffSeries *series);
/* Which of series->pages a page is. */
guint files_tiff_series_rank (const FilesTiffSeries *series, guint32 page);
/* Whether an image of so many rows and columns can show the same as a larger one. */
gboolean files_tiff_same_shape (guint32 rows, guint32 columns, guint32 of_rows, guint32 of_columns);

#endif
