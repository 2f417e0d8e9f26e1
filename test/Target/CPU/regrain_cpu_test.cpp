//===- regrain_cpu_test.cpp - The CPU target, by itself -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This tool is for tests. It takes device LLVM IR and
//   --emit=lowered|optimized   prints the module at that stage
//   --emit=reasons             prints what became of each kernel
//   --run                      runs the kernels and prints the output buffer
//
// A kernel that is run takes (int *out, const int *in, int n): `in` has n
// numbers 0, 1, 2, ..., `out` n zeros; --buffer gives another length.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/CPU.h"
#include "compiler/Target/CPU/Flatten.h"
#include "compiler/Target/CPU/Lower.h"
#include "runtime/plugins/cpu/abi.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace regrain;

static cl::opt<std::string> input(cl::Positional, cl::Required);
static cl::list<std::string> kernels("kernel", cl::desc("symbols of the kernels"));
static cl::opt<std::string> emit("emit", cl::init(""));
static cl::opt<bool> run("run");
static cl::opt<CPUPath> path("path", cl::init(CPUPath::Fastest),
                             cl::values(clEnumValN(CPUPath::Fastest, "fastest", ""),
                                        clEnumValN(CPUPath::ThreadLoops, "loops", ""),
                                        clEnumValN(CPUPath::StateLoops, "states", ""),
                                        clEnumValN(CPUPath::Continuations, "continuations", "")));
static cl::opt<CPULevel> level("level", cl::init(CPULevel::V3),
                               cl::values(clEnumValN(CPULevel::V2, "v2", ""),
                                          clEnumValN(CPULevel::V3, "v3", ""),
                                          clEnumValN(CPULevel::V4, "v4", "")));
static cl::opt<DebugInfo> debugInfo("debug-info", cl::init(DebugInfo::None),
                                    cl::values(clEnumValN(DebugInfo::Lines, "lines", ""),
                                               clEnumValN(DebugInfo::Full, "full", "")));
static cl::list<unsigned> grid("grid", cl::CommaSeparated);
static cl::list<unsigned> block("block", cl::CommaSeparated);
static cl::opt<int> argumentN("n", cl::init(64));
static cl::opt<unsigned> buffer("buffer", cl::desc("numbers in each buffer; default: n"));
static cl::opt<unsigned> dynamicShared("dynamic-shared", cl::init(0));
static cl::opt<unsigned> repeat("repeat", cl::init(1), cl::desc("runs of the grid"));
static cl::opt<bool> quiet("quiet");
static cl::opt<unsigned> columns("columns", cl::init(16));

extern "C" {
[[noreturn]] void regrain_cpu_trap(const char *message) {
  std::printf("trap: %s\n", message ? message : "");
  std::fflush(stdout);
  std::_Exit(3);
}
[[noreturn]] void regrain_cpu_assertfail(const char *message, const char *file, unsigned line,
                                         const char *function, size_t) {
  std::printf("%s:%u: %s: %s\n", file, line, function, message);
  std::fflush(stdout);
  std::_Exit(3);
}
void *regrain_cpu_malloc(size_t bytes) { return std::malloc(bytes); }
void regrain_cpu_free(void *memory) { std::free(memory); }
int regrain_cpu_is_local(const void *) { return 0; }
void regrain_cpu_pause() { sched_yield(); }
void regrain_cpu_breakpoint() {}
void regrain_cpu_enter_thread(uint32_t) {}
void regrain_cpu_leave_thread() {}
void regrain_cpu_meet(uint32_t, int) {}
}

static ExitOnError exitOnError("regrain-cpu-test: ");

static void *load(ArrayRef<char> image) {
  int file = memfd_create("image", 0);
  if (file < 0 || write(file, image.data(), image.size()) != ssize_t(image.size()))
    exitOnError(createStringError("cannot store the image"));
  void *handle = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW);
  if (!handle)
    exitOnError(createStringError(dlerror()));
  return handle;
}

static std::array<uint32_t, 3> sizes(const cl::list<unsigned> &given) {
  std::array<uint32_t, 3> result = {1, 1, 1};
  for (size_t i = 0; i < given.size() && i < 3; ++i)
    result[i] = given[i];
  return result;
}

