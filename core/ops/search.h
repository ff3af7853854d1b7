/* SPDX-License-Identifier: MIT
 *
 * Finds operations and commands by the words that people have for them.
 */
#ifndef CORE_OPS_SEARCH_H
#define CORE_OPS_SEARCH_H

#include "core/ops/op.h"

/* Where all words that are looked for were found, from worst to best. */
typedef enum {
  SEARCH_NOWHERE,
  SEARCH_TEXT,  /* in its texts, such as the help */
  SEARCH_WORDS, /* the whole text in its other words */
  SEARCH_LABEL, /* the whole text in its label */
  SEARCH_KEY,   /* the whole text is its key */
} SearchRank;

/* The texts of one command, without differences of case. */
typedef struct SearchTexts SearchTexts;

/* key, words: NULL for none; more: its other texts, such as help and menu. */
SearchTexts *search_texts_new (const char *key, const char *label, const char *words, const char *more);
/* NULL is nothing. */
void search_texts_free (SearchTexts *texts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SearchTexts, search_texts_free)

SearchRank search_texts_rank (const SearchTexts *texts, const char *wanted);
/* Of an operation, in English. */
SearchRank search_op_rank (const fv_op *op, const char *wanted);

/* The keys of at most `n` operations, of a list of Op, whose label, or else search words, begin with the words that are wanted: "'gaussian', 'mean' or
 * 'median'". NULL when none has. Free with g_free(). */
char *search_suggestion (const GPtrArray *ops, const char *wanted, guint n);

#endif
