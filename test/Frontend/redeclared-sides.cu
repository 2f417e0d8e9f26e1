//===- redeclared-sides.cu - Sides of all declarations ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A function has the sides of all its declarations.
// RUN: %regrain cc --targets=cpu %s -o %t && %t
// RUN: not %regrain cc --targets=cpu -DHOST -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HOST

struct Vector {
  int x, y;
  __host__ __device__ int sum() const;
  __host__ __device__ int sum(int more) const;
  __device__ int product() const;
  template <class T> __host__ __device__ T scaled(T factor) const;
  static __host__ __device__ Vector of(int x, int y);
  __device__ int onDevice() const;
};
inline int Vector::sum() const { return x + y; }
__device__ int threads() { return blockDim.x; }
__device__ int Vector::sum(int more) const { return x + y + more; }
int Vector::product() const { return x * y * threads(); }
template <class T> T Vector::scaled(T factor) const { return factor * x; }
Vector Vector::of(int x, int y) { return {x, y}; }
__device__ int Vector::onDevice() const { return threadIdx.x + 1; }

template <class T> struct Pair {
  T first;
  __host__ __device__ T get(int) const;
};
template <class T> T Pair<T>::get(int) const { return first; }

__host__ __device__ int plain(int value);
__device__ int plain(int value) { return value + 1; }
__device__ int widened(int value);
__host__ __device__ int widened(int value) { return value + 2; }
template <class T> __host__ __device__ T generic(T value, int more);
template <class T> __device__ T generic(T value, int more) { return value + more; }

// Without a side, what was declared for the device stays there.
__device__ int later(int value);
int later(int value) { return value + threads(); }
template <class T> __device__ T laterGeneric(T value);
template <class T> T laterGeneric(T value) { return value + blockDim.x; }

// A specialisation without a side has those of what it specialises.
template <class T> __host__ __device__ T special(T value) { return value; }
template <> float special<float>(float value) { return value + 1; }
template <class T> __device__ T specialOnDevice(T value) { return value; }
template <> int specialOnDevice(int value) { return value + blockDim.x; }
template <class T> struct Special {
  __device__ int onDevice() const;
  __host__ __device__ int onBoth() const;
  template <class U> __device__ int member(U value) const { return value; }
};
template <> int Special<int>::onDevice() const { return blockDim.x; }
template <> int Special<int>::onBoth() const { return 2; }
template <> template <> int Special<int>::member(float value) const { return blockDim.x + 2; }

// These stay overloads.
__host__ int overloaded(int) { return 1; }
__device__ int overloaded(int) { return 2; }
__host__ __device__ int overloaded(long) { return 3; }

__global__ void run(int *out) {
  Vector v = Vector::of(2, 3);
  out[0] = v.sum() + v.sum(10) + v.product() + v.scaled(100) + v.onDevice();
  out[1] = plain(1) + widened(2) + generic(3, 4) + Pair<int>{5}.get(0);
  out[3] = later(1) + laterGeneric(10) + special(2.0f) + specialOnDevice(100);
  out[4] = Special<int>().onDevice() + Special<int>().onBoth() + Special<int>().member(1.0f);
  out[2] = 10 * overloaded(0) + overloaded(0l);
}

int main() {
#ifdef HOST
  // HOST: redeclared-sides.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}onDevice
  Vector::of(1, 1).onDevice();
  // HOST: redeclared-sides.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}product
  Vector::of(1, 1).product();
  // HOST: redeclared-sides.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}later
  later(1);
  // HOST: redeclared-sides.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}specialOnDevice
  specialOnDevice(1);
#endif
  int *out;
  cudaMallocManaged(&out, 5 * sizeof(int));
  run<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  Vector v = Vector::of(2, 3);
  int onHost = v.sum() + v.sum(10) + v.scaled(100) + plain(1) + widened(2) + generic(3, 4) +
               Pair<int>{5}.get(0) + overloaded(0);
  bool isRight = out[0] == 5 + 15 + 6 + 200 + 1 && out[1] == 2 + 4 + 7 + 5 && out[2] == 23 &&
                 out[3] == 2 + 11 + 3 + 101 && out[4] == 1 + 2 + 3 && special(3.0f) == 4 &&
                 Special<int>().onBoth() == 2 && onHost == 220 + 18 + 1;
  return isRight ? 0 : 1;
}
