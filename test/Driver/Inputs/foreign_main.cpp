#include <cstdio>

extern "C" int statusOfForeignCall();
int sumOfDoubled(int count);

int main() {
  std::printf("status %d, sum %d\n", statusOfForeignCall(), sumOfDoubled(100));
  return 0;
}
