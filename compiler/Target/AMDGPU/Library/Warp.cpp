//===- Warp.cpp - Operations between the lanes of a warp ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes that a mask names reach a call together, as CUDA requires unless they have been
// scheduled independently. Active lanes that are not in the mask take no part. Masks differ between
// the halves of a wave, so each lane has its own.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Library/Machine.h"

using namespace regrain;

namespace {

enum class Shuffle { Index, Up, Down, Xor };

struct Source {
  u32 lane;
  bool inside; ///< PTX's predicate: within the segment that `c` describes
};

/// PTX ISA, "shfl.sync": `c` contains the last lane of a segment in bits 0 to 4, and in bits 8 to
/// 12 the bits of the lane number that are the same in a segment.
template <Shuffle kind> [[gnu::always_inline]] inline Source sourceOf(u32 b, u32 c) {
  u32 own = lane(), segment = c >> 8 & 31, clamp = c & 31;
  u32 last = (own & segment) | (clamp & ~segment);
  b &= 31;
  switch (kind) {
  case Shuffle::Up:
    return {own - b, i32(own - b) >= i32(last)};
  case Shuffle::Down:
    return {own + b, own + b <= last};
  case Shuffle::Xor:
    return {own ^ b, (own ^ b) <= last};
  case Shuffle::Index: {
    u32 source = (own & segment) | (b & ~segment);
    return {source, source <= last};
  }
  }
}

/// If the source is outside of its segment, a lane keeps its own value.
template <Shuffle kind> [[gnu::always_inline]] inline u64 shuffle(u32 value, u32 b, u32 c) {
  Source source = sourceOf<kind>(b, c);
  return withPredicate(valueOf(source.inside ? source.lane : lane(), value), source.inside);
}

[[gnu::always_inline]] inline u32 bits(float value) { return __builtin_bit_cast(u32, value); }
[[gnu::always_inline]] inline float fromBits(u64 value) {
  return __builtin_bit_cast(float, u32(value));
}

/// Returns the active lanes of `mask`.
[[gnu::always_inline]] inline u32 here(u32 mask) { return ballot(true) & mask; }

/// Returns the lanes of `group` whose value is this lane's, from votes on each bit, so that no
/// loop's end depends on the lane.
template <class T> [[gnu::always_inline]] inline u32 equalLanes(u32 group, T value) {
  for (u32 bit = 0; bit < 8 * sizeof(T); ++bit) {
    bool set = value >> bit & 1;
    u32 lanes = ballot(set);
    group &= set ? lanes : ~lanes;
  }
  return group;
}

/// All lanes of a group have the same value if each bit is set in all or in none of them.
template <class T> [[gnu::always_inline]] inline u64 matchAll(u32 mask, T value) {
  u32 group = here(mask);
  bool all = true;
  for (u32 bit = 0; bit < 8 * sizeof(T); ++bit) {
    u32 lanes = ballot(value >> bit & 1) & group;
    all &= lanes == 0 || lanes == group;
  }
  return withPredicate(all ? group : 0, all);
}

/// Calls `take` with the lanes of the group that have the bit set, from the highest bit down; its
/// results are the bits of the reduction.
template <class Take> [[gnu::always_inline]] inline u32 reduceBits(u32 value, Take take) {
  u32 result = 0;
  for (i32 bit = 31; bit >= 0; --bit)
    result |= u32(take(ballot(value >> bit & 1))) << bit;
  return result;
}

[[gnu::always_inline]] inline u32 maximum(u32 value, u32 mask) {
  u32 leading = here(mask);
  return reduceBits(value, [&](u32 lanes) {
    bool any = lanes & leading;
    leading = any ? lanes & leading : leading;
    return any;
  });
}

[[gnu::always_inline]] inline u32 sum(u32 value, u32 mask) {
  u32 group = here(mask), result = 0;
  for (u32 bit = 0; bit < 32; ++bit)
    result += u32(__builtin_popcount(ballot(value >> bit & 1) & group)) << bit;
  return result;
}

constexpr u32 sign = 1u << 31;

} // namespace

