/*
 * call_graph SAMPLES [SEED]: walks through the functions of the units, unwinds itself at SAMPLES instructions, and compares
 * with the known chain. It steps through the instructions by the processor's trap flag: the handler of SIGTRAP is in the
 * situation of a sample, at every instruction: in prologues, in the procedure linkage table, in the C library, in the
 * exception handling, in code of the kernel (vdso).
 */
#include "call_graph.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

extern "C" {
#include "sample/unwind.h"
}

enum { TRAP_FLAG = 0x100, MOST_FRAMES = 1024, COROUTINE_BYTES = 256 << 10, REPORTED = 10, WALK_NODES = 3000 };

node_function *callable[MOST_UNITS * KINDS];
unsigned callable_count;
struct active_node chain[MOST_ACTIVE];
volatile unsigned chain_length, chain_base;
volatile bool is_stepping;
volatile int nodes_left, until_steps = 1;
volatile long walk_sink;
struct random_state walk_random, sample_random;
int handler_left;

static struct fathom_unwinder *unwinder;
static unsigned long wanted, samples, partial, wrong, in_libraries, steps_left, frame_count, longest;
static uint64_t unwinding_ns;

static unsigned random_below(struct random_state *state, unsigned limit)
{
	uint64_t z = state->value += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (unsigned)((z ^ z >> 31) % limit);
}

unsigned random_number(unsigned limit)
{
	return random_below(&walk_random, limit);
}

/* --- which function is a node --------------------------------------------------------------------------- */

enum { SLOTS = 8192 };
static struct { uintptr_t begin; int node; } known[SLOTS];	/* by a hash of begin; 0: free */

static unsigned slot_of(uintptr_t begin)
{
	unsigned slot = (unsigned)(begin * 0x9e3779b97f4a7c15u >> 51);

	while (known[slot % SLOTS].begin && known[slot % SLOTS].begin != begin)
		slot++;
	return slot % SLOTS;
}

/* Notes all symbols node_UNIT_KIND, also node_UNIT_KIND.cold and the like. */
static void read_symbols(const char *file, uintptr_t bias)
{
	int fd = open(file, O_RDONLY);
	struct stat facts;

	if (fd < 0 || fstat(fd, &facts))
		return;
	const char *image = (const char *)mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	const Elf64_Ehdr *elf = (const Elf64_Ehdr *)image;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(image + elf->e_shoff);
	close(fd);
	for (unsigned i = 0; i < elf->e_shnum; i++) {
		if (sections[i].sh_type != SHT_SYMTAB)
			continue;
		const Elf64_Sym *symbols = (const Elf64_Sym *)(image + sections[i].sh_offset);
		const char *names = image + sections[sections[i].sh_link].sh_offset;
		for (size_t j = 0; j < sections[i].sh_size / sizeof(*symbols); j++) {
			int unit, kind;

			if (symbols[j].st_value && sscanf(names + symbols[j].st_name, "node_%d_%d", &unit, &kind) == 2) {
				unsigned slot = slot_of(symbols[j].st_value + bias);
				known[slot].begin = symbols[j].st_value + bias;
				known[slot].node = unit * KINDS + kind;
			}
		}
	}
}

/* The code of fathom's libraries, if the program has any. */
static struct { uintptr_t begin, end; } libraries[16];
static unsigned library_count;

static int read_module(struct dl_phdr_info *info, size_t, void *)
{
	for (unsigned i = 0; strstr(info->dlpi_name, "libfathom") && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type == PT_LOAD && header->p_flags & PF_X && library_count < 16) {
			libraries[library_count].begin = info->dlpi_addr + header->p_vaddr;
			libraries[library_count].end = libraries[library_count].begin + header->p_memsz;
			library_count++;
		}
	}
	if (!*info->dlpi_name)
		read_symbols("/proc/self/exe", info->dlpi_addr);
	else if (strstr(info->dlpi_name, "unit"))
		read_symbols(info->dlpi_name, info->dlpi_addr);
	return 0;
}

