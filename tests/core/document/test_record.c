/* SPDX-License-Identifier: MIT
 *
 * What a document does becomes lines, and these a command.
 */
#include "core/document/record.h"
#include "tests/support/support.h"

#include <string.h>

static void
check (Record *r, const char *text)
{
  g_autofree char *all = record_text (r);
  g_assert_cmpstr (all, ==, text);
  record_free (r);
}

static int a, b; /* ids */

static void
open_file (Record *r, gconstpointer id, const char *path)
{
  g_autofree char *name = g_filename_display_basename (path);
  record_opened (r, id, path, &(ImageInfo){.name = name});
}

static void
note_steps (Record *r, gconstpointer id, DocumentChange change, const char *steps)
{
  g_autoptr (Recipe) recipe = *steps ? recipe_parse (test_modules (), steps, NULL) : recipe_new ();
  record_steps (r, id, change, recipe);
}

static void
check_final (const Record *r, const char *steps)
{
  g_autofree char *text = recipe_format (record_final (r));
  g_assert_cmpstr (text, ==, steps);
}

/* One line for a drag, another for the next one. */
static void
test_gesture (void)
{
  Record *r = record_new (test_modules ());
  open_file (r, &a, "/tmp/a b.tif");
  g_assert_null (record_final (r));
  note_steps (r, &a, DOCUMENT_CHANGED, "gaussian");
  note_steps (r, &a, DOCUMENT_CHANGED, "gaussian sigma=3");
  for (int i = 4; i < 100; i++) {
    g_autofree char *steps = g_strdup_printf ("gaussian sigma=%d", i);
    note_steps (r, &a, DOCUMENT_MERGED, steps);
  }
  note_steps (r, &a, DOCUMENT_CHANGED, "gaussian sigma=99 | otsu");
  note_steps (r, &a, DOCUMENT_UNDONE, "gaussian sigma=99");
  check_final (r, "gaussian sigma=99");
  note_steps (r, &a, DOCUMENT_REDONE, "gaussian sigma=99 | otsu");
  record_saved (r, &a, "save", "/tmp/x.tif", "");
  note_steps (r, &a, DOCUMENT_MERGED, "gaussian sigma=98 | otsu"); /* what was saved stays true */
  note_steps (r, &a, DOCUMENT_CHANGED, "");
  check (r,
         "open(\"/tmp/a b.tif\");\nrun(\"Gaussian Blur...\");\nrun(\"Change Step...\", \"step=1 sigma=99\");\n"
         "run(\"Otsu Threshold\");\nrun(\"Set Steps...\", \"steps=[gaussian sigma=99]\");\nrun(\"Otsu Threshold\");\n"
         "saveAs(\"Tiff\", \"/tmp/x.tif\");\nrun(\"Change Step...\", \"step=1 sigma=98\");\n"
         "run(\"Set Steps...\", \"steps=[]\");\n");
}

static void
test_images (void)
{
  Record *r = record_new (test_modules ());
  open_file (r, &a, "/tmp/a.tif");
  open_file (r, &b, "/tmp/b.tif");
  note_steps (r, &b, DOCUMENT_CHANGED, "otsu");
  note_steps (r, &a, DOCUMENT_CHANGED, "label");
  note_steps (r, &b, DOCUMENT_MERGED, "otsu bins=9"); /* another line lies between */
  record_device (r, "cpu");
  record_device (r, "cpu");
  record_closed (r, &b);
  check (r, "open(\"/tmp/a.tif\");\nimage1 = getImageID();\nopen(\"/tmp/b.tif\");\nimage2 = getImageID();\n"
            "run(\"Otsu Threshold\");\nselectImage(image1);\nrun(\"Label Objects...\");\nselectImage(image2);\n"
            "run(\"Change Step...\", \"step=1 bins=9\");\nrun(\"Set Device...\", \"device=cpu\");\nclose();\n");
}

/* A figure is a line and a command of its own; with steps that are gone it goes from the latter. */
static void
test_figure (void)
{
  Record *r = record_new (test_modules ());
  g_autofree char *command = NULL;
  open_file (r, &a, "/tmp/a.tif");
  record_saved (r, &a, "figure", "/tmp/an a.pdf", "width=85 unit=mm \"text=a b\"");
  command = record_command (r);
  g_assert_cmpstr (command, ==, "fovea figure '/tmp/a.tif' '/tmp/an a.pdf' 'width=85' 'unit=mm' 'text=a b'");
  note_steps (r, &a, DOCUMENT_CHANGED, "otsu");
  record_saved (r, &a, "figure", "/tmp/b.png", "");
  g_free (command);
  command = record_command (r);
  g_assert_cmpstr (command, ==, "fovea run 'otsu' '/tmp/a.tif'\nfovea figure '/tmp/a.tif' '/tmp/b.png' -s 'otsu'");
  check (r, "open(\"/tmp/a.tif\");\nrun(\"Export Figure...\", \"path=[/tmp/an a.pdf] width=85 unit=mm text=[a b]\");\n"
            "run(\"Otsu Threshold\");\nrun(\"Export Figure...\", \"path=/tmp/b.png\");\n");
}

