//===- Program.cpp - A fuzzed kernel as a program of its own --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Data.h"
#include "fuzz/Printer.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using llvm::formatv;

namespace regrain::fuzz {

static std::string dim(const std::array<uint32_t, 3> &extents) {
  return formatv("dim3({0}, {1}, {2})", extents[0], extents[1], extents[2]);
}

static std::string beforeKernel() {
  return "#include <cstdio>\n#include <cstdlib>\n#include <vector>\n\n" + printPrelude() + "\n";
}

unsigned kernelLine() {
  std::string before = beforeKernel();
  return 1 + unsigned(std::count(before.begin(), before.end(), '\n'));
}

std::string printProgram(const Kernel &kernel, const std::string &name) {
  std::string text = beforeKernel() + print(kernel, name) + R"(
static unsigned word(unsigned buffer, unsigned index) {
  unsigned x = (index + 1) * 0x9e3779b9u + buffer * 0x85ebca6bu;
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  x ^= x >> 12;
  return buffer == 1 ? x & 1023 : x;
}

template <class T> static T *make(unsigned buffer, unsigned before, unsigned elements) {
  std::vector<T> values(before + elements);
  for (unsigned i = 0; i < elements; ++i)
    values[before + i] = T(word(buffer, i));
  size_t bytes = values.size() * sizeof(T);
  T *memory = nullptr;
  if (cudaMalloc(&memory, bytes) != cudaSuccess ||
      cudaMemcpy(memory, values.data(), bytes, cudaMemcpyHostToDevice) != cudaSuccess)
    exit(1);
  return memory + before;
}

static void show(const char *name, const void *memory, unsigned elements) {
  std::vector<unsigned> values(elements);
  if (cudaMemcpy(values.data(), memory, elements * 4, cudaMemcpyDeviceToHost) != cudaSuccess)
    exit(1);
  unsigned long long hash = 0xcbf29ce484222325ull;
  for (unsigned value : values)
    hash = (hash ^ value) * 0x100000001b3ull;
  printf("%s %016llx\n", name, hash);
}

int main() {
)";
  std::array<Buffer, bufferCount> buffers = buffersOf(kernel);
  std::string arguments;
  for (uint32_t i = 0; i < bufferCount; ++i) {
    text += formatv("  {0} *{1} = make<{0}>({2}, {3}, {4});\n", buffers[i].type, buffers[i].name, i,
                    displacement(kernel, i), buffers[i].elements);
    arguments += std::string(buffers[i].name) + ", ";
  }
  text += formatv("  Argument argument = {{{0}u, 0.75f, {{}};\n", argumentOf(kernel).a);
  text += formatv("  for (unsigned i = 0; i < {0}; ++i)\n    argument.table[i] = word({1}, i);\n",
                  tableElements, bufferCount);
  text += formatv("  {0}<<<{1}, {2}, {3}>>>({4}argument, {5}u, {6}u, {7}u);\n", name,
                  dim(kernel.shape.grid), dim(kernel.shape.block), dynamicBytes(kernel), arguments,
                  kernel.size, kernel.arguments[0], kernel.arguments[1]);
  for (const Buffer &buffer : buffers)
    text += formatv("  show(\"{0}\", {0}, {1});\n", buffer.name, buffer.elements);
  return text + "  return 0;\n}\n";
}

} // namespace regrain::fuzz
