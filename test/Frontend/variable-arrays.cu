// Host compilers take a pointer to arrays of variable length that a cast to the same words initialises.
// RUN: %regrain cc --targets=cpu %s -o %t && %t | FileCheck %s
// RUN: not %regrain cc --targets=cpu -DOTHER -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not %regrain cc --targets=cpu -DSEVERAL -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=SEVERAL
#include <cstdio>

static double corner(void *memory, int planes, int rows, int columns) {
  double (*u)[rows][columns] = (double (*)[rows][columns])memory;
  const double (*row)[columns] = (const double (*)[columns])u[planes - 1];
  double (*last)[columns] = (double (*)[columns])((double *)memory + 1);
#ifdef OTHER
  // OTHER: variable-arrays.cu:[[@LINE+1]]:11: error: cannot initialize a variable of type 'float (*)[rows]'
  float (*v)[rows] = (float (*)[columns])memory;
#endif
#ifdef SEVERAL
  // SEVERAL: variable-arrays.cu:[[@LINE+1]]:11: error: cannot initialize a variable of type 'float (*)[rows]'
  float (*w)[rows] = (float (*)[rows])memory, *z = nullptr, (*y)[rows] = (float (*)[rows])memory;
#endif
  return u[planes - 1][rows - 1][columns - 1] + row[0][0] + last[0][0];
}

int main() {
  double values[2 * 3 * 4];
  for (int at = 0; at < 24; ++at)
    values[at] = at;
  // CHECK: 36
  printf("%g\n", corner(values, 2, 3, 4));
}
