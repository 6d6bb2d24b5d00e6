/* Eight threads throw at the same time what nobody catches. */
#include <cstdio>
#include <stdexcept>
#include <thread>
#include <vector>

static volatile long sink;
static void work() { for (int i = 0; i < 1000; i++) sink++; }

int main()
{
	std::vector<std::thread> threads;

	std::puts("begin");
	std::fflush(stdout);
	for (int i = 0; i < 8; i++)
		threads.emplace_back([] { work(); throw std::runtime_error("nobody catches this"); });
	for (std::thread &thread : threads)
		thread.join();
	return 0;
}
