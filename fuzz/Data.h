//===- Data.h - Data of a fuzzed kernel -------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"
#include "fuzz/Random.h"
#include "fuzz/Records.h"
#include <bit>
#include <utility>

namespace regrain::fuzz {

/// The by-value struct of every kernel, as declared in the prelude.
struct Argument {
  uint32_t a;
  float f;
  uint32_t table[tableElements];
};

/// A buffer to which a kernel gets a pointer, in the order of its parameters.
struct Buffer {
  const char *name;
  const char *type;  ///< of its elements, four bytes each
  uint32_t elements; ///< number that the kernel may access
  bool isConst = false;
};

inline constexpr unsigned bufferCount = 6;
inline constexpr unsigned realBuffer = 1;   ///< number of the buffer of floats
inline constexpr uint32_t vectorFloats = 8; ///< that AtomicVector adds to

/// Returns the elements of the global arrays, each at a multiple of 8 bytes.
inline uint32_t scratchElements(const Kernel &kernel) {
  uint32_t scratch = 2 * uint32_t(kernel.shared.size());
  for (const SharedArray &array : kernel.shared)
    if (array.storage == Storage::Global)
      scratch += elementsOf(kernel, array) * bytesOf(array.type) / 4;
  return scratch * kernel.shape.blocks() + 2;
}
/// Returns the next multiple of 16 bytes, as a number of elements.
inline uint32_t aligned(uint32_t elements) { return (elements + 3) & ~3u; }
inline uint32_t allThreads(const Kernel &kernel) {
  return kernel.shape.threads() * kernel.shape.blocks();
}
/// The places of the first record in the scratch buffer, and of the first vector in the floats.
inline uint32_t recordOffset(const Kernel &kernel) { return aligned(scratchElements(kernel)); }
inline uint32_t vectorOffset(const Kernel &kernel) { return aligned(allThreads(kernel)); }

inline std::array<Buffer, bufferCount> buffersOf(const Kernel &kernel) {
  uint32_t threads = allThreads(kernel);
  // Each buffer ends at a page, so its size decides about its alignment.
  uint32_t scratch =
      kernel.record
          ? aligned(recordOffset(kernel) + threads * recordForms()[*kernel.record].bytes / 4)
          : scratchElements(kernel);
  return {{{"out", "unsigned", threads * resultSlots},
           {"real", "float", kernel.hasVectors ? vectorOffset(kernel) + vectorFloats : threads},
           {"in", "unsigned", inputElements, true},
           {"data", "unsigned", kernel.size},
           {"counters", "unsigned", atomicOperations * countersEach},
           {"scratch", "unsigned", scratch}}};
}

/// Returns the number of elements that lie between an address that is aligned to 16 bytes and the
/// first element of a buffer. In most kernels it is 0. Records, vectors and words of 64 bits need
/// the alignment.
inline uint32_t displacement(const Kernel &kernel, uint32_t buffer) {
  constexpr uint32_t scratchBuffer = bufferCount - 1;
  bool needsAlignment = buffer == scratchBuffer || (buffer == realBuffer && kernel.hasVectors);
  Random random(kernel.seed ^ 0x646973706c616365);
  if (!random.percent(35) || needsAlignment)
    return 0;
  return uint32_t(random.bits() >> (2 * buffer)) & 3;
}

/// Returns element `index` of buffer number `buffer` before the launch; floats
/// are conversions of small whole numbers.
inline uint32_t initialWord(uint32_t buffer, uint32_t index) {
  uint32_t x = (index + 1) * 0x9e3779b9u + buffer * 0x85ebca6bu;
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  x ^= x >> 12;
  return buffer == realBuffer ? x & 1023 : x;
}

/// Returns the same as a bit pattern.
inline uint32_t initialBits(uint32_t buffer, uint32_t index) {
  uint32_t word = initialWord(buffer, index);
  return buffer == realBuffer ? std::bit_cast<uint32_t>(float(word)) : word;
}

/// Returns the integers that a kernel gets by value: parameter number and
/// value.
inline std::array<std::pair<uint32_t, uint32_t>, 3> integerArguments(const Kernel &kernel) {
  constexpr uint32_t first = bufferCount + 1; // after the buffers and the struct
  return {
      {{first, kernel.size}, {first + 1, kernel.arguments[0]}, {first + 2, kernel.arguments[1]}}};
}

inline Argument argumentOf(const Kernel &kernel) {
  Argument argument = {kernel.arguments[0] ^ 5, 0.75f, {}};
  for (uint32_t i = 0; i < tableElements; ++i)
    argument.table[i] = initialWord(bufferCount, i);
  return argument;
}

/// Return the dynamic shared bytes of the launch, and the offset of `array` in
/// them.
inline uint32_t dynamicOffset(const Kernel &kernel, size_t array) {
  uint32_t bytes = 0;
  for (size_t i = 0; i < array; ++i)
    if (kernel.shared[i].storage == Storage::Dynamic)
      bytes += (elementsOf(kernel, kernel.shared[i]) * bytesOf(kernel.shared[i].type) + 15) & ~15u;
  return bytes;
}
inline uint32_t dynamicBytes(const Kernel &kernel) {
  return dynamicOffset(kernel, kernel.shared.size());
}

} // namespace regrain::fuzz
