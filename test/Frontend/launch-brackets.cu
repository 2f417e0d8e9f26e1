// nvcc takes launches with blanks between their brackets.
// RUN: %regrain cc --emit=llvm --targets=cpu %s -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: %regrain cc --targets=cpu %s -o %t && %t | FileCheck %s --check-prefix=RAN
// RUN: not %regrain cc -DFAR -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not %regrain cc -DWRONG -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=WRONG
#include <cstdio>

// CHECK: define {{.*}} @_Z3addPii
__global__ void add(int *sum, int value) { atomicAdd(sum, value); }
template <typename T, int N> __global__ void addN(T *sum) { atomicAdd(sum, N); }
template <typename T> struct Box {
  T value;
};
template <typename T> int operator<<(Box<T> box, int shift) { return box.value << shift; }
template <typename T> T id(T value) { return value; }

#define ADD(sum, value) add << <1, 32 >> > (sum, value)

int main() {
  int *sum;
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  dim3 grid(2), block(8, 2);
  add << <grid, block >> >(sum, 1);
  add<< < grid, block, 0, 0 >>	>(sum, 1);
  add<<<dim3(16 >> 3), block>>
      >(sum, 1);
  addN<int, 3> << <(4 >> 1), id<Box<int> >(Box<int>{1}).value>> > (sum);
  addN<int, 5><</* one block */<1, 1>>>(sum);
  ADD(sum, 2);
  cudaDeviceSynchronize();
  // 3 * 32 + 2 * 3 + 5 + 32 * 2
  // RAN: sum 171, kernel << <1, 1 >> >(x), 12
  printf("sum %d, kernel << <1, 1 >> >(x), %d\n", *sum, operator<< <int>(Box<int>{3}, 2));
#ifdef FAR
  // FAR: launch-brackets.cu:[[@LINE+2]]:{{.*}}error: expected expression
  add <<
      <1, 1>>>(sum, 1);
#endif
#ifdef WRONG
  // The place of an error behind the brackets is unchanged.
  // WRONG: launch-brackets.cu:[[@LINE+1]]:30: error: use of undeclared identifier 'unknown'
  add << <1, 1 >> >(sum, 1 + unknown);
#endif
}
