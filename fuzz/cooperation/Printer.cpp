//===- Printer.cpp - A cooperating program as CUDA source -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/cooperation/Program.h"

#include "fuzz/Conversions.h"
#include "fuzz/cooperation/CheckText.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using llvm::formatv;

namespace regrain::fuzz::cooperation {

std::vector<uint32_t> Memory::contents() const {
  std::vector<uint32_t> result(words);
  for (uint32_t i = 0; i < words; ++i)
    result[i] = base + i * step;
  for (auto [word, value] : others)
    result[word] = value;
  return result;
}

std::string findWrong(const Program &program, const std::vector<std::vector<uint32_t>> &contents) {
  for (const Check &check : program.checks)
    if (!holds(check, contents[check.memory]))
      return formatv("{0} (memory {1} from word {2})", check.what, check.memory, check.first);
  return "";
}

std::string printPrelude() {
  return R"(#ifdef __clang__
#define EXIT_THREAD() __nvvm_exit()
#else
#define EXIT_THREAD() asm volatile("exit;")
#endif
)";
}

static std::string beforeKernel() {
  return "#include <cstdio>\n#include <cstdlib>\n#include <vector>\n\n" + printConversions() +
         printPrelude() + "\n";
}

unsigned kernelLine() {
  std::string before = beforeKernel();
  return 1 + unsigned(std::count(before.begin(), before.end(), '\n'));
}

std::string print(const Program &program, const std::string &name) {
  std::string text = "namespace program_" + name + " {\n", parameters;
  for (const std::string &function : program.functions)
    text += function;
  for (const Parameter &parameter : program.parameters)
    parameters += (parameters.empty() ? "" : ", ") + parameter.declaration;
  text += formatv("extern \"C\" __global__ void {0}{1}({2}) {{\n",
                  program.hasLaunchBounds
                      ? formatv("__launch_bounds__({0}) ", program.shape.threads()).str()
                      : "",
                  name, parameters);
  return text + program.body + "}\n}\n";
}

static std::string dim(const std::array<uint32_t, 3> &extents) {
  return formatv("dim3({0}, {1}, {2})", extents[0], extents[1], extents[2]);
}

static std::string fill(const Memory &memory) {
  std::string text = formatv("{0}, {1}u, {2}u, {{", memory.words, memory.base, memory.step);
  for (auto [word, value] : memory.others)
    text += formatv("{{{0}, {1}u}, ", word, value);
  return text + "}";
}

/// Returns the host's code around the launch.
static std::string printMain(const Program &program, const std::string &name) {
  std::string text = "\nint main() {\n", arguments;
  for (size_t i = 0; i < program.memory.size(); ++i)
    text += formatv("  unsigned *memory{0} = make({1});\n", i, fill(program.memory[i]));
  for (const Parameter &parameter : program.parameters) {
    std::string argument;
    if (parameter.memory) {
      std::string type = parameter.declaration.substr(0, parameter.declaration.find('*'));
      argument = formatv("({0}*)(memory{1} + {2})", type, *parameter.memory, parameter.offset);
    } else if (parameter.isStruct) {
      argument = "pack";
      text += formatv("  Pack pack;\n  for (unsigned i = 0; i < {0}; ++i)\n"
                      "    pack.values[i] = {1} + 3 * i;\n",
                      parameter.words.size(), parameter.words.front());
    } else {
      argument = std::to_string(parameter.words.front()) + "u";
    }
    arguments += (arguments.empty() ? "" : ", ") + argument;
  }
  text += formatv("  {0}<<<{1}, {2}, {3}>>>({4});\n", name, dim(program.shape.grid),
                  dim(program.shape.block), program.dynamicBytes, arguments);
  text += "  cudaError_t error = cudaDeviceSynchronize();\n  if (error != cudaSuccess) {\n"
          "    printf(\"MISMATCH: %s\\n\", cudaGetErrorString(error));\n    return 1;\n  }\n";
  for (size_t i = 0; i < program.memory.size(); ++i)
    text += formatv("  std::vector<unsigned> words{0} = read(memory{0}, {1});\n", i,
                    program.memory[i].words);
  for (const Check &check : program.checks)
    text += formatv("  expect({0}(words{1}.data(), {{{2}, {3}, {4}}, {5}u, {6}u), \"{7}\");\n",
                    functionOf(check.invariant), check.memory, check.first, check.count,
                    check.stride, check.a, check.b, check.what);
  if (program.checks.empty())
    for (size_t i = 0; i < program.memory.size(); ++i)
      text += formatv("  show({0}, words{0});\n", i);
  return text + "  printf(\"OK\\n\");\n  return 0;\n}\n";
}

std::string printProgram(const Program &program, const std::string &name) {
  return beforeKernel() + print(program, name) + "using namespace program_" + name + ";\n\n" +
         checkText + R"(
static unsigned *make(unsigned words, unsigned base, unsigned step,
                      const std::vector<std::pair<unsigned, unsigned>> &others) {
  std::vector<unsigned> values(words);
  for (unsigned i = 0; i < words; ++i)
    values[i] = base + i * step;
  for (const auto &other : others)
    values[other.first] = other.second;
  unsigned *memory = nullptr;
  if (cudaMalloc(&memory, words * 4) != cudaSuccess ||
      cudaMemcpy(memory, values.data(), words * 4, cudaMemcpyHostToDevice) != cudaSuccess)
    exit(2);
  return memory;
}

static std::vector<unsigned> read(const unsigned *memory, unsigned words) {
  std::vector<unsigned> values(words);
  if (cudaMemcpy(values.data(), memory, words * 4, cudaMemcpyDeviceToHost) != cudaSuccess)
    exit(2);
  return values;
}

static void show(unsigned number, const std::vector<unsigned> &words) {
  unsigned long long hash = 0xcbf29ce484222325ull;
  for (unsigned word : words)
    hash = (hash ^ word) * 0x100000001b3ull;
  printf("memory%u %016llx\n", number, hash);
}

static void expect(bool holds, const char *what) {
  if (holds)
    return;
  printf("MISMATCH: %s\n", what);
  exit(1);
}
)" + printMain(program, name);
}

} // namespace regrain::fuzz::cooperation
