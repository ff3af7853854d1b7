/* SPDX-License-Identifier: MIT
 *
 * Outer outlines by hand, as scikit-image's find_boundaries (mode="outer") has them: the background beside objects, and of objects that touch, at a
 * corner too, both sides. Labels are 1 and 2, the smallest that exist.
 */
#include "tests/support/support.h"

#include <string.h>

typedef struct {
  const char *labels, *edges; /* rows after each other */
  int rows, columns;
} Drawing;

static const Drawing drawings[] = {{"222222111111", "...######...", 4, 3},
                                   {"111111222222", "...######...", 4, 3},
                                   {"221122112211", ".##..##..##.", 3, 4},
                                   {"112211221122", ".##..##..##.", 3, 4},
                                   {"220220001", "..#.#####", 3, 3},
                                   {"110110002", "..#.#####", 3, 3},
                                   {"022022100", "#..##.###", 3, 3},
                                   {"011011200", "#..##.###", 3, 3},
                                   {"100022022",
                                    "###"
                                    "##."
                                    "#..",
                                    3, 3},
                                   {"000010000", ".#.#.#.#.", 3, 3},
                                   {"222221222", "..#.##..#", 3, 3},
                                   {"111112111", "..#.##..#", 3, 3}};

static void
test_outer (Device *device)
{
  for (guint i = 0; i < G_N_ELEMENTS (drawings); i++) {
    const Drawing *d = &drawings[i];
    double values[16];
    CallResult result;
    g_autoptr (GError) error = NULL;
    for (int k = 0; k < d->rows * d->columns; k++)
      values[k] = d->labels[k] - '0';
    g_autoptr (Image) labels = image_of_planes (FV_I32, FV_LABELS, 1, 1, d->rows, d->columns, values);
    run_step ("label2rgb mode=outlines boundary=outer", labels, NULL, device, &result, &error);
    g_assert_no_error (error);
    g_assert_true (image_on_host (result.images[0], NULL, &error));
    for (int k = 0; k < d->rows * d->columns; k++) {
      double sum = 0;
      for (int c = 0; c < 3; c++)
        sum += image_value (result.images[0], c, k / d->columns, k % d->columns);
      if ((sum > 0) != (d->edges[k] == '#'))
        g_error ("drawing %u, row %d, column %d", i, k / d->columns, k % d->columns);
    }
    call_result_clear (&result);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/label2rgb/outer", test_outer);
  return g_test_run ();
}