/* --- samples --------------------------------------------------------------------------------------------- */

/* Whether the nodes found, outermost first, are the chain from its entry base on, perhaps with one more function that has
 * not listed itself yet, or no longer does. Functions that end with a jump, or with a call where the compiler makes none,
 * are left out. */
static bool is_chain(const int *found, unsigned count, unsigned base, unsigned length)
{
	unsigned i = 0;

	for (unsigned j = base; j < length; j++) {
		if (chain[j].node % KINDS == TAIL_KIND)
			continue;
		if (i == count || found[i++] != chain[j].node)
			return false;
	}
	return count - i <= 1;
}

static void report(const ucontext_t *context, const struct fathom_sample_frame *frames, unsigned count, unsigned base,
		   const char *what)
{
	if (wrong + partial > REPORTED)
		return;
	printf("%s at %llx, sample %lu:\n  known:", what, (unsigned long long)context->uc_mcontext.gregs[REG_RIP], samples);
	for (unsigned i = base; i < chain_length; i++)
		printf(" %d_%d", chain[i].node / KINDS, chain[i].node % KINDS);
	printf("\n  found:");
	for (unsigned i = count; i-- > 0; ) {
		unsigned slot = slot_of(frames[i].function);

		if (known[slot].begin)
			printf(" %d_%d", known[slot].node / KINDS, known[slot].node % KINDS);
		else
			printf(" %lx(%lx)", (long)frames[i].address, (long)frames[i].function);
	}
	printf("\n");
	fflush(stdout);
}

static void take_sample(const ucontext_t *context)
{
	static struct fathom_sample_frame frames[MOST_FRAMES];
	static int found[MOST_FRAMES];
	unsigned length = chain_length, first = 0, count = 0, nodes = 0;
	bool is_partial, has_own, is_right;
	uintptr_t stop = UINTPTR_MAX;
	struct timespec begin, end;

	if (length && random_below(&sample_random, 2)) {
		first = random_below(&sample_random, length);
		stop = chain[first].place;
	}
	clock_gettime(CLOCK_MONOTONIC, &begin);
	count = fathom_unwind(unwinder, context, stop, frames, MOST_FRAMES, &is_partial, &has_own);
	clock_gettime(CLOCK_MONOTONIC, &end);
	unwinding_ns += (uint64_t)((end.tv_sec - begin.tv_sec) * 1000000000L + end.tv_nsec - begin.tv_nsec);
	samples++;
	frame_count += count;
	if (count > longest)
		longest = count;
	for (unsigned i = 0; i < library_count; i++)
		in_libraries += frames[0].address >= libraries[i].begin && frames[0].address < libraries[i].end;
	if (is_partial) {
		partial++;
		report(context, frames, count, first, "partial");
		return;
	}
	for (unsigned i = count; i-- > 0; ) {
		unsigned slot = slot_of(frames[i].function);

		if (known[slot].begin && known[slot].node % KINDS != TAIL_KIND)
			found[nodes++] = known[slot].node;
	}
	is_right = is_chain(found, nodes, first, length) && has_own;
	/* On a coroutine stack, and while the walk goes there or comes from there. */
	if (!is_right && chain_base)
		is_right = is_chain(found, nodes, chain_base, length) && has_own == (stop == UINTPTR_MAX);
	if (!is_right) {
		wrong++;
		report(context, frames, count, first, has_own ? "wrong" : "wrong, without own");
	}
}

static void handle_trap(int, siginfo_t *, void *data)
{
	ucontext_t *context = (ucontext_t *)data;

	take_sample(context);
	if (steps_left)
		steps_left--;
	if (!steps_left || samples >= wanted) {
		is_stepping = false;
		context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
		until_steps = 1 + (int)random_below(&sample_random, 30);
	}
}

