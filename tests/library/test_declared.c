/* SPDX-License-Identifier: MIT
 *
 * What a context has: operations as their plugins declare them, devices, folders; and texts.
 */
#include "tests/library/support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static const fovea_operation *
operation (const char *key)
{
  fovea_error *error = NULL;
  const fovea_operation *found = fovea_context_operation (context, key, &error);
  assert_good (error);
  return found;
}

static const fovea_parameter *
parameter (const char *key, const char *name)
{
  for (const fovea_parameter *const *p = operation (key)->parameters; *p; p++)
    if (!strcmp ((*p)->key, name))
      return *p;
  g_error ("%s has no %s", key, name);
}

/* ---- Operations ---- */

/* In order, and each with what no operation is without. */
static void
test_list (void)
{
  const fovea_operation *const *all = fovea_context_operations (context);
  guint n = 0, tables = 0;
  for (const fovea_operation *const *op = all; *op; op++, n++) {
    g_assert_cmpuint ((*op)->size, ==, sizeof (fovea_operation));
    g_assert_true (op == all || strcmp (op[-1]->key, (*op)->key) < 0);
    g_assert_true (*(*op)->label && *(*op)->help && *(*op)->plugin);
    g_assert_true (fovea_context_operation (context, (*op)->key, NULL) == *op);
    tables += (*op)->makes_table != 0;
    for (const fovea_parameter *const *p = (*op)->parameters; *p; p++) {
      g_assert_true (*(*p)->key && *(*p)->label && *(*p)->help && *(*p)->values);
      g_assert_true ((*p)->min <= (*p)->soft_min && (*p)->soft_min <= (*p)->soft_max && (*p)->soft_max <= (*p)->max);
      g_assert_true (((*p)->type != FOVEA_CHOICE && (*p)->type != FOVEA_SET) || (*p)->choices);
    }
  }
  g_assert_cmpuint (n, >, 15);
  g_assert_cmpuint (tables, >, 0);
  g_assert_true (fovea_context_operations (context) == all);
}

/* Those that stand on the page of operations. */
static void
test_gaussian (void)
{
  const fovea_operation *gaussian = operation ("gaussian");
  const fovea_parameter *sigma = parameter ("gaussian", "sigma"), *border = parameter ("gaussian", "border");
  gboolean reflects = FALSE;
  g_assert_cmpstr (gaussian->menu, ==, "Process/Filters");
  g_assert_cmpstr (gaussian->label, ==, "Gaussian Blur...");
  g_assert_cmpstr (gaussian->inputs[0]->words, ==, "any type");
  g_assert_false (gaussian->inputs[0]->optional);
  g_assert_null (gaussian->inputs[1]);
  g_assert_nonnull (gaussian->outputs[0]);
  g_assert_null (gaussian->outputs[1]);
  g_assert_null (gaussian->scalars[0]);
  g_assert_false (gaussian->makes_table);
  g_assert_cmpstr (sigma->unit, ==, "px");
  g_assert_cmpfloat (sigma->min, ==, 0);
  g_assert_true (isfinite (sigma->max) && sigma->soft_max < sigma->max);
  g_assert_null (sigma->choices);
  g_assert_cmpint (border->type, ==, FOVEA_CHOICE);
  for (const fovea_choice *const *c = border->choices; *c; c++)
    reflects = reflects || !strcmp ((*c)->key, "reflect");
  g_assert_true (reflects);
}

static void
test_others (void)
{
  g_assert_cmpstr (operation ("otsu")->scalars[0]->key, ==, "threshold");
  g_assert_true (operation ("regionprops")->makes_table);
  g_assert_cmpstr (operation ("regionprops")->inputs[1]->key, ==, "intensity");
  g_assert_true (operation ("regionprops")->inputs[1]->optional);
  g_assert_cmpstr (operation ("regionprops")->inputs[0]->types, ==, "integers of any type");
  g_assert_cmpint (parameter ("regionprops", "properties")->type, ==, FOVEA_SET);
  g_assert_false (operation ("filter_objects")->inputs[0]->is_table);
  g_assert_true (operation ("filter_objects")->inputs[1]->is_table);
  g_assert_null (operation ("pattern")->inputs[0]);
  g_assert_cmpstr (operation ("pattern")->plugin, !=, operation ("otsu")->plugin);
}

