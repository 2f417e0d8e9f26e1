#include "../common/fill.h"
#include <ctime>
int main() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  printf("sum %d\n", sumOfSquares(50));
  printf("at %ld\n", now.tv_nsec);
  printf("took 0.0 seconds\n");
}
