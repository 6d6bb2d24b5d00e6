/* Coroutines that hand on to each other very often, each time by a jump. */
#include <coroutine>
#include <cstdio>
#include <exception>

struct task {
	struct promise_type {
		std::coroutine_handle<> back;
		int result;

		task get_return_object() { return { std::coroutine_handle<promise_type>::from_promise(*this) }; }
		std::suspend_always initial_suspend() { return {}; }
		struct end {
			bool await_ready() noexcept { return false; }
			std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept
			{
				return h.promise().back ? h.promise().back : std::noop_coroutine();
			}
			void await_resume() noexcept {}
		};
		end final_suspend() noexcept { return {}; }
		void return_value(int x) { result = x; }
		void unhandled_exception() { std::terminate(); }
	};
	std::coroutine_handle<promise_type> handle;

	bool await_ready() { return false; }
	std::coroutine_handle<> await_suspend(std::coroutine_handle<> back) { handle.promise().back = back; return handle; }
	int await_resume() { int result = handle.promise().result; handle.destroy(); return result; }
};

task leaf(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i;
	co_return sum;
}

task loop(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += co_await leaf(i % 5);
	co_return sum;
}

int main()
{
	task all = loop(50000);

	all.handle.resume();
	printf("%d\n", all.handle.promise().result);
	all.handle.destroy();
	return 0;
}