void begin_steps(void)
{
	if (samples >= wanted)
		return;
	is_stepping = true;
	steps_left = 1 + random_below(&sample_random, 400);
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\t"
			 "pushfq\n\t"
			 "orq $0x100, (%%rsp)\n\t"
			 "popfq\n\t"
			 "lea 128(%%rsp), %%rsp" : : : "memory", "cc");
}

/* --- calls ------------------------------------------------------------------------------------------------ */

long call_any(int left)
{
	if (left <= 0 || nodes_left <= 0)
		return 0;
	return callable[random_number(callable_count)](left - 1);
}

void call_in_handler(int left, void (*handler)(int), bool on_alternate_stack)
{
	static volatile bool is_inside;
	struct sigaction action = {};

	if (left <= 3 || is_inside)
		return;
	is_inside = true;
	action.sa_handler = handler;
	action.sa_flags = on_alternate_stack ? SA_ONSTACK : 0;
	handler_left = left;
	sigaction(SIGUSR1, &action, NULL);
	/* The kernel does not step through handlers, unless they begin that themselves. */
	is_stepping = false;
	raise(SIGUSR1);
	is_inside = false;
}

static struct {
	ucontext_t outside, inside;
	node_function *function;
	int left;
	long result;
	bool is_used;
	char *stack;
} coroutine;

static void run_coroutine(void)
{
	coroutine.result = coroutine.function(coroutine.left);
}

long call_in_coroutine(int left, node_function *function)
{
	if (coroutine.is_used || left <= 2 || random_number(4))
		return 0;
	coroutine.is_used = true;
	coroutine.function = function;
	coroutine.left = left;
	if (!coroutine.stack)
		coroutine.stack = (char *)mmap(NULL, COROUTINE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	getcontext(&coroutine.inside);
	coroutine.inside.uc_stack.ss_sp = coroutine.stack;
	coroutine.inside.uc_stack.ss_size = COROUTINE_BYTES;
	coroutine.inside.uc_link = &coroutine.outside;
	makecontext(&coroutine.inside, run_coroutine, 0);
	chain_base = chain_length;
	swapcontext(&coroutine.outside, &coroutine.inside);
	chain_base = 0;
	coroutine.is_used = false;
	return coroutine.result;
}

static void *walk(void *end)
{
	stack_t alternate = {};

	unwinder = fathom_unwinder_create();
	alternate.ss_size = 128 << 10;
	alternate.ss_sp = malloc(alternate.ss_size);
	sigaltstack(&alternate, NULL);
	while (samples < *(unsigned long *)end) {
		nodes_left = WALK_NODES;
		try {
			walk_sink += call_any(40);
		} catch (const walk_exception &) {
			walk_sink++;
		}
		if (wrong > 1000)
			break;
	}
	alternate.ss_flags = SS_DISABLE;
	sigaltstack(&alternate, NULL);
	free(alternate.ss_sp);
	fathom_unwinder_destroy(unwinder);
	return NULL;
}

int main(int argc, char **argv)
{
	struct sigaction action = {};
	pthread_attr_t attributes;
	pthread_t thread;

	wanted = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
	walk_random.value = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	sample_random.value = ~walk_random.value;
	action.sa_sigaction = handle_trap;
	action.sa_flags = SA_SIGINFO;
	sigfillset(&action.sa_mask);
	sigaction(SIGTRAP, &action, NULL);
	dl_iterate_phdr(read_module, NULL);
	if (fathom_unwind_init())
		printf("fathom_unwind_init fails\n");

	/* Half of the samples on the initial thread, half on another one. */
	unsigned long all = wanted;
	wanted = all / 2;
	walk(&wanted);
	until_steps = 1;
	wanted = all;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 512 << 10);
	pthread_create(&thread, &attributes, walk, &wanted);
	pthread_join(thread, NULL);
	printf("samples %lu partial %lu wrong %lu in_libraries %lu frames %.1f longest %lu ns_per_sample %.0f\n", samples,
	       partial, wrong, in_libraries, (double)frame_count / (double)samples, longest,
	       (double)unwinding_ns / (double)samples);
	return wrong || partial * 1000 > samples;
}
