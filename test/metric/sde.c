/* A library's own counters: exactly so many calls, and so much work. */
#include <sde_lib.h>

static long long calls, work;

__attribute__((noinline)) static void solve(int n)
{
	calls++;
	for (int i = 0; i < n; i++)
		work += 3;
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void other(void)
{
	work += 1000;
	__asm__ volatile("" ::: "memory");
}

int main(void)
{
	papi_handle_t handle = papi_sde_init("demo");

	papi_sde_register_counter(handle, "calls", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, &calls);
	papi_sde_register_counter(handle, "work", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, &work);
	for (int i = 0; i < 7; i++)
		solve(5);
	other();
	return 0;
}
