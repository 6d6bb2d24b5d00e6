/*
 * rank_list: a list of ranks as runs of ranks with equal distances, so that the lists of regular communicators (all
 * ranks, each second one, a row or column of a grid) take a few words, however many ranks there are.
 *
 * A list is stored as words: the number of runs, and for each run its first rank, its number of ranks and the distance
 * of successive ranks. If that is not shorter than the ranks themselves, it is 0 and the ranks. The same ranks always
 * give the same words.
 */
#ifndef FATHOM_TRACE_RANK_LIST_H
#define FATHOM_TRACE_RANK_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stores count ranks in words, which has room for count + 1, and returns the number of words used. Context: birth. */
uint32_t fathom_rank_list_pack(uint32_t *words, const uint32_t *ranks, uint32_t count);

/* Restores the ranks of a list of count ranks. Context: finish. */
void fathom_rank_list_unpack(const uint32_t *words, uint32_t *ranks, uint32_t count);

/* Returns the number of words of a list of count ranks, of which there are room at most. 0: the words are no such list.
 * Context: finish. */
uint32_t fathom_rank_list_words(const uint32_t *words, uint32_t count, size_t room);

/* Returns the rank at the beginning of a list that is not empty. Context: finish. */
uint32_t fathom_rank_list_first(const uint32_t *words);

/* Returns the rank at a position, which is less than the number of ranks. Context: finish. */
uint32_t fathom_rank_list_at(const uint32_t *words, uint32_t position);

/* Returns whether a list of count ranks contains a rank. Context: finish. */
bool fathom_rank_list_contains(const uint32_t *words, uint32_t count, uint32_t rank);

/* Returns whether all ranks of a list of count ranks are less than limit. Context: finish. */
bool fathom_rank_list_is_below(const uint32_t *words, uint32_t count, uint32_t limit);

/* Returns whether a list of count ranks is 0, 1, 2, ... Context: finish. */
bool fathom_rank_list_counts_up(const uint32_t *words, uint32_t count);

#endif
