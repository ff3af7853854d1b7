/* SPDX-License-Identifier: MIT */
#include "tests/library/support.h"

#include <dlfcn.h>
#include <string.h>

fovea_context *context;

/* How many contexts have the plugin `services` open. LeakSanitizer takes no context for a leak: locks that a fork guards lead to it. */
static int
open_contexts (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("FOVEA_BUILD"), "tests/third_party_plugin/services.so", NULL);
  void *module = dlopen (path, RTLD_LAZY | RTLD_NOLOAD);
  const int *users = module ? dlsym (module, "services_users") : NULL;
  return users ? *users : 0;
}

int
run_tests (void)
{
  fovea_error *error = NULL;
  int status;
  context = fovea_context_new (FOVEA_DEFAULT, &error);
  assert_good (error);
  status = g_test_run ();
  fovea_context_free (context);
  g_assert_cmpint (open_contexts (), ==, 0);
  return status;
}

void
assert_fails (fovea_error **error, fovea_code code, const char *field, const char *says)
{
  g_assert_nonnull (*error);
  g_assert_cmpint (fovea_error_code (*error), ==, code);
  g_assert_cmpstr (fovea_error_field (*error), ==, field);
  g_assert_nonnull (strstr (fovea_error_message (*error), says));
  fovea_error_free (*error);
  *error = NULL;
}

void
assert_good (fovea_error *error)
{
  g_assert_cmpstr (fovea_error_message (error), ==, "");
}

DLTensor
tensor_of (void *pixels, uint8_t code, uint8_t bits, int n, int64_t *shape)
{
  return (DLTensor){.data = pixels, .device = {kDLCPU, 0}, .ndim = n, .dtype = {code, bits, 1}, .shape = shape};
}

fovea_image *
image_with_square (int64_t side)
{
  g_autofree uint16_t *pixels = g_new0 (uint16_t, (gsize) (side * side));
  int64_t shape[] = {side, side};
  DLTensor tensor = tensor_of (pixels, kDLUInt, 16, 2, shape);
  fovea_image *image;
  for (int i = 0; i < 16; i++)
    pixels[(3 + i / 4) * side + 5 + i % 4] = 1000;
  image = fovea_image_from_dlpack (context, &tensor, NULL, NULL);
  g_assert_nonnull (image);
  return image;
}

fovea_run *
run_of (const char *steps, const fovea_image *image)
{
  fovea_error *error = NULL;
  fovea_recipe *recipe = fovea_recipe_parse (context, steps, &error);
  fovea_run *run = recipe ? fovea_run_new (recipe, image, FOVEA_KEEP_NAMED, &error) : NULL;
  assert_good (error);
  fovea_recipe_free (recipe);
  return run;
}

void
execute (fovea_run *run)
{
  fovea_error *error = NULL;
  fovea_run_execute (run, "cpu", NULL, NULL, &error);
  assert_good (error);
}
