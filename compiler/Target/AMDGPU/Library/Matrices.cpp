//===- Matrices.cpp - Products of matrices by matrix cores ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix core multiplies for a wave of 64 lanes: 16 rows with 16 columns ("AMD Instinct MI300
// Instruction Set Architecture", "Matrix Arithmetic Instructions"). Lane 16 * q + r has the part q
// of k, of row r of the first factor and of column r of the second. Of the result, it has column r
// of the rows 4 * q to 4 * q + 3.
//
// PTX's product has 8 columns for a warp, and the two warps of a wave have different factors. So
// each has an instruction, and the product is transposed: the first factor is the columns of both
// warps, eight each, and the second one the rows of one of them. Its result is in the lanes of that
// warp. What the instruction computes with the other warp's columns is not used.
//
// The instruction ignores which lanes are active, and writes to the registers of all. So it runs
// only if the whole wave has come; otherwise the products are added one by one. All parts of k are
// in one order in both factors, and which one that is does not matter.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Library/Machine.h"

using namespace regrain;

namespace {

[[gnu::always_inline]] inline u32 regrain_lane() { return lane(); }
[[gnu::always_inline]] inline u32 regrain_word_of(u32, u32 from, u32 word) {
  return valueOf(from, word);
}

} // namespace

#define DEFINE REGRAIN_FUNCTION
#include "compiler/Target/Library/Matrices.inc"

using Floats = regrain_sums;
using Halves = _Float16 __attribute__((ext_vector_type(4)));
using Shorts = short __attribute__((ext_vector_type(4)));
using Pair = u32 __attribute__((ext_vector_type(2)));
using HalfPair = _Float16 __attribute__((ext_vector_type(2)));

extern "C" {
Floats multiplyHalves(Halves, Halves, Floats, i32, i32,
                      i32) __asm("llvm.amdgcn.mfma.f32.16x16x16f16");
Floats multiplyShorts(Shorts, Shorts, Floats, i32, i32,
                      i32) __asm("llvm.amdgcn.mfma.f32.16x16x16bf16.1k");
}

