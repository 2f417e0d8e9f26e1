//===- inline_ptx.cu - Inline PTX of several instructions -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers, predicates, carries, accesses and conversions are compared with
// the same in C++ on the host.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: %regrain cc --targets=cpu -O0 -o %t.plain %s
// RUN: timeout 60 %t.plain
#include "expect.h"
#include <cstring>

constexpr int threads = 64, blocks = 3, total = threads * blocks;
using u32 = unsigned;
using u64 = unsigned long long;

struct Numbers {
  u32 words[38];
  u64 longs[12];
  float floats[11];
};

__device__ u32 conditional(u32 a, u32 b) {
  u32 r = 7;
  asm("{\n\t.reg .pred p, q; // two\n\tsetp.lt.u32 p|q, %1, %2;\n\t@p add.u32 %0, %1, 1;\n\t"
      "@!p sub.u32 %0, %2, 1;\n\t@q xor.b32 %0, %0, 0xff;\n}"
      : "+r"(r)
      : "r"(a), "r"(b));
  return r;
}

__device__ u32 nested(u32 a) {
  u32 r;
  asm("{ .reg .b32 t<2>; mov.b32 t0, %1; { .reg .u32 t0; add.u32 t0, %1, 5; mov.u32 t1, t0; }\n"
      "  mad.lo.u32 %0, t0, 3, t1; /* t0 is a again; done */ }"
      : "=r"(r)
      : "r"(a));
  return r;
}

/// Computes (a1:a0) * b as three words.
__device__ void multiply(u32 out[3], u32 a0, u32 a1, u32 b) {
  asm("mul.lo.u32 %0, %3, %5;\n\tmul.hi.u32 %1, %3, %5;\n\tmad.lo.cc.u32 %1, %4, %5, %1;\n\t"
      "madc.hi.u32 %2, %4, %5, 0;"
      : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2])
      : "r"(a0), "r"(a1), "r"(b));
}

/// The sum has 96 bits.
__device__ void sum(u32 out[3], u32 a, u32 b) {
  asm volatile("add.cc.u32 %0, %3, %4; addc.cc.u32 %1, %4, %4; addc.u32 %2, 0, 0;"
               : "=r"(out[0]), "=r"(out[1]), "=r"(out[2])
               : "r"(a), "r"(b));
}

__device__ u64 difference(u64 a, u64 b) {
  u32 low, high;
  u64 r;
  asm("{ .reg .b32 a0, a1, b0, b1; mov.b64 {a0, a1}, %2; mov.b64 {b0, b1}, %3;"
      "  sub.cc.u32 %0, a0, b0; subc.u32 %1, a1, b1; }"
      : "=r"(low), "=r"(high)
      : "l"(a), "l"(b));
  asm("mov.b64 %0, {%1, %2};" : "=l"(r) : "r"(low), "r"(high));
  return r;
}

