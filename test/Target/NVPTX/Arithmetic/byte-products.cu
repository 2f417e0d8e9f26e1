// The products of the four bytes of two words, in one sum, are one instruction from compute capability 6.1 on.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_60 --emit=ptx %s -o - | FileCheck %s --check-prefix=OLD
// OLD-NOT: dp4a

// CHECK-LABEL: .entry {{.*}}signed_words
// CHECK: dp4a.s32.s32
// CHECK-NOT: {{mul|mad}}.lo
// CHECK: ret;
extern "C" __global__ void __launch_bounds__(32) signed_words(const int *__restrict__ a, const int *__restrict__ b,
                                                              int *out) {
  out[threadIdx.x] = __dp4a(a[threadIdx.x], b[threadIdx.x], out[threadIdx.x]);
}
// CHECK-LABEL: .entry {{.*}}unsigned_words
// CHECK: dp4a.u32.u32
// CHECK-NOT: {{mul|mad}}.lo
// CHECK: ret;
extern "C" __global__ void unsigned_words(const unsigned *__restrict__ a, const unsigned *__restrict__ b,
                                          unsigned *out) {
  out[threadIdx.x] = __dp4a(a[threadIdx.x], b[threadIdx.x], out[threadIdx.x]);
}
// CHECK-LABEL: .entry {{.*}}vectors
// CHECK: dp4a.s32.s32
// CHECK-NOT: {{mul|mad}}.lo
// CHECK: ret;
extern "C" __global__ void vectors(const char4 *__restrict__ a, const char4 *__restrict__ b, int *out) {
  out[threadIdx.x] = __dp4a(a[threadIdx.x], b[threadIdx.x], out[threadIdx.x]);
}
// Bytes of one word may have a sign where those of the other have none; the program writes the sum in any order.
// CHECK-LABEL: .entry {{.*}}mixed
// CHECK: dp4a.{{u32.s32|s32.u32}}
// CHECK-NOT: {{mul|mad}}.lo
// CHECK: ret;
extern "C" __global__ void mixed(const unsigned *__restrict__ a, const int *__restrict__ b, int *out) {
  unsigned x = a[threadIdx.x];
  int y = b[threadIdx.x];
  out[threadIdx.x] = int(x >> 24) * (y >> 24) + int(x & 255) * (signed char)y +
                     (signed char)(y >> 16) * int(x >> 16 & 255) + int(x >> 8 & 255) * (signed char)(y >> 8);
}
// Other places, a byte that is missing, one that is there twice, and one with another extension are products as written.
// CHECK-NOT: dp4a
extern "C" __global__ void other_places(const unsigned *__restrict__ a, const unsigned *__restrict__ b, unsigned *out) {
  unsigned x = a[threadIdx.x], y = b[threadIdx.x];
  out[threadIdx.x] = (x & 255) * (y & 255) + (x >> 8 & 255) * (y >> 16 & 255) + (x >> 16 & 255) * (y >> 8 & 255) +
                     (x >> 24) * (y >> 24);
}
extern "C" __global__ void three(const unsigned *__restrict__ a, const unsigned *__restrict__ b, unsigned *out) {
  unsigned x = a[threadIdx.x], y = b[threadIdx.x];
  out[threadIdx.x] = (x & 255) * (y & 255) + (x >> 8 & 255) * (y >> 8 & 255) + (x >> 16 & 255) * (y >> 16 & 255);
}
extern "C" __global__ void other_sign(const int *__restrict__ a, const int *__restrict__ b, int *out) {
  int x = a[threadIdx.x], y = b[threadIdx.x];
  out[threadIdx.x] = (signed char)x * (signed char)y + (signed char)(x >> 8) * (signed char)(y >> 8) +
                     (signed char)(x >> 16) * (signed char)(y >> 16) + int(unsigned(x) >> 24) * (y >> 24);
}
// A product that is needed by itself, and shifts of less than a byte.
extern "C" __global__ void needed(const unsigned *__restrict__ a, const unsigned *__restrict__ b, unsigned *out) {
  unsigned x = a[threadIdx.x], y = b[threadIdx.x];
  unsigned low = (x & 255) * (y & 255);
  out[threadIdx.x + 32] = low;
  out[threadIdx.x] = low + (x >> 8 & 255) * (y >> 8 & 255) + (x >> 16 & 255) * (y >> 16 & 255) + (x >> 24) * (y >> 24);
}
extern "C" __global__ void odd_shift(const unsigned *__restrict__ a, const unsigned *__restrict__ b, unsigned *out) {
  unsigned x = a[threadIdx.x], y = b[threadIdx.x];
  out[threadIdx.x] = (x & 255) * (y & 255) + (x >> 7 & 255) * (y >> 7 & 255) + (x >> 16 & 255) * (y >> 16 & 255) +
                     (x >> 24) * (y >> 24);
}
