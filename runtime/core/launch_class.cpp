//===- launch_class.cpp - Launches that are tuned together ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch_class.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace regrain {
namespace {

/// Returns the least logarithm between leastLogWaves and mostLogWaves such that
/// `blocks` are at most resident * 2^logarithm.
int32_t logWavesOf(uint64_t blocks, uint64_t resident) {
  // A smaller logarithm is too small: the numbers' highest bits say so.
  int32_t log = std::clamp<int32_t>(std::bit_width(blocks) - std::bit_width(resident),
                                    LaunchClass::leastLogWaves, LaunchClass::mostLogWaves);
  while (log < LaunchClass::mostLogWaves) {
    bool fits = log < 0 ? blocks <= (resident >> -log) : blocks <= (resident << log);
    if (fits)
      break;
    ++log;
  }
  return log;
}

/// Parses a text from its front; after the first mismatch it fails for good.
class Scanner {
public:
  explicit Scanner(std::string_view text) : left(text) {}

  void take(std::string_view expected) {
    isGood = isGood && left.starts_with(expected);
    if (isGood)
      left.remove_prefix(expected.size());
  }
  template <typename Integer> Integer number() {
    Integer value = 0;
    auto [end, failed] = std::from_chars(left.data(), left.data() + left.size(), value);
    isGood = isGood && failed == std::errc();
    if (isGood)
      left.remove_prefix(size_t(end - left.data()));
    return value;
  }
  Magnitude magnitude() { return magnitudeOf(number<int64_t>()); }
  Extent extent() {
    Extent taken = {number<uint32_t>(), 1, 1};
    for (int dimension : {1, 2}) {
      take("x");
      taken[dimension] = number<uint32_t>();
    }
    return taken;
  }
  bool startsWith(std::string_view text) const { return isGood && left.starts_with(text); }
  bool isAtEnd() const { return isGood && left.empty(); }

private:
  std::string_view left;
  bool isGood = true;
};

int32_t takeLogWaves(Scanner &text) {
  bool isFraction = text.startsWith("1/");
  if (isFraction)
    text.take("1/");
  int32_t log = std::bit_width(text.number<uint32_t>()) - 1;
  return isFraction ? -log : log;
}

} // namespace

Magnitude magnitudeOf(int64_t value) {
  uint64_t size = value < 0 ? -uint64_t(value) : uint64_t(value);
  int bits = std::bit_width(size);
  int magnitude = bits <= 2 ? bits : (bits + 3) / 2;
  return Magnitude(value < 0 ? -magnitude : magnitude);
}

int64_t leastOf(Magnitude magnitude) {
  int size = magnitude < 0 ? -magnitude : magnitude;
  int64_t least = size <= 2 ? size : int64_t(1) << (2 * (size - 2));
  return magnitude < 0 ? -least : least;
}

Magnitudes readMagnitudes(std::span<const image::IntegerArgument> integers,
                          void *const *arguments) {
  Magnitudes magnitudes;
  for (const image::IntegerArgument &integer :
       integers.first(std::min(integers.size(), mostIntegers))) {
    auto *parameter = static_cast<const std::byte *>(arguments[integer.parameter()]);
    magnitudes.of[magnitudes.count++] =
        magnitudeOf(readInteger(parameter + integer.offset(), integer.size()).value_or(0));
  }
  return magnitudes;
}

LaunchClass classify(const LaunchShape &program, uint64_t residentBlocks, uint32_t alignment,
                     const Magnitudes &integers) {
  return {program.block,
          program.dynamicSharedBytes,
          alignment,
          logWavesOf(product(program.grid), std::max<uint64_t>(residentBlocks, 1)),
          magnitudeOf(program.grid[1]),
          magnitudeOf(program.grid[2]),
          integers,
          program.cluster};
}

std::string toString(const LaunchClass &launchClass) {
  int32_t log = launchClass.logWaves;
  auto text = [](auto number) { return std::to_string(number); };
  auto sizes = [](const Extent &extent) {
    return std::to_string(extent[0]) + "x" + std::to_string(extent[1]) + "x" +
           std::to_string(extent[2]);
  };
  std::string result = "block=" + sizes(launchClass.block) +
                       ",shared=" + text(launchClass.dynamicSharedBytes) +
                       ",align=" + text(launchClass.alignment) + ",waves=" + (log < 0 ? "1/" : "") +
                       text(1 << (log < 0 ? -log : log)) + ",grid=*x" +
                       text(leastOf(launchClass.rows)) + "x" + text(leastOf(launchClass.layers));
  for (uint8_t i = 0; i < launchClass.integers.count; ++i)
    result += (i == 0 ? ",integers=" : ":") + text(leastOf(launchClass.integers.of[i]));
  if (product(launchClass.cluster) > 1)
    result += ",cluster=" + sizes(launchClass.cluster);
  return result;
}

std::optional<LaunchClass> parseLaunchClass(std::string_view text) {
  LaunchClass parsed = {};
  Scanner scanner(text);
  scanner.take("block=");
  parsed.block = scanner.extent();
  scanner.take(",shared=");
  parsed.dynamicSharedBytes = scanner.number<uint64_t>();
  scanner.take(",align=");
  parsed.alignment = scanner.number<uint32_t>();
  scanner.take(",waves=");
  parsed.logWaves = takeLogWaves(scanner);
  scanner.take(",grid=*x");
  parsed.rows = scanner.magnitude();
  scanner.take("x");
  parsed.layers = scanner.magnitude();
  const char *before = ",integers=";
  while (parsed.integers.count < mostIntegers && scanner.startsWith(before)) {
    scanner.take(before);
    parsed.integers.of[parsed.integers.count++] = scanner.magnitude();
    before = ":";
  }
  if (scanner.startsWith(",cluster=")) {
    scanner.take(",cluster=");
    parsed.cluster = scanner.extent();
  }
  bool isInRange =
      parsed.logWaves >= LaunchClass::leastLogWaves && parsed.logWaves <= LaunchClass::mostLogWaves;
  // Each class has exactly one text: numbers in other forms, or inside a bucket, are
  // rejected.
  if (!scanner.isAtEnd() || !isInRange || toString(parsed) != text)
    return std::nullopt;
  return parsed;
}

} // namespace regrain
