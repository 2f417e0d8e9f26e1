// Device code may have bodies of templates that no compiler takes, as long as nothing instantiates them and the host
// side does not see them.
// RUN: %regrain cc --targets=cpu %s -o %t && %t
// RUN: not %regrain cc --targets=cpu -DUSED -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=USED
// RUN: not %regrain cc --targets=cpu -DMEMBER_USED -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: not %regrain cc --targets=cpu -DPLAIN -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not %regrain cc --targets=cpu -D__CUDA_ARCH_LIKE -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HOST

template <class T> struct Sum {
  static __device__ T of(const T *values);
  static __device__ T wrong(const T *values);
};

#if defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_LIKE)
template <class T> __device__ T wrong(T value) {
  // USED: template-errors.cu:[[@LINE+2]]:18: error: use of undeclared identifier 'missing'
  // HOST: template-errors.cu:[[@LINE+1]]:18: error: use of undeclared identifier 'missing'
  return value + missing;
}
template <class T> __device__ T Sum<T>::wrong(const T *values) {
  // MEMBER: template-errors.cu:[[@LINE+2]]:3: error: use of undeclared identifier 'total'
  // MEMBER: template-errors.cu:[[@LINE+2]]:10: error: use of undeclared identifier 'total'
  total = sum<3>(values);
  return total;
}
#endif
template <class T> __device__ T Sum<T>::of(const T *values) { return values[0] + values[1]; }

__global__ void add(int *values) {
  values[2] = Sum<int>::of(values);
#if defined(USED) && defined(__CUDA_ARCH__)
  values[2] = wrong(values[2]);
#endif
#ifdef MEMBER_USED
  values[2] = Sum<int>::wrong(values);
#endif
#ifdef PLAIN
  // PLAIN: template-errors.cu:[[@LINE+1]]:15: error: use of undeclared identifier 'missing'
  values[2] = missing;
#endif
}

int main() {
  int *values;
  cudaMallocManaged(&values, 3 * sizeof(int));
  values[0] = 20, values[1] = 22;
  add<<<1, 1>>>(values);
  cudaDeviceSynchronize();
  return values[2] == 42 ? 0 : 1;
}