/* The text of a step with one parameter, which may be quoted, or without it where it does not matter. */
static void
assert_says (const char *text, const fovea_operation *op, const fovea_parameter *p)
{
  g_autofree char *start = g_strdup_printf ("%s %s=", op->key, p->key);
  if (!strcmp (text, op->key))
    return;
  g_assert_true (g_str_has_prefix (text, start));
  text += strlen (start);
  const size_t quote = *text == '"' || *text == '\'';
  g_assert_cmpuint (strlen (text), ==, strlen (p->initial) + 2 * quote);
  g_assert_true (!strncmp (text + quote, p->initial, strlen (p->initial)));
}

/* Every default is a value: steps that say them say nothing else than those that do not. */
static void
test_defaults (void)
{
  for (const fovea_operation *const *op = fovea_context_operations (context); *op; op++) {
    fovea_error *error = NULL;
    fovea_recipe *recipe = fovea_recipe_parse (context, (*op)->key, &error);
    assert_good (error);
    for (const fovea_parameter *const *p = (*op)->parameters; *p; p++)
      if (*(*p)->initial) {
        fovea_recipe *said = fovea_recipe_with (recipe, 0, (*p)->key, (*p)->initial, &error);
        assert_good (error);
        assert_says (fovea_recipe_text (said), *op, *p);
        fovea_recipe_free (said);
      }
    fovea_recipe_free (recipe);
  }
}

