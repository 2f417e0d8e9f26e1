// Arithmetic on the bits of a float that rounds it to e4m3 becomes the device's conversion, also if the clamp in front
// of it is one of doubles.
// REQUIRES: cuda-toolkit
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:thread.x=2:contiguous' --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_80 --emit=ptx %s -o - | FileCheck %s --check-prefix=OLDER

__device__ __forceinline__ unsigned char code(float number, unsigned nan = 0x43f00000, unsigned normal = 0x3c800000,
                                              float steps = 16384, int shift = 20) {
  unsigned bits = __float_as_uint(number), sign = bits & 0x80000000, result;
  bits ^= sign;
  if (bits >= nan) {
    result = 0x7f;
  } else if (bits < normal) {
    result = __float_as_uint(__uint_as_float(bits) + steps) - __float_as_uint(steps);
  } else {
    unsigned isOdd = (bits >> shift) & 1;
    result = (bits + (unsigned(7 - 127) << 23) + 0x7ffff + isOdd) >> shift;
  }
  return static_cast<unsigned char>(result) | static_cast<unsigned char>(sign >> 24);
}

// CHECK-LABEL: .entry _Z7clampedPhPKff(
// CHECK-NOT: f64
// CHECK: min.f32 {{.*}}, 0f43E00000;
// CHECK-NOT: bra
// CHECK: cvt.rn.satfinite.e4m3x2.f32
// CHECK-NOT: or.b
// CHECK: ret;
// OLDER-LABEL: .entry _Z7clampedPhPKff(
// OLDER-NOT: f64
// OLDER-NOT: e4m3x2
// OLDER: ret;
__global__ void clamped(unsigned char *out, const float *in, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = code(fmax(-448.0f, fmin(in[i] / scale, 448.0)));
}

// From 464 on, the instruction would have another result.
// CHECK-LABEL: .entry _Z9unclampedPhPKf(
// CHECK-DAG: cvt.rn.satfinite.e4m3x2.f32
// CHECK-DAG: setp.{{gtu|le}}.f32 {{.*}}, 0f43E80000;
// CHECK-NOT: bra
// CHECK: ret;
__global__ void unclamped(unsigned char *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = code(in[i]);
}
// CHECK-LABEL: .entry _Z4widePhPKf(
// CHECK: setp.{{gtu|le}}.f32 {{.*}}, 0f43E80000;
// CHECK: ret;
__global__ void wide(unsigned char *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = code(fminf(in[i], 448));
}

// Other limits, other steps, and codes whose upper bits are used stay.
// CHECK-LABEL: .entry _Z5otherPhPKf(
// CHECK-NOT: e4m3x2
// CHECK: ret;
__global__ void other(unsigned char *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  out[i] = code(in[i], 0x43f00001);
  out[i + n] = code(in[i], 0x43f00000, 0x3c800001);
  out[i + 2 * n] = code(in[i], 0x43f00000, 0x3c800000, 32768);
  out[i + 3 * n] = code(in[i], 0x43f00000, 0x3c800000, 16384, 21);
}
// CHECK-LABEL: .entry _Z5upperPjPKf(
// CHECK-NOT: e4m3x2
// CHECK: ret;
__global__ void upper(unsigned *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bits = __float_as_uint(in[i]) & 0x7fffffff, result = 0x7f;
  if (bits < 0x3c800000)
    result = __float_as_uint(__uint_as_float(bits) + 16384.0f);
  else if (bits < 0x43f00000)
    result = (bits + (unsigned(7 - 127) << 23) + 0x7ffff + ((bits >> 20) & 1)) >> 20;
  out[i] = result;
}

// A clamp decides the comparison that guards the codes of joined threads, and their signs are put
// into their codes.
// CHECK-LABEL: .entry _Z8manyAtIfPhPKff(
// CHECK-NOT: bra
// CHECK: min.f32
// CHECK-COUNT-4: cvt.rn.satfinite.e4m3x2.f32
// CHECK-NOT: abs.f32
// CHECK-NOT: and.b32
// CHECK: ret;
__global__ void manyAtIf(unsigned char *out, const float *in, float) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float x[4];
  bool isAny = false;
  for (int k = 0; k < 4; ++k) {
    x[k] = fmaxf(-448, fminf(in[i + k] / 8, 448));
    isAny |= (__float_as_uint(x[k]) & 0x7fffffff) >= 0x43f00000;
  }
  if (isAny)
    for (int k = 0; k < 4; ++k)
      out[i + k] = code(x[k]);
  else
    for (int k = 0; k < 4; ++k) {
      unsigned bits = __float_as_uint(x[k]), sign = bits & 0x80000000;
      bits ^= sign;
      unsigned result = bits < 0x3c800000
                            ? __float_as_uint(__uint_as_float(bits) + 16384.0f) - __float_as_uint(16384.0f)
                            : (bits + (unsigned(7 - 127) << 23) + 0x7ffff + ((bits >> 20) & 1)) >> 20;
      out[i + k] = static_cast<unsigned char>(result | (sign >> 24));
    }
}
