#include <cstdio>

int sumOfDoubled(int count);

int main() {
  std::printf("sum %d\n", sumOfDoubled(100));
  return 0;
}
