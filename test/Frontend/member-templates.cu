// A call of a member template in a statement of its own is one without `template`, too, as nvcc takes it.
// RUN: %regrain cc --targets=cpu %s -o %t && %t | FileCheck %s --check-prefix=RAN
// RUN: not %regrain cc --targets=cpu -DOTHERS %s -o %t 2>&1 | FileCheck %s
#include <cstdio>

namespace numbers {
template <typename To, typename From> struct Conversion {
  template <int n> static __host__ __device__ void cast(To *to, const From *from) {
    for (int i = 0; i < n; ++i)
      to[i] = To(from[i]);
  }
  template <int a, int b> static __host__ __device__ void add(To *to) { to[0] += a * b; }
  static constexpr int limit = 5;
};
} // namespace numbers

template <typename To, typename From, int n> __host__ __device__ void convert(To *to, const From *from) {
  numbers::Conversion<To, From>::cast<n>(to,
                                         from);
  if (n > 2) {
    numbers::Conversion<To, numbers::Conversion<From, int>>
            ::add<n, (n > 3)>(to);
  }
  // A comparison with a member stays.
  to[1] += numbers::Conversion<To, From>::limit < n;
}

__global__ void kernel(int *to, const float *from) { convert<int, float, 4>(to, from); }

// No blanks are left in whose place the word could stand, or the statement is another one.
#ifdef OTHERS
template <typename T> __device__ void narrow(T *p) {
numbers::Conversion<T,T>::cast<3>(p,p);
// CHECK: [[@LINE-1]]:{{.*}}error: {{.*}}cast
}
__global__ void refused(int *p) { narrow(p); }
#endif

int main() {
  int *to;
  float *from;
  cudaMallocManaged(&to, 16);
  cudaMallocManaged(&from, 16);
  for (int i = 0; i < 4; ++i)
    from[i] = i + 7.5f;
  kernel<<<1, 1>>>(to, from);
  cudaDeviceSynchronize();
  // RAN: 11 8 9 10
  printf("%d %d %d %d\n", to[0], to[1], to[2], to[3]);
}
