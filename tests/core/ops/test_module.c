/* SPDX-License-Identifier: MIT
 *
 * Plugins from outside: one that is good, built with the header alone, and those that must be refused.
 */
#include "core/ops/args.h"
#include "core/base/error.h"
#include "core/recipe/imagej.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>

static char *folder; /* temporary: "include" has the header alone, plugins are built beside it */

/* Compiles a plugin of one file with nothing but the header; gives its path. */
static char *
build_plugin (const char *source, const char *name, const char *define)
{
  g_autofree char *path = source_path (source), *include = g_strconcat ("-I", folder, "/include", NULL);
  char *module = g_build_filename (folder, name, NULL);
  const char *cc = g_getenv ("CC") ? g_getenv ("CC") : "cc";
  const char *argv[] = {cc,      "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
                        include, path,       "-o",  module,  "-lm",     define,    NULL};
  g_autoptr (GError) error = NULL;
  int status;
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  return module;
}

/* Its words are arguments, and no words of a step. */
static void
check_imagej (const Modules *modules)
{
  char *words[] = {"window=7", "strong", "stack", NULL}, *other[] = {"window=7", "slice", NULL},
       *none[] = {"strong", NULL};
  g_autoptr (GError) error = NULL;
  g_autofree char *steps = imagej_steps (modules, "Window Contrast...", words, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (steps, ==, "local_contrast floor=2 radius=7 gain=64");
  g_assert_cmpint (imagej_line (modules, "Window Contrast...")->area, ==, FV_IMAGEJ_AREA_CHANGED);
  g_assert_null (imagej_steps (modules, "Window Contrast...", other, FALSE, &error));
  g_assert_nonnull (strstr (error->message, "slice changes only the current slice"));
  g_clear_error (&error);
  g_assert_null (imagej_steps (modules, "Window Contrast...", none, FALSE, &error));
  g_assert_nonnull (strstr (error->message, "window=, strong, stack, of which it needs window=,"));
}

static void
test_third_party (void)
{
  g_autofree char *path = build_plugin ("tests/third_party_plugin/local_contrast.c", "local_contrast.so", NULL);
  g_autoptr (Modules) modules = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gpointer args = NULL;
  g_autofree char *plugins = g_build_filename (folder, "good", NULL),
                  *inside = g_build_filename (plugins, "lc.so", NULL);
  const Op *op;
  Image *image[] = {image_random (FV_U8, FV_IMAGE, 1, 2, 20, 30, 1)};
  CallResult result;

  g_mkdir (plugins, 0700);
  g_rename (path, inside);
  g_setenv ("FOVEA_PLUGIN_PATH", plugins, TRUE);
  modules = modules_new ();
  g_unsetenv ("FOVEA_PLUGIN_PATH");
  g_assert_null (modules_refused (modules)[0]);
  op = modules_op (modules, "local_contrast", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (op->n_params, ==, 3);
  check_imagej (modules);

  args = args_new (op, &error);
  g_assert_false (args_set (op, args, "radius", "0", &error));
  g_assert_cmpstr (step_error_field (error), ==, "radius");
  g_clear_error (&error);
  g_assert_true (args_set (op, args, "radius", "40", &error));
  g_assert_false (call_op (op, args, image, modules_device (modules, "cpu", NULL), NULL, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "radius");
  g_clear_error (&error);

  g_assert_true (args_set (op, args, "radius", "2", &error));
  g_assert_true (call_op (op, args, image, modules_device (modules, "cpu", NULL), NULL, &result, &error));
  g_assert_cmpint (image_info (result.images[0])->type, ==, FV_F32);
  g_assert_cmpint (image_info (result.images[0])->depth, ==, 2);
  call_result_clear (&result);
  image_unref (image[0]);
}

static void
refuse (int fault, const char *word)
{
  g_autofree char *define = g_strdup_printf ("-DFAULT=%d", fault), *name = g_strdup_printf ("faulty%d.so", fault);
  g_autofree char *path = build_plugin ("tests/third_party_plugin/faulty.c", name, define);
  g_autoptr (Modules) modules = modules_new ();
  guint before = modules_ops (modules)->len;
  g_autoptr (GError) error = NULL;
  g_assert_false (modules_load (modules, path, &error));
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, name));
  g_assert_nonnull (strstr (error->message, word));
  g_assert_cmpuint (modules_ops (modules)->len, ==, before);
}

static void
test_other_major (void)
{
  refuse (1, "built for ABI 1.0, this program has ABI 0.9");
}

static void
test_no_entry (void)
{
  refuse (2, "fv_plugin_open");
}

static void
test_bad_default (void)
{
  refuse (3, "amount must be from 0 to 1, not 2");
}

static void
test_taken_key (void)
{
  refuse (4, "'channel' is already taken by fovea-kernels");
}

static void
test_declines (void)
{
  refuse (5, "it is the wrong day");
}

static void
test_field_outside (void)
{
  refuse (6, "outside the argument struct");
}

static void
test_short_struct (void)
{
  refuse (7, "struct sizes");
}

static void
test_bad_key (void)
{
  refuse (8, "lower_snake_case");
}

static void
test_undefined (void)
{
  refuse (9, "fovea_that_nobody_has");
}

static void
test_not_a_module (void)
{
  g_autofree char *path = g_build_filename (folder, "text.so", NULL);
  g_autoptr (Modules) modules = modules_new_empty ();
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (path, "not a module", -1, NULL));
  g_assert_false (modules_load (modules, path, &error));
  g_assert_nonnull (strstr (error->message, "text.so"));
}

static void
test_lookup (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (modules_op (test_modules (), "chanel", &error));
  g_assert_nonnull (strstr (error->message, "Did you mean 'channel'"));
  g_clear_error (&error);
  g_assert_null (modules_device (test_modules (), "cuda:77", &error));
  g_assert_nonnull (strstr (error->message, "cuda:77"));
  g_clear_error (&error);
  g_assert_nonnull (modules_device (test_modules (), "cpu", &error));
}

int
main (int argc, char **argv)
{
  g_autofree char *include = NULL, *from = source_path ("plugin/fovea-plugin.h"), *to = NULL, *header = NULL;
  gsize length;
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-module-XXXXXX", NULL);
  include = g_build_filename (folder, "include", NULL);
  to = g_build_filename (include, "fovea-plugin.h", NULL);
  g_mkdir (include, 0700);
  g_assert_true (g_file_get_contents (from, &header, &length, NULL));
  g_assert_true (g_file_set_contents (to, header, (gssize) length, NULL));

  g_test_add_func ("/module/third-party", test_third_party);
  g_test_add_func ("/module/refuses/other-major", test_other_major);
  g_test_add_func ("/module/refuses/no-entry-point", test_no_entry);
  g_test_add_func ("/module/refuses/default-outside-range", test_bad_default);
  g_test_add_func ("/module/refuses/key-taken", test_taken_key);
  g_test_add_func ("/module/refuses/declined", test_declines);
  g_test_add_func ("/module/refuses/field-outside-struct", test_field_outside);
  g_test_add_func ("/module/refuses/short-struct", test_short_struct);
  g_test_add_func ("/module/refuses/bad-key", test_bad_key);
  g_test_add_func ("/module/refuses/undefined-symbol", test_undefined);
  g_test_add_func ("/module/refuses/not-a-module", test_not_a_module);
  g_test_add_func ("/module/lookup", test_lookup);
  return run_tests_in (folder);
}
