/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target for the step parser and for files of steps: steps that parse are written and parsed again to the same text.
 */
#include "core/recipe/recipe.h"
#include "core/recipe/steps_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static Modules *modules;

/* As the text that is read back to the same steps. */
static void
check_text (const Recipe *recipe)
{
  g_autofree char *once = recipe_format (recipe), *twice = NULL;
  g_autoptr (Recipe) again = recipe_parse (modules, once, NULL);
  if (!again)
    abort ();
  twice = recipe_format (again);
  if (strcmp (once, twice))
    abort ();
}

/* As a file of steps, too. */
static void
check_file (const Recipe *recipe)
{
  g_autofree char *once = recipe_format (recipe), *lines = steps_text_lines (recipe), *twice = NULL;
  g_autofree char *read = steps_text_read (lines, strlen (lines), "x.steps", NULL);
  g_autoptr (Recipe) again = read ? recipe_parse (modules, read, NULL) : NULL;
  if (!again)
    abort ();
  twice = recipe_format (again);
  if (strcmp (once, twice))
    abort ();
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size), *file = NULL;
  g_autoptr (Recipe) recipe = NULL, of_file = NULL;
  g_autoptr (GError) error = NULL;
  if (!modules) {
    modules = modules_new_shipped ();
    if (modules_ops (modules)->len == 0)
      abort (); /* without operations nothing would be parsed */
  }
  file = steps_text_read ((const char *) data, size, "x.steps", &error);
  if (!file == !error)
    abort ();
  if (file && *file && (of_file = recipe_parse (modules, file, NULL)))
    check_file (of_file);
  if (!g_utf8_validate (text, -1, NULL) || !(recipe = recipe_parse (modules, text, NULL)))
    return 0;
  check_text (recipe);
  check_file (recipe);
  return 0;
}
