/* SPDX-License-Identifier: MIT
 *
 * One opened image in the window: canvas, selections, steps, form, display and results, around one view.
 */
#ifndef UI_SHELL_PAGE_H
#define UI_SHELL_PAGE_H

#include "ui/canvas/canvas.h"
#include "ui/results/measurements.h"

#define PAGE_TYPE (page_get_type ())
/* Signals: "status" when what page_status() says has changed; "failed" (text) for what the user should know. */
G_DECLARE_FINAL_TYPE (Page, page, FOVEA, PAGE, GtkBox)

GtkWidget *page_new (Modules *modules, Document *document);
View *page_view (const Page *page);
Canvas *page_canvas (const Page *page);
Selections *page_selections (const Page *page);
Measurements *page_measurements (const Page *page);
/* What the page is made of, which may be hidden: the image; the list of steps, the form of the chosen one, the list of selections, the bar of the table in front. */
typedef enum { PAGE_WHOLE, PAGE_IMAGE, PAGE_STEPS, PAGE_FORM, PAGE_SELECTIONS, PAGE_BAR } PagePart;
GtkWidget *page_part (const Page *page, PagePart part);
/* Whether the image is shown without panels (tools, tables and steps). The functions below that show one of them
 * show all again. So does the action win.panels, and the key Tab on the image. */
void page_set_alone (Page *page, gboolean alone);
/* Of the pointer on the image; that which edits objects has a bar over it. */
void page_set_tool (Page *page, Tool tool);
/* The list of selections comes to the front. */
void page_show_selections (Page *page);
/* The same, with the focus in the name of the chosen one. */
void page_rename_selection (Page *page);
/* The table of the results comes to the front, with the row of the picked object. */
void page_show_results (Page *page);
/* The focus goes to the histogram and what stands below it. */
void page_show_display (Page *page);
/* Shows the line profile below the image, or puts it away. */
void page_toggle_profile (Page *page);
/* The focus goes to the next pane (by 1) or the one before (-1): image, tabs beside it, and what is
 * below them; tables, the bar below them, tools. FALSE, with no change, after the last. */
gboolean page_next_pane (Page *page, int by);
/* The page was hidden for a while: it frees what it needs only for display (pictures, tiles, rows of tables) and
 * makes them again when shown. */
void page_rest (Page *page, gboolean resting);
/* Work by hand that is not in a file: whether the steps are, and how many selections and rows of measurements. */
typedef struct PageUnsaved {
  gboolean steps;
  guint selections, measurements;
} PageUnsaved;
/* FALSE: closing the page loses nothing. */
gboolean page_unsaved (const Page *page, PageUnsaved *unsaved);
/* Whether the newest results are shown. */
gboolean page_settled (const Page *page);
/* Position, calibrated position and value under the pointer; then magnification, selection, time and device. Free with g_free(). */
char *page_status (const Page *page);

#endif
