/* SPDX-License-Identifier: MIT
 *
 * What can be tried: a picture for each recipe that names a sample, and what it answers.
 */
#ifndef UI_APP_SAMPLE_CARDS_H
#define UI_APP_SAMPLE_CARDS_H

#include <gtk/gtk.h>

/* Its buttons open the sample with the recipe. */
GtkWidget *sample_cards_new (void);

#endif
