//===- checksum.cpp - The checksum of the container -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/checksum.h"

#include <bit>
#include <cstring>

namespace {

constexpr uint64_t prime1 = 0x9E3779B185EBCA87, prime2 = 0xC2B2AE3D27D4EB4F,
                   prime3 = 0x165667B19E3779F9, prime4 = 0x85EBCA77C2B2AE63,
                   prime5 = 0x27D4EB2F165667C5;

template <typename Word> uint64_t load(const unsigned char *from) {
  Word word;
  std::memcpy(&word, from, sizeof(word));
  return word;
}

uint64_t mix(uint64_t lane, uint64_t input) {
  return std::rotl(lane + input * prime2, 31) * prime1;
}

/// Consumes whole 32-byte stripes and returns the state after them.
uint64_t digestStripes(const unsigned char *&at, const unsigned char *end) {
  uint64_t lanes[4] = {prime1 + prime2, prime2, 0, 0 - prime1};
  for (; end - at >= 32; at += 32)
    for (int lane = 0; lane < 4; ++lane)
      lanes[lane] = mix(lanes[lane], load<uint64_t>(at + 8 * lane));
  uint64_t hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) +
                  std::rotl(lanes[3], 18);
  for (uint64_t lane : lanes)
    hash = (hash ^ mix(0, lane)) * prime1 + prime4;
  return hash;
}

} // namespace

uint64_t regrain::checksum(const void *data, size_t bytes) {
  auto *at = static_cast<const unsigned char *>(data);
  const unsigned char *end = at + bytes;
  uint64_t hash = bytes >= 32 ? digestStripes(at, end) : prime5;
  hash += bytes;
  for (; end - at >= 8; at += 8)
    hash = std::rotl(hash ^ mix(0, load<uint64_t>(at)), 27) * prime1 + prime4;
  if (end - at >= 4) {
    hash = std::rotl(hash ^ load<uint32_t>(at) * prime1, 23) * prime2 + prime3;
    at += 4;
  }
  for (; at != end; ++at)
    hash = std::rotl(hash ^ *at * prime5, 11) * prime1;
  hash = (hash ^ (hash >> 33)) * prime2;
  hash = (hash ^ (hash >> 29)) * prime3;
  return hash ^ (hash >> 32);
}
