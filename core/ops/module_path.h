/* SPDX-License-Identifier: MIT
 *
 * Where plugins are, and whose.
 */
#ifndef CORE_OPS_MODULE_PATH_H
#define CORE_OPS_MODULE_PATH_H

#include <glib.h>

#define MODULE_SHIPPED "fovea-kernels.so"

/* The folder with the shipped plugin: that of the surrounding build tree, otherwise the installed one. Free with
 * g_free(). */
char *module_path_shipped (void);
/* The folders of $FOVEA_PLUGIN_PATH, then the user's own. Free with g_strfreev(). */
char **module_path_others (void);
/* The folder with the list of decoders for gdk-pixbuf that a package brings which has libraries of its own: those of the system are for the
 * system's. NULL: there is none. Free with g_free(). */
char *module_path_decoders (void);
/* FALSE with *error when anybody may write there: what is loaded runs as the user who started the program. */
gboolean module_path_is_safe (const char *path, GError **error);

#endif
