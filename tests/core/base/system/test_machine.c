/* SPDX-License-Identifier: MIT
 *
 * GPUs as NVIDIA's driver lists them, and vector instructions as Linux does.
 */
#include "core/base/system/machine.h"
#include "tests/support/init.h"

#include <glib/gstdio.h>
#include <string.h>

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *within = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;
  g_assert_cmpint (g_mkdir_with_parents (within, 0700), ==, 0);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static void
expect_gpus (const char *folder, const char *expected)
{
  g_auto (GStrv) gpus = machine_gpus (folder);
  g_autofree char *all = g_strjoinv ("; ", gpus);
  g_assert_cmpstr (all, ==, expected);
}

static void
test_gpus (void)
{
  g_autofree char *folder = g_dir_make_tmp ("fovea-machine-XXXXXX", NULL);
  expect_gpus ("/no/such/folder", "");
  expect_gpus (folder, "");
  write_file (folder, "gpus/0000:81:00.0/information", "Model: \t\t NVIDIA H200\nIRQ:   \t\t 141\n");
  write_file (folder, "gpus/0000:41:00.0/information", "Model: \t\t NVIDIA A100-SXM4-40GB\nIRQ:   \t\t 140\n");
  write_file (folder, "gpus/0000:99:00.0/information", "IRQ: 1\n");
  expect_gpus (folder, "NVIDIA A100-SXM4-40GB; NVIDIA H200");
  write_file (
    folder, "version",
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023\nGCC version:  gcc\n");
  expect_gpus (folder, "NVIDIA A100-SXM4-40GB, driver 535.104.05; NVIDIA H200, driver 535.104.05");
  write_file (folder, "version", "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build\n");
  expect_gpus (folder, "NVIDIA A100-SXM4-40GB, driver 570.86.15; NVIDIA H200, driver 570.86.15");
  const char *rm[] = {"rm", "-r", folder, NULL};
  g_assert_true (g_spawn_sync (NULL, (char **) rm, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
}

static void
test_vectors (void)
{
  static const char *const names[][2] = {{"avx2", "AVX2"}, {"fma", "FMA"}, {"avx512f", "AVX-512"}};
  g_autofree char *vectors = machine_vectors (), *about = NULL;
  g_auto (GStrv) found = g_strsplit (vectors, ", ", -1);
  if (!g_file_get_contents ("/proc/cpuinfo", &about, NULL, NULL) || !strstr (about, "\nflags")) {
    g_test_skip ("/proc/cpuinfo has no flags here");
    return;
  }
  g_auto (GStrv) lines = g_strsplit (strstr (about, "\nflags") + 1, "\n", 2), flags = g_strsplit (lines[0], " ", -1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpint (g_strv_contains ((const char *const *) found, names[i][1]), ==,
                     g_strv_contains ((const char *const *) flags, names[i][0]));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/machine/gpus", test_gpus);
  g_test_add_func ("/machine/vectors", test_vectors);
  return g_test_run ();
}
