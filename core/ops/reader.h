/* SPDX-License-Identifier: MIT
 *
 * A reader as the program uses it: the declaration of a plugin, checked and copied into a struct of this program's size.
 */
#ifndef CORE_OPS_READER_H
#define CORE_OPS_READER_H

#include "fovea-plugin.h"

#include <glib.h>

typedef struct Reader {
  gatomicrefcount references;
  fv_reader fv;
  const fv_reader *declared; /* the plugin's own, which its functions are given */
  char **endings, **mime;    /* of fv */
  const char *plugin;        /* its name */
} Reader;

Reader *reader_ref (Reader *reader);
void reader_unref (gpointer reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reader, reader_unref)

#endif
