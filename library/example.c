/* SPDX-License-Identifier: MIT
 *
 * A complete program: opens an image, runs a recipe on it, saves the table and looks at pixels.
 *
 *     cc example.c -o example $(pkg-config --cflags --libs fovea)
 *     ./example nuclei.tif cells.csv
 */
#include <fovea.h>
#include <inttypes.h>
#include <stdio.h>

static int
show_progress (void *user, unsigned step, unsigned steps, double done)
{
  fprintf (user, "\rstep %u of %u, %3.0f %%", step < steps ? step + 1 : steps, steps, 100 * done);
  return 0; /* go on */
}

/* How many pixels of a mask are inside. */
static int64_t
count_inside (const DLTensor *mask)
{
  const uint8_t *pixels = mask->data;
  int64_t n = 1, inside = 0;
  for (int axis = 0; axis < mask->ndim; axis++)
    n *= mask->shape[axis];
  for (int64_t i = 0; i < n; i++)
    inside += pixels[i] != 0;
  return inside;
}

/* Says what came of the run, and saves its table. */
static int
use_results (fovea_run *run, const char *csv, fovea_error **error)
{
  fovea_table *table = fovea_run_table (run, NULL, error);
  fovea_image *mask = table ? fovea_run_image (run, "mask", error) : NULL;
  DLManagedTensor *pixels = mask ? fovea_image_to_dlpack (mask, error) : NULL;
  int done = pixels && fovea_table_save (table, csv, NULL, error) == FOVEA_OK;
  if (done) {
    printf ("%" PRId64 " objects, %" PRId64 " pixels\n", fovea_table_rows (table), count_inside (&pixels->dl_tensor));
    for (unsigned j = 0; j < fovea_table_columns (table); j++) {
      const double *values = fovea_table_numbers (table, j);
      if (values && fovea_table_rows (table) > 0)
        printf ("%s of the first: %g %s\n", fovea_table_name (table, j), values[0], fovea_table_unit (table, j));
    }
  }
  if (pixels)
    pixels->deleter (pixels);
  fovea_image_free (mask);
  fovea_table_free (table);
  return done;
}

int
main (int argc, char **argv)
{
  fovea_error *error = NULL;
  if (argc != 3) {
    fprintf (stderr, "Usage: example IMAGE TABLE.csv\n");
    return 2;
  }
  fovea_context *context = fovea_context_new (FOVEA_DEFAULT, &error);
  fovea_image *image = context ? fovea_image_open (context, argv[1], 0, &error) : NULL;
  fovea_recipe *recipe =
    image ? fovea_recipe_parse (context, "gaussian sigma=2 | otsu as=mask | label | regionprops", &error) : NULL;
  fovea_run *run = recipe ? fovea_run_new (recipe, image, FOVEA_KEEP_NAMED, &error) : NULL;
  int done = run && fovea_run_execute (run, "auto", show_progress, stderr, &error) == FOVEA_OK;
  if (done) {
    fprintf (stderr, "\n");
    done = use_results (run, argv[2], &error);
  }
  if (!done)
    fprintf (stderr, "example: %s\n", fovea_error_message (error));
  fovea_error_free (error);
  fovea_run_free (run);
  fovea_recipe_free (recipe);
  fovea_image_free (image);
  fovea_context_free (context);
  return done ? 0 : 1;
}
