/* SPDX-License-Identifier: MIT
 *
 * Where plugins are, and whose.
 */
#ifndef CORE_OPS_MODULE_PATH_H
#define CORE_OPS_MODULE_PATH_H

#include <glib.h>

/* With what the names of shipped plugins begin. */
#define MODULE_SHIPPED "fovea-kernels"
/* The shipped plugin of formats; it is left out where it is not built. */
#define MODULE_READERS "fovea-readers.so"

/* The folder with the shipped plugin, an absolute path: that of the surrounding build tree, otherwise the installed one. Free with
 * g_free(). */
char *module_path_shipped (void);
/* The folders of $FOVEA_PLUGIN_PATH, then the user's own. Free with g_strfreev(). */
char **module_path_others (void);
/* The folder `decoders` next to that of the shipped plugin, with a list of decoders for gdk-pixbuf. A package with libraries of its own has
 * one, since the system's decoders are for the system's libraries. NULL: there is none. Free with g_free(). */
char *module_path_decoders (void);
/* The name of the shipped plugin in that folder: the one for GPUs, which is a package of its own, where it is installed. */
const char *module_path_shipped_name (const char *folder);
/* FALSE with *error when anybody may write there: what is loaded runs as the user who started the program. */
gboolean module_path_is_safe (const char *path, GError **error);

#endif
