//===- variant_rules.cu - Expressions in rules of variants ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM makes intrinsics of these expressions. A launch of each variant is as the host computes it.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O3 --targets=cpu --alternatives=1 -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='launched<0>:variant=launched<1>;launched<2>:variant=launched<3>;launched<4>:variant=launched<5>;launched<6>:variant=launched<7>;launched<8>:variant=launched<9>;launched<10>:variant=launched<11>;launched<12>:variant=launched<13>;launched<14>:variant=launched<15>' \
// RUN:   timeout 60 %t | FileCheck %s
// CHECK: variant_rules: ok
#include "expect.h"

#include <regrain/variants.h>

/// Notes the grid.
template <int Number> __global__ void launched(unsigned *grid, unsigned n, size_t m) {
  grid[0] = gridDim.x, grid[1] = gridDim.y, grid[2] = Number;
}

template <int Which> constexpr size_t number(unsigned n, size_t m) {
  return Which == 0   ? (n > 16 ? n - 16 : 0)
         : Which == 2 ? ((n & (n - 1)) == 0 ? 7 : n)
         : Which == 4 ? (n << 3 | n >> 29)
         : Which == 6 ? (n + 4000000000u < n ? ~0u : n + 4000000000u)
         : Which == 8 ? (m && n > ~size_t(0) / m ? 5 : n * m)
         : Which == 10 ? (m << (n & 63) | m >> (-n & 63))
         : Which == 12 ? (m >> 32 > n) - (m >> 32 < n) + 1
                       : (m + n < m ? 3 : (m + n) / 7);
}

template <int Which>
constexpr regrain::launch rule(regrain::launch, unsigned *, unsigned n, size_t m) {
  return {dim3(1 + unsigned(number<Which>(n, m) % 31), 1 + unsigned(number<Which>(n, m) / 31 % 29)),
          dim3(1), 0};
}

REGRAIN_VARIANT(launched<0>, launched<1>, rule<0>);
REGRAIN_VARIANT(launched<2>, launched<3>, rule<2>);
REGRAIN_VARIANT(launched<4>, launched<5>, rule<4>);
REGRAIN_VARIANT(launched<6>, launched<7>, rule<6>);
REGRAIN_VARIANT(launched<8>, launched<9>, rule<8>);
REGRAIN_VARIANT(launched<10>, launched<11>, rule<10>);
REGRAIN_VARIANT(launched<12>, launched<13>, rule<12>);
REGRAIN_VARIANT(launched<14>, launched<15>, rule<14>);

template <int Which> void check() {
  DeviceArray<unsigned> grid(3);
  for (unsigned n : {0u, 1u, 15u, 16u, 17u, 64u, 96u, 1u << 31, 300000000u, ~0u})
    for (size_t m : {size_t(0), size_t(1), size_t(77) << 32, ~size_t(0) - 20, ~size_t(0) / 3}) {
      launched<Which><<<1, 1>>>(grid, n, m);
      std::vector<unsigned> found = grid.host();
      regrain::launch expected = rule<Which>({dim3(1), dim3(1), 0}, nullptr, n, m);
      expectEqual("x", Which, found[0], expected.grid.x);
      expectEqual("y", Which, found[1], expected.grid.y);
      expectEqual("kernel", Which, found[2], unsigned(Which + 1));
    }
}

int main() {
  check<0>(), check<2>(), check<4>(), check<6>();
  check<8>(), check<10>(), check<12>(), check<14>();
  return verdict("variant_rules");
}
