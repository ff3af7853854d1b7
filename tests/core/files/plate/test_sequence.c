/* SPDX-License-Identifier: MIT
 *
 * Names as microscopes and people write them, and the pattern that a person would type for them.
 */
#include "core/files/plate/sequence.h"
#include "tests/support/init.h"

#include <string.h>

enum { MOST = 12 };

typedef struct {
  const char *names[MOST]; /* in no order */
  const char *pattern;     /* by the parts of names; NULL: there is none */
  guint alike;
  gboolean is_sequence;
  gboolean is_stack; /* is the first guess */
} Case;

static const Case cases[] = {
  {{"img10.tif", "img2.tif", "img1.tif"}, "img{z}.tif", 3, TRUE, TRUE},
  {{"001.png", "002.png", "003.png"}, "{z}.png", 3, TRUE, TRUE},
  {{"time_1.tif", "time_2.tif", "time_3.tif"}, "time_{t}.tif", 3, TRUE, TRUE},
  {{"a_t001_z01.tif", "a_t001_z02.tif", "a_t002_z01.tif", "a_t002_z02.tif"}, "a_t{t}_z{z}.tif", 4, TRUE, FALSE},
  {{"T1Z1.tif", "T1Z2.tif", "T2Z1.tif", "T2Z2.tif"}, "T{t}Z{z}.tif", 4, TRUE, FALSE},
  {{"x-1-1.tif", "x-1-2.tif", "x-2-1.tif", "x-2-2.tif"}, "x-{t}-{z}.tif", 4, TRUE, FALSE},
  {{"e_DAPI_1.tif", "e_Cy5_1.tif", "e_DAPI_2.tif", "e_Cy5_2.tif"}, "e_{channel}_{z}.tif", 4, TRUE, FALSE},
  {{"p_A01_s1_w1.TIF", "p_A01_s1_w2.TIF", "p_B12_s1_w1.TIF", "p_B12_s2_w1.TIF"},
   "p_{well}_s{field}_w{channel}.TIF",
   4,
   TRUE,
   FALSE},
  {{"B02_f1.tif", "B03_f1.tif", "B04_f2.tif"}, "{well}_f{field}.tif", 3, TRUE, FALSE},
  {{"r01c01f01p01-ch1sk1fk1.tiff", "r01c02f01p01-ch2sk1fk1.tiff", "r02c01f02p02-ch1sk2fk1.tiff"},
   "r{row}c{column}f{field}p{z}-ch{channel}sk{t}fk1.tiff",
   3,
   TRUE,
   FALSE},
  {{"t1/1.tif", "t1/2.tif", "t2/1.tif", "t2/2.tif"}, "t{t}/{z}.tif", 4, TRUE, FALSE},
  {{"s_1_x7.tif", "s_2_x9.tif", "s_3_x4.tif"}, "s_{field}_x{_}.tif", 3, TRUE, FALSE},
  {{"i_1_20250101.tif", "i_2_20250102.tif", "i_3_20250201.tif"}, "i_{z}_{_}.tif", 3, TRUE, FALSE},
  {{"1_ann.tif", "2_bob.tif", "3_eve.tif"}, "{z}_{_}.tif", 3, TRUE, FALSE},
  /* One of others in ten does not matter, but numbers are then nothing else. */
  {{"i_1.tif", "i_2.tif", "i_3.tif", "i_4.tif", "i_5.tif", "i_6.tif", "i_7.tif", "i_8.tif", "i_9.tif", "i_mean.tif"},
   "i_{z=#}.tif",
   9,
   TRUE,
   TRUE},
  {{"a1.tif", "a2.tif", "a3.tif", "z.tif"}, "a{z}.tif", 3, FALSE, TRUE},
  {{"1.tif", "2.tif"}, "{z}.tif", 2, FALSE, TRUE},
  {{"cat.tif", "dog.tif", "cow.tif"}, "{channel}.tif", 3, FALSE, FALSE},
  {{"a{1}.tif", "a{2}.tif", "a{3}.tif"}, NULL, 0, FALSE, FALSE},
  {{"one.tif"}, NULL, 1, FALSE, FALSE},
  {{NULL}, NULL, 0, FALSE, FALSE},
};

static GPtrArray *
list_of (const char *const *names)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  for (; *names; names++)
    g_ptr_array_add (list, g_strdup (*names));
  return list;
}

static void
test_parts (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (GPtrArray) list = list_of (c->names);
  g_autoptr (PlateNames) names = plate_sequence_names (list);
  PlateSequence sequence = plate_sequence_guess (names);
  g_autoptr (GError) error = NULL;
  g_assert_cmpuint (names->alike->len, ==, c->alike);
  g_assert_cmpint (plate_names_are_sequence (names, list), ==, c->is_sequence);
  g_assert_cmpint (sequence.as == PLATE_AS_STACK, ==, c->is_stack);
  sequence.as = PLATE_AS_PARTS;
  g_autofree char *path = plate_sequence_path (&sequence, "f", list, names, &error),
                  *wanted = c->pattern ? g_strconcat ("f/", c->pattern, NULL) : NULL;
  g_assert_cmpstr (path, ==, wanted);
  g_assert_true (path ? !error : error != NULL);
}

typedef struct {
  const char *filter;
  int first, count, step;
  const char *pattern; /* NULL: an error */
} StackCase;

static const StackCase stacks[] = {
  {"", 1, 0, 1, "{z}.tif"},
  {"", 1, 6, 1, "{z}.tif"},
  {"", 2, 0, 1, "{z:2-end}.tif"},
  {"", 1, 3, 1, "{z:1-3}.tif"},
  {"", 1, 0, 2, "{z:1-end-2}.tif"},
  {"", 2, 2, 3, "{z:2-5-3}.tif"},
  {"", 2, 9, 3, "{z:2-end-3}.tif"},
  {"DAPI", 1, 0, 1, "{z=*DAPI*}.tif"},
  {"a_*_1?", 1, 2, 1, "{z:1-2=a_*_1?}.tif"},
  {"", 7, 0, 1, NULL},
  {"none", 1, 0, 1, NULL},
  {"a:b", 1, 0, 1, NULL},
};

static void
test_stack (gconstpointer data)
{
  static const char *const files[] = {"a_DAPI_1.tif", "a_DAPI_10.tif", "a_DAPI_11.tif", "a_GFP_1.tif",
                                      "a_GFP_10.tif", "b.tif",         "c.png",         NULL};
  const StackCase *c = data;
  g_autoptr (GPtrArray) list = list_of (files), left = NULL;
  g_autoptr (GError) error = NULL;
  PlateSequence sequence = {.as = PLATE_AS_STACK, .first = c->first, .count = c->count, .step = c->step};
  g_strlcpy (sequence.names, c->filter, sizeof sequence.names);
  left = plate_sequence_filter (&sequence, list);
  g_autoptr (PlateNames) names = plate_sequence_names (left);
  g_autofree char *path = plate_sequence_path (&sequence, "/f", left, names, &error),
                  *wanted = c->pattern ? g_strconcat ("/f/", c->pattern, NULL) : NULL;
  g_assert_cmpstr (path, ==, wanted);
  g_assert_true (path ? !error : error != NULL);
}

int
main (int argc, char *argv[])
{
  init_tests (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *name = g_strdup_printf ("/sequence/parts/%u", i);
    g_test_add_data_func (name, &cases[i], test_parts);
  }
  for (guint i = 0; i < G_N_ELEMENTS (stacks); i++) {
    g_autofree char *name = g_strdup_printf ("/sequence/stack/%u", i);
    g_test_add_data_func (name, &stacks[i], test_stack);
  }
  return g_test_run ();
}
