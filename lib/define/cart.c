#include "define/cart.h"

#include <string.h>

#include "platform/arena.h"
#include "platform/lock.h"
#include "platform/log.h"

static struct {
	struct fathom_lock lock;	/* protects all below; no other lock is taken inside */
	struct fathom_arena arena;
	struct fathom_cart *carts;	/* space for FATHOM_CART_MOST grids; NULL: no grid yet */
	uint32_t count;			/* written last, with release; pairs with fathom_cart_count */
	uint32_t is_cut;
} grids;

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
	*is_cut = fathom_peek(&grids.is_cut);
	return __atomic_load_n(&grids.count, __ATOMIC_ACQUIRE);
}

const struct fathom_cart *fathom_cart_by_id(uint32_t id)
{
	return &grids.carts[id];
}

static struct fathom_cart *find(uint64_t key)
{
	for (uint32_t i = 0; i < grids.count; i++)
		if (grids.carts[i].key == key)
			return &grids.carts[i];
	return NULL;
}

/* Returns space for a new grid, which is that of the last grid in the order if the new one comes before it. NULL:
 * none. */
static struct fathom_cart *room_for(const struct fathom_cart *cart)
{
	struct fathom_cart *last;

	if (!grids.carts)
		grids.carts = fathom_arena_alloc(&grids.arena, FATHOM_CART_MOST * sizeof(*grids.carts));
	if (!grids.carts)
		return NULL;
	if (grids.count < FATHOM_CART_MOST)
		return &grids.carts[grids.count];
	fathom_poke(&grids.is_cut, 1);
	last = grids.carts;
	for (uint32_t i = 1; i < grids.count; i++)
		if (fathom_cart_compare(&grids.carts[i], last) > 0)
			last = &grids.carts[i];
	return fathom_cart_compare(cart, last) < 0 ? last : NULL;
}

static void put(struct fathom_cart *place, const struct fathom_cart *cart)
{
	struct fathom_cart without = *cart;

	/* A handler of a crash that interrupts this code finds an entry without a key. */
	fathom_poke(&place->key, 0);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	without.key = 0;
	*place = without;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	fathom_poke(&place->key, cart->key);
	if (place == &grids.carts[grids.count])
		/* Pairs with fathom_cart_count. */
		__atomic_store_n(&grids.count, grids.count + 1, __ATOMIC_RELEASE);
}

static void name(struct fathom_cart *cart, const char *text)
{
	if (!*cart->name)
		fathom_format(cart->name, sizeof(cart->name), "%s", text);
}

void fathom_cart_note(const struct fathom_cart *cart)
{
	struct fathom_cart *place;

	fathom_lock_take(&grids.lock);
	place = find(cart->key);
	if (place) {
		name(place, cart->name);
	} else {
		place = room_for(cart);
		if (place)
			put(place, cart);
	}
	fathom_lock_give(&grids.lock);
}

void fathom_cart_name(uint64_t key, const char *text)
{
	struct fathom_cart *cart;

	fathom_lock_take(&grids.lock);
	cart = find(key);
	if (cart)
		name(cart, text);
	fathom_lock_give(&grids.lock);
}
