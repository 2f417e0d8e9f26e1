//===- image/ImageBytes.h - An image for tests ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/container.h"

namespace regrain::test {

/// Returns the body of an image with one kernel, two alternatives, one variable
/// and one module.
inline std::vector<uint8_t> sampleBody(uint32_t chosen = 1, const char *id = "block.x=4",
                                       uint32_t entryKernel = 0, uint32_t classChoice = 1,
                                       image::IntegerArgument integer = {0, 4, 4},
                                       uint32_t nextChoice = 0) {
  flatbuffers::FlatBufferBuilder builder;
  image::Dim3 block(4, 1, 1), one(1, 1, 1);
  std::vector<flatbuffers::Offset<image::Alternative>> alternatives = {
      image::CreateAlternativeDirect(builder, "original"),
      image::CreateAlternativeDirect(builder, id, &block, &one, false, true, 16)};
  std::vector<flatbuffers::Offset<image::Parameter>> parameters = {
      image::CreateParameter(builder, 0, 8)};
  std::vector<image::IntegerArgument> integers = {integer};
  std::vector<flatbuffers::Offset<image::ClassChoice>> choices = {image::CreateClassChoiceDirect(
      builder, "block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1", classChoice)};
  std::vector<uint32_t> next = {nextChoice};
  std::vector<flatbuffers::Offset<image::Kernel>> kernels = {image::CreateKernelDirect(
      builder, "_Z1kPf", "k(float*)", "k.cu", 3, &parameters, 0, false, &alternatives, chosen,
      &next, "00ff", nullptr, &choices, 0, 16, false, &integers)};
  std::vector<flatbuffers::Offset<image::Variable>> variables = {
      image::CreateVariableDirect(builder, "table", image::VariableKind::Constant, 64, 4)};
  std::vector<flatbuffers::Offset<image::Entry>> entries = {
      image::CreateEntryDirect(builder, entryKernel, 0, "_Z1kPf")};
  std::vector<flatbuffers::Offset<image::Slot>> slots = {
      image::CreateSlotDirect(builder, 0, "slot")};
  std::vector<uint8_t> code = {'p', 't', 'x', 0};
  std::vector<flatbuffers::Offset<image::Module>> modules = {image::CreateModuleDirect(
      builder, image::CodeKind::Ptx, "compute_70", true, &code, &entries, &slots)};
  builder.Finish(image::CreateImageDirect(builder, "test", "k.cu", &kernels, &variables, &modules),
                 image::ImageIdentifier());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

/// The bytes at an aligned address, as readers require.
class AlignedImage {
public:
  explicit AlignedImage(const std::vector<char> &bytes)
      : size(bytes.size()), storage(bytes.size() / 8 + 1) {
    std::copy(bytes.begin(), bytes.end(), data());
  }
  char *data() { return reinterpret_cast<char *>(storage.data()); }
  OpenedImage open() { return openImage(data(), size); }

  size_t size;

private:
  std::vector<uint64_t> storage;
};

} // namespace regrain::test
