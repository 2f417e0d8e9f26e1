//===- Printer.cpp - A fuzzed kernel as CUDA source -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Printer.h"

#include "fuzz/Conversions.h"
#include "fuzz/Data.h"
#include "fuzz/LaunchWait.h"
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
        statements(kernel, expressions, lines), start(launchWaitOf(kernel)) {}

  std::string run() {
    for (size_t i = 0; i < kernel.functions.size(); ++i)
      printFunction(i);
    if (kernel.record)
      lines.text += printRecord(kernel, name);
    printHead();
    if (!start.isBehindGuard)
      printWait();
    printCoordinates();
    if (start.isBehindGuard)
      printWait();
    printShared();
    if (kernel.record) {
      line("using Record = " + name + "_Record;");
      line(formatv("Record *records = (Record *)(scratch + {0});", recordOffset(kernel)));
    }
    for (size_t i = 0; i < kernel.local.size(); ++i)
      printLocal(i);
    if (kernel.guard == Guard::Branch) {
      line("if (gid < n) {");
      statements.print(kernel.body);
      line("}");
    } else {
      statements.print(kernel.body);
    }
    if (start.hintsAtEnd)
      line(hint);
    lines.indent -= 2;
    line("}");
    return lines.text;
  }

private:
  void line(const std::string &content) { lines.add(content); }

  void printFunction(size_t id);
  void printHead();
  void printWait();
  void printCoordinates();
  void printShared();
  void printLocal(size_t id);

  const Kernel &kernel;
  const std::string &name;
  SourceLines lines;
  ExpressionPrinter expressions;
  StatementPrinter statements;
  LaunchWait start;
  static constexpr const char hint[] = "asm volatile(\"griddepcontrol.launch_dependents;\");";
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
  line(formatv("extern \"C\" __global__ void {0}{1}({2}{3}Argument argument, unsigned n, unsigned "
               "a, unsigned b) {{",
               bounds, name, parameters,
               kernel.passing == Passing::GridConstant ? "const __grid_constant__ " : ""));
  lines.indent += 2;
}

