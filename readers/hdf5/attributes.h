/* SPDX-License-Identifier: MIT
 *
 * Attributes of HDF5 objects, which hold text or a few numbers. An attribute that is not there, or of another kind, is NULL or 0.
 */
#ifndef READERS_HDF5_ATTRIBUTES_H
#define READERS_HDF5_ATTRIBUTES_H

#include <glib.h>
#include <hdf5.h>

/* As Imaris has it, an array of single characters, too. Free with g_free(). */
char *hdf5_attribute_text (hid_t object, const char *name);
/* A list of texts. Free with g_strfreev(). */
char **hdf5_attribute_texts (hid_t object, const char *name);
/* At most `most` numbers, also those of a text that blanks separate; how many there are. */
guint hdf5_attribute_numbers (hid_t object, const char *name, double *to, guint most);
/* Exactly one, or `otherwise`. */
double hdf5_attribute_number (hid_t object, const char *name, double otherwise);

#endif
