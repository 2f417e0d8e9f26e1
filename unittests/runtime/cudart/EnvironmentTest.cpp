//===- cudart/EnvironmentTest.cpp - Devices, alternatives and damage ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <csignal>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace regrain::test;
using testing::ExitedWithCode;

namespace {

/// Ends the process: 0 if all conditions held.
[[noreturn]] void finish(bool ok) { std::exit(ok ? 0 : 1); }

/// Runs iotaKernel with blocks of `threads` and returns what it recorded.
struct Noted {
  uint32_t how[8] = {};
  bool isRight = true;
};
Noted runIota(dim3 block = 64, size_t shared = 0, uint32_t blocks = 10) {
  Noted noted;
  int *numbers = nullptr;
  uint32_t *how = nullptr, n = blocks * block.x - 3;
  noted.isRight =
      cudaMalloc(reinterpret_cast<void **>(&numbers), n * 4) == cudaSuccess &&
      cudaMalloc(reinterpret_cast<void **>(&how), sizeof noted.how) == cudaSuccess &&
      cudaMemset(how, 0, sizeof noted.how) == cudaSuccess &&
      cudaMemset(numbers, 0xff, n * 4) == cudaSuccess &&
      launch(&shadows.iota, blocks, block, shared, nullptr, numbers, how, n) == cudaSuccess &&
      cudaMemcpy(noted.how, how, sizeof noted.how, cudaMemcpyDeviceToHost) == cudaSuccess;
  for (uint32_t i = 0; noted.isRight && i < n; ++i)
    noted.isRight = numbers[i] == int(i);
  return noted;
}

void ask(const char *request) {
  setenv("REGRAIN_VERBOSE", "1", 1);
  setenv("REGRAIN_ALTERNATIVE", request, 1);
}

TEST(Alternative, BlockFactor_ScalesGridAndSharedMemory) {
  EXPECT_EXIT(
      {
        ask("iota*:block.x=4");
        useProgram();
        Noted noted = runIota(64, 20);
        finish(noted.isRight && noted.how[0] == 4 && noted.how[1] == 3 && noted.how[2] == 10 &&
               noted.how[3] == 4 * 32);
      },
      ExitedWithCode(0), "iotaKernel\\(\\): block.x=4 \\(asked for by REGRAIN_ALTERNATIVE\\)");
}

TEST(Alternative, ThreadFactor_ThatFits) {
  EXPECT_EXIT(
      {
        ask("iota*:thread.x=2");
        useProgram();
        Noted noted = runIota(64);
        finish(noted.isRight && noted.how[0] == 102 && noted.how[1] == 10);
      },
      ExitedWithCode(0), "thread.x=2");
}

TEST(Alternative, BlockNotDivisible_RunsTheOriginal) {
  EXPECT_EXIT(
      {
        ask("iota*:thread.x=2");
        useProgram();
        Noted noted = runIota(33);
        finish(noted.isRight && noted.how[0] == 1);
      },
      ExitedWithCode(0), "does not run for this launch, because .* not divisible");
}

TEST(Alternative, PartialWarps_RunsTheOriginal) {
  EXPECT_EXIT(
      {
        ask("iota*:thread.x=2");
        useProgram();
        Noted noted = runIota(32);
        finish(noted.isRight && noted.how[0] == 1);
      },
      ExitedWithCode(0), "does not run for this launch, because .* multiple of 32");
}

TEST(Alternative, RowsThatItsCodeIsNotFor_RunsTheOriginal) {
  EXPECT_EXIT(
      {
        ask("iota*:thread.x=2");
        useProgram();
        Noted noted = runIota(dim3(64, 2));
        finish(noted.isRight && noted.how[0] == 1);
      },
      ExitedWithCode(0), "does not run for this launch, because .* several threads in a dimension");
}

TEST(Alternative, TooMuchSharedMemoryWhenScaled_RunsTheOriginal) {
  EXPECT_EXIT(
      {
        ask("iota*:block.x=4");
        useProgram();
        // 4 * 40 KiB is more than a program may request, but fits; 4 * 57 does
        // not.
        bool ok = runIota(64, 40 << 10).how[0] == 4 &&
                  cudaFuncSetAttribute(&shadows.iota, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       57 << 10) == cudaSuccess;
        Noted noted = runIota(64, 57 << 10);
        finish(ok && noted.isRight && noted.how[0] == 1);
      },
      ExitedWithCode(0), "does not run for this launch, because .* shared memory");
}

TEST(Alternative, Remainder_IsALaunchOfItsOwn) {
  EXPECT_EXIT(
      {
        ask("iota*:block.x=4:remainder");
        useProgram();
        // Returns the blocks that the coarse launch runs, and those that the
        // other one runs.
        auto launches = [](uint32_t blocks, uint32_t coarse, uint32_t rest) {
          Noted noted = runIota(64, 20, blocks);
          return noted.isRight && noted.how[0] == (coarse ? 4 : 0) && noted.how[1] == coarse &&
                 noted.how[2] == (coarse ? blocks : 0) && noted.how[3] == (coarse ? 4 * 32 : 0) &&
                 noted.how[4] == (rest ? 1 : 0) && noted.how[5] == rest &&
                 noted.how[6] == (rest ? blocks : 0) && noted.how[7] == (rest ? 20 : 0);
        };
        finish(launches(10, 2, 2) && launches(8, 2, 0) && launches(3, 0, 3) && launches(1, 0, 1) &&
               launches(5, 1, 1));
      },
      ExitedWithCode(0), "block.x=4:remainder \\(asked for by REGRAIN_ALTERNATIVE\\)");
}

constexpr const char *knownIota = "iota*:block.x=4,for.block=64,for.grid=10,for.arg2=637";

TEST(Alternative, KnownLaunch_Fits) {
  EXPECT_EXIT(
      {
        ask(knownIota);
        useProgram();
        Noted noted = runIota(64, 20);
        finish(noted.isRight && noted.how[0] == 4 && noted.how[1] == 3);
      },
      ExitedWithCode(0), "for.arg2=637 \\(asked for by REGRAIN_ALTERNATIVE\\), else original");
}

TEST(Alternative, AnotherLaunch_RunsTheNextThatFits) {
  EXPECT_EXIT(
      {
        ask((std::string("iota*:thread.x=2;") + knownIota).c_str());
        useProgram();
        bool ok = runIota(128).how[0] == 102 && runIota(64, 0, 11).how[0] == 102 &&
                  runIota(33).how[0] == 1 && runIota(64).how[0] == 4;
        finish(ok);
      },
      ExitedWithCode(0),
      "for.arg2=637 does not run for this launch, because the grain is compiled for another block "
      "size \\(for.block\\)\n(.*\n)*"
      ".*for.arg2=637 does not run for this launch, because the grain is compiled for another grid "
      "size \\(for.grid\\)\n(.*\n)*"
      ".*thread.x=2 does not run for this launch, because .* not divisible");
}

TEST(Alternative, NotInTheCode_RunsTheOriginal) {
  EXPECT_EXIT(
      {
        ask("iota*:block.x=2");
        useProgram();
        Noted noted = runIota();
        finish(noted.isRight && noted.how[0] == 1);
      },
      ExitedWithCode(0), "block.x=2 cannot be loaded.*\n.*iotaKernel\\(\\): original");
}

/// Returns the counter after a launch of 5 blocks, each of which adds table[0]
/// = 1.
int countAfter(int before) {
  int result = -1;
  bool ok =
      cudaMemcpyToSymbol(&shadows.counter, &before, 4, 0, cudaMemcpyHostToDevice) == cudaSuccess &&
      launch(&shadows.count, 5, 1, 0, nullptr, 0) == cudaSuccess &&
      cudaMemcpyFromSymbol(&result, &shadows.counter, 4, 0, cudaMemcpyDeviceToHost) == cudaSuccess;
  return ok ? result : -1;
}

TEST(Alternative, InAModuleOfItsOwn_SharesTheVariables) {
  EXPECT_EXIT(
      {
        ask("count*:block.x=2");
        useProgram();
        finish(countAfter(3) == 5003);
      },
      ExitedWithCode(0), "countKernel\\(\\): block.x=2 ");
}

TEST(Alternative, WithoutItsSlot_RunsTheOriginal) {
  EXPECT_EXIT(
      {
        ask("count*:block.x=2");
        Registration program(makeImage(readKernels(), "x86-64-v3", 0, "noSuchSlot"));
        finish(countAfter(3) == 8);
      },
      ExitedWithCode(0), "block.x=2 cannot be loaded.*\n.*countKernel\\(\\): original");
}

TEST(Alternative, ChosenWhenCompiled) {
  EXPECT_EXIT(
      {
        setenv("REGRAIN_VERBOSE", "1", 1);
        Registration program(makeImage(readKernels(), "x86-64-v3", 1));
        finish(runIota().how[0] == 4);
      },
      ExitedWithCode(0), "block.x=4 \\(chosen when compiled\\)");
}

TEST(Alternative, BadSyntax_EndsTheProcess) {
  EXPECT_EXIT(
      {
        setenv("REGRAIN_ALTERNATIVE", "iota*:block.x=0", 1);
        useProgram();
        runIota();
      },
      ExitedWithCode(1), "REGRAIN_ALTERNATIVE: 'block.x=0' needs a whole number");
}

TEST(Alternative, GrainThatNoKernelHas_EndsTheProcess) {
  EXPECT_EXIT(
      {
        setenv("REGRAIN_ALTERNATIVE", "iota*:block.x=7", 1);
        useProgram();
        runIota();
      },
      ExitedWithCode(1),
      "REGRAIN_ALTERNATIVE: no kernel that matches 'iota\\*' has the grain "
      "'block.x=7'; iotaKernel\\(\\): the program was not compiled with that grain");
}

TEST(Alternative, GrainThatAnotherKernelHas_IsLegal) {
  EXPECT_EXIT(
      {
        setenv("REGRAIN_ALTERNATIVE", "*:block.x=4", 1); // iota* has it, count* has not
        useProgram();
        finish(countAfter(3) == 8 && runIota().how[0] == 4);
      },
      ExitedWithCode(0), "^$");
}

TEST(Alternative, NoKernelMatches_IsSaidOnce) {
  EXPECT_EXIT(
      {
        setenv("REGRAIN_ALTERNATIVE", "sclae:block.x=4", 1);
        useProgram();
        finish(countAfter(3) == 8 && runIota().how[0] == 1);
      },
      ExitedWithCode(0),
      "^regrain: REGRAIN_ALTERNATIVE: no kernel of the program matches 'sclae' so far\n$");
}

TEST(Devices, UnknownOne_IsNoDevice) {
  EXPECT_EXIT(
      {
        setenv("REGRAIN_DEVICE", "abacus", 1);
        int count = -1;
        void *memory = nullptr;
        finish(cudaGetDeviceCount(&count) == cudaErrorNoDevice && count == 0 &&
               cudaMalloc(&memory, 4) == cudaErrorNoDevice &&
               cudaGetLastError() == cudaErrorNoDevice && cudaGetLastError() == cudaSuccess);
      },
      ExitedWithCode(0), "no usable device .*REGRAIN_DEVICE=abacus");
}

TEST(Devices, BadThreadCount_IsNoDevice) {
  EXPECT_EXIT(
      {
        setenv("REGRAIN_NUM_THREADS", "many", 1);
        finish(cudaFree(nullptr) == cudaErrorNoDevice);
      },
      ExitedWithCode(0), "REGRAIN_NUM_THREADS=many");
}

TEST(Devices, CodeForAnotherProcessor_IsNoDevice) {
  EXPECT_EXIT(
      {
        Registration program(makeImage(readKernels(), "armv9"));
        finish(cudaFree(nullptr) == cudaErrorNoDevice);
      },
      ExitedWithCode(0), "has no code for");
}

TEST(Devices, CodeThatComesLaterAndDoesNotFit_IsNoKernelImage) {
  EXPECT_EXIT(
      {
        bool ok = cudaFree(nullptr) == cudaSuccess;
        Registration program(makeImage(readKernels(), "armv9"));
        finish(ok && launch(&shadows.iota, 1, 1, 0, nullptr, nullptr, nullptr, 0) ==
                         cudaErrorNoKernelImageForDevice);
      },
      ExitedWithCode(0), "");
}

TEST(Devices, NumberOfThreads) {
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_EQ(properties.multiProcessorCount, 3);
  int value = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(value, 3);
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST(Damage, Image_IsInvalidKernelImage) {
  EXPECT_EXIT(
      {
        std::vector<char> image = makeImage(readKernels());
        image[200] ^= 1;
        Registration program(image);
        bool ok = launch(&shadows.iota, 1, 1, 0, nullptr, nullptr, nullptr, 0) ==
                  cudaErrorInvalidKernelImage;
        void *memory = nullptr;
        finish(ok && cudaMalloc(&memory, 64) == cudaSuccess &&
               cudaMemcpyToSymbol(&shadows.table, memory, 4, 0, cudaMemcpyHostToDevice) ==
                   cudaErrorInvalidKernelImage);
      },
      ExitedWithCode(0), "the image is damaged");
}

TEST(Damage, CodeThatIsNoSharedObject_IsInvalidKernelImage) {
  EXPECT_EXIT(
      {
        std::vector<uint8_t> code(100, 'x');
        Registration program(makeImage(code));
        finish(launch(&shadows.iota, 1, 1, 0, nullptr, nullptr, nullptr, 0) ==
               cudaErrorInvalidKernelImage);
      },
      ExitedWithCode(0), "");
}

TEST(Damage, ForeignFatBinary_IsInvalidKernelImage) {
  EXPECT_EXIT(
      {
        Registration program(std::vector<char>(64, '\x50'));
        finish(launch(&shadows.iota, 1, 1, 0, nullptr, nullptr, nullptr, 0) ==
               cudaErrorInvalidKernelImage);
      },
      ExitedWithCode(0), "not a Regrain image");
}

/// Each registration has its own variables, and leaves nothing behind.
bool comesAndGoes() {
  for (int round = 0; round < 5; ++round) {
    Registration program(makeImage(readKernels()));
    int counter = -1;
    if (!runIota().isRight || launch(&shadows.count, 1, 1, 0, nullptr, 0) != cudaSuccess ||
        cudaMemcpyFromSymbol(&counter, &shadows.counter, 4, 0, cudaMemcpyDeviceToHost) !=
            cudaSuccess ||
        counter != 1)
      return false;
  }
  return launch(&shadows.iota, 1, 1, 0, nullptr) == cudaErrorInvalidDeviceFunction;
}

TEST(Registrations, ComeAndGo) { EXPECT_EXIT(finish(comesAndGoes()), ExitedWithCode(0), ""); }

/// Returns the result of `body` in a forked child.
bool holdsInChild(const std::function<bool()> &body) {
  pid_t child = fork();
  if (child == 0) {
    alarm(10);
    std::exit(body() ? 0 : 1);
  }
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Fork, ChildWorksBeforeUse_AndIsRefusedAfter) {
  EXPECT_EXIT(
      {
        useProgram();
        bool ok = holdsInChild([] { return runIota().isRight; }) && runIota().isRight;
        auto isRefused = [] { return cudaFree(nullptr) == cudaErrorInitializationError; };
        finish(ok && holdsInChild(isRefused) && runIota().isRight);
      },
      ExitedWithCode(0), "");
}

TEST(Exit, WithWorkUnderWay_DoesNotHang) {
  EXPECT_EXIT(
      {
        useProgram();
        static int flag = 0;
        static int done = 0;
        alarm(30);
        finish(launch(&shadows.wait, 1, 1, 0, nullptr, &flag, &done) == cudaSuccess);
      },
      ExitedWithCode(0), "");
}

TEST(Failure, Trap_StaysUntilReset) {
  EXPECT_EXIT(
      {
        useProgram();
        void *memory = nullptr;
        bool ok =
            launch(&shadows.trap, 100, 32, 0, nullptr) == cudaSuccess &&
            cudaDeviceSynchronize() == cudaErrorLaunchFailure &&
            cudaGetLastError() == cudaErrorLaunchFailure && cudaGetLastError() == cudaSuccess &&
            launch(&shadows.iota, 0, 1, 0, nullptr, nullptr, nullptr, 0) ==
                cudaErrorLaunchFailure &&
            cudaMalloc(&memory, 4) == cudaErrorLaunchFailure &&
            launch(&shadows.iota, 1, 1, 0, nullptr, nullptr, nullptr, 0) == cudaErrorLaunchFailure;
        cudaError_t reset = cudaDeviceReset();
        finish(ok && reset == cudaSuccess && runIota().isRight);
      },
      ExitedWithCode(0), "");
}

TEST(Reset, ForgetsStreamsEventsAndMemory) {
  EXPECT_EXIT(
      {
        useProgram();
        cudaStream_t stream = nullptr;
        cudaEvent_t event = nullptr;
        void *memory = nullptr;
        int value = 7;
        bool ok = cudaStreamCreate(&stream) == cudaSuccess &&
                  cudaEventCreate(&event) == cudaSuccess && cudaMalloc(&memory, 4) == cudaSuccess &&
                  cudaMemcpyToSymbol(&shadows.counter, &value, 4, 0, cudaMemcpyHostToDevice) ==
                      cudaSuccess &&
                  runIota().isRight && cudaDeviceReset() == cudaSuccess &&
                  cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle &&
                  cudaEventRecord(event, nullptr) == cudaErrorInvalidResourceHandle &&
                  cudaFree(memory) == cudaErrorInvalidValue && runIota().isRight &&
                  cudaMemcpyFromSymbol(&value, &shadows.counter, 4, 0, cudaMemcpyDeviceToHost) ==
                      cudaSuccess;
        finish(ok && value == 0);
      },
      ExitedWithCode(0), "");
}

TEST(Failure, Assert_SaysWhere) {
  EXPECT_EXIT(
      {
        useProgram();
        bool ok = launch(&shadows.assertion, 1, 32, 0, nullptr) == cudaSuccess;
        finish(ok && cudaDeviceSynchronize() == cudaErrorAssert);
      },
      ExitedWithCode(0), "k.cu:7: void k\\(\\): block: \\[0,0,0\\] Assertion `x > 0` failed.");
}

TEST(Print, GoesToStdout) {
  useProgram();
  testing::internal::CaptureStdout();
  ASSERT_EQ(launch(&shadows.print, 1, 1, 0, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "42 0.50 word\n");
}

} // namespace
