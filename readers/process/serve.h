/* SPDX-License-Identifier: MIT
 *
 * The other side: a process that reads files for a reader. It ends when its owner does.
 */
#ifndef READERS_PROCESS_SERVE_H
#define READERS_PROCESS_SERVE_H

#include "fovea-plugin.h"
#include "readers/process/protocol.h"

#include <glib.h>

typedef struct {
  gint64 image, level, plane, row, column, rows, columns;
} ProcessRegion;

/* What it does. Answers are written with the functions below, as protocol.h has them. Errors are sentences. */
typedef struct {
  gpointer (*open) (const char *path, GByteArray *answer, fv_error *error);
  void (*close) (gpointer file);
  fv_status (*image) (gpointer file, guint n, GByteArray *answer, fv_error *error);
  /* Writes rows without gaps; there is room for PROCESS_PIXELS bytes. */
  fv_status (*read) (gpointer file, const ProcessRegion *region, guint8 *to, fv_error *error);
} ProcessFunctions;

/* Answers until the owner ends; a request that takes longer than `seconds` ends the process. Returns the exit status. */
int process_serve (const ProcessFunctions *functions, guint seconds);

void process_put_u32 (GByteArray *to, guint32 number);
void process_put_i64 (GByteArray *to, gint64 number);
void process_put_f64 (GByteArray *to, double number);
/* NULL is "". What is not UTF-8 is replaced. */
void process_put_text (GByteArray *to, const char *text);
/* Sets *error to a sentence of a printf() format; returns FALSE. */
gboolean process_error (fv_error *error, fv_status code, const char *format, ...) G_GNUC_PRINTF (3, 4);

#endif