__device__ void fillWords(u32 *w, u32 a, u32 b) {
  w[0] = conditional(a, b);
  w[1] = nested(a);
  multiply(w + 2, a, b, a ^ 0x9e3779b9u);
  sum(w + 5, a, b);
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(w[8]) : "r"(a), "r"(b), "r"(a + b));
  asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(w[9]) : "r"(a), "r"(b));
  asm("bfe.u32 %0, %1, 5, 9;" : "=r"(w[10]) : "r"(a));
  asm("bfe.s32 %0, %1, %2, 9;" : "=r"(w[11]) : "r"(a), "r"(b & 31));
  asm("bfi.b32 %0, %1, %2, 8, 8;" : "=r"(w[12]) : "r"(a), "r"(b));
  asm("{ .reg .u32 t; popc.b32 t, %1; clz.b32 %0, %1; shl.b32 t, t, 8; or.b32 %0, %0, t; }"
      : "=r"(w[13]) : "r"(a));
  asm("brev.b32 %0, %1;" : "=r"(w[14]) : "r"(a));
  asm("bfind.u32 %0, %1;" : "=r"(w[15]) : "r"(a >> (b & 31)));
  asm("shl.b32 %0, %1, %2;" : "=r"(w[16]) : "r"(a), "r"(b & 63));
  asm("shr.s32 %0, %1, %2;" : "=r"(w[17]) : "r"(a), "r"(b & 63));
  asm("{ .reg .pred p; setp.ge.s32 p, %1, %2; selp.b32 %0, %1, %2, p; }"
      : "=r"(w[18]) : "r"(a), "r"(b));
  asm("min.s32 %0, %1, %2; max.u32 %0, %0, 100;" : "=r"(w[19]) : "r"(a), "r"(b));
  asm("add.sat.s32 %0, %1, %2;" : "=r"(w[20]) : "r"(a), "r"(b));
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(w[21]) : "r"(a), "r"(b), "r"(b >> 3));
  asm("cvt.s32.s8 %0, %1;" : "=r"(w[22]) : "r"(a));
  asm("{ .reg .pred p, q; setp.ne.b32 p, %1, 0; setp.gt.and.u32 q, %2, 77, p; not.pred q, q;"
      "  selp.u32 %0, 1, 2, q; }"
      : "=r"(w[23]) : "r"(a & 1), "r"(b));
  asm("mov.u32 %0, %%laneid; mov.u32 %1, %%lanemask_lt;" : "=r"(w[24]), "=r"(w[25]));
  asm("{ .reg .u16 l, h; mov.b32 {l, h}, %1; mov.b32 %0, {h, l}; }" : "=r"(w[26]) : "r"(a));
  asm("vadd4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(w[27]) : "r"(a), "r"(b), "r"(0));
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(w[28]) : "r"(a) "r"(b), "r"(9)); // nvcc takes this form
  asm("set.lt.u32.u32 %0, %1, %2;" : "=r"(w[29]) : "r"(a), "r"(b));
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(w[30]) : "r"(a), "r"(b));
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(w[31]) : "r"(a), "r"(b), "r"(5));
  asm("div.u32 %0, %1, %2;" : "=r"(w[32]) : "r"(a), "r"(b >> 16 | 1));
  asm("rem.u32 %0, %1, %2;" : "=r"(w[33]) : "r"(a), "r"(b >> 16 | 1));
  asm("div.s32 %0, %1, %2;" : "=r"(w[34]) : "r"(a), "r"(int(b) >> 16 | 1));
  asm("{ .reg .u32 z; rem.s32 %0, %1, %2; sub.u32 z, %1, %1; div.u32 z, %1, z; }"
      : "=r"(w[35]) : "r"(a), "r"(int(b) >> 16 | 1));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(w[36]) : "r"(a & 63), "r"(b & 63));
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(w[37]) : "r"(a), "r"(b));
}

void expectWords(u32 *w, u32 a, u32 b, u32 thread) {
  auto clz = [](u32 x) { return x ? u32(__builtin_clz(x)) : 32u; };
  w[0] = a < b ? a + 1 : (b - 1) ^ 0xff;
  w[1] = a * 3 + a + 5;
  unsigned __int128 product = (unsigned __int128)((u64)b << 32 | a) * (a ^ 0x9e3779b9u);
  u64 low = (u64)a + b, high = (u64)b + b + (low >> 32);
  for (int i = 0; i < 3; ++i)
    w[2 + i] = u32(product >> (32 * i));
  w[5] = u32(low), w[6] = u32(high), w[7] = u32(high >> 32);
  w[8] = (a & b) | (a & (a + b)) | (b & (a + b));
  w[9] = (a & 0xffff) | b << 16;
  w[10] = a >> 5 & 511;
  w[11] = u32((long long)(int)a >> (b & 31) << 55 >> 55);
  w[12] = (b & 0xffff00ff) | (a & 255) << 8;
  w[13] = clz(a) | u32(__builtin_popcount(a)) << 8;
  w[14] = 0;
  for (int i = 0; i < 32; ++i)
    w[14] |= (a >> i & 1) << (31 - i);
  w[15] = (a >> (b & 31)) ? 31 - clz(a >> (b & 31)) : ~0u;
  w[16] = (b & 63) > 31 ? 0 : a << (b & 31);
  w[17] = u32((int)a >> ((b & 63) > 31 ? 31 : b & 31));
  w[18] = (int)a >= (int)b ? a : b;
  w[19] = std::max(u32(std::min((int)a, (int)b)), 100u);
  long long s = (long long)(int)a + (int)b;
  w[20] = u32(s > 0x7fffffff ? 0x7fffffff : s < -0x80000000ll ? -0x80000000ll : s);
  w[21] = u32(((u64)b << 32 | a) >> (b >> 3 & 31));
  w[22] = u32((int)(signed char)a);
  w[23] = !(b > 77 && (a & 1)) ? 1 : 2;
  w[24] = thread & 31;
  w[25] = (1u << (thread & 31)) - 1;
  w[26] = a >> 16 | a << 16;
  w[27] = 0;
  for (int i = 0; i < 32; i += 8) {
    int both = (signed char)(a >> i) + (signed char)(b >> i);
    w[27] |= u32((both > 127 ? 127 : both < -128 ? -128 : both) & 255) << i;
  }
  w[28] = (a > b ? a - b : b - a) + 9;
  w[29] = a < b ? ~0u : 0;
  w[30] = u32((int)(a << 8) >> 8) * u32((int)(b << 8) >> 8);
  w[31] = 5;
  for (int i = 0; i < 32; i += 8)
    w[31] += (a >> i & 255) * u32((int)(signed char)(b >> i));
  w[32] = a / (b >> 16 | 1), w[33] = a % (b >> 16 | 1);
  long long divisor = int(b) >> 16 | 1; // in 64 bits, so that nothing overflows
  w[34] = u32((int)a / divisor), w[35] = u32((int)a % divisor);
  auto mask = [](u32 position, u32 length) {
    u32 bits = 0;
    for (u32 i = position; i < 32 && i < position + length; ++i)
      bits |= 1u << i;
    return bits;
  };
  w[36] = mask(a & 63, b & 63), w[37] = mask(a & 31, b & 31);
}

