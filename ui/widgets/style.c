/* SPDX-License-Identifier: MIT
 *
 * Text has a contrast of 4.5 and what is moved by hand one of 3 (WCAG 2.1, AA), in light and dark colours; rows of steps are dense;
 * the focus is to be seen over an image, too. Blue that white text stands on is darker than the theme's.
 */
#include "ui/widgets/style.h"

static const char style[] =
  "@define-color focus_color mix(@theme_selected_bg_color, @theme_fg_color, 0.35);"
  "@define-color chosen_color #1a5fb4;"
  "*:focus-visible, scale:focus-visible > trough { outline-color: @focus_color; }"
  "row:selected:focus-visible { outline-color: @theme_selected_fg_color; outline-offset: -3px; }"
  ".canvas:focus-visible { outline: 2px solid @theme_selected_bg_color; outline-offset: -2px; }"
  "button.step-eye { min-height: 20px; min-width: 20px; padding: 1px; }"
  "button.step-eye:checked { background: none; }"
  /* One row for menus and tabs, one for what is under the pointer; tools beside the image. */
  "notebook > header > tabs > tab { min-height: 24px; padding: 4px 8px; }"
  "notebook > header > tabs > tab button { min-height: 16px; min-width: 16px; padding: 3px; margin: 0; }"
  "notebook > header menubar { background: none; box-shadow: none; }"
  "notebook > header menubar > item { padding: 4px 6px; }"
  ".status { padding: 0 8px; min-height: 28px; }"
  ".status button { min-height: 20px; padding: 0 6px; }"
  ".status scale { padding: 0 8px; min-height: 20px; }"
  ".status dropdown > button { background: none; border-color: transparent; box-shadow: none; }"
  ".tabs { padding: 4px 8px; border-bottom: 1px solid @borders; }"
  ".tabs button, .foot stackswitcher button { min-height: 20px; min-width: 64px; padding: 2px 8px; }"
  ".tabs button:checked, .foot stackswitcher button:checked { box-shadow: inset 0 -2px @theme_selected_bg_color; }"
  ".tools button:checked { background-color: alpha(@theme_fg_color, 0.2); }"
  ".foot { padding: 0 8px; min-height: 32px; border-top: 1px solid @borders; }"
  ".foot > * { margin: 4px 0; }"
  ".foot button { min-height: 20px; padding: 2px 8px; }"
  ".tools { padding: 4px; }"
  ".tools button { min-height: 24px; min-width: 24px; padding: 2px; }"
  "overshoot.left, overshoot.right { background: none; }"
  ".steps row { padding-top: 0; padding-bottom: 0; min-height: 28px; }"
  ".steps row:selected label.error { color: inherit; }"
  ".steps row.off label { opacity: 0.75; font-style: italic; text-decoration-line: line-through; }"
  /* Contrast. */
  ".dim-label { opacity: 0.8; }"
  "row:selected .dim-label { opacity: 0.9; }"
  "label.error { color: mix(@error_color, @theme_fg_color, 0.6); }"
  "row:selected button.step-eye { color: white; }"
  "row:selected, listview row:selected, columnview row:selected { background-color: @chosen_color; color: white; }"
  "columnview > header > button { color: mix(@theme_fg_color, @theme_base_color, 0.2); }"
  "notebook > header tab { color: mix(@theme_fg_color, @theme_bg_color, 0.2); }"
  "menubar > item { color: @theme_fg_color; }"
  "scale > trough { background-color: mix(@theme_fg_color, @theme_base_color, 0.42); }"
  "scale > trough > slider { background-image: none; background-color: #f6f5f4; border: 1px solid #5e5c64; }"
  "scale:disabled > trough { background-color: mix(@theme_fg_color, @theme_base_color, 0.75); }"
  "scale:disabled > trough > slider { background-color: mix(@theme_fg_color, @theme_base_color, 0.75); border-color: "
  "transparent; }"
  /* Notes over the image. */
  ".note { margin: 40px 12px 0 48px; padding: 6px 6px 6px 12px; border-radius: 8px; border: 1px solid @borders;"
  "  border-left-width: 6px; background-color: @theme_base_color; color: @theme_fg_color; box-shadow: 0 2px 8px "
  "alpha(black, 0.4); }"
  ".note.note-done { border-left-color: #26a269; }"
  ".note.note-information { border-left-color: #3584e4; }"
  ".note.note-warning { border-left-color: #e5a50a; }"
  ".note.note-error { border-left-color: #e01b24; }"
  ".note.note-done > image { color: #26a269; }"
  ".note.note-information > image { color: #3584e4; }"
  ".note.note-warning > image { color: #c88800; }"
  ".note.note-error > image { color: #e01b24; }";

void
style_add (void)
{
  g_autoptr (GtkCssProvider) css = gtk_css_provider_new ();
  gtk_css_provider_load_from_data (css, style, -1);
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

void
style_set_provisional (GtkWidget *widget, gboolean provisional)
{
  gtk_widget_set_opacity (widget, provisional ? 0.6 : 1);
}
