/* SPDX-License-Identifier: MIT
 */
#include "ui/several/dialogs.h"

#include "ui/several/form.h"

#include <glib/gi18n.h>
#include <string.h>

static const char *const pair[] = {N_ ("Image 1"), N_ ("Image 2"), NULL};
static const char *const channels[] = {N_ ("C1 (red)"),  N_ ("C2 (green)"),   N_ ("C3 (blue)"),   N_ ("C4 (gray)"),
                                       N_ ("C5 (cyan)"), N_ ("C6 (magenta)"), N_ ("C7 (yellow)"), NULL};
static const char *const colors[] = {"red", "green", "blue", "gray", "cyan", "magenta", "yellow"};

static const SeveralDialog dialogs[] = {{.op = "calculate", .rows = pair, .between = 1},
                                        {.op = "merge_channels", .rows = channels, .luts = colors}};

gboolean
several_dialog_show (Shell *shell, const char *op)
{
  for (guint i = 0; i < G_N_ELEMENTS (dialogs); i++)
    if (!strcmp (dialogs[i].op, op)) {
      several_form_show (shell, &dialogs[i]);
      return TRUE;
    }
  return FALSE;
}
