/* SPDX-License-Identifier: MIT
 *
 * Files that come with Fovea: those of the surrounding build tree, otherwise the installed ones.
 */
#ifndef UI_WIDGETS_SHIPPED_H
#define UI_WIDGETS_SHIPPED_H

/* The folder of the data of a name, such as "samples". Free with g_free(). */
char *shipped_data (const char *name);
/* The folder of the manual, which need not exist. Free with g_free(). */
char *shipped_manual (void);
/* The folder with the languages of the app. Free with g_free(). */
char *shipped_translations (void);

#endif
