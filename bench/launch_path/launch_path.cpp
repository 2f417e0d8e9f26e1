//===- launch_path.cpp - Cost of choosing and watching --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This times what the runtime adds to a launch of a kernel with tuned grains: the
// classification of the launch, and the watch. The device is the fake driver, whose calls
// cost almost nothing.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch_class.h"
#include "runtime/core/watch.h"
#include "unittests/runtime/plugins/cuda/fake_driver.h"

#include <benchmark/benchmark.h>

using namespace regrain;

namespace {

/// Classifies launches of a kernel with that many integer arguments.
void classifyLaunch(benchmark::State &state) {
  std::vector<image::IntegerArgument> integers;
  std::vector<int32_t> values(size_t(state.range(0)), 100000);
  std::vector<void *> arguments;
  for (uint32_t i = 0; i < values.size(); ++i) {
    integers.emplace_back(i, 0, 4);
    arguments.push_back(&values[i]);
  }
  LaunchShape shape = {{1000, 20, 1}, {256, 1, 1}, 0};
  for (auto _ : state) {
    benchmark::DoNotOptimize(arguments.data());
    LaunchClass found = classify(shape, 1056, 16, readMagnitudes(integers, arguments.data()));
    benchmark::DoNotOptimize(found);
  }
}
BENCHMARK(classifyLaunch)->Arg(0)->Arg(1)->Arg(4)->Arg(8)->Arg(32);

class NoLaunch final : public WatchedLaunch {
public:
  using WatchedLaunch::WatchedLaunch;
  cudaError_t launch(Contestant &) override {
    fakeDriver().microseconds += 100;
    return cudaSuccess;
  }
  bool mayCapture() override { return false; }
};

/// Queries as the launch path does: most launches are not timed. The account is the real
/// one.
void watchLaunch(benchmark::State &state) {
  std::string reason;
  std::unique_ptr<Device> device;
  if (cudaPlugin().probe(reason) != cudaSuccess ||
      cudaPlugin().open(0, device, reason) != cudaSuccess) {
    state.SkipWithError(reason.c_str());
    return;
  }
  WatchAccount account;
  ClassWatch watch(*device, account, {}, {});
  NoLaunch launch(*device, nullptr);
  for (auto _ : state) {
    LossTest::Verdict verdict = LossTest::Verdict::Open;
    Contestant who = Contestant::Chosen;
    benchmark::DoNotOptimize(watch.isDue() ? watch.launch(launch, verdict) : launch.launch(who));
  }
}
BENCHMARK(watchLaunch);

/// Does the same without a watch.
void plainLaunch(benchmark::State &state) {
  std::string reason;
  std::unique_ptr<Device> device;
  if (cudaPlugin().open(0, device, reason) != cudaSuccess) {
    state.SkipWithError(reason.c_str());
    return;
  }
  NoLaunch launch(*device, nullptr);
  for (auto _ : state) {
    Contestant who = Contestant::Chosen;
    benchmark::DoNotOptimize(launch.launch(who));
  }
}
BENCHMARK(plainLaunch);

} // namespace

BENCHMARK_MAIN();
