//===- cudart/ForkTest.cpp - Forked children do not hang ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tests run in their order: before a device is used, while the platform is chosen, and
// afterwards.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/libraries.h"
#include "runtime/core/registry.h"
#include "runtime/core/tuning.h"

#include "Entries.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace regrain;
using namespace std::chrono_literals;

namespace {

/// The runtime asks for the tuning library, which is below, if there is a database.
[[gnu::constructor]] void useTheCpu() {
  setenv("REGRAIN_DEVICE", "cpu", 1);
  setenv("REGRAIN_DB", "/dev/null", 1);
}

constexpr unsigned childSeconds = 10;

std::atomic<bool> mayEndChoice = true, isInChoice = false;

/// Repeats `work` in a thread of its own.
class Hammer {
public:
  template <typename Work> explicit Hammer(Work work) {
    thread = std::thread([this, work] {
      while (!isStopped)
        work();
    });
  }
  ~Hammer() {
    isStopped = true;
    thread.join();
  }

private:
  std::atomic<bool> isStopped = false;
  std::thread thread;
};

/// Returns whether a child that runs `body` ends with success.
template <typename Body> bool endsInChild(Body body) {
  pid_t child = fork();
  if (child == 0) {
    alarm(childSeconds);
    _exit(body() ? 0 : 1);
  }
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void registerAndUnregister() {
  static const char kernel = 0;
  Registry &registry = Registry::get();
  RegisteredImage *image = registry.addImage(nullptr);
  registry.addKernel(image, &kernel, "kernel");
  static_cast<void>(registry.kernel(&kernel));
  registry.removeImage(image);
}

/// Holds the registry for a while: it looks through many variables.
void searchVariables() {
  static RegisteredImage *image = [] {
    static std::array<char, 100000> variables;
    RegisteredImage *made = Registry::get().addImage(nullptr);
    for (char &variable : variables)
      Registry::get().addVariable(made, &variable, "variable", sizeof(variable));
    return made;
  }();
  static const char elsewhere = 0;
  EXPECT_NE(image, nullptr);
  EXPECT_EQ(Registry::get().managedVariable(&elsewhere), nullptr);
  std::this_thread::sleep_for(20us);
}

TEST(Fork, ChildBesideUsesOfTheRegistry_RegistersAndUsesTheDevice) {
  searchVariables();
  Hammer hammer(searchVariables);
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(endsInChild([] {
      registerAndUnregister();
      return true;
    })) << i;
  EXPECT_TRUE(endsInChild([] {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count == 1;
  }));
}

TEST(Fork, ChildBesideTheChoiceOfAPlatform_IsRefused) {
  mayEndChoice = false;
  std::thread first([] { EXPECT_EQ(cudaFree(nullptr), cudaSuccess); });
  while (!isInChoice)
    std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(endsInChild([] {
    registerAndUnregister();
    return cudaFree(nullptr) == cudaErrorInitializationError;
  }));
  mayEndChoice = true;
  first.join();
}

TEST(Fork, ChildBesideCalls_CallsEveryEntry) {
  std::vector<Entry> entries = allEntries();
  ASSERT_EQ(cudaFree(nullptr), cudaSuccess);
  Hammer registry(searchVariables);
  Hammer libraries([] {
    EXPECT_EQ(Libraries::get().unload(nullptr), cudaErrorInvalidResourceHandle);
    std::this_thread::sleep_for(20us);
  });
  Hammer memory([] {
    void *memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
    EXPECT_EQ(cudaMemset(memory, 0, 64), cudaSuccess);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
    std::this_thread::sleep_for(20us);
  });
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(endsInChild([&] {
      for (const Entry &entry : entries)
        if (!entry.name.starts_with("__")) // the compiler passes these valid pointers
          entry.call();
      return cudaFree(nullptr) == cudaErrorInitializationError;
    })) << i;
}

} // namespace

extern "C" Tuning *regrainTuning(uint32_t, Gate &, std::string &) {
  isInChoice = true;
  while (!mayEndChoice)
    std::this_thread::sleep_for(1ms);
  return nullptr;
}
