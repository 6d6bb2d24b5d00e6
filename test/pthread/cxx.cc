// Threads and locks of C++: the library's own, and what its headers put into the program.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>

extern "C" {

static std::mutex mutex;
static std::shared_mutex shared;
static std::condition_variable condition;
static std::once_flag flag;
static int turn;

static void count_up()
{
	std::lock_guard<std::mutex> lock(mutex);
	turn++;
	condition.notify_all();
}

static void read_shared()
{
	std::shared_lock<std::shared_mutex> lock(shared);
}

static void write_shared()
{
	std::unique_lock<std::shared_mutex> lock(shared);
}

static void fails()
{
	throw std::runtime_error("the first time");
}

static void works()
{
	std::printf("the second time\n");
}

static void wait_for_both()
{
	std::unique_lock<std::mutex> lock(mutex);
	while (turn < 2)
		condition.wait(lock);
}

static void once_more()
{
	try {
		std::call_once(flag, fails);
	} catch (const std::exception &e) {
		std::printf("caught %s\n", e.what());
	}
	std::call_once(flag, works);
	std::call_once(flag, works);
}

}

int main()
{
	std::thread first(count_up), second(count_up);
	wait_for_both();
	first.join();
	second.join();
	std::thread alone(read_shared);
	alone.join();
	write_shared();
	once_more();
	return turn != 2;
}
