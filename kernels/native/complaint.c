/* SPDX-License-Identifier: MIT
 *
 * GCC and Clang write "operation:3:7: error: text", and of C "operation:3: error: text", as tcc does; NVRTC "operation(3): error: text",
 * then the line and a caret below the column, both moved by two.
 */
#include "kernels/native/complaint.h"

enum { NVRTC_INDENT = 2 };

typedef struct complaint {
  char field[16];
  int line, column; /* 0: not known */
  const char *text;
} complaint;

/* Up to the end of the line. */
static int
line_length (const char *text)
{
  return (int) strcspn (text, "\n");
}

/* The column of the caret in the second line behind this one; 0: there is none. */
static int
caret_column (const char *line)
{
  for (int i = 0; i < 2; i++) {
    line += line_length (line);
    if (!*line++)
      return 0;
  }
  int n = (int) strspn (line, " ");
  return line[n] == '^' && n >= NVRTC_INDENT ? n + 1 - NVRTC_INDENT : 0;
}

/* Whether the line is an error of a field. */
static bool
read_line (const char *line, complaint *c)
{
  int used = 0;
  *c = (complaint){0};
  if (sscanf (line, "%15[a-z_]:%d:%d:%*[ fatl]error: %n", c->field, &c->line, &c->column, &used) == 3 && used)
    return c->text = line + used, true;
  if (sscanf (line, "%15[a-z_]:%d:%*[ fatl]error: %n", c->field, &c->line, &used) == 2 && used)
    return c->text = line + used, true;
  if (sscanf (line, "%15[a-z_](%d): error: %n", c->field, &c->line, &used) == 2 && used) {
    c->column = caret_column (line);
    return c->text = line + used, true;
  }
  return false;
}

static bool
is_field (const char *name)
{
  return !strcmp (name, "operation") || !strcmp (name, "preamble") || !strcmp (name, "in_params")
         || !strcmp (name, "out_params");
}

fv_status
kernel_complaint (const char *log, fv_error *error)
{
  complaint c;
  for (const char *line = log; *line; line += line_length (line) + (line[line_length (line)] == '\n'))
    if (read_line (line, &c) && is_field (c.field)) {
      const char *own = strstr (c.text, KERNEL_SAYS);
      if (own && own < c.text + line_length (c.text)) {
        own += strlen (KERNEL_SAYS);
        return fail (error, FV_BAD_ARGUMENT, c.field, "%.*s", (int) strcspn (own, "\"\n"), own);
      }
      if (!c.column)
        return fail (error, FV_BAD_ARGUMENT, c.field, "line %d: %.*s", c.line, line_length (c.text), c.text);
      return fail (error, FV_BAD_ARGUMENT, c.field, "line %d, column %d: %.*s", c.line, c.column, line_length (c.text),
                   c.text);
    }
  return fail (error, FV_BAD_ARGUMENT, "operation", "It does not compile: %.300s", log);
}
