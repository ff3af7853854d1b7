/* SPDX-License-Identifier: MIT
 *
 * The files of an input in a folder. Those that the input before had, too, stay where they are: of a set mostly one file changes, and making files and
 * folders takes longer than reading them.
 */
#ifndef TESTS_FUZZ_TREE_H
#define TESTS_FUZZ_TREE_H

#include <glib.h>

/* Names below fuzz_folder() -> GBytes, from now on the only files there, as far as they can be. */
void fuzz_tree_set (GHashTable *files);

#endif