#define SHUFFLE(name, kind)                                                                        \
  REGRAIN_FUNCTION u32 nvvm_shfl_sync_##name##_i32(u32, u32 value, u32 b, u32 c) {                 \
    return u32(shuffle<kind>(value, b, c));                                                        \
  }                                                                                                \
  REGRAIN_FUNCTION float nvvm_shfl_sync_##name##_f32(u32, float value, u32 b, u32 c) {             \
    return fromBits(shuffle<kind>(bits(value), b, c));                                             \
  }                                                                                                \
  REGRAIN_FUNCTION u64 nvvm_shfl_sync_##name##_i32p(u32, u32 value, u32 b, u32 c) {                \
    return shuffle<kind>(value, b, c);                                                             \
  }                                                                                                \
  REGRAIN_FUNCTION u64 nvvm_shfl_sync_##name##_f32p(u32, float value, u32 b, u32 c) {              \
    return shuffle<kind>(bits(value), b, c);                                                       \
  }                                                                                                \
  REGRAIN_FUNCTION u32 nvvm_shfl_##name##_i32(u32 value, u32 b, u32 c) {                           \
    return u32(shuffle<kind>(value, b, c));                                                        \
  }                                                                                                \
  REGRAIN_FUNCTION float nvvm_shfl_##name##_f32(float value, u32 b, u32 c) {                       \
    return fromBits(shuffle<kind>(bits(value), b, c));                                             \
  }                                                                                                \
  REGRAIN_FUNCTION u64 nvvm_shfl_##name##_i32p(u32 value, u32 b, u32 c) {                          \
    return shuffle<kind>(value, b, c);                                                             \
  }                                                                                                \
  REGRAIN_FUNCTION u64 nvvm_shfl_##name##_f32p(float value, u32 b, u32 c) {                        \
    return shuffle<kind>(bits(value), b, c);                                                       \
  }
SHUFFLE(idx, Shuffle::Index)
SHUFFLE(up, Shuffle::Up)
SHUFFLE(down, Shuffle::Down)
SHUFFLE(bfly, Shuffle::Xor)

REGRAIN_FUNCTION u32 nvvm_activemask() { return ballot(true); }
REGRAIN_FUNCTION u32 nvvm_vote_ballot_sync(u32 mask, bool bit) { return ballot(bit) & mask; }
REGRAIN_FUNCTION bool nvvm_vote_any_sync(u32 mask, bool bit) { return ballot(bit) & mask; }
REGRAIN_FUNCTION bool nvvm_vote_all_sync(u32 mask, bool bit) { return !(ballot(!bit) & mask); }
REGRAIN_FUNCTION bool nvvm_vote_uni_sync(u32 mask, bool bit) {
  return !(ballot(bit) & mask) || !(ballot(!bit) & mask);
}
REGRAIN_FUNCTION u32 nvvm_vote_ballot(bool bit) { return nvvm_vote_ballot_sync(~0u, bit); }
REGRAIN_FUNCTION bool nvvm_vote_any(bool bit) { return nvvm_vote_any_sync(~0u, bit); }
REGRAIN_FUNCTION bool nvvm_vote_all(bool bit) { return nvvm_vote_all_sync(~0u, bit); }
REGRAIN_FUNCTION bool nvvm_vote_uni(bool bit) { return nvvm_vote_uni_sync(~0u, bit); }

REGRAIN_FUNCTION u32 nvvm_match_any_sync_i32(u32 mask, u32 value) {
  return equalLanes(here(mask), value);
}
REGRAIN_FUNCTION u32 nvvm_match_any_sync_i64(u32 mask, u64 value) {
  return equalLanes(here(mask), value);
}
REGRAIN_FUNCTION u64 nvvm_match_all_sync_i32p(u32 mask, u32 value) { return matchAll(mask, value); }
REGRAIN_FUNCTION u64 nvvm_match_all_sync_i64p(u32 mask, u64 value) { return matchAll(mask, value); }

REGRAIN_FUNCTION u32 nvvm_redux_sync_add(u32 value, u32 mask) { return sum(value, mask); }
REGRAIN_FUNCTION u32 nvvm_redux_sync_umax(u32 value, u32 mask) { return maximum(value, mask); }
REGRAIN_FUNCTION u32 nvvm_redux_sync_umin(u32 value, u32 mask) { return ~maximum(~value, mask); }
REGRAIN_FUNCTION u32 nvvm_redux_sync_max(u32 value, u32 mask) {
  return maximum(value ^ sign, mask) ^ sign;
}
REGRAIN_FUNCTION u32 nvvm_redux_sync_min(u32 value, u32 mask) {
  return ~maximum(~value ^ sign, mask) ^ sign;
}
REGRAIN_FUNCTION u32 nvvm_redux_sync_or(u32 value, u32 mask) {
  return reduceBits(value, [=](u32 lanes) { return bool(lanes & mask); });
}
REGRAIN_FUNCTION u32 nvvm_redux_sync_and(u32 value, u32 mask) {
  return ~nvvm_redux_sync_or(~value, mask);
}
REGRAIN_FUNCTION u32 nvvm_redux_sync_xor(u32 value, u32 mask) {
  return reduceBits(value, [=](u32 lanes) { return __builtin_parity(lanes & mask); });
}