static void
test_command (void)
{
  Record *r = record_new (test_modules ());
  g_autofree char *command = NULL;
  g_assert_null (record_command (r));
  open_file (r, &a, "/tmp/it's a.tif");
  open_file (r, &b, "/tmp/b.tif");
  g_assert_null (record_command (r));
  note_steps (r, &a, DOCUMENT_CHANGED, "otsu");
  record_saved (r, &a, "save", "/tmp/old.tif", "");
  note_steps (r, &a, DOCUMENT_CHANGED, "otsu | label as=\"it's x\"");
  record_saved (r, &a, "save", "/tmp/x.tif", " --tile 256");
  record_saved (r, &a, "save-earlier", "/tmp/mask.tif", "");
  record_saved (r, &a, "export", "/tmp/x y.csv", "");
  record_closed (r, &a);
  note_steps (r, &b, DOCUMENT_CHANGED, "gaussian");
  record_device (r, "cpu");
  command = record_command (r);
  g_assert_cmpstr (command, ==,
                   "fovea run 'otsu | label as=\"it'\\''s x\"' '/tmp/it'\\''s a.tif' -o '/tmp/x.tif' -t '/tmp/x y.csv' "
                   "--tile 256 -d cpu\nfovea run 'gaussian' '/tmp/b.tif' -d cpu");
  record_clear (r);
  g_assert_null (record_command (r));
  g_assert_null (record_final (r));
  note_steps (r, &b, DOCUMENT_MERGED, "gaussian sigma=7");
  check_final (r, "gaussian sigma=7");
  check (r, "selectWindow(\"b.tif\");\nrun(\"Change Step...\", \"step=1 sigma=7\");\n");
}

/* What could not be measured is not measured by the record. */
static void
test_vain (void)
{
  Record *r = record_new (test_modules ());
  open_file (r, &a, "/tmp/a.tif");
  record_measured (r, &a, 0, TRUE, 1);
  record_measured (r, &a, 0, FALSE, 2);
  note_steps (r, &a, DOCUMENT_CHANGED, "otsu");
  record_measured (r, &a, 1, FALSE, 3);
  record_vain (r, &a, 1);
  record_vain (r, &b, 2);
  record_vain (r, &a, 3);
  note_steps (r, &a, DOCUMENT_MERGED, "otsu bins=9");
  check (r, "open(\"/tmp/a.tif\");\nrun(\"Measure\");\nrun(\"Otsu Threshold\");\nrun(\"Change Step...\", \"step=1 "
            "bins=9\");\n");
}

/* One of several images in a file, and one of no file, which has to be there. */
static void
test_which (void)
{
  Record *r = record_new (test_modules ());
  g_autofree char *command = NULL;
  record_opened (r, &a, "/tmp/a.tif", &(ImageInfo){.name = (char *) "a.tif #3", .number = 2});
  note_steps (r, &a, DOCUMENT_CHANGED, "otsu");
  record_opened (r, &b, NULL, &(ImageInfo){.name = (char *) "drawn"});
  note_steps (r, &b, DOCUMENT_CHANGED, "label");
  command = record_command (r);
  g_assert_cmpstr (command, ==, "fovea run 'otsu' '/tmp/a.tif' --series 2");
  record_clear (r);
  note_steps (r, &a, DOCUMENT_CHANGED, "");
  g_assert_cmpstr (record_line (r, 0), ==, "selectWindow(\"a.tif #3\");");
  record_free (r);
  r = record_new (test_modules ());
  record_opened (r, &a, NULL, image_info (run_nothing ()));
  note_steps (r, &a, DOCUMENT_CHANGED, "smooth_field width=9 height=9");
  check (r, "newImage();\nrun(\"Random Smooth Field...\", \"width=9 height=9\");\n");
  r = record_new (test_modules ());
  record_opened (r, &a, NULL, image_info (run_nothing ()));
  note_steps (r, &a, DOCUMENT_CHANGED, "smooth_field width=9 height=9");
  g_free (command);
  command = record_command (r);
  g_assert_cmpstr (command, ==, "fovea run 'smooth_field width=9 height=9'");
  record_free (r);
  r = record_new (test_modules ());
  record_opened (r, &a, "/tmp/a.tif", &(ImageInfo){.name = (char *) "a.tif #3", .number = 2});
  record_opened (r, &b, NULL, &(ImageInfo){.name = (char *) "drawn"});
  check (r, "open(\"/tmp/a.tif\", 3);\nimage1 = getImageID();\nselectWindow(\"drawn\");\nimage2 = getImageID();\n");
}

