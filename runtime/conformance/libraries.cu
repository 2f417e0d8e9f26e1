//===- libraries.cu - Kernels of libraries that are opened and closed ---===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

#include <dlfcn.h>
#include <string>
#include <unistd.h>

using namespace conformance;

namespace {

using Step = int (*)();

__global__ void add(int *data) { atomicAdd(data, 1); }

/// The library lies beside the program.
void *open() {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string folder(path, length > 0 ? size_t(length) : 0);
  folder.resize(folder.rfind('/') + 1);
  return dlopen((folder + "libconformance.so").c_str(), RTLD_NOW | RTLD_LOCAL);
}

void round(int *data) {
  void *library = open();
  answer("open", library != nullptr);
  if (!library)
    return;
  auto step = reinterpret_cast<Step>(dlsym(library, "conformanceStep"));
  answer("first step", step());
  int ofThread = 0;
  std::thread([&] { ofThread = step(); }).join();
  answer("step of another thread", ofThread);
  answer("third step", step());
  add<<<100, 64>>>(data);
  answerLaunch("launch");
  answer("close", dlclose(library));
  answer("last error after closing", cudaGetLastError());
}

} // namespace

AREA(libraries) {
  Buffer<int> data(1);
  answer("clear", cudaMemset(data.data, 0, sizeof(int)));
  round(data.data);
  round(data.data);
  answer("launches of the program", read(data.data));
}
