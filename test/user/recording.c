/* Recording is switched off and on in functions and regions that begin and end meanwhile; in threads, tasks and signals. */
#include <fathom/fathom.h>
#include <stdio.h>
static volatile double x;
__attribute__((noinline)) static void g(int n) { for (int i = 0; i < n * 100; i++) x += i; }
__attribute__((noinline)) static void f(int n) { g(n); g(n + 1); }
__attribute__((noinline)) static void turn_off(void) { FATHOM_RECORDING_OFF(); f(3); }
__attribute__((noinline)) static void turn_on(void) { f(1); FATHOM_RECORDING_ON(); f(2); }
int main(void)
{
	f(1);
	turn_off();
	f(2);
	FATHOM_REGION_BEGIN("quiet");
	f(2); FATHOM_PARAMETER_INT("no", 1);
	turn_on();
	f(4);
	FATHOM_REGION_END("quiet");
	FATHOM_RECORDING_OFF();
	FATHOM_REGION_BEGIN("quiet");
	printf("%d\n", FATHOM_RECORDING());
	FATHOM_RECORDING_ON();
	FATHOM_REGION_END("quiet");
	f(2);
	return 0;
}
