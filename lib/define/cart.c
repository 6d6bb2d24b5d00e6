#include "define/cart.h"

#include <string.h>

#include "platform/arena.h"
#include "platform/lock.h"
#include "platform/log.h"

static struct {
	struct fathom_lock lock;	/* held while one is looked for, noted or named; nests in nothing */
	struct fathom_arena arena;
	struct fathom_cart *carts;	/* room for all of them; NULL: no grid yet */
	uint32_t count;			/* written last, with release; pairs with fathom_cart_count */
	uint32_t is_cut;
} known;

int fathom_cart_compare(const struct fathom_cart *a, const struct fathom_cart *b)
{
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

uint32_t fathom_cart_count(bool *is_cut)
{
	*is_cut = fathom_peek(&known.is_cut);
	return __atomic_load_n(&known.count, __ATOMIC_ACQUIRE);
}

const struct fathom_cart *fathom_cart_by_id(uint32_t id)
{
	return &known.carts[id];
}

static struct fathom_cart *find(uint64_t key)
{
	for (uint32_t i = 0; i < known.count; i++)
		if (known.carts[i].key == key)
			return &known.carts[i];
	return NULL;
}

/* Room for one more, or the last in the order, if the new one comes before it. NULL: there is none. */
static struct fathom_cart *room_for(const struct fathom_cart *cart)
{
	struct fathom_cart *last;

	if (!known.carts)
		known.carts = fathom_arena_alloc(&known.arena, FATHOM_CART_MOST * sizeof(*known.carts));
	if (!known.carts)
		return NULL;
	if (known.count < FATHOM_CART_MOST)
		return &known.carts[known.count];
	fathom_poke(&known.is_cut, 1);
	last = known.carts;
	for (uint32_t i = 1; i < known.count; i++)
		if (fathom_cart_compare(&known.carts[i], last) > 0)
			last = &known.carts[i];
	return fathom_cart_compare(cart, last) < 0 ? last : NULL;
}

static void put(struct fathom_cart *place, const struct fathom_cart *cart)
{
	struct fathom_cart without = *cart;

	/* A handler of a crash that comes in between finds a place without a key. */
	fathom_poke(&place->key, 0);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	without.key = 0;
	*place = without;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	fathom_poke(&place->key, cart->key);
	if (place == &known.carts[known.count])
		/* Pairs with fathom_cart_count. */
		__atomic_store_n(&known.count, known.count + 1, __ATOMIC_RELEASE);
}

static void name(struct fathom_cart *cart, const char *text)
{
	if (!*cart->name)
		fathom_format(cart->name, sizeof(cart->name), "%s", text);
}

void fathom_cart_note(const struct fathom_cart *cart)
{
	struct fathom_cart *place;

	fathom_lock_take(&known.lock);
	place = find(cart->key);
	if (place) {
		name(place, cart->name);
	} else {
		place = room_for(cart);
		if (place)
			put(place, cart);
	}
	fathom_lock_give(&known.lock);
}

void fathom_cart_name(uint64_t key, const char *text)
{
	struct fathom_cart *cart;

	fathom_lock_take(&known.lock);
	cart = find(key);
	if (cart)
		name(cart, text);
	fathom_lock_give(&known.lock);
}
