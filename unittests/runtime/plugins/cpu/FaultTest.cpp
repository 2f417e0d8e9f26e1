//===- plugins/cpu/FaultTest.cpp - Faults of kernels and of the program ---===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/execution.h"

#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>

using namespace regrain;
using namespace regrain::cpu;

namespace {

volatile int *const nowhere = nullptr;
volatile int zero = 0;

int descend(int depth) {
  volatile int local[64] = {};
  local[depth & 63] = depth;
  return depth < zero ? 0 : descend(depth + 1) + local[depth & 63];
}

void access(void *const *, RegrainCpuBlock *block) {
  if (block->blockIdx[0] == 3)
    *nowhere = 1;
}
void divide(void *const *, RegrainCpuBlock *) { zero = 77 / zero; }
void recurse(void *const *, RegrainCpuBlock *) { zero = descend(1); }
std::byte *endOfStack = nullptr;
void accessAboveStack(void *const *, RegrainCpuBlock *) { *(volatile std::byte *)endOfStack = {}; }
void executeNothing(void *const *, RegrainCpuBlock *) { __builtin_trap(); }

cudaError_t run(void (*runBlock)(void *const *, RegrainCpuBlock *), uint32_t blocks = 8,
                bool mayWait = false) {
  const RegrainCpuKernel kernel = {REGRAIN_CPU_ABI_VERSION, 0, 0, 0, runBlock, mayWait};
  QueuedLaunch launch(kernel, {{blocks, 1, 1}, {4, 1, 1}, 0, nullptr, nullptr, {}});
  std::atomic<bool> isCancelled = false;
  LaunchRun launchRun(launch, isCancelled);
  Execution execution(2);
  catchFaults();
  execution.run(launchRun, 4);
  return launchRun.result();
}

std::jmp_buf back;
void (*const returnToTest)(int) = [](int) { siglongjmp(back, 1); };

bool reachesHandlerOfProgram() {
  if (sigsetjmp(back, 1) != 0)
    return true;
  *nowhere = 1;
  return false;
}

TEST(Fault, EndsTheLaunchWithItsError) {
  EXPECT_EQ(run(access), cudaErrorIllegalAddress);
  EXPECT_EQ(run(divide), cudaErrorLaunchFailure);
  EXPECT_EQ(run(executeNothing), cudaErrorLaunchFailure);
  EXPECT_EQ(run(recurse), cudaErrorHardwareStackError);
}

/// The address is close to the stack pointer, and yet the stack is not exhausted.
TEST(Fault, AboveTheStackIsAnAccess) {
  constexpr size_t bytes = 1 << 20, page = 4 << 10;
  void *memory =
      mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  endOfStack = static_cast<std::byte *>(memory) + bytes;
  ASSERT_EQ(mprotect(endOfStack, page, PROT_NONE), 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstack(&attributes, memory, bytes), 0);
  cudaError_t error = cudaSuccess;
  auto runOneBlock = [](void *result) -> void * {
    *static_cast<cudaError_t *>(result) = run(accessAboveStack, 1);
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, runOneBlock, &error), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  munmap(memory, bytes + page);
  EXPECT_EQ(error, cudaErrorIllegalAddress);
}

TEST(Fault, EndsALaunchWhoseBlocksWait) {
  EXPECT_EQ(run(access, 8, /*mayWait=*/true), cudaErrorIllegalAddress);
}

TEST(Fault, LeavesTheThreadsUsable) {
  for (int i = 0; i < 20; ++i)
    ASSERT_EQ(run(recurse, 1), cudaErrorHardwareStackError);
}

TEST(Fault, NamesBlockAndWhatIsKnownOfTheThread) {
  testing::internal::CaptureStderr();
  run(access);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "regrain: kernel, block (3,0,0), one of the threads (0..3,0,0): an access to the "
            "address 0, which is not valid\n");
}

TEST(Fault, OfTheProgramReachesTheHandlerInstalledBefore) {
  struct sigaction before = {};
  sigaction(SIGSEGV, nullptr, &before);
  std::signal(SIGSEGV, returnToTest);
  catchFaults();
  EXPECT_TRUE(reachesHandlerOfProgram());
  EXPECT_EQ(run(access), cudaErrorIllegalAddress);
  EXPECT_TRUE(reachesHandlerOfProgram());
  sigaction(SIGSEGV, &before, nullptr);
}

TEST(Fault, OfTheProgramReachesTheHandlerInstalledAfter) {
  catchFaults();
  struct sigaction before = {};
  sigaction(SIGSEGV, nullptr, &before);
  std::signal(SIGSEGV, returnToTest);
  EXPECT_EQ(run(access), cudaErrorIllegalAddress);
  EXPECT_TRUE(reachesHandlerOfProgram());
  sigaction(SIGSEGV, &before, nullptr);
}

struct sigaction handedOnTo;

TEST(FaultDeathTest, OfTheProgramKillsItAsWithoutUs) {
  EXPECT_EXIT(
      {
        catchFaults();
        *nowhere = 1;
      },
      testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(
      {
        catchFaults();
        std::raise(SIGFPE);
      },
      testing::KilledBySignal(SIGFPE), "");
}

TEST(FaultDeathTest, ThatTheProgramHandsBackKillsIt) {
  EXPECT_EXIT(
      {
        catchFaults();
        struct sigaction own = {};
        own.sa_flags = SA_SIGINFO;
        own.sa_sigaction = [](int number, siginfo_t *info, void *context) {
          handedOnTo.sa_sigaction(number, info, context);
        };
        sigaction(SIGSEGV, &own, &handedOnTo);
        run(access);
        *nowhere = 1;
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST(FaultDeathTest, InACallThatMayHoldLocksIsTheProgramsOwn) {
  EXPECT_EXIT(run([](void *const *, RegrainCpuBlock *) {
                NoFaults holding;
                *nowhere = 1;
              }),
              testing::KilledBySignal(SIGSEGV), "");
}

} // namespace