__device__ void fillLongs(u64 *l, u64 a, u64 b) {
  l[0] = difference(a, b);
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(l[1]) : "r"(u32(a)), "r"(u32(b)));
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(l[2]) : "r"(u32(a)), "r"(u32(b)), "l"(a));
  asm("sub.cc.u64 %0, %1, %2; subc.u64 %0, %0, 0;" : "=&l"(l[3]) : "l"(a), "l"(b));
  asm("add.cc.u64 %0, %2, %3; addc.u64 %1, %2, 0;" : "=&l"(l[4]), "=l"(l[5]) : "l"(a), "l"(b));
  asm("mad.lo.cc.u64 %0, %2, %3, %2; addc.cc.u64 %1, %2, %3; addc.u64 %1, %1, 0;"
      : "=&l"(l[6]), "=l"(l[7]) : "l"(a), "l"(b));
  asm("{ .reg .u32 c; popc.b64 c, %1; cvt.u64.u32 %0, c; }" : "=l"(l[8]) : "l"(a));
  asm("shr.u64 %0, %1, %2;" : "=l"(l[9]) : "l"(a), "r"(u32(b) & 127));
  asm("max.s64 %0, %1, %2;" : "=l"(l[10]) : "l"(a), "l"(b));
  asm("cvt.s64.s32 %0, %1;" : "=l"(l[11]) : "r"(u32(a)));
}

void expectLongs(u64 *l, u64 a, u64 b) {
  l[0] = a - b;
  l[1] = (u64)u32(a) * u32(b);
  l[2] = u64((long long)(int)a * (int)b) + a;
  l[3] = a - b - (a < b);
  l[4] = a + b;
  l[5] = a + (a + b < a);
  l[6] = a * b + a;
  unsigned __int128 sum = (unsigned __int128)a + b + (l[6] < a);
  l[7] = u64(sum) + u64(sum >> 64);
  l[8] = u64(__builtin_popcountll(a));
  l[9] = (b & 127) > 63 ? 0 : a >> (b & 63);
  l[10] = (long long)a > (long long)b ? a : b;
  l[11] = u64((long long)(int)a);
}

__device__ void fillFloats(float *f, float a, float b) {
  asm("add.rn.f32 %0, %1, %2;" : "=f"(f[0]) : "f"(a), "f"(b));
  asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(f[1]) : "f"(a), "f"(b));
  asm("{ .reg .pred p; setp.gt.f32 p, %1, %2; @p neg.f32 %0, %1; @!p abs.f32 %0, %2; }"
      : "=f"(f[2]) : "f"(a), "f"(b));
  asm("{ .reg .s32 i; cvt.rzi.s32.f32 i, %1; cvt.rn.f32.s32 %0, i; }" : "=f"(f[3]) : "f"(a));
  asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(f[4]) : "f"(a));
  asm("{ .reg .f64 d; cvt.f64.f32 d, %1; mul.rn.f64 d, d, d; cvt.rn.f32.f64 %0, d; }"
      : "=f"(f[5]) : "f"(a));
  asm("min.f32 %0, %1, %2;" : "=f"(f[6]) : "f"(a), "f"(b));
  asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h; }" : "=f"(f[7]) : "f"(a));
  asm("add.rn.sat.f32 %0, %1, %2;" : "=f"(f[8]) : "f"(a), "f"(b));
  asm("{ .reg .b32 t; mov.b32 t, %1; xor.b32 t, t, 0x80000000; mov.b32 %0, t; }"
      : "=f"(f[9]) : "f"(b));
  asm("copysign.f32 %0, %1, %2;" : "=f"(f[10]) : "f"(a), "f"(b));
}