/* A table that is not written plainly says how, and the command that cannot do so says nothing of it. */
static void
test_tables (void)
{
  Record *r = record_new (test_modules ());
  g_autofree char *command = NULL;
  open_file (r, &a, "/tmp/a.tif");
  note_steps (r, &a, DOCUMENT_CHANGED, "regionprops");
  record_saved (r, &a, "export", "/tmp/x y.csv", "separator=semicolon keep=[area 10 inf]");
  record_saved (r, &a, "export-measured", "/tmp/m.csv", "names=imagej");
  record_saved (r, &a, "export-measured", "/tmp/m.csv", "");
  command = record_command (r);
  g_assert_cmpstr (command, ==, "fovea run 'regionprops' '/tmp/a.tif'");
  check (r, "open(\"/tmp/a.tif\");\nrun(\"Measure Objects...\");\n"
            "run(\"Save Results...\", \"path=[/tmp/x y.csv] separator=semicolon keep=[area 10 inf]\");\n"
            "run(\"Save Results...\", \"path=/tmp/m.csv table=measurements names=imagej\");\n"
            "saveAs(\"Measurements\", \"/tmp/m.csv\");\n");
}

/* Each kind as saveAs() calls it. */
static void
test_kinds (void)
{
  Record *r = record_new (test_modules ());
  open_file (r, &a, "/tmp/a.tif");
  for (const char *const *path =
         (const char *const[]){"/x.TIFF", "/x.fits", "/x.Fit", "/x.png", "/x.jpg", "/x.JPEG", "/x.geojson", NULL};
       *path; path++)
    record_saved (r, &a, "save", *path, "");
  check (r, "open(\"/tmp/a.tif\");\nsaveAs(\"Tiff\", \"/x.TIFF\");\nsaveAs(\"FITS\", \"/x.fits\");\nsaveAs(\"FITS\", "
            "\"/x.Fit\");\n"
            "saveAs(\"PNG\", \"/x.png\");\nsaveAs(\"Jpeg\", \"/x.jpg\");\nsaveAs(\"Jpeg\", \"/x.JPEG\");\n"
            "run(\"Save...\", \"path=/x.geojson\");\n");
}

/* One line for a drag of the limits; what has not changed is not said. */
static void
test_look (void)
{
  Record *r = record_new (test_modules ());
  const ViewChannel usual = LOOK_USUAL;
  ViewChannel before = usual, now = usual;
  open_file (r, &a, "/tmp/a.tif");
  now.automatic = FALSE;
  for (int high = 1; high < 100; high++) {
    now.high = high;
    record_look (r, &a, &before, &now);
    before = now;
  }
  now.stretch = STRETCH_LOG;
  record_look (r, &a, &before, &now);
  before = now;
  now.a = 0.1;
  record_look (r, &a, &before, &now);
  before = now;
  now.low = -2.5;
  now.gamma = 0.5;
  record_look (r, &a, &before, &now);
  before = now;
  strcpy (now.lut, "fire");
  record_look (r, &a, &before, &now);
  record_look (r, &a, &now, &usual);
  check (r, "open(\"/tmp/a.tif\");\nsetMinAndMax(0, 99);\nsetStretch(\"log\", 0.1);\nsetMinAndMax(-2.5, 99);\n"
            "setStretch(\"log\", 0.1, 0.5);\nrun(\"Fire\");\nresetMinAndMax();\nsetStretch(\"linear\");\n"
            "run(\"LUT... \", \"open=default\");\n");
}

/* A path that is not UTF-8 can be shown, and a shell makes the same bytes of it again. */
static void
test_bytes (void)
{
  const char *path = "/tmp/it's \\ a\xff"
                     "4\xc3\xa4.tif";
  Record *r = record_new (test_modules ());
  g_autofree char *command = NULL, *line = NULL, *out = NULL;
  char *bash[] = {(char *) "bash", (char *) "-c", NULL, NULL};
  open_file (r, &a, path);
  note_steps (r, &a, DOCUMENT_CHANGED, "otsu");
  command = record_command (r);
  g_assert_true (g_utf8_validate (command, -1, NULL));
  g_assert_true (g_utf8_validate (record_line (r, 0), -1, NULL));
  line = g_strconcat ("fovea() { printf %s \"$3\"; }; ", command, NULL);
  bash[2] = line;
  if (g_spawn_sync (NULL, bash, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL, NULL))
    g_assert_cmpstr (out, ==, path);
  else
    g_test_skip ("bash is not installed");
  record_free (r);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/record/gesture", test_gesture);
  g_test_add_func ("/record/images", test_images);
  g_test_add_func ("/record/command", test_command);
  g_test_add_func ("/record/figure", test_figure);
  g_test_add_func ("/record/vain", test_vain);
  g_test_add_func ("/record/which", test_which);
  g_test_add_func ("/record/tables", test_tables);
  g_test_add_func ("/record/kinds", test_kinds);
  g_test_add_func ("/record/look", test_look);
  g_test_add_func ("/record/bytes", test_bytes);
  return g_test_run ();
}
