//===- cudart/Program.cpp - A program as clang would have made it ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include "runtime/image/container.h"

#include <cstring>
#include <fstream>
#include <iterator>

namespace regrain::test {

Shadows shadows;

namespace {

using Builder = flatbuffers::FlatBufferBuilder;

/// The bit of y in image::Entry::single_dimensions.
constexpr uint8_t rows = 2;

struct KernelEntry {
  const char *symbol;
  char Shadows::*shadow;
  std::vector<uint32_t> parameterBytes;
};

const std::vector<KernelEntry> &kernelEntries() {
  static const std::vector<KernelEntry> entries = {
      {"iotaKernel", &Shadows::iota, {8, 8, 4}},
      {"reverseKernel", &Shadows::reverse, {8}},
      {"gridKernel", &Shadows::grid, {8}},
      {"countKernel", &Shadows::count, {4}},
      {"waitKernel", &Shadows::wait, {8, 8}},
      {"trapKernel", &Shadows::trap, {}},
      {"assertKernel", &Shadows::assertion, {}},
      {"printKernel", &Shadows::print, {}},
      {"hungryKernel", &Shadows::hungry, {}},
      {"bigSharedKernel", &Shadows::bigShared, {}},
      {"wrongVersionKernel", &Shadows::wrongVersion, {}},
  };
  return entries;
}

/// Returns the launch bounds of a kernel; 0: none.
uint32_t boundOf(const KernelEntry &kernel) { return kernel.shadow == &Shadows::grid ? 256 : 0; }

flatbuffers::Offset<image::Kernel> makeKernel(Builder &builder, const KernelEntry &kernel,
                                              uint32_t chosen) {
  std::vector<flatbuffers::Offset<image::Parameter>> parameters;
  uint32_t offset = 0;
  for (uint32_t bytes : kernel.parameterBytes) {
    offset = (offset + bytes - 1) / bytes * bytes;
    parameters.push_back(image::CreateParameter(builder, offset, bytes));
    offset += bytes;
  }
  std::vector<flatbuffers::Offset<image::Alternative>> alternatives = {
      image::CreateAlternativeDirect(builder, "original")};
  bool isIota = kernel.shadow == &Shadows::iota;
  if (isIota) {
    image::Dim3 one(1, 1, 1), two(2, 1, 1), four(4, 1, 1);
    alternatives.push_back(
        image::CreateAlternativeDirect(builder, "block.x=4", &four, &one, false, true, offset));
    alternatives.push_back(image::CreateAlternativeDirect(builder, "thread.x=2", &one, &two, true));
    // The image lists it, but the code lacks it.
    alternatives.push_back(
        image::CreateAlternativeDirect(builder, "block.x=2", &two, &one, false, true, offset));
    alternatives.push_back(image::CreateAlternativeDirect(builder, "block.x=4:remainder", &four,
                                                          &one, false, true, offset));
    // The same code serves all of these.
    alternatives.push_back(image::CreateAlternativeDirect(
        builder, "block.x=4,for.block=64x1x1,for.grid=10x1x1,for.arg2=637", &four, &one, false,
        true, offset));
  }
  if (kernel.shadow == &Shadows::count) {
    image::Dim3 one(1, 1, 1), two(2, 1, 1);
    alternatives.push_back(
        image::CreateAlternativeDirect(builder, "block.x=2", &two, &one, false, true, offset));
  }
  return image::CreateKernelDirect(
      builder, kernel.symbol, (std::string(kernel.symbol) + "()").c_str(), "kernels.c", 1,
      &parameters, boundOf(kernel), false, &alternatives, isIota ? chosen : 0);
}

std::vector<flatbuffers::Offset<image::Entry>> makeEntries(Builder &builder) {
  std::vector<flatbuffers::Offset<image::Entry>> entries;
  const auto &kernels = kernelEntries();
  for (uint32_t i = 0; i < kernels.size(); ++i) {
    uint8_t singleDimensions = kernels[i].shadow == &Shadows::reverse ? rows : 0;
    entries.push_back(image::CreateEntryDirect(builder, i, 0, kernels[i].symbol, nullptr,
                                               /*remainder=*/false, 0, singleDimensions,
                                               boundOf(kernels[i])));
  }
  entries.push_back(image::CreateEntryDirect(builder, 0, 1, "iotaKernel__grain_block_x4"));
  entries.push_back(image::CreateEntryDirect(builder, 0, 2, "iotaKernel__grain_thread_x2", nullptr,
                                             /*remainder=*/false, 0, rows));
  entries.push_back(image::CreateEntryDirect(
      builder, 0, 4, "iotaKernel__grain_block_x4_remainder__rest", nullptr, /*remainder=*/true));
  entries.push_back(
      image::CreateEntryDirect(builder, 0, 4, "iotaKernel__grain_block_x4_remainder"));
  entries.push_back(image::CreateEntryDirect(builder, 0, 5, "iotaKernel__grain_block_x4"));
  return entries;
}

std::vector<uint8_t> readFile(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The alternative of countKernel is in a module of its own, as on GPUs, and
/// accesses the counter through a slot.
flatbuffers::Offset<image::Module> makeSlotModule(Builder &builder, const char *slotName) {
  uint32_t countKernel = 0;
  while (kernelEntries()[countKernel].shadow != &Shadows::count)
    ++countKernel;
  std::vector<uint8_t> code = readFile(REGRAIN_TEST_SLOT_KERNELS);
  std::vector<flatbuffers::Offset<image::Entry>> entries = {
      image::CreateEntryDirect(builder, countKernel, 1, "countKernel__grain_block_x2")};
  std::vector<flatbuffers::Offset<image::Slot>> slots = {
      image::CreateSlotDirect(builder, 0, slotName)};
  return image::CreateModuleDirect(builder, image::CodeKind::CpuSharedObject, "x86-64", false,
                                   &code, &entries, &slots);
}

} // namespace

std::vector<uint8_t> readKernels() { return readFile(REGRAIN_TEST_KERNELS); }

std::vector<char> makeImage(const std::vector<uint8_t> &code, const char *arch, uint32_t chosen,
                            const char *slotName) {
  Builder builder;
  std::vector<flatbuffers::Offset<image::Kernel>> kernels;
  for (const KernelEntry &kernel : kernelEntries())
    kernels.push_back(makeKernel(builder, kernel, chosen));
  std::vector<flatbuffers::Offset<image::Variable>> variables = {
      image::CreateVariableDirect(builder, "counter", image::VariableKind::Device, 4, 4),
      image::CreateVariableDirect(builder, "table", image::VariableKind::Constant, 16, 4),
      image::CreateVariableDirect(builder, "managed", image::VariableKind::Managed, 8, 4)};
  auto entries = makeEntries(builder);
  std::vector<flatbuffers::Offset<image::Module>> modules = {image::CreateModuleDirect(
      builder, image::CodeKind::CpuSharedObject, arch, true, &code, &entries)};
  modules.push_back(makeSlotModule(builder, slotName));
  builder.Finish(
      image::CreateImageDirect(builder, "test", "kernels.c", &kernels, &variables, &modules),
      image::ImageIdentifier());
  return wrapImage({builder.GetBufferPointer(), builder.GetSize()});
}

Registration::Registration(const std::vector<char> &image) : storage(image.size() / 8 + 1) {
  std::memcpy(storage.data(), image.data(), image.size());
  wrapper.data = storage.data();
  handle = __cudaRegisterFatBinary(&wrapper);
  for (const KernelEntry &kernel : kernelEntries())
    __cudaRegisterFunction(handle, &(shadows.*kernel.shadow), nullptr, kernel.symbol, -1, nullptr,
                           nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFunction(handle, &shadows.notInImage, nullptr, "notInImage", -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  __cudaRegisterVar(handle, &shadows.counter, nullptr, "counter", 0, 4, 0, 0);
  __cudaRegisterVar(handle, &shadows.table, nullptr, "table", 0, 16, 1, 0);
  __cudaRegisterVar(handle, reinterpret_cast<char *>(&shadows.managed), nullptr, "managed", 0, 8, 0,
                    0);
  __cudaRegisterFatBinaryEnd(handle);
}

Registration::~Registration() { __cudaUnregisterFatBinary(handle); }

void useProgram() { static Registration registration(makeImage(readKernels())); }

} // namespace regrain::test
