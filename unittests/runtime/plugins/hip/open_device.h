//===- open_device.h - The device of the stand-in ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plugins/hip/device.h"
#include "unittests/runtime/plugins/hip/stand_in.h"

#include <gtest/gtest.h>

#include <cstring>

/// A device of the plugin over a fresh stand-in. A test frees whatever it makes.
class HipTest : public testing::Test {
protected:
  void SetUp() override { hipStandIn().reset(); }
  void TearDown() override {
    for (const auto &[maker, count] : hipStandIn().live)
      EXPECT_EQ(count, 0) << maker;
    EXPECT_EQ(hipStandIn().legacyHandles, 0);
    EXPECT_EQ(hipStandIn().changedCodes, 0);
  }

  std::unique_ptr<regrain::Device> openDevice() {
    std::string reason;
    EXPECT_EQ(regrain::hipPlugin().probe(reason), cudaSuccess) << reason;
    std::unique_ptr<regrain::Device> device;
    EXPECT_EQ(regrain::hipPlugin().open(0, device, reason), cudaSuccess) << reason;
    return device;
  }

  /// Returns an image module without entries; its bytes live in `builder`.
  const regrain::image::Module &moduleOf(regrain::image::CodeKind kind, const char *arch,
                                         const char *code) {
    builder.Clear();
    auto bytes = builder.CreateVector(reinterpret_cast<const uint8_t *>(code), strlen(code) + 1);
    auto name = builder.CreateString(arch);
    regrain::image::ModuleBuilder module(builder);
    module.add_kind(kind);
    module.add_arch(name);
    module.add_code(bytes);
    builder.Finish(module.Finish());
    return *flatbuffers::GetRoot<regrain::image::Module>(builder.GetBufferPointer());
  }

  flatbuffers::FlatBufferBuilder builder;
};
