/* Threads that throw what nobody catches: ways WAY, with the count of threads as WAY. */
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

static volatile long sink;
static void work() { for (int i = 0; i < 1000; i++) sink++; }

int main(int, char **argv)
{
	std::vector<std::thread> threads;

	std::puts("begin");
	std::fflush(stdout);
	for (int i = 0; i < std::atoi(argv[1]); i++)
		threads.emplace_back([] { work(); throw std::runtime_error("nobody catches this"); });
	for (std::thread &thread : threads)
		thread.join();
	return 0;
}
