int f(int); int g(int x) { return f(x) + 1; } __attribute__((ms_abi)) int h(int x) { return f(x); }
