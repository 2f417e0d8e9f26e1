//===- core/PointerTableTest.cpp - The table of kernels -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/pointer_table.h"

#include <gtest/gtest.h>

using namespace regrain;

namespace {

TEST(PointerTable, Empty_FindsNothing) {
  PointerTable<int> table;
  EXPECT_EQ(table.find(&table), nullptr);
  table.fill({});
  EXPECT_EQ(table.find(&table), nullptr);
}

TEST(PointerTable, FindsAllAndNothingElse) {
  std::vector<int> keys(2000), values(1000);
  std::vector<std::pair<const void *, int *>> entries;
  for (size_t i = 0; i < values.size(); ++i)
    entries.push_back({&keys[i], &values[i]});
  PointerTable<int> table;
  table.fill(entries);
  for (size_t i = 0; i < keys.size(); ++i)
    EXPECT_EQ(table.find(&keys[i]), i < values.size() ? &values[i] : nullptr);
}

TEST(PointerTable, FirstOfTwoStays) {
  int key = 0, first = 1, second = 2;
  PointerTable<int> table;
  table.fill({{&key, &first}, {&key, &second}});
  EXPECT_EQ(table.find(&key), &first);
}

} // namespace
