// Bodies that are not compiled may have errors: those of templates that nothing instantiates on the device side, and
// those of kernels and device functions on the host side. Calls in functions for the host may be wrong on the device side.
// RUN: %regrain cc --targets=cpu %s -o %t && %t
// RUN: not %regrain cc --targets=cpu -DUSED -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=USED
// RUN: not %regrain cc --targets=cpu -DMEMBER_USED -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: not %regrain cc --targets=cpu -DPLAIN -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not %regrain cc --targets=cpu -std=c++17 -DBRANCH -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not %regrain cc --targets=cpu -DCALL -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not %regrain cc --targets=cpu -DHOST -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HOST

template <class T> struct Sum {
  static __device__ T of(const T *values);
  static __device__ T wrong(const T *values);
};

#ifdef __CUDA_ARCH__
template <class T> __device__ T wrong(T value) {
  // USED: body-errors.cu:[[@LINE+1]]:18: error: use of undeclared identifier 'missing'
  return value + missing;
}
template <class T> __device__ T Sum<T>::wrong(const T *values) {
  // MEMBER: body-errors.cu:[[@LINE+2]]:3: error: use of undeclared identifier 'total'
  // MEMBER: body-errors.cu:[[@LINE+2]]:10: error: use of undeclared identifier 'total'
  total = sum<3>(values);
  return total;
}
#endif
// The branches that no instance has: their assembly may be wrong as well.
template <int Policy> __device__ void marked(int *value) {
  if constexpr (Policy == 0) {
    *value += 1;
  } else if constexpr (Policy == 1) {
    // BRANCH: body-errors.cu:[[@LINE+1]]:{{.*}}error: invalid operand number in inline asm string
    asm volatile("add.s32 %0, %0, %7;" : "+r"(*value) : "r"(Policy));
  } else {
    *value = missing;
  }
}
template <class T> __device__ T Sum<T>::of(const T *values) { return values[0] + values[1]; }

// Functions that are for the host side alone while the host side is compiled.
#ifdef __CUDA_ARCH__
#define BOTH __host__ __device__
#else
#define BOTH
#endif
struct Offset {
  BOTH Offset() {}
  BOTH int of(int value) const { return value; }
};

__global__ void add(int *values) {
  Offset offset;
  values[0] = offset.of(values[0]);
  values[2] = Sum<int>::of(values);
#ifdef BRANCH
  marked<1>(values);
#endif
  marked<0>(values + 1);
#if defined(USED) && defined(__CUDA_ARCH__)
  values[2] = wrong(values[2]);
#endif
#ifdef MEMBER_USED
  values[2] = Sum<int>::wrong(values);
#endif
#ifdef PLAIN
  // PLAIN: body-errors.cu:[[@LINE+1]]:15: error: use of undeclared identifier 'missing'
  values[2] = missing;
#endif
}

// Macros that call other functions on the device side are also in functions for the host.
__device__ int turned(int value) { return -value; }
#if defined(__CUDA_ARCH__) || defined(CALL)
#define TURN(value) turned(value)
#else
#define TURN(value) (-(value))
#endif
// CALL: body-errors.cu:[[@LINE+1]]:{{.*}}error: {{no matching function|reference to __device__ function}}
int onHost(int value) { return TURN(value); }

int main() {
#if defined(HOST) && !defined(__CUDA_ARCH__)
  // HOST: body-errors.cu:[[@LINE+1]]:3: error: use of undeclared identifier 'missing'
  missing = 1;
#endif
  int *values;
  cudaMallocManaged(&values, 3 * sizeof(int));
  values[0] = -onHost(20), values[1] = 22;
  add<<<1, 1>>>(values);
  cudaDeviceSynchronize();
  return values[2] == 42 ? 0 : 1;
}
