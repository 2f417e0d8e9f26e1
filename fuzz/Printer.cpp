//===- Printer.cpp - A fuzzed kernel as CUDA source -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Printer.h"
#include "fuzz/Data.h"
#include "fuzz/StatementPrinter.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz {

namespace {

/// Prints what surrounds the statements: functions, the head, the declarations of
/// every kernel.
class KernelPrinter {
public:
  KernelPrinter(const Kernel &kernel, const std::string &name)
      : kernel(kernel), name(name), expressions(kernel, name),
        statements(kernel, expressions, lines) {}

  std::string run() {
    for (size_t i = 0; i < kernel.functions.size(); ++i)
      printFunction(i);
    printHead();
    printCoordinates();
    printShared();
    for (size_t i = 0; i < kernel.local.size(); ++i)
      printLocal(i);
    if (kernel.guard == Guard::Branch) {
      line("if (gid < n) {");
      statements.print(kernel.body);
      line("}");
    } else {
      statements.print(kernel.body);
    }
    lines.indent -= 2;
    line("}");
    return lines.text;
  }

private:
  void line(const std::string &content) { lines.add(content); }

  void printFunction(size_t id);
  void printHead();
  void printCoordinates();
  void printShared();
  void printLocal(size_t id);

  const Kernel &kernel;
  const std::string &name;
  SourceLines lines;
  ExpressionPrinter expressions;
  StatementPrinter statements;
};

void KernelPrinter::printFunction(size_t id) {
  const Function &function = kernel.functions[id];
  std::string parameters;
  for (uint32_t i = 0; i < function.parameters; ++i)
    parameters += std::string(i ? ", " : "") + "unsigned " + argumentName(i);
  line(formatv("__device__ {0} unsigned {1}({2}) {{ return {3}; }",
               function.isInline ? "inline" : "__noinline__", expressions.functionName(id),
               parameters, expressions.print(function.body)));
}

void KernelPrinter::printHead() {
  std::string restricted = kernel.hasRestrict ? "__restrict__ " : "", parameters;
  for (const Buffer &buffer : buffersOf(kernel))
    parameters += formatv("{0}{1} *{2}{3}, ", buffer.isConst ? "const " : "", buffer.type,
                          restricted, buffer.name);
  std::string bounds = kernel.hasLaunchBounds
                           ? formatv("__launch_bounds__({0}) ", kernel.shape.threads()).str()
                           : "";
  line(formatv("extern \"C\" __global__ void {0}{1}({2}Argument argument, unsigned n, unsigned a, "
               "unsigned b) {{",
               bounds, name, parameters));
  lines.indent += 2;
}

void KernelPrinter::printCoordinates() {
  static const char *const threads[] = {"blockDim.x", "blockDim.x * blockDim.y",
                                        "blockDim.x * blockDim.y * blockDim.z"};
  static const char *const tids[] = {
      "threadIdx.x", "threadIdx.y * blockDim.x + threadIdx.x",
      "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x"};
  static const char *const blocks[] = {
      "blockIdx.x", "blockIdx.y * gridDim.x + blockIdx.x",
      "(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x"};
  static const char *const counts[] = {"gridDim.x", "gridDim.x * gridDim.y",
                                       "gridDim.x * gridDim.y * gridDim.z"};
  unsigned last = kernel.dimensions - 1;
  std::string count =
      kernel.literalThreads ? std::to_string(kernel.shape.threads()) + "u" : threads[last];
  line("const unsigned threads = " + count + ";");
  line(std::string("const unsigned tid = ") + tids[last] + ";");
  line(std::string("const unsigned block = ") + blocks[last] + ";");
  line("const unsigned gid = block * threads + tid;");
  line(std::string("const unsigned total = threads * ") + counts[last] + ";");
  if (kernel.guard == Guard::Return) {
    line("if (gid >= n)");
    line("  return;");
    line("const unsigned live = min(threads, n - block * threads);");
  } else {
    line("const unsigned live = threads;");
  }
}

void KernelPrinter::printShared() {
  if (dynamicBytes(kernel) > 0)
    line("extern __shared__ __align__(16) unsigned char dynamicShared[];");
  std::string globalStart = "scratch";
  for (size_t i = 0; i < kernel.shared.size(); ++i) {
    const SharedArray &array = kernel.shared[i];
    std::string type = (array.isVolatile ? "volatile " : "") + nameOf(array.type);
    uint32_t elements = elementsOf(kernel, array), blocks = kernel.shape.blocks();
    if (array.storage == Storage::Static) {
      line(formatv("__shared__ {0} s{1}[{2}];", type, i, elements));
    } else if (array.storage == Storage::Dynamic) {
      line(formatv("{0} *s{1} = ({0} *)(dynamicShared + {2});", type, i, dynamicOffset(kernel, i)));
    } else {
      line(formatv("{0} *s{1} = ({0} *)({2}) + block * {3};", type, i, globalStart, elements));
      uint32_t words = elements * blocks * bytesOf(array.type) / 4;
      globalStart += formatv(" + {0}", (words + 1) / 2 * 2);
    }
  }
}

void KernelPrinter::printLocal(size_t id) {
  const LocalArray &array = kernel.local[id];
  if (array.inStruct)
    line(formatv("struct {{ unsigned head, items[{0}]; } l{1};", array.size, id));
  else
    line(formatv("unsigned l{0}[{1}];", id, array.size));
  line(formatv("for (unsigned j = 0; j < {0}; ++j)", array.size));
  line(formatv("  l{0}{1}[j] = gid * {2} + j;", id, array.inStruct ? ".items" : "", 3 + id));
}

} // namespace

