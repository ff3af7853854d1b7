/* SPDX-License-Identifier: MIT
 *
 * How a document is looked at: which step, channel, slice and frame, and how its pixels become colors. Widgets change it and
 * listen to it; none knows another.
 */
#ifndef UI_VIEW_VIEW_H
#define UI_VIEW_VIEW_H

#include "core/data/plane.h"
#include "core/document/document.h"
#include "core/view/look.h"

#define VIEW_TYPE (view_get_type ())
/* Signals: "index" when another step is shown; "look" when display settings change; "image" when the shown image changes (after a run, or another
 * step). "object" when the selected objects change; "provisional" when view_provisional() changes; "others" when view_others() change. */
G_DECLARE_FINAL_TYPE (View, view, FOVEA, VIEW, GObject)

View *view_new (Document *document);
Document *view_document (const View *view);

/* The step whose image is shown; -1: the source. New steps are looked at when they are added. */
int view_index (const View *view);
void view_set_index (View *view, int index);
/* The image shown; never NULL. */
Image *view_image (const View *view);
/* What the step that is looked at made: the image shown, or the mask over it. */
Image *view_result (const View *view);
/* A threshold is seen on the image that it is of: the mask that it made, which is colored over the image shown; else NULL. */
Image *view_mask (const View *view);
/* How thresholds are seen: on the image that they are of, red where they take it, or blue below and green above that, as in ImageJ; or as
 * masks. */
typedef enum ViewThreshold { VIEW_RED, VIEW_OVER_UNDER, VIEW_MASK } ViewThreshold;
ViewThreshold view_threshold (const View *view);
void view_set_threshold (View *view, ViewThreshold threshold);
/* Above which value that step, as it is now or was run, takes nothing of the plane that is looked at; infinite: there is none. */
double view_upper (const View *view, const Step *step);
/* Labels drawn over it, or NULL: those of the shown step or of the last one before it that made some, else of the last step that
 * did; when they fit. */
Image *view_labels (const View *view);
/* The image whose objects can be picked on the one shown: what the table measures, or view_labels(); or NULL. */
Image *view_objects (const View *view);
/* What regionprops found out about them, when that is the last table; or NULL. */
Table *view_objects_table (const View *view);
/* The labels whose objects the rows of the table of that step are: those that it makes, or takes; NULL: none. */
Image *view_measured (const Run *run, guint index);
/* Whether the image shown is the labels themselves, or made of them: then outlines would only hide it. */
gboolean view_shows_objects (const View *view);

/* From 0, as everywhere in the program; what people read counts from 1. */
gint64 view_channel (const View *view);
gint64 view_slice (const View *view);
gint64 view_frame (const View *view);
void view_set_position (View *view, gint64 channel, gint64 slice, gint64 frame);
/* The plane that is looked at. */
PlanePosition view_plane (const View *view);
/* The one that was wished: an image of fewer planes shows its last one. */
PlanePosition view_wish (const View *view);
void view_set_wish (View *view, PlanePosition wish);
/* Whether the channel is another one than the first that was shown, or was. */
gboolean view_channel_chosen (const View *view);
/* All channels at once, in their colors; not more than LOOK_COMPOSITE. */
gboolean view_composite (const View *view);
void view_set_composite (View *view, gboolean composite);
/* Of one channel, as usual where there is none. */
const ViewChannel *view_look (const View *view, gint64 channel);
void view_set_look (View *view, gint64 channel, const ViewChannel *look);
/* Whether what is seen are labels, in their colors. */
gboolean view_is_labels (const View *view);
/* What its look-up table is called means other colors now. */
void view_redraw (View *view);
/* The look-up table with which a channel is drawn, also where the program has chosen it. */
const char *view_lut (const View *view, gint64 channel);
/* The same of any channel, also one that only results have which are still to come; limits stay when these are there. */
void view_keep_look (View *view, gint64 channel, const ViewChannel *look);
/* The display settings of all channels, and the reverse, in the format of look_format(); FALSE if the string is
 * invalid. */
char *view_display_settings (const View *view);
gboolean view_set_display_settings (View *view, const char *text);
/* Opacity of the labels' outlines over the image, 0 ... 1; 0: none. */
double view_overlay (const View *view);
void view_set_overlay (View *view, double opacity);

/* Objects of these labels that are not kept fade: bit n & 7 of byte n >> 3 keeps object n. NULL: all are kept. */
void view_set_kept (View *view, Image *labels, GBytes *kept);
/* NULL when all objects of these labels are kept. */
GBytes *view_kept (const View *view, const Image *labels);

/* Whether results have been pending for so long that values and tables of the steps before the change must be marked as outdated, until the current
 * ones are there. */
gboolean view_provisional (const View *view);

/* Before and after the step that is looked at, side by side. */
gboolean view_compare (const View *view);
void view_set_compare (View *view, gboolean compare);
/* What that step took, when it has the size of the image shown; or NULL. */
Image *view_before (const View *view);

/* Files of other images that are open, which steps can take: a list that ends with NULL, or NULL. */
const char *const *view_others (const View *view);
void view_set_others (View *view, const char *const *paths);

/* The label of the object that is picked in the table or the image; 0: none. */
int view_object (const View *view);
void view_set_object (View *view, int label);
/* Labels of all that are picked, view_object() first (element-type int); valid until "object". */
const GArray *view_chosen (const View *view);
/* One more is picked, or one less. */
void view_toggle_object (View *view, int label);

#endif
