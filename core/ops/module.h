/* SPDX-License-Identifier: MIT
 *
 * Finds, checks and loads plugins. A plugin that violates the ABI is refused with one sentence that gives the
 * reason, and the program continues. Accepted structs are copied into those of this program's size, so that the rest
 * of the program is independent of versions.
 */
#ifndef CORE_OPS_MODULE_H
#define CORE_OPS_MODULE_H

#include "core/data/device.h"
#include "core/ops/op.h"
#include "core/ops/reader.h"

typedef struct Modules Modules;

/* Loads the shipped plugins, then all *.so next to it (when it is installed), in the folders of $FOVEA_PLUGIN_PATH, and in the user's
 * ~/.local/share/fovea/plugins. Then the user's operations, *.operation in $FOVEA_OPERATION_PATH and ~/.local/share/fovea/operations. */
Modules *modules_new (void);
/* The shipped plugins alone: that of the operations, and that of formats. */
Modules *modules_new_shipped (void);
/* An empty collection, for tests and tools. */
Modules *modules_new_empty (void);
void modules_free (Modules *modules);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Modules, modules_free)

/* Loads one plugin; FALSE with *error when it is refused. */
gboolean modules_load (Modules *modules, const char *path, GError **error);
/* The same for one whose code is this program's own. */
gboolean modules_add (Modules *modules, const fv_plugin *plugin, GError **error);
/* Makes an operation from a file KEY.operation; it replaces an earlier one of such a file, which stays valid for its
 * users. Main thread; other threads may look up operations meanwhile. FALSE with *error, which names the file and
 * the line. */
gboolean modules_load_operation (Modules *modules, const char *path, GError **error);
/* The same of a text, which is kept in the user's folder when it is good; *path is then its file's, free with g_free(). */
gboolean modules_save_operation (Modules *modules, const char *key, const char *text, char **path, GError **error);
/* The folders that were looked through, and a sentence for each plugin that was refused. Owned by modules. */
const char *const *modules_folders (const Modules *modules);
const char *const *modules_refused (const Modules *modules);
/* "file: name version" for each plugin that is loaded. Free with g_strfreev(). */
char **modules_loaded (const Modules *modules);

/* Of steps that carry code of this machine: what may run, see core/ops/native.h. */
typedef struct {
  GMutex lock;
  gboolean all;
  GHashTable *codes, *kept; /* checksums; kept: those of them that are in the user's configuration */
  GHashTable *origins;      /* checksum -> where such code was found */
} NativeConsent;
NativeConsent *modules_consent (const Modules *modules);

/* Array of Reader *, in the order in which they were loaded. */
const GPtrArray *modules_readers (const Modules *modules);
/* Adds a sentence to those of modules_refused(). */
void modules_refuse (Modules *modules, const char *why);

/* Array of const Op *, sorted by key. Immutable: another replaces it when an operation is made. */
const GPtrArray *modules_ops (const Modules *modules);
/* NULL with *error, which suggests the nearest key, when there is none. */
const Op *modules_op (const Modules *modules, const char *key, GError **error);
/* Array of Device *, including faulty ones: what is known so far without initializing a driver. Immutable: a longer
 * one replaces it when more are found. */
const GPtrArray *modules_devices (const Modules *modules);
/* Whether modules_find_devices() would look for more. Never waits. */
gboolean modules_devices_pending (const Modules *modules);
/* All devices. The first call wakes drivers, which can take some hundred milliseconds. Any thread. */
const GPtrArray *modules_find_devices (Modules *modules);
/* "cpu", "cuda" (the first) or "cuda:1", ready for work; looks for devices only when none of that key is known. Any thread.
 * NULL with *error. */
Device *modules_device (Modules *modules, const char *key, GError **error);
/* See device_list_second(). */
Device *modules_second_device (Modules *modules, const Device *device, GError **error);

#endif
