/* SPDX-License-Identifier: MIT
 *
 * The header of a FITS image: cards of 80 characters, "KEYWORD = value / comment", as the FITS standard 4.0 has them. Where a keyword
 * stands twice the first one counts.
 */
#ifndef CORE_FILES_FITS_CARDS_H
#define CORE_FILES_FITS_CARDS_H

#include <glib.h>

enum { FILES_FITS_CARD = 80, FILES_FITS_BLOCK = 2880 };

/* Cards one behind the other, without END, and a NUL. The following return FALSE or NULL if the card is missing, or its value is of another kind.
 * name: "NAXIS"; number: 1 for "NAXIS1", 0 for none. */
gboolean files_fits_integer (const char *cards, const char *name, guint number, gint64 *value);
gboolean files_fits_number (const char *cards, const char *name, guint number, double *value);
gboolean files_fits_is_true (const char *cards, const char *name);
/* Without quotes and the spaces at its end, never empty. Free with g_free(). */
char *files_fits_text (const char *cards, const char *name, guint number);

/* Appends a card. value: its literal text. */
void files_fits_add (GString *cards, const char *name, guint number, const char *value, const char *comment);
void files_fits_add_integer (GString *cards, const char *name, guint number, gint64 value, const char *comment);
void files_fits_add_number (GString *cards, const char *name, guint number, double value, const char *comment);
void files_fits_add_text (GString *cards, const char *name, guint number, const char *value, const char *comment);
/* Appends the cards of another header, but for those that say how pixels are stored, what Fovea made it by and, if `sizes` is FALSE, how large
 * they are. */
void files_fits_add_others (GString *cards, const char *from, gboolean sizes);
/* Appends what made the image, as HISTORY; and what such cards say, NULL: there are none, free with g_free(). They begin with "Fovea", and
 * go on in cards that begin with two spaces. */
void files_fits_add_makers (GString *cards, const char *made_by);
char *files_fits_makers (const char *cards);
/* A line for each card, without the spaces at its end. Free with g_free(). */
char *files_fits_lines (const char *cards);

#endif