namespace {

[[gnu::always_inline]] inline u32 ofLane(u32 lane, u32 word) {
  return u32(__builtin_amdgcn_ds_bpermute(i32(lane << 2), i32(word)));
}

/// Every lane has two words, and takes the word `wanted` from two lanes, which tell by `own` (0 or
/// 1) which of the two they are: from lane `from` + `step` * own. A lane knows what others want of
/// it, as in each round all lanes take from the same or from the other side.
[[gnu::always_inline]] inline Pair gather(Pair words, bool own, bool wanted, u32 from, u32 step) {
  u32 same = ofLane(from + (wanted ? step : 0), own ? words.y : words.x);
  u32 other = ofLane(from + (wanted ? 0 : step), own ? words.x : words.y);
  return wanted ? Pair{other, same} : Pair{same, other};
}

/// The factors as the matrix cores take them, each of two words of k.
struct Factors {
  Pair columns;       ///< of both warps
  Pair first, second; ///< rows of each warp
};

/// Row 8 * (r & 1) + rowInHalf(r) of a warp is number r, so that results come to the lanes that
/// want them by exchanges of two words.
[[gnu::always_inline]] inline u32 rowInHalf(u32 r) { return 2 * (r & 2) + (r >> 2); }

/// Places one word of k: of rows 0 to 7, of rows 8 to 15, and of columns.
[[gnu::always_inline]] inline void place(u32 low, u32 high, u32 column, u32 &columns, u32 &first,
                                         u32 &second) {
  u32 own = laneOfWave(), r = own & 15, q = own >> 4;
  Pair rows = gather(Pair{low, high}, own >> 5, r & 1, 4 * rowInHalf(r) + q, 32);
  columns = ofLane(4 * r + q, column);
  first = rows.x;
  second = rows.y;
}

/// A short k has one word; the other one is 0.
template <bool isShort>
[[gnu::always_inline]] inline Factors place(Pair low, Pair high, Pair columns) {
  u32 words[3][2] = {};
  place(low.x, high.x, columns.x, words[0][0], words[1][0], words[2][0]);
  if constexpr (!isShort)
    place(low.y, high.y, columns.y, words[0][1], words[1][1], words[2][1]);
  return {Pair{words[0][0], words[0][1]}, Pair{words[1][0], words[1][1]},
          Pair{words[2][0], words[2][1]}};
}

[[gnu::always_inline]] inline Pair takeSums(float even, float odd) {
  u32 own = laneOfWave();
  // The bits of a lane's number that are of rows and of columns change places.
  u32 from = (own & 0x2c) | (own & 2) << 3 | (own & 16) >> 3;
  return gather(Pair{__builtin_bit_cast(u32, even), __builtin_bit_cast(u32, odd)}, own & 1, own & 1,
                from, 1);
}

/// Returns the sums of this lane's warp, in PTX's order.
[[gnu::always_inline]] inline Floats order(Floats first, Floats second) {
  Floats sums = laneOfWave() >> 5 ? second : first;
  Pair left = takeSums(sums.x, sums.z), right = takeSums(sums.y, sums.w);
  return {__builtin_bit_cast(float, u32(left.x)), __builtin_bit_cast(float, u32(right.x)),
          __builtin_bit_cast(float, u32(left.y)), __builtin_bit_cast(float, u32(right.y))};
}

[[gnu::always_inline]] inline Floats byHalves(Pair columns, Pair rows, Floats sums) {
  return multiplyHalves(__builtin_bit_cast(Halves, columns), __builtin_bit_cast(Halves, rows), sums,
                        0, 0, 0);
}
[[gnu::always_inline]] inline Floats byShorts(Pair columns, Pair rows, Floats sums) {
  return multiplyShorts(__builtin_bit_cast(Shorts, columns), __builtin_bit_cast(Shorts, rows), sums,
                        0, 0, 0);
}

/// Returns the codes 0 and 2 of e4m3 as halves, exactly. The exponent has its place in that of a
/// half, whose bias is larger by 8; the code without a value becomes NaN.
[[gnu::always_inline]] inline u32 halvesOf(u32 codes) {
  u32 numbers = codes & 0x7f007f;
  u32 bits = (codes & 0x800080) << 8 | numbers << 7;
  HalfPair scaled = __builtin_bit_cast(HalfPair, bits) * (_Float16)256;
  u32 isNaN = (numbers + 0x10001) & 0x800080;
  return __builtin_bit_cast(u32, scaled) | ((isNaN << 8) - (isNaN << 3));
}
[[gnu::always_inline]] inline Pair allHalvesOf(u32 codes) {
  return {halvesOf(codes), halvesOf(codes >> 8)};
}
[[gnu::always_inline]] inline Floats byCodes(Pair columns, Pair rows, Floats sums) {
  sums = byHalves(allHalvesOf(columns.x), allHalvesOf(rows.x), sums);
  return byHalves(allHalvesOf(columns.y), allHalvesOf(rows.y), sums);
}

template <bool isShort, class Multiply>
[[gnu::always_inline]] inline Floats onCores(Pair low, Pair high, Pair columns, Floats sums,
                                             Multiply multiply) {
  Factors f = place<isShort>(low, high, columns);
  return order(multiply(f.columns, f.first, Floats(0)), multiply(f.columns, f.second, Floats(0))) +
         sums;
}

} // namespace

/// The compiler takes these on chips whose matrix cores compute as PTX requires (Chip.h).
#define ON_CORES(name, isShort, multiply)                                                          \
  REGRAIN_FUNCTION Floats regrain_mma_sync_##name##_cores(u32 mask, u32 a0, u32 a1, u32 a2,        \
                                                          u32 a3, u32 b0, u32 b1, Floats sums) {   \
    if (__builtin_amdgcn_ballot_w64(true) != ~u64(0))                                              \
      return regrain_mma_sync_##name(mask, a0, a1, a2, a3, b0, b1, sums);                          \
    return onCores<isShort>(Pair{a0, a2}, Pair{a1, a3}, Pair{b0, b1}, sums, multiply);             \
  }
ON_CORES(m16n8k8_f16, true, byHalves)
ON_CORES(m16n8k16_f16, false, byHalves)
ON_CORES(m16n8k8_bf16, true, byShorts)
ON_CORES(m16n8k16_bf16, false, byShorts)
ON_CORES(m16n8k32_e4m3, false, byCodes)
