//===- program.cpp - A program that compiles its kernels --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../driver/Inputs/expect_code.h"

#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <vector>

static const char *const source = R"(
#include "factor.h"
template <class T> __global__ void scale(T *values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] *= T(FACTOR * HALVES) / T(2);
}
namespace a { __device__ int variable = 41; }
)";
static const char *const header = "#define FACTOR 3\n";

static std::string logOf(nvrtcProgram program) {
  size_t bytes = 0;
  CHECK(nvrtcGetProgramLogSize(program, &bytes));
  std::string log(bytes, '\0');
  CHECK(nvrtcGetProgramLog(program, log.data()));
  return log.c_str();
}

static void testScale() {
  nvrtcProgram program = nullptr;
  const char *name = "factor.h", *kernelName = nullptr, *variableName = nullptr;
  CHECK(nvrtcCreateProgram(&program, source, "scale.cu", 1, &header, &name));
  CHECK(nvrtcAddNameExpression(program, "scale<float>"));
  CHECK(nvrtcAddNameExpression(program, "&a::variable"));
  const char *options[] = {"--gpu-architecture=compute_70", "-DHALVES=4", "--std=c++17",
                           "-no-source-include"};
  EXPECT(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION,
         nvrtcGetLoweredName(program, "scale<float>", &kernelName));
  nvrtcResult compiled = nvrtcCompileProgram(program, 4, options);
  CHECK(compiled);
  if (compiled != NVRTC_SUCCESS) {
    std::printf("%s\n", logOf(program).c_str());
    return;
  }
  EXPECT(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, nvrtcAddNameExpression(program, "x"));
  CHECK(nvrtcGetLoweredName(program, "scale<float>", &kernelName));
  CHECK(nvrtcGetLoweredName(program, "&a::variable", &variableName));
  std::printf("%s %s\n", kernelName, variableName);
  size_t bytes = 0;
  CHECK(nvrtcGetPTXSize(program, &bytes));
  std::vector<char> code(bytes);
  CHECK(nvrtcGetPTX(program, code.data()));

  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuModuleLoadData(&module, code.data()));
  CHECK(cuModuleGetFunction(&kernel, module, kernelName));
  CHECK(nvrtcDestroyProgram(&program));
  int count = 500;
  std::vector<float> values(count, 2.5f);
  CUdeviceptr memory = 0;
  CHECK(cuMemAlloc(&memory, count * sizeof(float)));
  CHECK(cuMemcpyHtoD(memory, values.data(), count * sizeof(float)));
  void *arguments[] = {&memory, &count};
  CHECK(cuLaunchKernel(kernel, 4, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuMemcpyDtoH(values.data(), memory, count * sizeof(float)));
  for (float value : values)
    EXPECT(15, int(value));
  CHECK(cuModuleUnload(module));
}

/// Returns the result of compiling a source of that name, which includes a file.
static nvrtcResult include(const char *name, std::vector<const char *> options) {
  nvrtcProgram program = nullptr;
  CHECK(nvrtcCreateProgram(&program,
                           "#include \"beside.h\"\n#include <cooperative_groups.h>\n"
                           "#include <cuda_fp16.h>\n#include <cuda/std/limits>\n"
                           "__global__ void k(int *out) { *out = BESIDE; }",
                           name, 0, nullptr, nullptr));
  nvrtcResult compiled = nvrtcCompileProgram(program, int(options.size()), options.data());
  CHECK(nvrtcDestroyProgram(&program));
  return compiled;
}

/// The folder beside/ has beside.h.
static void testFolders() {
  EXPECT(NVRTC_SUCCESS, include("beside/source.cu", {}));
  EXPECT(NVRTC_SUCCESS, include("source.cu", {"--include-path=beside"}));
  EXPECT(NVRTC_ERROR_COMPILATION, include("source.cu", {}));
  EXPECT(NVRTC_ERROR_COMPILATION, include("beside/source.cu", {"--no-source-include"}));
}

static void testErrors() {
  nvrtcProgram program = nullptr;
  CHECK(nvrtcCreateProgram(&program, "__global__ void k() { undeclared(); }", "wrong.cu", 0,
                           nullptr, nullptr));
  EXPECT(NVRTC_ERROR_COMPILATION, nvrtcCompileProgram(program, 0, nullptr));
  std::printf("%s", logOf(program).c_str());
  CHECK(nvrtcDestroyProgram(&program));
  CHECK(nvrtcCreateProgram(&program, "__global__ void k() {}", nullptr, 0, nullptr, nullptr));
  CHECK(nvrtcAddNameExpression(program, "absent<int>"));
  EXPECT(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID, nvrtcCompileProgram(program, 0, nullptr));
  CHECK(nvrtcDestroyProgram(&program));
  EXPECT(NVRTC_ERROR_INVALID_PROGRAM, nvrtcDestroyProgram(&program));
  const char *unknown = "--unknown-option", *badStandard = "-std=c++99", *fine = "-DNAME=1";
  CHECK(nvrtcCreateProgram(&program, "__global__ void k() {}", nullptr, 0, nullptr, nullptr));
  EXPECT(NVRTC_ERROR_INVALID_OPTION, nvrtcCompileProgram(program, 1, &unknown));
  EXPECT(NVRTC_ERROR_INVALID_OPTION, nvrtcCompileProgram(program, 1, &badStandard));
  for (const char *intermediate : {"-dlto", "--dlink-time-opt", "--optix-ir"})
    EXPECT(NVRTC_ERROR_INVALID_OPTION, nvrtcCompileProgram(program, 1, &intermediate));
  std::printf("%s", logOf(program).c_str());
  size_t bytes = 1;
  char code = 0;
  EXPECT(NVRTC_ERROR_INVALID_PROGRAM, nvrtcGetLTOIRSize(program, &bytes));
  EXPECT(NVRTC_SUCCESS, nvrtcCompileProgram(program, 1, &fine));
  for (auto sizeOf : {nvrtcGetLTOIRSize, nvrtcGetOptiXIRSize}) {
    EXPECT(NVRTC_SUCCESS, sizeOf(program, &bytes));
    EXPECT(0, int(bytes));
  }
  for (auto copyOf : {nvrtcGetLTOIR, nvrtcGetOptiXIR})
    EXPECT(NVRTC_ERROR_INVALID_PROGRAM, copyOf(program, &code));
  CHECK(nvrtcDestroyProgram(&program));
  const char *outside = "inside/../../outside.h";
  EXPECT(NVRTC_ERROR_INVALID_INPUT,
         nvrtcCreateProgram(&program, source, nullptr, 1, &header, &outside));
}

int main() {
  testScale();
  testFolders();
  testErrors();
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