static void
test_wrong (void)
{
  fovea_error *error = NULL;
  g_assert_null (fovea_context_operation (context, "gausian", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "", "Did you mean 'gaussian'");
  g_assert_null (fovea_context_operation (context, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "key", "NULL");
}

/* ---- Formats ---- */

static void
test_formats (void)
{
  const fovea_format *const *formats = fovea_context_formats (context);
  g_assert_nonnull (formats);
  g_assert_cmpuint (formats[0]->size, ==, sizeof (fovea_format));
  g_assert_cmpstr (formats[0]->key, ==, "tiff");
  g_assert_cmpstr (formats[0]->label, ==, "TIFF");
  g_assert_null (formats[0]->plugin);
  g_assert_cmpstr (formats[0]->endings[1], ==, "tiff");
  g_assert_cmpstr (formats[0]->endings[2], ==, "svs");
  g_assert_null (formats[0]->endings[3]);
  g_assert_cmpstr (formats[0]->mime_types[0], ==, "image/tiff");
  g_assert_cmpuint (formats[0]->n_saved, ==, 2);
  g_assert_cmpstr (formats[0]->options[0]->key, ==, "compression");
  g_assert_cmpstr (formats[0]->options[0]->choices[2]->key, ==, "zstd");
  g_assert_cmpstr (formats[0]->options[1]->initial, ==, "0");
  g_assert_cmpfloat (formats[0]->options[1]->max, ==, 8192);
  g_assert_null (formats[0]->options[3]);
  g_assert_null (formats[1]->options[0]);
  g_assert_null (fovea_context_formats (NULL));
}

/* ---- Contexts ---- */

static void
test_contexts (void)
{
  fovea_context *files = fovea_context_new (FOVEA_NO_OPERATIONS, NULL);
  g_autofree char *sample = g_build_filename (g_getenv ("FOVEA_SOURCE"), "data", "samples", "stack.tif", NULL);
  fovea_error *error = NULL;
  gboolean looked = FALSE;
  g_assert_null (fovea_context_operations (files)[0]);
  g_assert_null (fovea_context_devices (files)[0]);
  g_assert_null (fovea_recipe_parse (files, "otsu", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "", "Unknown operation 'otsu'");
  fovea_image *image = fovea_image_open (files, sample, 0, &error);
  assert_good (error);
  fovea_image_free (image);
  fovea_context_free (files);
  for (const char *const *each = fovea_context_folders (context); *each; each++)
    looked = looked || g_str_has_suffix (*each, "tests/third_party_plugin");
  g_assert_true (looked);
  g_assert_null (fovea_context_refused (context)[0]);
}

static void
test_devices (void)
{
  const fovea_device *const *all = fovea_context_devices (context), *cpu = NULL;
  fovea_error *error = NULL;
  int64_t unused = 0, total = 0;
  for (; *all; all++) {
    g_assert_cmpuint ((*all)->size, ==, sizeof (fovea_device));
    g_assert_nonnull ((*all)->name);
    if (!strcmp ((*all)->key, "cpu"))
      cpu = *all;
    else if ((*all)->fault) {
      g_assert_cmpint (fovea_device_get_memory (*all, &unused, &total, &error), ==, FOVEA_DEVICE_FAULT);
      assert_fails (&error, FOVEA_DEVICE_FAULT, "", (*all)->fault);
    }
  }
  g_assert_null (cpu->fault);
  g_assert_cmpint (cpu->dl.device_type, ==, kDLCPU);
  g_assert_cmpint (fovea_device_get_memory (cpu, &unused, &total, &error), ==, FOVEA_OK);
  g_assert_true (0 < unused && unused < total);
  g_assert_cmpint (fovea_device_get_memory (cpu, NULL, &total, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "unused", "NULL");
  g_assert_cmpint (fovea_device_get_memory (cpu, &unused, NULL, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "all", "NULL");
  fovea_device_set_limit (cpu, 1); /* it is for GPUs */
  fovea_image *image = image_with_square (64);
  fovea_run *run = run_of ("otsu", image);
  execute (run);
  g_assert_true (fovea_run_device (run) == cpu);
  fovea_run_free (run);
  fovea_image_free (image);
}

/* ---- The log ---- */

static void
hear (void *user, const char *text)
{
  g_ptr_array_add (user, g_strdup (text));
}

static void
test_log (void)
{
  g_autoptr (GPtrArray) heard = g_ptr_array_new_with_free_func (g_free);
  fovea_image *image = image_with_square (16);
  for (int listens = 0; listens < 2; listens++) {
    fovea_run *run = run_of ("otsu | grade level=1 | grade level=256", image);
    fovea_log_to (hear, heard);
    fovea_log_to (listens ? hear : NULL, heard);
    execute (run);
    g_assert_cmpuint (heard->len, ==, listens);
    fovea_run_free (run);
  }
  fovea_log_to (NULL, NULL);
  g_assert_cmpstr (heard->pdata[0], ==, "grade: a plane without a grade");
  fovea_image_free (image);
}

/* ---- Texts ---- */

static void
assert_text (char *text, const char *wanted)
{
  g_assert_cmpstr (text, ==, wanted);
  fovea_text_free (text);
}

static void
test_texts (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "fovea-library-text", NULL), *saved = NULL;
  fovea_error *error = NULL;
  assert_text (fovea_text_from_bytes ("a\xff\xc3\xa4\x1b\n", NULL), "a\\xff\xc3\xa4\x1b\n");
  assert_text (fovea_text_from_bytes ("a\xff\xc3\xa4\x1b\n", "\n"), "a\\xff\xc3\xa4\\x1b\n");
  assert_text (fovea_text_from_bytes ("\xc2\x9b\n", ""), "\\u009b\\x0a");
  assert_text (fovea_text_from_number (0.1), "0.1");
  assert_text (fovea_text_from_number (1 / 3.0), "0.3333333333333333");
  g_assert_cmpint (fovea_text_save ("text\n", path, &error), ==, FOVEA_OK);
  g_assert_true (g_file_get_contents (path, &saved, NULL, NULL));
  g_assert_cmpstr (saved, ==, "text\n");
  g_unlink (path);
  g_assert_cmpint (fovea_text_save ("text\n", "/nowhere/x", &error), ==, FOVEA_BAD_FILE);
  assert_fails (&error, FOVEA_BAD_FILE, "", "/nowhere");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/library/operations", test_list);
  g_test_add_func ("/library/gaussian", test_gaussian);
  g_test_add_func ("/library/other-operations", test_others);
  g_test_add_func ("/library/defaults", test_defaults);
  g_test_add_func ("/library/wrong-operations", test_wrong);
  g_test_add_func ("/library/formats", test_formats);
  g_test_add_func ("/library/contexts", test_contexts);
  g_test_add_func ("/library/devices", test_devices);
  g_test_add_func ("/library/log", test_log);
  g_test_add_func ("/library/texts", test_texts);
  return run_tests ();
}
