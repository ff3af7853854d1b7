/* SPDX-License-Identifier: MIT
 *
 * Tables as VOTable 1.4, the XML of catalogs: rows as TABLEDATA, in UTF-8.
 */
#ifndef CORE_FILES_VOTABLE_H
#define CORE_FILES_VOTABLE_H

#include "core/data/table.h"

/* A missing value is an empty cell. Control characters of texts, which XML cannot hold, become their pictures. */
gboolean files_votable_save (const Table *table, const char *path, GError **error);

#endif
