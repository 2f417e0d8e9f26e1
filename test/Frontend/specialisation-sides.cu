// A specialisation of a function template may be for other sides than the template.
// RUN: %regrain cc --targets=cpu %s -o %t && %t
// RUN: not %regrain cc --targets=cpu -DHOST -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not %regrain cc --targets=cpu -DNONE -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE

template <class T> inline __host__ __device__ int kind(T value);
template <> inline __host__ __device__ int kind(double value) { return 1; }
template <> inline __device__ int kind(float value) { return 2 + __float2int_rz(value); }

template <class T> constexpr int implied(T value) { return 0; }
template <> __host__ __device__ constexpr int implied(int value) { return value; }

namespace inner {
template <class T> int plain(T value) { return 0; }
template <class T> __device__ int own(T value) { return 0; }
} // namespace inner
template <> __device__ int inner::plain<float>(float value) { return 40; }
template <> __host__ __device__ int inner::own(int value) { return value; }
#ifdef NONE
// NONE: specialisation-sides.cu:[[@LINE+1]]:28: error: no function template matches function template specialization 'none'
template <> __device__ int none(int value) { return value; }
#endif

__global__ void run(int *out) {
  *out = kind(1.0) + 10 * kind(1.5f) + 100 * inner::plain(1.0f) + inner::own(10000) + implied(0);
}

int main() {
#ifdef HOST
  // HOST: specialisation-sides.cu:[[@LINE+1]]:3: error: no matching function for call to 'kind'
  kind(1.0f);
#endif
  int *out;
  cudaMallocManaged(&out, sizeof(int));
  run<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  return *out + kind(1.0) + inner::own(2) == 14031 + 1 + 2 ? 0 : 1;
}
