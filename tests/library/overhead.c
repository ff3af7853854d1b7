/* SPDX-License-Identifier: MIT
 *
 * 1000 small images through one process with one recipe: what an image costs, pixels in and table out, and what of that its steps
 * take by their own clock. Prints one line for pixels that are lent and one for pixels that are copied; each the best of five rounds.
 * Arguments: side of an image, steps (both may be left out).
 */
#include "library/fovea.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { IMAGES = 1000, ROUNDS = 5, ALIGNMENT = 64 };

typedef struct {
  double all, steps; /* ms, of one image */
} Cost;

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

/* Disks on a grid, a little different in each image. */
static void
draw (uint16_t *pixels, int64_t side, int n)
{
  for (int64_t i = 0; i < side * side; i++) {
    int64_t y = i / side % 16 - 8, x = (i + n) % side % 16 - 8;
    pixels[i] = (uint16_t) (x * x + y * y < 20 ? 1000 + n : 100);
  }
}

static void
check (int good, const fovea_error *error)
{
  if (!good) {
    fprintf (stderr, "%s\n", fovea_error_message (error));
    exit (1);
  }
}

static double
run_one (fovea_context *context, const fovea_recipe *recipe, DLManagedTensor *pixels, int lends)
{
  fovea_error *error = NULL;
  fovea_image *image = lends ? fovea_image_borrow_dlpack (context, pixels, NULL, &error)
                             : fovea_image_from_dlpack (context, &pixels->dl_tensor, NULL, &error);
  fovea_run *run = image ? fovea_run_new (recipe, image, FOVEA_KEEP_NAMED, &error) : NULL;
  check (run && fovea_run_execute (run, "cpu", NULL, NULL, &error) == FOVEA_OK, error);
  fovea_table *table = fovea_run_table (run, NULL, &error);
  check (table && fovea_table_rows (table) > 0, error);
  double ms = fovea_run_ms (run);
  fovea_table_free (table);
  fovea_run_free (run);
  fovea_image_free (image);
  return ms;
}

static Cost
run_all (fovea_context *context, const fovea_recipe *recipe, int64_t side, int lends)
{
  int64_t shape[] = {side, side};
  size_t bytes = (size_t) (side * side) * sizeof (uint16_t);
  uint16_t *pixels = aligned_alloc (ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  DLManagedTensor tensor = {.dl_tensor = {pixels, {kDLCPU, 0}, 2, {kDLUInt, 16, 1}, shape, NULL, 0}};
  Cost cost = {0};
  for (int n = 0; n < IMAGES; n++) {
    draw (pixels, side, n);
    double start = now ();
    cost.steps += run_one (context, recipe, &tensor, lends) / IMAGES;
    cost.all += (now () - start) / IMAGES;
  }
  free (pixels);
  return cost;
}

static void
print_best (fovea_context *context, const fovea_recipe *recipe, int64_t side, int lends)
{
  Cost best = {0};
  for (int round = 0; round < ROUNDS; round++) {
    Cost cost = run_all (context, recipe, side, lends);
    if (!round || cost.all < best.all)
      best = cost;
  }
  printf ("%d images of %lld², %s: %.3f ms each, of which its steps take %.3f ms: %.3f ms (%.1f %%) more\n", IMAGES,
          (long long) side, lends ? "lent" : "copied", best.all, best.steps, best.all - best.steps,
          100 * (best.all / best.steps - 1));
}

int
main (int argc, char **argv)
{
  int64_t side = argc > 1 ? atoll (argv[1]) : 64;
  const char *steps = argc > 2 ? argv[2] : "gaussian sigma=2 | otsu | label | regionprops";
  fovea_error *error = NULL;
  fovea_context *context = fovea_context_new (FOVEA_NO_PLUGINS, &error);
  fovea_recipe *recipe = context ? fovea_recipe_parse (context, steps, &error) : NULL;
  check (recipe != NULL, error);
  print_best (context, recipe, side, 1);
  print_best (context, recipe, side, 0);
  fovea_recipe_free (recipe);
  fovea_context_free (context);
  return 0;
}
