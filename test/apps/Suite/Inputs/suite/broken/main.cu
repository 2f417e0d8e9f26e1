#include "not-there.h"
int main() {}
