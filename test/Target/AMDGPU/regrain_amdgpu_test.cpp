//===- regrain_amdgpu_test.cpp - The AMD target against NVIDIA's IR -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This tool is for tests. It takes device LLVM IR and interprets each of its
// kernels twice: unchanged, for NVIDIA, and as the IR that the AMD target makes
// of it for --chip, and compares the contents of `out`. A kernel that the
// target refuses is printed with the reason.
//
// A kernel takes (int *out, const int *in, int n): `in` has n numbers of all
// magnitudes, `out` n zeros.
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Target/AMDGPU/AMDGPU.h"
#include "interpreter/Interpreter.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <random>

using namespace llvm;
using namespace regrain;

static cl::opt<std::string> input(cl::Positional, cl::Required);
static cl::list<std::string> only("kernel", cl::desc("symbols of kernels; default: all"));
static cl::list<std::string> chips("chip", cl::CommaSeparated, cl::desc("default: gfx90a,gfx1100"));
static cl::opt<unsigned> version("code-object-version", cl::init(5));
static cl::opt<unsigned> level("O", cl::Prefix, cl::init(3));
static cl::list<unsigned> grid("grid", cl::CommaSeparated);
static cl::list<unsigned> block("block", cl::CommaSeparated);
static cl::opt<int> numberCount("n", cl::init(256));
static cl::opt<unsigned> dynamicShared("dynamic-shared", cl::init(0));
static cl::opt<unsigned> resident("resident", cl::init(1), cl::desc("blocks at the same time"));

static std::vector<std::string> kernelsOf(const Module &module) {
  std::vector<std::string> kernels;
  for (const GlobalValue *kernel : annotatedWith(module, "kernel"))
    kernels.push_back(kernel->getName().str());
  return kernels;
}

static ExitOnError exitOnError("regrain-amdgpu-test: ");

static std::array<uint32_t, 3> sizes(const cl::list<unsigned> &given) {
  std::array<uint32_t, 3> result = {1, 1, 1};
  std::copy_n(given.begin(), std::min<size_t>(given.size(), 3), result.begin());
  return result;
}

/// Returns the contents of `out` after a run of the kernel.
static Expected<std::vector<int>> run(const Module &module, const std::string &symbol) {
  std::mt19937 random(7);
  std::vector<int> numbers(numberCount);
  for (int &number : numbers)
    number = int(random()) >> (random() % 32);
  DeviceMemory memory;
  if (Error error = memory.defineVariables(module))
    return std::move(error);
  KernelLaunch launch = {sizes(grid), sizes(block), dynamicShared, {}};
  uint64_t out = memory.copyIn(std::vector<int>(numberCount));
  launch.with(out).with(memory.copyIn(numbers)).with(int(numberCount));
  InterpreterOptions options;
  options.residentBlocks = resident;
  if (Error error = interpretKernel(module, symbol, launch, memory, options))
    return std::move(error);
  if (!memory.isDefined(out, numberCount * sizeof(int)))
    return createStringError("undefined bits are stored");
  return memory.copyOut<int>(out, numberCount);
}

static bool agree(const Module &original, const Module &lowered, const std::string &symbol) {
  Expected<std::vector<int>> wanted = run(original, symbol), got = run(lowered, symbol);
  if (!wanted || !got) {
    outs() << "fails: " << toString(joinErrors(wanted.takeError(), got.takeError())) << "\n";
    return false;
  }
  for (auto [index, values] : enumerate(zip_equal(*wanted, *got)))
    if (auto [first, second] = values; first != second) {
      outs() << "differs: out[" << index << "] is " << second << ", not " << first << "\n";
      return false;
    }
  outs() << "agrees\n";
  return true;
}

/// Returns the number of kernels that do not agree.
static int compareOn(const std::string &chip, const Module &device, ArrayRef<std::string> symbols) {
  AMDGPUOptions options;
  options.form = CodeForm::IR;
  auto target = exitOnError(createAMDGPUTarget(chip, options));
  CodegenOptions codegen;
  codegen.optLevel = level;
  codegen.codeObjectVersion = version;
  CompiledModule compiled = exitOnError(target->compileBase(CloneModule(device), symbols, codegen));
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::string text(compiled.code.begin(), compiled.code.end());
  std::unique_ptr<Module> lowered = parseIR({text, "lowered"}, diagnostic, context);
  if (!lowered && !text.empty())
    exitOnError(createStringError("the lowered IR is not read: " + diagnostic.getMessage()));
  int different = 0;
  for (const KernelCode &code : compiled.kernels) {
    outs() << chip << " " << code.symbol << ": ";
    if (!code.refusal)
      different += !agree(device, *lowered, code.symbol);
    else
      outs() << "refused [" << idOf(code.refusal->kind) << "] " << code.refusal->reason << "\n";
  }
  return different;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "the AMD target, for tests\n");
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> device = parseIRFile(input, diagnostic, context);
  if (!device) {
    diagnostic.print(argv[0], errs());
    return 1;
  }
  std::vector<std::string> symbols(only.begin(), only.end());
  if (symbols.empty())
    symbols = kernelsOf(*device);
  std::vector<std::string> names(chips.begin(), chips.end());
  if (names.empty())
    names = {"gfx90a", "gfx1100"};
  int different = 0;
  for (const std::string &chip : names)
    different += compareOn(chip, *device, symbols);
  return different != 0;
}