std::string printPrelude() {
  std::string constants;
  for (uint32_t i = 0; i < tableElements; ++i)
    constants += formatv("{0}{1}u", i ? ", " : "", initialWord(bufferCount + 1, i));
  return formatv(R"(#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
struct Argument {{ unsigned a; float f; unsigned table[{0}]; };
__constant__ unsigned constants[{0}] = {{{1}};
__device__ inline void meet() {{ __syncthreads(); }
__device__ inline unsigned clamp(unsigned x, unsigned low, unsigned high, unsigned elements) {{
  return unsigned(min(max(int(x), int(low % elements)), int(high % elements)));
}
__device__ inline unsigned toWord(float x) {{
  return x > -65536.0f && x < 65536.0f ? unsigned(int(x)) : 7u;
}
__device__ inline unsigned toWord(unsigned long long x) {{ return unsigned(x ^ (x >> 32)); }
__device__ inline unsigned long long toWide(unsigned x) {{ return x * 0x100000001ull; }
__device__ inline unsigned long long toWide(float x) {{ return toWord(x); }
__device__ inline float toReal(unsigned x) {{ return float(x & 0xffffu); }
__device__ inline float toReal(unsigned long long x) {{ return toReal(toWord(x)); }
template <unsigned LANES> __device__ auto tile() {{
  return cooperative_groups::tiled_partition<LANES>(cooperative_groups::this_thread_block());
}
template <class T> __device__ T tileShuffle(T x, unsigned lane) {{ return tile<8>().shfl(x, lane & 7); }
template <class T> __device__ T tileLeast(T x) {{
  return cooperative_groups::reduce(tile<16>(), x, cooperative_groups::less<T>());
}
template <class T> __device__ T tileSum(T x) {{
  return cooperative_groups::inclusive_scan(tile<32>(), x, cooperative_groups::plus<T>());
}
template <class T> __device__ T labelledCount(T x, unsigned shift) {{
  unsigned label = (tile<32>().thread_rank() >> (shift & 3)) % 3;
  return x + T(cooperative_groups::labeled_partition(tile<32>(), label).num_threads());
}
)",
                 tableElements, constants);
}

std::string print(const Kernel &kernel, const std::string &name) {
  return KernelPrinter(kernel, name).run();
}

} // namespace regrain::fuzz
