//===- planted_program.cpp - A program to tune, with planted kernels ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: planted_program KERNEL LAUNCHES [MIB|foreign|declared]
// Launches one of the planted kernels on data that changes and checks all that every
// launch leaves. Has MIB of device memory that no kernel is given; or the kernel's memory is of
// another allocator, in one piece, which may be declared. Exit code 1 where something is wrong.
//
//===----------------------------------------------------------------------===//
#include "test/lib/Tuning/planted.h"

#include "include/cuda/regrain_declared_memory.h"
#include "runtime/image/container.h"
#include "runtime/image/launch_rule.h"
#include "runtime/image/memory_use.h"
#include "unittests/runtime/cudart/Program.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <thread>

using namespace regrain;
using Builder = flatbuffers::FlatBufferBuilder;

namespace {

constexpr uint32_t threads = 128;

struct Planted {
  uint32_t factor; ///< for block.x; 1: the control; 0: the vendor's code
  const char *symbol;
  const char *id = nullptr; ///< in place of the one that follows from the factor
  uint32_t withinUlps = 0;  ///< of a variant
};

struct PlantedKernel {
  const char *symbol;
  const char *whyNotReplayable = nullptr;
  std::vector<Planted> alternatives;
  StoredTypes stored = StoredTypes::Other;   ///< through the first parameter
  StoredTypes elsewhere = StoredTypes::None; ///< through pointers of another origin
  bool staysInArguments = true;
  uint32_t steps = PLANTED_STEPS;
  bool isSettled = false; ///< the result is present before the launch
  uint32_t blocks = PLANTED_BLOCKS;
  bool blocksWorkAlone = false;
  uint32_t wavers = 0; ///< ulps by which the first element may be too large
  uint32_t elements() const { return threads * blocks; }
  bool isRounded() const { return stored == StoredTypes::Single; }
};

const std::vector<Planted> rounding = {{1, "rounds_control"},
                                       {2, "rounds_as_original"},
                                       {3, "rounds_nearly"},
                                       {4, "rounds_fast"},
                                       {8, "rounds_beside"}};

const std::vector<PlantedKernel> kernels = {
    {"work",
     nullptr,
     {{2, "work_wrong"},
      {3, "work_hangs"},
      {4, "work_fast"},
      {5, "work_crashes"},
      {6, "work_slow"},
      {7, "work_same"},
      {8, "work_beside"},
      {9, "work_input"}}},
    {"noise", nullptr, {{2, "noise_mostly_fast"}}},
    {.symbol = "wanders", .alternatives = {{4, "work_fast"}}, .staysInArguments = false},
    {"once", nullptr, {{4, "work_fast"}}},
    {"mailbox", nullptr, {{4, "work_fast"}}},
    {"resident", nullptr, {{4, "work_fast"}}},
    {"fading", nullptr, {{2, "fading_fast"}}},
    {.symbol = "visits", .alternatives = {{2, "visits_again"}}, .steps = PLANTED_FEW_STEPS},
    {"late", nullptr, {{4, "late_crashes"}}},
    {"ticket", nullptr, {{4, "ticket_fast"}}},
    {"unsteady", nullptr, {{4, "unsteady_fast"}}},
    {"prints", "it prints", {{4, "prints_fast"}}},
    {"breaks", nullptr, {{4, "work_fast"}, {5, "work_crashes"}}},
    {.symbol = "rounds", .alternatives = rounding, .stored = StoredTypes::Single},
    {.symbol = "mixed",
     .alternatives = rounding,
     .stored = StoredTypes::Single,
     .elsewhere = StoredTypes::Other},
    {.symbol = "settled",
     .alternatives = {{1, "rounds_control"}, {4, "rounds_fast"}},
     .stored = StoredTypes::Single,
     .isSettled = true},
    {.symbol = "far",
     .alternatives = {{1, "far_control"}, {4, "far_fast"}},
     .stored = StoredTypes::Single},
    {.symbol = "vendors", .alternatives = {{0, "vendors_fast"}}, .stored = StoredTypes::Single},
    {.symbol = "remote", .alternatives = {{0, "remote_fast"}}, .stored = StoredTypes::Single},
    {.symbol = "sums",
     .alternatives = {{0, "sums_fast", "sums=reassociated"}, {4, "sums_copied"}},
     .stored = StoredTypes::Single},
    {.symbol = "wavers",
     .alternatives = {{0, "wavers_vendors"}, {4, "wavers_fast"}, {1, "wavers_fast"}},
     .stored = StoredTypes::Single,
     .wavers = PLANTED_WAVER},
    {.symbol = "staggers",
     .alternatives = {{0, "staggers_vendors"}},
     .stored = StoredTypes::Single,
     .wavers = PLANTED_WAVER},
    {.symbol = "sways",
     .alternatives = {{0, "staggers_vendors", "variant=sums<8>", 1000}},
     .stored = StoredTypes::Single,
     .wavers = PLANTED_WAVER},
    {.symbol = "strays",
     .alternatives = {{4, "wavers_fast"}},
     .stored = StoredTypes::Single,
     .wavers = PLANTED_WAVER},
    {.symbol = "lurches",
     .alternatives = {{0, "wavers_vendors"}},
     .stored = StoredTypes::Single,
     .wavers = 100 * PLANTED_WAVER},
    {.symbol = "cancels",
     .alternatives = {{0, "cancels_fast", "sums=reassociated"}},
     .stored = StoredTypes::Single},
    {.symbol = "offers",
     .alternatives = {{0, "sums_fast", "variant=sums<8>", 64},
                      {0, "sums_fast", "variant=sums<4>", 39},
                      {0, "sums_fast", "variant=sums<2>"}},
     .stored = StoredTypes::Single},
    {.symbol = "counts", .alternatives = {{1, "counts_control"}, {4, "counts_fast"}}},
    {.symbol = "drifts",
     .alternatives = {{1, "drifts_control"}, {2, "drifts_same"}},
     .stored = StoredTypes::Single,
     .steps = PLANTED_FEW_STEPS},
    {.symbol = "lasting",
     .alternatives = {{4, "lasting_fast"},
                      {2, "lasting_same"},
                      {8, "lasting_slow"},
                      {3, "lasting_slower"},
                      {5, "lasting_slowest"},
                      {16, "lasting_fastest"},
                      {32, "lasting_wrong"}},
     .steps = PLANTED_FEW_STEPS},
    {.symbol = "parted",
     .alternatives = {{2, "parted_wrong"}, {3, "parted_beside"}, {4, "parted_fast"}},
     .steps = PLANTED_FEW_STEPS,
     .blocks = PLANTED_MANY_BLOCKS,
     .blocksWorkAlone = true},
    {.symbol = "fringe",
     .alternatives = {{2, "fringe_fast"}},
     .steps = PLANTED_FEW_STEPS,
     .blocks = PLANTED_MANY_BLOCKS,
     .blocksWorkAlone = true},
    {.symbol = "united",
     .alternatives = {{4, "united_fast"}},
     .steps = PLANTED_FEW_STEPS,
     .blocks = PLANTED_MANY_BLOCKS},
    {.symbol = "starts", .alternatives = {{4, "starts_late"}}, .steps = PLANTED_FEW_STEPS},
    {.symbol = "waits", .alternatives = {{4, "work_fast"}}},
};

/// The rule of a variant that is launched as its original.
struct SameLaunch {
  SameLaunch() {
    for (uint32_t i = 0; i < launchExtents; ++i) {
      steps.emplace_back(uint8_t(RuleOp::Given), 64, i, 0, 0, 0);
      results.push_back(i);
    }
  }
  std::vector<image::RuleStep> steps;
  std::vector<uint32_t> results;
};

flatbuffers::Offset<image::Kernel> makeKernel(Builder &builder, const PlantedKernel &kernel) {
  std::vector<flatbuffers::Offset<image::Parameter>> parameters = {
      image::CreateParameter(builder, 0, 8, true, uint8_t(kernel.stored)),
      image::CreateParameter(builder, 8, 8, true), image::CreateParameter(builder, 16, 4)};
  const SameLaunch sameLaunch;
  std::vector<flatbuffers::Offset<image::Alternative>> alternatives = {
      image::CreateAlternativeDirect(builder, "original")};
  for (const Planted &planted : kernel.alternatives) {
    bool isCoarse = planted.factor > 1;
    image::Dim3 factors(isCoarse ? planted.factor : 1, 1, 1), one(1, 1, 1);
    std::string id = planted.id            ? planted.id
                     : isCoarse            ? "block.x=" + std::to_string(planted.factor)
                     : planted.factor == 1 ? "control"
                                           : "compiler=nvcc";
    bool isVariant = id.starts_with("variant=");
    alternatives.push_back(image::CreateAlternativeDirect(
        builder, id.c_str(), &factors, &one, false, isCoarse, 20, false, 0, 0,
        isVariant ? &sameLaunch.steps : nullptr, isVariant ? &sameLaunch.results : nullptr,
        planted.withinUlps));
  }
  std::string hash = std::string("planted-") + kernel.symbol;
  return image::CreateKernelDirect(
      builder, kernel.symbol, kernel.symbol, "planted_kernels.c", 1, &parameters, 0, false,
      &alternatives, 0, nullptr, hash.c_str(), kernel.whyNotReplayable, nullptr, 0,
      uint8_t(kernel.elsewhere), kernel.staysInArguments, /*integers=*/nullptr,
      /*may_allocate=*/false, /*cluster=*/nullptr, kernel.blocksWorkAlone,
      /*footprint=*/0, /*system_scope=*/false);
}

std::vector<uint64_t> makeImage() {
  Builder builder;
  std::vector<flatbuffers::Offset<image::Kernel>> entries;
  std::vector<flatbuffers::Offset<image::Entry>> code;
  for (uint32_t i = 0; i < kernels.size(); ++i) {
    entries.push_back(makeKernel(builder, kernels[i]));
    code.push_back(image::CreateEntryDirect(builder, i, 0, kernels[i].symbol));
    for (uint32_t j = 0; j < kernels[i].alternatives.size(); ++j)
      code.push_back(
          image::CreateEntryDirect(builder, i, j + 1, kernels[i].alternatives[j].symbol));
  }
  std::ifstream file(REGRAIN_PLANTED_KERNELS, std::ios::binary);
  std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file),
                             std::istreambuf_iterator<char>()};
  std::vector<flatbuffers::Offset<image::Module>> modules = {image::CreateModuleDirect(
      builder, image::CodeKind::CpuSharedObject, "x86-64", true, &bytes, &code)};
  builder.Finish(
      image::CreateImageDirect(builder, "test", "planted_kernels.c", &entries, nullptr, &modules),
      image::ImageIdentifier());
  std::vector<char> wrapped = wrapImage({builder.GetBufferPointer(), builder.GetSize()});
  std::vector<uint64_t> aligned(wrapped.size() / 8 + 1);
  std::memcpy(aligned.data(), wrapped.data(), wrapped.size());
  return aligned;
}

