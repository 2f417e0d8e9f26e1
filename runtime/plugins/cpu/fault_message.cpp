//===- fault_message.cpp - Where a kernel failed --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/fault_message.h"

#include "runtime/plugins/cpu/line_table.h"

#include <array>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <memory>
#include <string_view>

namespace regrain::cpu {
namespace {

std::string demangled(const std::string &symbol) {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : symbol;
}

/// The loader knows the kernel's symbol, to which the compiler appends the grain. Only an original
/// runs the blocks of the program.
std::string describeKernelAndBlocks(const RegrainCpuKernel &kernel) {
  constexpr std::string_view separator = "__grain_";
  Dl_info info;
  if (!dladdr(&kernel, &info) || !info.dli_sname)
    return "kernel, block ";
  std::string symbol = info.dli_sname;
  size_t end = symbol.find(separator);
  std::string text = "kernel " + demangled(symbol.substr(0, end));
  if (end != std::string::npos)
    text += " at the grain " + symbol.substr(end + separator.size()) + ", launched";
  return text + (end == std::string::npos ? ", block " : " block ");
}

bool isOneThread(const RegrainCpuBlock &block, int dimension) {
  return block.threadIdx[dimension] != REGRAIN_CPU_ANY_THREAD || block.blockDim[dimension] == 1;
}

uint32_t threadIndex(const RegrainCpuBlock &block, int dimension) {
  return block.blockDim[dimension] == 1 ? 0 : block.threadIdx[dimension];
}

std::string inBrackets(const std::array<std::string, 3> &numbers, const char *brackets) {
  return brackets[0] + numbers[0] + "," + numbers[1] + "," + numbers[2] + brackets[1];
}

std::string describeBlock(const RegrainCpuBlock &block, const char *brackets) {
  std::array<std::string, 3> numbers;
  for (int d = 0; d < 3; ++d)
    numbers[d] = std::to_string(block.blockIdx[d]);
  return inBrackets(numbers, brackets);
}

std::string describeThread(const RegrainCpuBlock &block, const char *brackets) {
  std::array<std::string, 3> numbers;
  for (int d = 0; d < 3; ++d)
    numbers[d] = isOneThread(block, d) ? std::to_string(threadIndex(block, d))
                                       : "0.." + std::to_string(block.blockDim[d] - 1);
  return inBrackets(numbers, brackets);
}

bool isOneThread(const RegrainCpuBlock &block) {
  return isOneThread(block, 0) && isOneThread(block, 1) && isOneThread(block, 2);
}

} // namespace

std::string describePlace(const RegrainCpuKernel &kernel, const RegrainCpuBlock &block,
                          uintptr_t instruction) {
  std::string text = describeKernelAndBlocks(kernel) + describeBlock(block, "()") +
                     (isOneThread(block) ? ", thread " : ", one of the threads ") +
                     describeThread(block, "()");
  if (std::optional<SourcePlace> place = findPlaceOf(instruction))
    text += ", at " + place->file + ":" + std::to_string(place->line);
  return text;
}

std::string describeAsserting(const RegrainCpuBlock &block) {
  std::string text = "block: " + describeBlock(block, "[]");
  return isOneThread(block) ? text + ", thread: " + describeThread(block, "[]") : text;
}

} // namespace regrain::cpu
