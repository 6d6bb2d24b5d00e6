/* Call trees by numbers against the same written down naively. */
#include "unit_test.h"

#include "profile/process_tree/call_tree.h"

enum { MOST = 2000 };

/* What the tree should be: nodes in the order they were made, found by looking at all of them. */
static struct { uint32_t key, parent; } naive[MOST];
static uint32_t naive_count;

static uint32_t naive_child(uint32_t parent, uint32_t key)
{
	for (uint32_t i = 1; i < naive_count; i++)
		if (naive[i].parent == parent && naive[i].key == key)
			return i;
	naive[naive_count].key = key;
	naive[naive_count].parent = parent;
	return naive_count++;
}

static void naive_order(uint32_t node, uint32_t *order, uint32_t *place)
{
	order[(*place)++] = node;
	for (uint32_t i = node + 1; i < naive_count; i++)
		if (naive[i].parent == node)
			naive_order(i, order, place);
}

static void random_trees_are_as_the_naive_ones(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct fathom_arena arena = { 0 };
		struct fathom_tree tree;
		uint32_t order[MOST], expected[MOST], place = 0;
		uint64_t chance = seed;
		uint32_t keys = 1 + random_below(&chance, 30), near = 1 + random_below(&chance, 50);

		assert_int_equal(fathom_tree_init(&tree, &arena, 5), 0);
		naive_count = 1;
		for (int i = 0; i < MOST - 1; i++) {
			/* Near the newest: deep trees. Near all: bushes. */
			uint32_t back = random_below(&chance, near * near);
			uint32_t parent = back < naive_count ? naive_count - 1 - back : 0;
			uint32_t key = random_below(&chance, keys);

			assert_int_equal(fathom_tree_child(&tree, parent, key), naive_child(parent, key));
		}
		assert_int_equal(tree.count, naive_count);
		assert_int_equal(tree.nodes[0].key, 5);
		for (uint32_t i = 1; i < tree.count; i++) {
			assert_int_equal(tree.nodes[i].key, naive[i].key);
			assert_int_equal(tree.nodes[i].parent, naive[i].parent);
		}
		fathom_tree_order(&tree, order);
		naive_order(0, expected, &place);
		assert_memory_equal(order, expected, tree.count * sizeof(*order));
		fathom_arena_fini(&arena);
	}
}

static void a_root_alone_is_in_order(void **state)
{
	struct fathom_arena arena = { 0 };
	struct fathom_tree tree;
	uint32_t order = 99;

	(void)state;
	assert_int_equal(fathom_tree_init(&tree, &arena, 0), 0);
	fathom_tree_order(&tree, &order);
	assert_int_equal(order, 0);
	assert_int_equal(tree.count, 1);
	fathom_arena_fini(&arena);
}

static void a_hundred_thousand_levels_are_no_trouble(void **state)
{
	enum { LEVELS = 100000 };
	struct fathom_arena arena = { 0 };
	struct fathom_tree tree;
	uint32_t *order = calloc(LEVELS + 1, sizeof(*order));

	(void)state;
	assert_int_equal(fathom_tree_init(&tree, &arena, 1), 0);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < LEVELS; i++)
			assert_int_equal(fathom_tree_child(&tree, i, 1), i + 1);
	fathom_tree_order(&tree, order);
	for (uint32_t i = 0; i <= LEVELS; i++)
		assert_int_equal(order[i], i);
	fathom_arena_fini(&arena);
	free(order);
}

static void a_hundred_thousand_children_are_no_trouble(void **state)
{
	enum { CHILDREN = 100000 };
	struct fathom_arena arena = { 0 };
	struct fathom_tree tree;

	(void)state;
	assert_int_equal(fathom_tree_init(&tree, &arena, 1), 0);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < CHILDREN; i++)
			assert_int_equal(fathom_tree_child(&tree, 0, i), i + 1);
	fathom_arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_trees_are_as_the_naive_ones),
		cmocka_unit_test(a_root_alone_is_in_order),
		cmocka_unit_test(a_hundred_thousand_levels_are_no_trouble),
		cmocka_unit_test(a_hundred_thousand_children_are_no_trouble),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