void expectFloats(float *f, float a, float b) {
  f[0] = a + b;
  f[1] = std::fma(a, b, 1.0f);
  f[2] = a > b ? -a : std::fabs(b);
  f[3] = float(int(a));
  f[4] = std::floor(a);
  f[5] = float(double(a) * double(a));
  f[6] = std::fmin(a, b);
  f[7] = float(_Float16(a));
  f[8] = std::fmin(std::fmax(a + b, 0.0f), 1.0f);
  f[9] = -b;
  f[10] = std::copysign(b, a);
}

__global__ void compute(Numbers *out, const u64 *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  u64 a = in[i], b = in[total + i];
  fillWords(out[i].words, u32(a), u32(b));
  fillLongs(out[i].longs, a, b);
  fillFloats(out[i].floats, float(int(a)) / 65536, float(int(b)) / 4096);
}

struct Cells {
  u32 sum, most, exchanged, counted;
  u64 wide;
  float real;
};

__global__ void access(uint4 *out, const uint4 *in, Cells *cells, int n) {
  __shared__ u32 shared[threads];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 v, w;
  asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(in + i));
  asm volatile("st.volatile.shared.u32 [%0], %1;"
               :: "l"(__cvta_generic_to_shared(shared + threadIdx.x)), "r"(v.x) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("ld.shared.u32 %0, [%1];"
               : "=r"(w.x) : "l"(__cvta_generic_to_shared(shared + (threadIdx.x ^ 1))) : "memory");
  asm volatile("bar.sync 1;" ::: "memory"); // of all threads, as the one before
  asm volatile("ld.global.cg.u32 %0, [%1+4];" : "=r"(w.y) : "l"(in + i) : "memory");
  // This happens only if the address is inside.
  w.z = 99;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, %2; @p ld.u32 %0, [%3+24]; }"
               : "+r"(w.z) : "r"(i + 1), "r"(n), "l"(in + i) : "memory");
  asm volatile("ld.u8 %0, [%1];" : "=r"(w.w) : "l"(in + i));
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 3; @p st.global.v4.u32 [%5], {%0, %1, %2, %3}; }"
               :: "r"(w.x), "r"(w.y), "r"(w.z), "r"(w.w), "r"(v.x & 3), "l"(out + i) : "memory");
  asm volatile("red.global.add.u32 [%0], %1;" :: "l"(&cells->sum), "r"(v.x) : "memory");
  asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;" :: "l"(&cells->most), "r"(v.y) : "memory");
  u32 before;
  asm volatile("atom.global.cas.b32 %0, [%1], 0, %2;"
               : "=r"(before) : "l"(&cells->exchanged), "r"(17) : "memory");
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 0; @p red.add.u32 [%1], 1; }"
               :: "r"(before), "l"(&cells->counted) : "memory");
  asm volatile("red.add.u64 [%0], %1;" :: "l"(&cells->wide), "l"((u64)v.z << 8) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" :: "l"(&cells->real), "f"(0.5f) : "memory");
}

/// A lane's value goes to its neighbour; votes find odd values and equal ones; there are reductions.
__global__ void exchange(u32 *out, const u32 *in) {
  u32 a = in[threadIdx.x], next, odd, inside;
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 1, 31, 0xffffffff;"
               "  selp.u32 %1, 1, 0, p; }"
               : "=r"(next), "=r"(inside) : "r"(a));
  asm volatile("{ .reg .pred p; .reg .b32 t; and.b32 t, %1, 1; setp.ne.u32 p, t, 0;"
               "  vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(odd) : "r"(a));
  out[threadIdx.x] = (inside ? next : 1000) ^ odd;
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(out[threads + threadIdx.x]) : "r"(a % 5));
  asm volatile("{ .reg .b32 t; redux.sync.max.u32 t, %1, 0xffffffff;"
               "  redux.sync.xor.b32 %0, %1, 0xffffffff; sub.u32 %0, t, %0; }"
               : "=r"(out[2 * threads + threadIdx.x]) : "r"(a));
}

