//===- comparison_code.cpp - The kernel that compares memory --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is compare.cu built for the chips that the compiler knows, in a code object
// version that every supported library loads. If CMakeLists.txt names other chips, a
// file is missing at build time.
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/hip/device.h"

#define REGRAIN_COMPARISON_CHIPS(CHIP) CHIP(gfx90a) CHIP(gfx942) CHIP(gfx1030) CHIP(gfx1100)

#define REGRAIN_EMBED(chip)                                                                        \
  asm(".section .rodata.regrain_compare,\"a\",@progbits\n"                                         \
      "regrainCompare_" #chip ":\n"                                                                \
      ".incbin \"" REGRAIN_COMPARISON_FOLDER "/compare-" #chip ".hsaco\"\n"                        \
      "regrainCompareEnd_" #chip ":\n"                                                             \
      ".previous\n");                                                                              \
  extern "C" __attribute__((visibility("hidden"))) const char regrainCompare_##chip[];             \
  extern "C" __attribute__((visibility("hidden"))) const char regrainCompareEnd_##chip[];
REGRAIN_COMPARISON_CHIPS(REGRAIN_EMBED)

namespace regrain::hip {

std::span<const char> comparisonCode(std::string_view chip) {
#define REGRAIN_FIND(name)                                                                         \
  if (runsOn(#name, chip))                                                                         \
    return {regrainCompare_##name, regrainCompareEnd_##name};
  REGRAIN_COMPARISON_CHIPS(REGRAIN_FIND)
  return {};
}

} // namespace regrain::hip
