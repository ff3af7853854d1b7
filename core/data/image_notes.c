/* SPDX-License-Identifier: MIT
 */
#include "core/data/image_notes.h"

#include <string.h>

ImageNotes *
image_notes_new (const ImageNotes *like)
{
  ImageNotes *notes = g_new0 (ImageNotes, 1);
  notes->function = -1;
  if (like) {
    *notes = *like;
    notes->labels = g_strdupv (like->labels);
    notes->info = g_strdup (like->info);
    notes->properties = g_strdupv (like->properties);
    notes->roi = like->roi ? g_bytes_ref (like->roi) : NULL;
    notes->overlay = like->overlay ? g_ptr_array_ref (like->overlay) : NULL;
    notes->value_unit = g_strdup (like->value_unit);
    notes->values = g_strdup (like->values);
    notes->made_by = g_strdup (like->made_by);
  }
  g_atomic_ref_count_init (&notes->references);
  return notes;
}

ImageNotes *
image_notes_ref (ImageNotes *notes)
{
  g_atomic_ref_count_inc (&notes->references);
  return notes;
}

void
image_notes_unref (ImageNotes *notes)
{
  if (!notes || !g_atomic_ref_count_dec (&notes->references))
    return;
  g_strfreev (notes->labels);
  g_free (notes->info);
  g_strfreev (notes->properties);
  g_clear_pointer (&notes->roi, g_bytes_unref);
  g_clear_pointer (&notes->overlay, g_ptr_array_unref);
  g_free (notes->value_unit);
  g_free (notes->values);
  g_free (notes->made_by);
  g_free (notes);
}

gboolean
image_notes_is_empty (const ImageNotes *n)
{
  return !n
         || (!n->labels && !n->info && !n->properties && !n->roi && !n->overlay && n->function < 0 && !n->value_unit
             && !n->made_by);
}

const char *
image_notes_property (const ImageNotes *notes, const char *key)
{
  for (char *const *text = notes ? notes->properties : NULL; text && text[0] && text[1]; text += 2)
    if (!strcmp (text[0], key))
      return text[1];
  return NULL;
}

gboolean
image_notes_same_values (const ImageNotes *a, const ImageNotes *b)
{
  const int of_a = a ? a->function : -1, of_b = b ? b->function : -1;
  if (of_a < 0 || of_b < 0)
    return of_a == of_b;
  return of_a == of_b && a->n_coefficients == b->n_coefficients && !a->zero_clip == !b->zero_clip
         && !memcmp (a->coefficients, b->coefficients, sizeof a->coefficients)
         && !g_strcmp0 (a->value_unit, b->value_unit);
}

void
image_notes_drop_values (ImageNotes *n)
{
  n->function = -1;
  g_clear_pointer (&n->value_unit, g_free);
  g_clear_pointer (&n->values, g_free);
}

void
image_notes_describe_values (ImageNotes *n)
{
  /* The functions of ImageJ's Calibrate..., by number. */
  static const char *const names[] = {"straight line",
                                      "polynomial of degree 2",
                                      "polynomial of degree 3",
                                      "polynomial of degree 4",
                                      "exponential",
                                      "power",
                                      "logarithm",
                                      "Rodbard",
                                      "gamma variate",
                                      "logarithm 2",
                                      "Rodbard 2",
                                      "exponential with offset",
                                      "Gaussian",
                                      "exponential recovery"};
  GString *text;
  g_clear_pointer (&n->values, g_free);
  if (n->function < 0)
    return;
  text = g_string_new (NULL);
  if (n->function == 0) {
    char c0[G_ASCII_DTOSTR_BUF_SIZE], c1[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf (text, "%s + %s × value", g_ascii_formatd (c0, sizeof c0, "%g", n->coefficients[0]),
                            g_ascii_formatd (c1, sizeof c1, "%g", n->coefficients[1]));
  } else
    g_string_append (text, n->function == 21                            ? "uncalibrated optical density"
                           : (guint) n->function < G_N_ELEMENTS (names) ? names[n->function]
                                                                        : "custom");
  if (n->value_unit && *n->value_unit)
    g_string_append_printf (text, " %s", n->value_unit);
  n->values = g_string_free (text, FALSE);
}