uint32_t expected(const PlantedKernel &kernel, uint32_t value) {
  for (uint32_t step = 0; step < kernel.steps; ++step)
    value = value * PLANTED_MULTIPLIER + PLANTED_INCREMENT;
  if (!kernel.isRounded())
    return value;
  volatile float x = PLANTED_NUMBER(value), product = x * x; // no fused multiply-add
  return std::bit_cast<uint32_t>(product + x);
}

void check(cudaError_t status) {
  if (status == cudaSuccess)
    return;
  std::printf("CUDA error %d\n", int(status));
  std::exit(1);
}

/// Releases a resident kernel, from a thread and a stream of its own.
void letGo(uint32_t *mail) {
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaMemsetAsync(mail, 1, sizeof *mail, stream));
  check(cudaStreamSynchronize(stream));
  check(cudaStreamDestroy(stream));
}

/// Makes one launch; returns the elements that are wrong after it. A ticket is
/// in element 0 and is higher than any before.
uint32_t launchOnce(const PlantedKernel &planted, const void *kernel, uint32_t number,
                    bool drawsTicket, uint32_t *out, uint32_t *in, uint32_t &lastTicket) {
  uint32_t elements = planted.elements();
  std::vector<uint32_t> before(elements), inAfter(elements), outAfter(elements + 1);
  for (uint32_t i = 0; i < elements; ++i)
    before[i] = i == 0 ? number : i * 2654435761u + number;
  check(cudaMemcpy(in, before.data(), elements * 4, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, (elements + 1) * 4));
  if (planted.isSettled) {
    for (uint32_t i = 0; i < elements; ++i)
      outAfter[i] = expected(planted, before[i]);
    check(cudaMemcpy(out, outAfter.data(), elements * 4, cudaMemcpyHostToDevice));
  }
  std::thread other;
  if (std::string_view(planted.symbol) == "resident")
    other = std::thread(letGo, out + elements);
  check(test::launch(kernel, planted.blocks, threads, 0, nullptr, out, in, elements));
  if (other.joinable())
    other.join();
  check(cudaMemcpy(inAfter.data(), in, elements * 4, cudaMemcpyDeviceToHost));
  check(cudaMemcpy(outAfter.data(), out, (elements + 1) * 4, cudaMemcpyDeviceToHost));
  uint32_t wrong = (inAfter != before) + (outAfter[elements] != 0);
  for (uint32_t i = drawsTicket; i < elements; ++i)
    wrong += outAfter[i] - expected(planted, before[i]) > (i == 0 ? planted.wavers : 0);
  if (drawsTicket) {
    wrong += outAfter[0] <= lastTicket;
    lastTicket = outAfter[0];
  }
  return wrong;
}