static void runGrid(const RegrainCpuKernel &kernel, void *const *args) {
  std::array<uint32_t, 3> gridDim = sizes(grid), blockDim = sizes(block);
  uint64_t threads = uint64_t(blockDim[0]) * blockDim[1] * blockDim[2];
  uint64_t sharedBytes = alignTo(kernel.staticSharedBytes, 128) + dynamicShared;
  uint64_t arenaBytes = kernel.arenaFixedBytes + kernel.arenaBytesPerThread * threads;
  RegrainCpuBlock state = {};
  state.shared = std::aligned_alloc(128, alignTo(sharedBytes + 1, 128));
  state.arena = std::aligned_alloc(64, alignTo(arenaBytes + 1, 64));
  std::memset(state.shared, 0xa5, sharedBytes);
  std::memset(state.arena, 0xa5, arenaBytes);
  std::copy(gridDim.begin(), gridDim.end(), state.gridDim);
  std::copy(blockDim.begin(), blockDim.end(), state.blockDim);
  state.dynamicSharedBytes = dynamicShared;
  state.staticSharedBytes = alignTo(kernel.staticSharedBytes, 128);
  for (uint32_t z = 0; z < gridDim[2]; ++z)
    for (uint32_t y = 0; y < gridDim[1]; ++y)
      for (uint32_t x = 0; x < gridDim[0]; ++x) {
        state.blockIdx[0] = x, state.blockIdx[1] = y, state.blockIdx[2] = z;
        kernel.runBlock(args, &state);
      }
  std::free(state.shared);
  std::free(state.arena);
}

static void runKernel(void *image, const std::string &symbol) {
  auto *kernel = static_cast<const RegrainCpuKernel *>(dlsym(image, symbol.c_str()));
  if (!kernel)
    exitOnError(createStringError("no kernel " + symbol + " in the image"));
  unsigned bufferLength = buffer ? buffer : unsigned(argumentN);
  std::vector<int> in(bufferLength), out(bufferLength);
  for (unsigned i = 0; i < bufferLength; ++i)
    in[i] = int(i);
  int *outPointer = out.data(), *inPointer = in.data();
  int n = argumentN;
  void *args[] = {&outPointer, &inPointer, &n};
  for (unsigned i = 0; i < repeat; ++i)
    runGrid(*kernel, args);
  if (quiet)
    return;
  std::printf("%s:\n", symbol.c_str());
  for (unsigned i = 0; i < bufferLength; ++i)
    std::printf("%d%c", out[i], i % columns == columns - 1 || i + 1 == bufferLength ? '\n' : ' ');
}

static void printReasons(ArrayRef<KernelCode> codes) {
  for (const KernelCode &code : codes)
    outs() << code.symbol << ": "
           << (code.refusal ? code.refusal->reason
                            : "shared " + std::to_string(code.resources.staticSharedBytes))
           << "\n";
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "the CPU target, for tests\n");
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(input, diagnostic, context);
  if (!module) {
    diagnostic.print(argv[0], errs());
    return 1;
  }
  std::vector<std::string> symbols(kernels.begin(), kernels.end());
  if (!emit.empty()) {
    auto machine = exitOnError(cpu::createTargetMachine(level, 3));
    auto codes =
        exitOnError(cpu::lower(*module, symbols, {level, path, false, debugInfo}, *machine));
    if (emit == "optimized")
      cpu::optimize(*module, *machine, 3, /*reordersSums=*/false);
    if (emit == "reasons")
      printReasons(codes);
    else
      module->print(outs(), nullptr);
    return 0;
  }
  CPUTarget target({level, path});
  CompiledModule compiled = exitOnError(target.compileBase(std::move(module), symbols, {}));
  for (const std::string &warning : compiled.warnings)
    errs() << "warning: " << warning << "\n";
  std::vector<char> image = exitOnError(linkShared({compiled.code}));
  void *loaded = load(image);
  for (const std::string &symbol : symbols)
    runKernel(loaded, symbol);
  return 0;
}
