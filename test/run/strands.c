/* Stacks of the program's own making, and all ways to get from one to the other. Prints what was done; the script knows
 * the visits. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline))

enum { STRANDS = 4, ROUNDS = 50, BYTES = 65536 };

static volatile long count;

/* What is left is kept in from, and to goes on. */
enum way { BY_CONTEXT, BY_JUMP, BY_HAND } way;

struct place {
	ucontext_t context;
	jmp_buf jump;
	void *stack;		/* by hand: its pointer */
	int is_begun;
};

static struct place home, strands[STRANDS];
static int is_over[STRANDS], left, now;
static int order[STRANDS] = { 2, 0, 3, 1 };	/* where their stacks are: above and below each other */
static char memory[STRANDS * BYTES + 16], *stacks;

#ifdef __x86_64__
void switch_by_hand(void **from, void *to);
__asm__(".text\n"
	".type switch_by_hand, @function\n"
	"switch_by_hand:\n"
	"	push %rbp\n	push %rbx\n	push %r12\n	push %r13\n	push %r14\n	push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n	pop %r14\n	pop %r13\n	pop %r12\n	pop %rbx\n	pop %rbp\n"
	"	ret\n"
	".size switch_by_hand, . - switch_by_hand\n");
#else
static void switch_by_hand(void **from, void *to)
{
	(void)from, (void)to;
	exit(77);
}
#endif

NOINLINE static void go(struct place *from, struct place *to)
{
	if (way == BY_HAND) {
		switch_by_hand(&from->stack, to->stack);
	} else if (way == BY_JUMP && to->is_begun) {
		if (!_setjmp(from->jump))
			_longjmp(to->jump, 1);
	} else if (way == BY_JUMP) {	/* the first time there is nothing to jump to */
		to->is_begun = 1;
		if (!_setjmp(from->jump))
			setcontext(&to->context);
	} else {
		swapcontext(&from->context, &to->context);
	}
	count++;
}

NOINLINE static void work(int n)
{
	for (int i = 0; i < n; i++)
		count++;
}

/* Back to who resumed us; or on to the next one. */
static int is_ring;
static int next_of(int from)
{
	int next = from;

	do
		next = (next + 1) % STRANDS;
	while (is_over[next] && next != from);
	return next;
}

NOINLINE static void yields(void)
{
	int from = now;

	work(1);
	if (!is_ring) {
		go(&strands[from], &home);
	} else {
		now = next_of(from);
		if (now != from)
			go(&strands[from], &strands[now]);
	}
	count++;
}

NOINLINE static void down(int depth)
{
	work(1);
	if (depth)
		down(depth - 1);
	else
		yields();
	work(1);
	count++;
}

NOINLINE static void rounds(int depth)
{
	for (int i = 0; i < ROUNDS; i++)
		down(depth);
	count++;
}

NOINLINE static void body(int number)
{
	rounds(number);
	count++;
	is_over[number] = 1;
	left--;
	if (way == BY_CONTEXT && !is_ring)
		return;		/* home by uc_link */
	if (!is_ring || !left)
		go(&strands[number], &home);
	now = next_of(number);
	go(&strands[number], &strands[now]);
}

/* Without hooks: who returns here has no return address. */
static void body_by_hand(void) __attribute__((no_instrument_function));
static void body_by_hand(void)
{
	body(now);
	abort();
}

NOINLINE static void resumes(int number)
{
	now = number;
	work(1);
	go(&home, &strands[number]);
	work(1);
	count++;
}

static void make(int number)
{
	struct place *strand = &strands[number];
	char *low = stacks + order[number] * BYTES;
	void **top = (void **)(low + BYTES - 64);

	memset(strand, 0, sizeof(*strand));
	getcontext(&strand->context);
	strand->context.uc_stack.ss_sp = low;
	strand->context.uc_stack.ss_size = BYTES;
	strand->context.uc_link = &home.context;
	makecontext(&strand->context, (void (*)(void))body, 1, number);
	/* Behind what is popped, an address to return to: the stack is then as a function finds it. */
	if (way == BY_HAND)
		top[6] = (void *)body_by_hand;
	strand->stack = top;
	is_over[number] = 0;
}

/* Up to so many times round, which may be all. */
NOINLINE static void schedules(int most)
{
	if (is_ring) {
		resumes(0);
		return;
	}
	for (int round = 0; left && round < most; round++)
		for (int i = 0; i < STRANDS; i++)
			if (!is_over[i])
				resumes(i);
	count++;
}

NOINLINE static void *first_half(void *unused)
{
	schedules(20);
	return unused;
}

NOINLINE static void *all(void *unused)
{
	for (int i = 0; i < STRANDS; i++)
		make(i);
	left = STRANDS;
	schedules(1000);
	work(1);
	return unused;
}

/* Begun by one thread, ended by another. */
NOINLINE static void moves(void)
{
	pthread_t thread;

	for (int i = 0; i < STRANDS; i++)
		make(i);
	left = STRANDS;
	pthread_create(&thread, NULL, first_half, NULL);
	pthread_join(thread, NULL);
	schedules(1000);
	work(1);
}

/* Never ended: its stack is another's then. */
NOINLINE static void abandons(void)
{
	for (int i = 0; i < STRANDS; i++)
		make(i);
	left = STRANDS;
	schedules(2);
	work(1);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int i;

	stacks = (char *)(((unsigned long)memory + 15) & -16ul);
	home.is_begun = 1;
	for (i = 1; i < argc; i++) {
		way = strstr(argv[i], "hand") ? BY_HAND : strstr(argv[i], "jump") ? BY_JUMP : BY_CONTEXT;
		is_ring = strstr(argv[i], "ring") != NULL;
		if (strstr(argv[i], "thread")) {
			/* Above the thread's own stack, and near to it. */
			stacks = aligned_alloc(4096, STRANDS * BYTES);
			pthread_create(&thread, NULL, all, NULL);
			pthread_join(thread, NULL);
		} else if (strstr(argv[i], "moves")) {
			moves();
		} else if (strstr(argv[i], "abandons")) {
			abandons();
		} else {
			all(NULL);
		}
		printf("%s %ld\n", argv[i], count);
	}
	return 0;
}
