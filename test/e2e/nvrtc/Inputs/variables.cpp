//===- variables.cpp - A module's variables by name -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: variables MODULE | variables --compile SOURCE
//
// Finds, reads and writes the variables of variables.cu, which it loads as a module, or compiles by
// nvrtc.
//
//===----------------------------------------------------------------------===//
#include "../../driver/Inputs/expect_code.h"

#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

static CUmodule module;

/// Expects a variable of one or more integers, the first of which is `first`, and sets all to
/// `next`.
static void exchange(const char *name, int count, int first, int next) {
  CUdeviceptr pointer = 0;
  size_t bytes = 0;
  std::vector<int> values(count);
  CUresult found = cuModuleGetGlobal(&pointer, &bytes, module, name);
  expect(found, CUDA_SUCCESS, name, __LINE__);
  if (found != CUDA_SUCCESS)
    return;
  expect(int(bytes), int(count * sizeof(int)), name, __LINE__);
  CHECK(cuMemcpyDtoH(values.data(), pointer, bytes));
  expect(values[0], first, name, __LINE__);
  values.assign(count, next);
  CHECK(cuMemcpyHtoD(pointer, values.data(), bytes));
}

static void readAll(const int (&expected)[8]) {
  CUfunction kernel = nullptr;
  CUdeviceptr out = 0;
  int values[8] = {};
  CHECK(cuModuleGetFunction(&kernel, module, "readAll"));
  CHECK(cuMemAlloc(&out, sizeof values));
  void *arguments[] = {&out};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuMemcpyDtoH(values, out, sizeof values));
  for (int i = 0; i < 8; ++i)
    expect(values[i], expected[i], "read", i);
  CHECK(cuMemFree(out));
}

/// The lowered names of what the program names in expressions.
struct Names {
  std::string hidden = "_ZN5spaceL6hiddenE", shown = "_ZN5space5shownE",
              unnamed = "_ZN12_GLOBAL__N_17unnamedE", value = "_Z5valueIiE";
};

static void testVariables(const Names &names) {
  readAll({6, 40, 5, 60, 70, 80, 100, 97});
  exchange("weights", 3, 1, 11);
  exchange("total", 1, 40, 41);
  exchange("unused", 1, 50, 51);
  exchange("offset", 1, 5, 15);
  exchange("unusedOffset", 1, 6, 16);
  exchange(names.hidden.c_str(), 1, 60, 61);
  exchange(names.shown.c_str(), 1, 70, 71);
  exchange(names.unnamed.c_str(), 1, 80, 81);
  exchange("_ZZ7readAllE5calls", 1, 101, 200);
  exchange(names.value.c_str(), 1, 90, 91);
  readAll({33, 41, 15, 61, 71, 81, 200, 98});
  exchange("total", 1, 41, 41);
  CUdeviceptr pointer = 0;
  EXPECT(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&pointer, nullptr, module, "absent"));
}

static std::string readFile(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Compiles the source, and gives the names of the variables of these expressions.
static std::string compile(const char *path, Names &names) {
  nvrtcProgram program = nullptr;
  CHECK(nvrtcCreateProgram(&program, readFile(path).c_str(), "variables.cu", 0, nullptr, nullptr));
  std::string total, weights, unusedValue;
  std::pair<const char *, std::string *> expressions[] = {{"&space::hidden", &names.hidden},
                                                          {"&space::shown", &names.shown},
                                                          {"&unnamed", &names.unnamed},
                                                          {"&value<int>", &names.value},
                                                          {"&value<float>", &unusedValue},
                                                          {"&total", &total},
                                                          {"weights", &weights}};
  for (auto &[expression, name] : expressions)
    CHECK(nvrtcAddNameExpression(program, expression));
  nvrtcResult compiled = nvrtcCompileProgram(program, 0, nullptr);
  CHECK(compiled);
  if (compiled != NVRTC_SUCCESS)
    return "";
  for (auto &[expression, name] : expressions) {
    const char *lowered = "";
    CHECK(nvrtcGetLoweredName(program, expression, &lowered));
    *name = lowered;
  }
  expect(total != "total", 0, total.c_str(), __LINE__);
  expect(weights != "weights", 0, weights.c_str(), __LINE__);
  expect(unusedValue != "_Z5valueIfE", 0, unusedValue.c_str(), __LINE__);
  size_t bytes = 0;
  CHECK(nvrtcGetPTXSize(program, &bytes));
  std::string code(bytes, '\0');
  CHECK(nvrtcGetPTX(program, code.data()));
  CHECK(nvrtcDestroyProgram(&program));
  return code;
}

int main(int argc, char **argv) {
  CUdevice device = -1;
  CUcontext context = nullptr;
  Names names;
  bool compiles = argc == 3 && std::strcmp(argv[1], "--compile") == 0;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(
      cuModuleLoadData(&module, (compiles ? compile(argv[2], names) : readFile(argv[1])).c_str()));
  testVariables(names);
  if (compiles) { // instantiated by the expression alone
    CUdeviceptr pointer = 0;
    float value = 0;
    CHECK(cuModuleGetGlobal(&pointer, nullptr, module, "_Z5valueIfE"));
    CHECK(cuMemcpyDtoH(&value, pointer, sizeof value));
    EXPECT(90, int(value));
  }
  CHECK(cuModuleUnload(module));
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
