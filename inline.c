static inline int wanted_6(int x) {
for (int i = 0; i < 9 + 1; i++) x = x * 3 + (x >> 1) * 1 - x % 7;
for (int i = 0; i < 9 + 2; i++) x = x * 3 + (x >> 2) * 2 - x % 7;
for (int i = 0; i < 9 + 3; i++) x = x * 3 + (x >> 3) * 3 - x % 7;
for (int i = 0; i < 9 + 4; i++) x = x * 3 + (x >> 4) * 4 - x % 7;
for (int i = 0; i < 9 + 5; i++) x = x * 3 + (x >> 5) * 5 - x % 7;
for (int i = 0; i < 9 + 6; i++) x = x * 3 + (x >> 6) * 6 - x % 7;
for (int i = 0; i < 9 + 7; i++) x = x * 3 + (x >> 7) * 7 - x % 7;
for (int i = 0; i < 9 + 8; i++) x = x * 3 + (x >> 8) * 8 - x % 7;
return x; }
static inline __attribute__((always_inline)) int wanted_37(int x) {
for (int i = 0; i < 9 + 1; i++) x = x * 3 + (x >> 1) * 1 - x % 7;
for (int i = 0; i < 9 + 2; i++) x = x * 3 + (x >> 2) * 2 - x % 7;
for (int i = 0; i < 9 + 3; i++) x = x * 3 + (x >> 3) * 3 - x % 7;
for (int i = 0; i < 9 + 4; i++) x = x * 3 + (x >> 4) * 4 - x % 7;
for (int i = 0; i < 9 + 5; i++) x = x * 3 + (x >> 5) * 5 - x % 7;
for (int i = 0; i < 9 + 6; i++) x = x * 3 + (x >> 6) * 6 - x % 7;
for (int i = 0; i < 9 + 7; i++) x = x * 3 + (x >> 7) * 7 - x % 7;
for (int i = 0; i < 9 + 8; i++) x = x * 3 + (x >> 8) * 8 - x % 7;
return x; }
int caller(int x) { return wanted_6(x + 1) + wanted_37(x) + 1; }
