#include "../common/fill.h"
int main() { return sumOfSquares(50) == 0; }
