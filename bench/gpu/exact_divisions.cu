// Whether the quotients and roots of docs/decisions/0145 are the device's own, bit for bit, on the
// device that runs this:
//
//   nvcc -O3 -arch=sm_90 bench/gpu/exact_divisions.cu -o exact && ./exact
//
// It prints a JSON object with how many were tried, and how many differ. Exits with 1 if one does.
#include <cmath>
#include <cstdint>
#include <cstdio>

using Count = unsigned long long;

__device__ uint32_t bits(float x) { return __float_as_uint(x); }

__device__ float reciprocal(float b) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
  return __fmaf_rn(r, __fmaf_rn(-b, r, 1.0f), r);
}

__device__ float quotient(float a, float b, float y) {
  float q = __fmul_rn(a, y);
  return __fmaf_rn(-y, __fmaf_rn(b, q, -a), q);
}

__device__ float root(float x) {
  float r;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  float g = __fmul_rn(x, r), h = __fmul_rn(0.5f, r);
  return __fmaf_rn(__fmaf_rn(-g, g, x), h, g);
}

__device__ bool isChecked(float a, float b, float q) {
  uint32_t zeros = ~(__float_as_int(b) >> 31);
  return fabsf(b) <= 0x1p35f && (bits(a) << 1) + zeros >= __float_as_uint(0x1p-90f) << 1 &&
         fabsf(q) < INFINITY;
}

struct Found {
  Count reciprocals, reciprocalsWrong, roots, rootsWrong, hard, hardWrong, random, randomWrong,
      zeros;
  uint32_t a, b; // a pair that is wrong
};

/// Tries every float: that its root is right, and that its reciprocal is that of its mantissa.
__global__ void everyFloat(Found *found) {
  Count all = 1ull << 32, step = gridDim.x * blockDim.x;
  for (Count i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += step) {
    float x = __uint_as_float(i);
    int exponent = i >> 23 & 255;
    if (exponent >= 1 && exponent <= 162) {
      float one = __uint_as_float((i & 0x807fffff) | 0x3f800000);
      atomicAdd(&found->reciprocals, 1);
      if (reciprocal(x) != ldexpf(reciprocal(one), 127 - exponent))
        atomicAdd(&found->reciprocalsWrong, 1);
    }
    if (x >= 0x1p-101f && x < INFINITY) {
      atomicAdd(&found->roots, 1);
      if (bits(root(x)) != bits(__fsqrt_rn(x)))
        atomicAdd(&found->rootsWrong, 1);
    }
  }
}

/// Tries the dividends A of each divisor B with A * 2^p - B * M = c, |c| <= 8: the quotient A / B
/// is nearest to the middle M / 2^p of two floats.
__global__ void hardPairs(Found *found) {
  for (uint32_t B = (1u << 23) + blockIdx.x * blockDim.x + threadIdx.x; B < 1u << 24;
       B += gridDim.x * blockDim.x) {
    int zeros = __ffs(B) - 1;
    uint32_t odd = B >> zeros, inverse = odd; // modulo 2^32
    for (int k = 0; k < 5; ++k)
      inverse *= 2 - odd * inverse;
    float y = reciprocal(float(B));
    for (int c = -8; c <= 8; ++c)
      for (int p = 24; p <= 25; ++p) {
        uint32_t step = 1u << (p - zeros);
        if (c & ((1 << zeros) - 1))
          continue;
        for (uint32_t M = uint32_t(-(c >> zeros)) * inverse & (step - 1); M < 1u << 25; M += step) {
          int64_t product = int64_t(B) * M + c;
          uint32_t A = product >> p;
          if (M < 1u << 24 || product & ((1ll << p) - 1) || A < 1u << 23 || A >= 1u << 24)
            continue;
          atomicAdd(&found->hard, 1);
          if (bits(quotient(float(A), float(B), y)) != bits(__fdiv_rn(float(A), float(B))))
            atomicAdd(&found->hardWrong, 1), found->a = bits(float(A)), found->b = bits(float(B));
        }
      }
  }
}

__device__ Count mix(Count x) {
  x ^= x >> 33, x *= 0xff51afd7ed558ccdull;
  x ^= x >> 33, x *= 0xc4ceb9fe1a85ec53ull;
  return x ^ x >> 33;
}

/// Tries random bits, and among them zeros, powers of two, infinities, and ends of mantissas.
__global__ void randomPairs(Found *found, Count count) {
  Count tried = 0, wrong = 0, zeros = 0;
  for (Count i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    Count random = mix(i + 1);
    uint32_t a = random, b = random >> 32, kind = mix(random) & 15;
    a = kind == 0 ? a & 0x80000000 : kind == 1 ? a & 0xff800000 : kind == 2 ? a | 0x7fffff : a;
    b = kind == 3 ? b & 0xff800000 : kind == 4 ? b | 0x7fffff : kind == 5 ? b | 0x7f800000 : b;
    float dividend = __uint_as_float(a), divisor = __uint_as_float(b);
    float q = quotient(dividend, divisor, reciprocal(divisor));
    if (!isChecked(dividend, divisor, q))
      continue;
    ++tried;
    zeros += dividend == 0;
    if (bits(q) != bits(__fdiv_rn(dividend, divisor)))
      ++wrong, found->a = a, found->b = b;
  }
  atomicAdd(&found->random, tried), atomicAdd(&found->randomWrong, wrong),
      atomicAdd(&found->zeros, zeros);
}

int main() {
  Found *found;
  if (cudaError_t error = cudaMallocManaged(&found, sizeof *found)) {
    fprintf(stderr, "exact_divisions: no memory: %s\n", cudaGetErrorString(error));
    return 1;
  }
  *found = {};
  everyFloat<<<1056, 256>>>(found);
  hardPairs<<<1056, 256>>>(found);
  randomPairs<<<1056, 256>>>(found, 1ull << 36);
  if (cudaError_t error = cudaDeviceSynchronize()) {
    fprintf(stderr, "exact_divisions: the kernels failed: %s\n", cudaGetErrorString(error));
    return 1;
  }
  printf("{\"reciprocals\": %llu, \"reciprocals_wrong\": %llu, \"roots\": %llu, \"roots_wrong\": "
         "%llu, \"hard_pairs\": %llu, "
         "\"hard_pairs_wrong\": %llu, \"random_pairs\": %llu, \"random_pairs_wrong\": %llu, "
         "\"zeros\": %llu, \"pair\": "
         "\"%08x %08x\"}\n",
         found->reciprocals, found->reciprocalsWrong, found->roots, found->rootsWrong, found->hard,
         found->hardWrong, found->random, found->randomWrong, found->zeros, found->a, found->b);
  return found->reciprocalsWrong || found->rootsWrong || found->hardWrong || found->randomWrong;
}
