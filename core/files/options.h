/* SPDX-License-Identifier: MIT
 *
 * How a file is written: the options of its format as text, "compression=zstd tile=256".
 */
#ifndef CORE_FILES_OPTIONS_H
#define CORE_FILES_OPTIONS_H

#include "core/files/shared/format.h"
#include "core/ops/op.h"

/* The options, declared as if they were the parameters of an operation. */
Op options_op (const FileFormat *format);
/* Reads the text, which may be NULL, into *options: the struct that the format's save() takes, the others at their defaults. NULL when the format
 * has no options. Free with g_free(). path: for errors. FALSE with *error. */
gboolean options_read (const FileFormat *format, const char *path, const char *text, gpointer *options, GError **error);
/* As the command has them: " --compression zstd --tile 256 --pyramid". text may be NULL. Free with g_free(). */
char *options_for_command (const char *text);

#endif