/// The clock of constant rate does not decrease.
__global__ void timed(u32 *out) {
  u64 before, after;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  asm volatile("nanosleep.u32 100;");
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  out[threadIdx.x] = after >= before && after != 0;
}

void checkNumbers(const std::vector<u64> &in) {
  DeviceArray<u64> input(in);
  DeviceArray<Numbers> out(total);
  compute<<<blocks, threads>>>(out, input);
  auto got = out.host();
  for (int i = 0; i < total; ++i) {
    Numbers wanted;
    u64 a = in[i], b = in[total + i];
    expectWords(wanted.words, u32(a), u32(b), i % threads);
    expectLongs(wanted.longs, a, b);
    expectFloats(wanted.floats, float(int(a)) / 65536, float(int(b)) / 4096);
    for (int k = 0; k < 36; ++k)
      expectEqual("word", i * 100 + k, got[i].words[k], wanted.words[k]);
    for (int k = 0; k < 12; ++k)
      expectEqual("long", i * 100 + k, got[i].longs[k], wanted.longs[k]);
    for (int k = 0; k < 11; ++k)
      expectEqual("float", i * 100 + k, got[i].floats[k], wanted.floats[k]);
  }
}

void checkAccesses() {
  std::vector<uint4> in(total);
  Cells wanted = {0, 0, 17, 1, 0, total * 0.5f};
  for (u32 i = 0; i < total; ++i) {
    in[i] = {i * 2654435761u, i * 40503u + 9, i + 7, i};
    wanted.sum += in[i].x;
    wanted.most = std::max(wanted.most, in[i].y);
    wanted.wide += (u64)in[i].z << 8;
  }
  DeviceArray<uint4> input(in), out(total);
  DeviceArray<Cells> cells(1);
  access<<<blocks, threads>>>(out, input, cells, total);
  auto got = out.host();
  for (int i = 0; i < total; ++i) {
    bool stored = (in[i].x & 3) != 3;
    expectEqual("neighbour", i, got[i].x, stored ? in[i ^ 1].x : 0);
    expectEqual("second", i, got[i].y, stored ? in[i].y : 0);
    expectEqual("next", i, got[i].z, stored ? (i + 1 < total ? in[i + 1].z : 99) : 0);
    expectEqual("byte", i, got[i].w, stored ? in[i].x & 255 : 0);
  }
  Cells have = cells.host()[0];
  expectEqual("sum", 0, have.sum, wanted.sum);
  expectEqual("most", 0, have.most, wanted.most);
  expectEqual("exchanged", 0, have.exchanged, wanted.exchanged);
  expectEqual("counted", 0, have.counted, wanted.counted);
  expectEqual("wide", 0, have.wide, wanted.wide);
  expectEqual("real", 0, have.real, wanted.real);
}

void checkExchange() {
  std::vector<u32> in(threads);
  for (int i = 0; i < threads; ++i)
    in[i] = i * i / 3;
  DeviceArray<u32> input(in), out(3 * threads);
  exchange<<<1, threads>>>(out, input);
  auto got = out.host();
  for (int i = 0; i < threads; ++i) {
    u32 odd = 0, same = 0, most = 0, parity = 0;
    for (int lane = 0; lane < 32; ++lane) {
      u32 other = in[i / 32 * 32 + lane];
      odd |= (other & 1) << lane;
      same |= u32(other % 5 == in[i] % 5) << lane;
      most = std::max(most, other);
      parity ^= other;
    }
    expectEqual("exchange", i, got[i], (i % 32 < 31 ? in[i + 1] : 1000) ^ odd);
    expectEqual("match", i, got[threads + i], same);
    expectEqual("reduction", i, got[2 * threads + i], most - parity);
  }
}

void checkTime() {
  DeviceArray<u32> out(threads);
  timed<<<1, threads>>>(out);
  auto got = out.host();
  for (int i = 0; i < threads; ++i)
    expectEqual("time", i, got[i], 1u);
}

int main() {
  std::vector<u64> in(2 * total);
  u64 state = 88172645463325252ull;
  for (u64 &value : in) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    value = state;
  }
  in[0] = 0, in[1] = ~0ull, in[total] = ~0ull, in[total + 1] = 1;
  checkNumbers(in);
  checkAccesses();
  checkExchange();
  checkTime();
  return verdict("inline_ptx");
}
