//===- ExampleTests.cpp - Examples, interpreted at several grains ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Export/Export.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Transforms/ApplyGrain.h"
#include "interpreter/Interpreter.h"
#include "runtime/core/alternative.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace regrain;

namespace {

/// The device side of one example, and its kernel at a grain.
class Example {
public:
  Example(std::string file, std::string symbol) : symbol(std::move(symbol)) {
    initializeFrontend();
    mlir::DialectRegistry registry;
    registerGrainIRDialects(registry);
    mlirContext.appendDialectRegistry(registry);
    mlirContext.loadAllAvailableDialects();
    FrontendOptions options;
    options.source = REGRAIN_EXAMPLES "/" + file;
    options.headers = REGRAIN_CUDA_HEADERS;
    auto compiled = compileDevice(options, 70);
    if (!compiled) {
      ADD_FAILURE() << llvm::toString(compiled.takeError());
      return;
    }
    device.emplace(std::move(*compiled));
    auto raised = importDeviceModule(*device->module, {this->symbol}, mlirContext);
    if (raised)
      imported.emplace(std::move(*raised));
    else
      ADD_FAILURE() << llvm::toString(raised.takeError());
  }

  bool isReady() const { return imported.has_value(); }

  /// Runs `program` at `grain`; the original is clang's output.
  void run(const LaunchShape &program, const Grain &grain, DeviceMemory &memory,
           KernelLaunch launch) {
    SCOPED_TRACE(symbol + " at " + toString(grain));
    std::unique_ptr<llvm::Module> exported;
    LaunchShape shape = program;
    if (!grain.isOriginal()) {
      mlir::OwningOpRef<mlir::ModuleOp> clone = imported->module().clone();
      auto kernel = clone->lookupSymbol<grain::KernelOp>(symbol);
      ASSERT_FALSE(applyGrain(kernel, grain, GrainPart::Whole));
      auto result = exportKernel(kernel, *imported, "k", context);
      ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
      exported = std::move(*result);
      auto scaled = scaleToGrain(program, grain, /*wholeWarps=*/false);
      ASSERT_TRUE(scaled) << describe(scaled.error());
      shape = *scaled;
      if (exported->getFunction("k")->arg_size() > launch.arguments.size())
        for (uint32_t extent : program.grid)
          launch.with(extent);
    }
    launch.grid = shape.grid;
    launch.block = shape.block;
    llvm::Error error =
        interpretKernel(exported ? *exported : *device->module, exported ? "k" : symbol, launch,
                        memory, {.seed = 7, .races = RaceCheck::Grid});
    EXPECT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  }

private:
  std::string symbol;
  std::optional<DeviceCode> device;
  llvm::LLVMContext context;
  mlir::MLIRContext mlirContext;
  std::optional<ImportedModule> imported;
};

const Grain grains[] = {{},
                        {.block = {2, 1, 1}},
                        {.block = {3, 1, 1}},
                        {.thread = {4, 1, 1}},
                        {.block = {2, 1, 1}, .thread = {2, 1, 1}}};

TEST(Examples, Histogram_CountsEachByte) {
  Example example("histogram.cu", "_Z9histogramPjPKhi");
  ASSERT_TRUE(example.isReady());
  std::vector<uint8_t> data(3000);
  std::vector<uint32_t> expected(256);
  for (size_t i = 0; i < data.size(); ++i)
    ++expected[data[i] = uint8_t(i * i + i / 7)];
  for (const Grain &grain : grains) {
    DeviceMemory memory;
    uint64_t total = memory.copyIn(std::vector<uint32_t>(256)), from = memory.copyIn(data);
    example.run({{3, 1, 1}, {256, 1, 1}, 0}, grain, memory,
                KernelLaunch().with(total).with(from).with(int32_t(data.size())));
    EXPECT_EQ(memory.copyOut<uint32_t>(total, 256), expected) << toString(grain);
  }
}

TEST(Examples, RmsNorm_IsTheSameAtEachGrain) {
  Example example("rms_norm.cu", "_Z7rmsNormPfPKfS1_if");
  ASSERT_TRUE(example.isReady());
  constexpr int rows = 3, columns = 300;
  std::vector<float> from(rows * columns), weight(columns), first;
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = float(i % 17) - 8;
  for (int i = 0; i < columns; ++i)
    weight[i] = 1 + float(i % 5);
  for (const Grain &grain : grains) {
    DeviceMemory memory;
    uint64_t to = memory.allocate(from.size() * sizeof(float));
    uint64_t in = memory.copyIn(from), scale = memory.copyIn(weight);
    example.run({{rows, 1, 1}, {256, 1, 1}, 0}, grain, memory,
                KernelLaunch().with(to).with(in).with(scale).with(columns).with(1e-5f));
    EXPECT_TRUE(memory.isDefined(to, from.size() * sizeof(float)));
    std::vector<float> result = memory.copyOut<float>(to, from.size());
    if (grain.isOriginal())
      first = result;
    // The results are bitwise equal: re-graining moves no addition.
    EXPECT_EQ(result, first) << toString(grain);
  }
  double sum = 0;
  for (int i = 0; i < columns; ++i)
    sum += double(from[i]) * from[i];
  EXPECT_NEAR(first[1], from[1] * weight[1] / std::sqrt(sum / columns + 1e-5), 1e-4);
}

} // namespace