/// The memory of a planted kernel.
struct KernelMemory {
  uint32_t *out = nullptr, *in = nullptr;
  std::vector<uint32_t> foreign; ///< both, if they are of another allocator

  KernelMemory(uint32_t elements, std::string_view kind) {
    if (kind == "foreign" || kind == "declared") {
      foreign.resize(2 * elements + 1);
      out = foreign.data();
      in = out + elements + 1;
    } else {
      check(cudaMalloc(reinterpret_cast<void **>(&out), (elements + 1) * 4));
      check(cudaMalloc(reinterpret_cast<void **>(&in), elements * 4));
    }
    if (kind == "declared")
      regrain_declare_memory(out, foreign.size() * 4);
  }
  ~KernelMemory() {
    if (!foreign.empty())
      return;
    check(cudaFree(out));
    check(cudaFree(in));
  }
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4)
    return 2;
  std::string name = argv[1];
  auto planted = std::find_if(kernels.begin(), kernels.end(),
                              [&](const PlantedKernel &kernel) { return kernel.symbol == name; });
  if (planted == kernels.end())
    return 2;
  static char shadow;
  std::vector<uint64_t> image = makeImage();
  FatBinaryWrapper wrapper;
  wrapper.data = image.data();
  void **handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &shadow, nullptr, argv[1], -1, nullptr, nullptr, nullptr, nullptr,
                         nullptr);
  __cudaRegisterFatBinaryEnd(handle);
  auto memory = std::make_unique<KernelMemory>(planted->elements(), argc == 4 ? argv[3] : "");
  void *besides = nullptr;
  if (size_t mib = argc == 4 ? size_t(std::atoi(argv[3])) : 0)
    check(cudaMalloc(&besides, mib << 20));
  uint32_t wrong = 0, lastTicket = 0, launches = uint32_t(std::atoi(argv[2]));
  for (uint32_t i = 0; i < launches; ++i)
    wrong += launchOnce(*planted, &shadow, i,
                        name == "ticket" || (name == "unsteady" && i >= PLANTED_LATE_LAUNCH),
                        memory->out, memory->in, lastTicket);
  memory.reset();
  check(cudaFree(besides));
  std::printf("%s: %u launches, %u wrong\n", argv[1], launches, wrong);
  // Registers the image as a program does: an exit handler unregisters it. It lives until then.
  static void **registered = handle;
  static std::vector<uint64_t> kept = std::move(image);
  std::atexit([] { __cudaUnregisterFatBinary(registered); });
  return wrong != 0;
}
