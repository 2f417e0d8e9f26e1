// Prints another sum if another grain is requested, as a wrong alternative would do.
#include "../common/fill.h"
#include <cstdlib>
#include <cstring>
int main() {
  const char *asked = getenv("REGRAIN_ALTERNATIVE");
  bool wrong = asked && strstr(asked, ":block.x=2");
  printf("sum %d\n", sumOfSquares(50) + wrong);
}