/// Some kernels wait for the launch in front of them before all that they do.
void KernelPrinter::printWait() {
  if (!start.isAsked)
    return;
  if (start.hintsInFront)
    line(hint);
  line("asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");");
  if (start.hintsBehind)
    line(hint);
  if (start.hintsInBranch)
    line(std::string("if (threadIdx.x % 3 == 1)\n    ") + hint);
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
  if (kernel.passing == Passing::Written)
    line(formatv("writeAgain(argument.table, tid % {0}u);", tableElements));
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
  std::string headers = "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
                        "#include <cooperative_groups/scan.h>\n";
  return headers + printConversions() +
         formatv(R"(struct Argument {{ unsigned a; float f; unsigned table[{0}]; };
__constant__ unsigned constants[{0}] = {{{1}};
__managed__ unsigned managed[{0}] = {{{1}};
__device__ inline void meet() {{ __syncthreads(); }
__device__ __noinline__ unsigned elementOf(const unsigned *table, unsigned i) {{ return table[i]; }
__device__ __noinline__ void writeAgain(unsigned *table, unsigned i) {{ table[i] ^= __umulhi(i, 1u); }
__device__ inline unsigned clamp(unsigned x, unsigned low, unsigned high, unsigned elements) {{
  return unsigned(min(max(int(x), int(low % elements)), int(high % elements)));
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
__device__ inline auto labelled(unsigned shift) {{
  unsigned label = (tile<32>().thread_rank() >> (shift & 3)) % 3;
  return cooperative_groups::labeled_partition(tile<32>(), label);
}
template <class T> __device__ T labelledCount(T x, unsigned shift) {{
  return x + T(labelled(shift).num_threads());
}
template <class T> __device__ T labelledSum(T x, unsigned shift) {{
  return x + T(cooperative_groups::reduce(labelled(shift), shift & 255, cooperative_groups::plus<unsigned>()));
}
template <class T> __device__ T tileUp(T x, unsigned by) {{ return tile<16>().shfl_up(x, by & 15); }
template <class T> __device__ T tileBallot(T x, unsigned y) {{ return x + T(tile<4>().ballot(y & 1)); }
template <class T> __device__ T tileBefore(T x) {{
  return cooperative_groups::exclusive_scan(tile<8>(), x, cooperative_groups::plus<T>());
}
template <class T> __device__ T tileMost(T x) {{
  return cooperative_groups::reduce(tile<32>(), x, cooperative_groups::greater<T>());
}
template <class T> __device__ T tileMatch(T x, unsigned y) {{
  return x + T(tile<8>().meta_group_rank() + tile<8>().match_any(y & 3));
}
template <class T> __device__ T splitRank(T x, unsigned y) {{
  auto part = cooperative_groups::binary_partition(tile<32>(), (y & 1) != 0);
  return x + T(part.num_threads() * 32 + part.thread_rank());
}
template <class T> __device__ T tileFold(T x, unsigned y) {{
  return x + T(cooperative_groups::reduce(tile<16>(), y & 4095, cooperative_groups::bit_xor<unsigned>()));
}
/// Two halves from 0 to 3.
__device__ inline unsigned toSmallHalves(unsigned x) {{
  unsigned long long small = 0x420040003c000000ull;
  return unsigned(small >> (x & 3) * 16) & 0xffff | unsigned(small >> (x >> 2 & 3) * 16) << 16;
}
template <class T> __device__ T matrixProduct(T x, unsigned y) {{
  float sums[4] = {{1, 2, 3, 4};
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%0, %1, %2, %3}, {{%4, %5, %6, %7}, {{%8, %9}, "
      "{{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(toSmallHalves(y)), "r"(toSmallHalves(y >> 4)), "r"(toSmallHalves(y >> 8)), "r"(toSmallHalves(y >> 12)),
        "r"(toSmallHalves(y >> 16)), "r"(toSmallHalves(y >> 20)));
  return x + T(unsigned(sums[0] + sums[1] * 3 + sums[2] * 5 + sums[3] * 7));
}
template <class T> __device__ unsigned toBits(T x) {{ return toWord((unsigned long long)x); }
__device__ inline unsigned toBits(float x) {{ return __float_as_uint(x); }
/// Any bits, or a plain number.
__device__ inline float toNumber(unsigned x) {{
  return x & 1 ? __uint_as_float(x * 2654435761u) : float(int(x)) * 0.37f;
}
__device__ inline unsigned quotients(unsigned x, unsigned y) {{
  float by = toNumber(y), a = toNumber(x) / by, b = toNumber(x * 5 + 1) / by, c = toNumber(x ^ y) / by;
  unsigned sum = 0;
  for (float each : {{a, b, c, sqrtf(fabsf(b))})
    sum = sum * 3 + (each == each ? __float_as_uint(each) : 0x7fc00000u);
  return sum;
}
__device__ inline unsigned halfSum(unsigned x, unsigned y) {{ return fromHalf(toHalf(x) - toHalf(y)); }
__device__ inline unsigned halfProduct(unsigned x, unsigned y) {{
  return fromHalf(toHalf(x & 63) * toHalf(y & 63) + toHalf(y));
}
__device__ inline unsigned bfloatSum(unsigned x, unsigned y) {{
  __nv_bfloat16 a = __float2bfloat16_rn(float(x & 1023)), b = __float2bfloat16_rn(float(y & 1023) * 0.25f);
  return toWord(__bfloat162float(a * b + a));
}
/// Words that a loop changes as a whole, and that are two numbers each in front of it and behind it.
__device__ inline unsigned carriedWords(unsigned x, unsigned y) {{
  unsigned words[4], sum = 0;
  __half(&numbers)[4][2] = reinterpret_cast<__half(&)[4][2]>(words);
  for (unsigned j = 0; j < 8; ++j)
    numbers[j / 2][j % 2] = toHalf(y & 1 ? j * 7 : x + j);
  for (unsigned i = 0; i < (x & 7); ++i)
    for (unsigned j = 0; j < 4; ++j)
      words[j] = words[j] * 5 + (y >> j);
  for (unsigned j = 0; j < 4; ++j)
    sum = sum * 3 + fromHalf(numbers[j][0] * toHalf(3)) + __half_as_ushort(numbers[j][1]);
  return sum;
}
__device__ inline unsigned pairFma(unsigned x, unsigned y) {{
  __half2 a = __halves2half2(toHalf(x & 31), toHalf(y & 31)), b = __half2half2(toHalf(x >> 5 & 31));
  __half2 c = __hfma2(a, b, __lowhigh2highlow(a));
  return fromHalf(__hmax(__low2half(c), __high2half(c))) ^ fromHalf(__low2half(c)) ^ carriedWords(x, y);
}
/// The product does not change in the loop, and its sum is in another block.
template <class T> __device__ T spread(T x, T y, unsigned way) {{
  T sum = x;
  for (unsigned i = 0; i < (way & 7); ++i) {{
    T product = x * y;
    if (way >> i & 8)
      sum = product + sum;
    else
      sum = sum * T(0.5f);
  }
  return sum;
}
/// Adds to a pair of small whole numbers, which are exact.
__device__ inline void addPair(unsigned *pair, unsigned x) {{
  *pair = 0x3c003c00u;
  __half2 old = atomicAdd((__half2 *)pair, __halves2half2(__float2half_rn(x & 63), __float2half_rn(2.0f)));
  *pair += fromHalf(__high2half(old));
}
)",
                 tableElements, constants)
             .str();
}

std::string print(const Kernel &kernel, const std::string &name) {
  return KernelPrinter(kernel, name).run();
}

} // namespace regrain::fuzz
