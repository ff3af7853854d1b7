/* SPDX-License-Identifier: MIT */
#ifndef CORE_BASE_FILE_WRITE_H
#define CORE_BASE_FILE_WRITE_H

#include <glib.h>

/* Writes all n bytes, also to a pipe; FALSE with errno. */
gboolean file_write_all (int fd, gconstpointer bytes, gsize n);

#endif
