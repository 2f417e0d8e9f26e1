//===- Printer.cpp - A fuzzed kernel as CUDA source -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Printer.h"
#include "fuzz/Data.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz {

namespace {

std::string nameOf(Type type) {
  return type == Type::F32 ? "float" : type == Type::U64 ? "unsigned long long" : "unsigned";
}

std::string nameOf(const Variable &variable) {
  return variable.isFlag ? "bool" : nameOf(variable.type);
}

constexpr const char *builtinNames[builtinCount] = {
    "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y",
    "blockIdx.z",  "blockDim.x",  "blockDim.y",  "blockDim.z", "gridDim.x",
    "gridDim.y",   "gridDim.z",   "tid",         "block",      "gid",
    "(tid / 32)",  "(tid % 32)",  "live",        "n"};
constexpr const char *argumentNames[] = {"a", "b", "argument.a", "argument.f"};
constexpr const char *atomicNames[atomicOperations] = {"atomicAdd", "atomicMin", "atomicMax",
                                                       "atomicAnd", "atomicOr",  "atomicXor"};

/// The pattern of an operation on operands {0}, {1}.
const char *patternOf(Op op, Type type) {
  bool isReal = type == Type::F32, isWide = type == Type::U64;
  switch (op) {
  case Op::Add:
    return "({0} + {1})";
  case Op::Sub:
    return "({0} - {1})";
  case Op::Mul:
    return "({0} * {1})";
  case Op::Div:
    return isReal ? "({0} / (fabsf({1}) + 1.0f))" : "({0} / ({1} | 1))";
  case Op::Rem:
    return "({0} % ({1} | 1))";
  case Op::And:
    return "({0} & {1})";
  case Op::Or:
    return "({0} | {1})";
  case Op::Xor:
    return "({0} ^ {1})";
  case Op::Shl:
    return isWide ? "({0} << ({1} & 63))" : "({0} << ({1} & 31))";
  case Op::Shr:
    return isWide ? "({0} >> ({1} & 63))" : "({0} >> ({1} & 31))";
  case Op::AShr:
    return "unsigned(int({0}) >> ({1} & 31))";
  case Op::SMin:
    return "unsigned(min(int({0}), int({1})))";
  case Op::UMax:
    return "max({0}, {1})";
  case Op::Less:
    return "unsigned({0} < {1})";
  case Op::SLess:
    return "unsigned(int({0}) < int({1}))";
  case Op::Equal:
    return "unsigned({0} == {1})";
  case Op::Both:
    return "unsigned({0} && {1})";
  case Op::Either:
    return "unsigned({0} || {1})";
  case Op::Not:
    return "(~{0})";
  case Op::Popc:
    return isWide ? "(unsigned long long)__popcll({0})" : "unsigned(__popc({0}))";
  case Op::Reverse:
    return isWide ? "__brevll({0})" : "__brev({0})";
  case Op::LeadingZeros:
    return isWide ? "(unsigned long long)__clzll({0})" : "unsigned(__clz({0}))";
  case Op::Fma:
    return "fmaf({0}, {1}, {1})";
  }
  return "";
}

/// Whether a division is by what no compiler knows to be other than 0, though it is.
bool dividesBare(const Expr &e) {
  if (e.kind != ExprKind::Binary || e.type != Type::U32 || (e.op != Op::Div && e.op != Op::Rem) ||
      e.operands[1].kind != ExprKind::Builtin)
    return false;
  auto by = Builtin(e.operands[1].id);
  return (by >= Builtin::ThreadsX && by <= Builtin::BlocksZ) || by == Builtin::Live ||
         by == Builtin::Size;
}

class KernelPrinter {
public:
  KernelPrinter(const Kernel &kernel, const std::string &name) : kernel(kernel), name(name) {}

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
      print(kernel.body);
      line("}");
    } else {
      print(kernel.body);
    }
    indent -= 2;
    line("}");
    return text;
  }

private:
  void line(const std::string &content) { text += std::string(indent, ' ') + content + "\n"; }

  std::string expr(const Expr &e);
  std::string literal(const Expr &e);
  std::string converted(const Expr &e);
  std::string ownSlot(uint32_t id, const std::vector<Expr> &exprs, size_t at);
  std::string ownShared(uint32_t id, const std::vector<Expr> &exprs, size_t at);
  std::string elementCount(uint32_t array);
  std::string sharedIndex(const Expr &index, uint32_t array);
  std::string below(const Expr &e, const std::string &count);
  std::string functionName(size_t id) { return name + "_f" + std::to_string(id); }
  std::string local(uint32_t id, const Expr &index) {
    return formatv("l{0}{1}[{2}]", id, kernel.local[id].inStruct ? ".items" : "",
                   below(index, std::to_string(kernel.local[id].size)));
  }

  void printFunction(size_t id);
  void printHead();
  void printCoordinates();
  void printShared();
  void printLocal(size_t id);

  void print(const std::vector<Stmt> &block) {
    indent += 2;
    for (const Stmt &stmt : block)
      print(stmt);
    indent -= 2;
  }
  void print(const Stmt &stmt);
  void printMemory(const Stmt &stmt);
  void printWarp(const Stmt &stmt);
  void printLoop(const Stmt &stmt);
  void printWhile(const Stmt &stmt);
  void printSwitch(const Stmt &stmt);
  void printReduction(const Stmt &stmt);

  const Kernel &kernel;
  const std::string &name;
  std::string text;
  unsigned indent = 0;
  std::vector<uint32_t> elements; ///< variables of the grid-stride loops around
};

std::string KernelPrinter::literal(const Expr &e) {
  if (e.type == Type::F32)
    return formatv("{0}.0f", e.value);
  return formatv(e.type == Type::U64 ? "{0}ull" : "{0}u", e.value);
}

std::string KernelPrinter::converted(const Expr &e) {
  const Expr &from = e.operands[0];
  if (from.type == e.type)
    return expr(from);
  return formatv("to{0}({1})",
                 e.type == Type::F32   ? "Real"
                 : e.type == Type::U64 ? "Wide"
                                       : "Word",
                 expr(from));
}

std::string KernelPrinter::sharedIndex(const Expr &index, uint32_t array) {
  bool isFound = index.kind == ExprKind::Variable && kernel.variables[index.id].indexOf == array;
  return isFound ? expr(index) : below(index, elementCount(array));
}

/// `e` as a number below `count`. The last thing that is done to a quotient is
/// the division: an address follows from it.
std::string KernelPrinter::below(const Expr &e, const std::string &count) {
  if (e.op == Op::Div && dividesBare(e))
    return formatv("{0} % ({1} * {2}) / {1}", expr(e.operands[0]), expr(e.operands[1]), count);
  return formatv("{0} % {1}", expr(e), count);
}

/// How many elements of a shared array there are to use.
std::string KernelPrinter::elementCount(uint32_t array) {
  return kernel.guard == Guard::Return ? "live"
                                       : std::to_string(elementsOf(kernel, kernel.shared[array]));
}

std::string KernelPrinter::expr(const Expr &e) {
  switch (e.kind) {
  case ExprKind::Literal:
    return literal(e);
  case ExprKind::Variable:
    return formatv(kernel.variables[e.id].isFlag ? "unsigned(v{0})" : "v{0}", e.id);
  case ExprKind::Builtin:
    return builtinNames[e.id];
  case ExprKind::Argument:
    return argumentNames[e.id];
  case ExprKind::ArgumentTable:
    return "argument.table[" + below(e.operands[0], std::to_string(tableElements)) + "]";
  case ExprKind::Constant:
    return "constants[" + below(e.operands[0], std::to_string(tableElements)) + "]";
  case ExprKind::Input:
    return "in[" + below(e.operands[0], std::to_string(inputElements)) + "]";
  case ExprKind::Own:
    return e.type == Type::F32 ? "real[gid]" : ownSlot(e.id, e.operands, 0);
  case ExprKind::Element:
    return formatv("data[v{0}]", elements.back());
  case ExprKind::LocalElement:
    return local(e.id, e.operands[0]);
  case ExprKind::SharedOwn:
    return ownShared(e.id, e.operands, 0);
  case ExprKind::SharedAny:
    return formatv("s{0}[{1}]", e.id, sharedIndex(e.operands[0], e.id));
  case ExprKind::Unary:
    return formatv(patternOf(e.op, e.type), expr(e.operands[0]));
  case ExprKind::Binary:
    if (dividesBare(e))
      return formatv(e.op == Op::Div ? "({0} / {1})" : "({0} % {1})", expr(e.operands[0]),
                     expr(e.operands[1]));
    return formatv(patternOf(e.op, e.operands[0].type), expr(e.operands[0]), expr(e.operands[1]));
  case ExprKind::Select:
    return formatv("({0} ? {1} : {2})", expr(e.operands[0]), expr(e.operands[1]),
                   expr(e.operands[2]));
  case ExprKind::Convert:
    return converted(e);
  case ExprKind::Disguise:
    return formatv("({0} + __umulhi(tid, 1u))", expr(e.operands[0]));
  case ExprKind::Call: {
    std::string arguments;
    for (const Expr &operand : e.operands)
      arguments += (arguments.empty() ? "" : ", ") + expr(operand);
    return functionName(e.id) + "(" + arguments + ")";
  }
  }
  return "";
}

/// The thread's result slot at `exprs[at]`, where there is one, else number `id`.
std::string KernelPrinter::ownSlot(uint32_t id, const std::vector<Expr> &exprs, size_t at) {
  if (at >= exprs.size())
    return formatv("out[gid * {0} + {1}]", resultSlots, id);
  return formatv("out[gid * {0} + {1}]", resultSlots,
                 below(exprs[at], std::to_string(resultSlots)));
}

/// The same of the thread's elements of a shared array.
std::string KernelPrinter::ownShared(uint32_t id, const std::vector<Expr> &exprs, size_t at) {
  if (at >= exprs.size())
    return formatv("s{0}[tid]", id);
  return formatv("s{0}[tid + threads * ({1})]", id,
                 below(exprs[at], std::to_string(kernel.shared[id].perThread)));
}

void KernelPrinter::printFunction(size_t id) {
  const Function &function = kernel.functions[id];
  std::string parameters;
  for (uint32_t i = 0; i < function.parameters; ++i)
    parameters += std::string(i ? ", " : "") + "unsigned " + argumentNames[i];
  line(formatv("__device__ {0} unsigned {1}({2}) {{ return {3}; }",
               function.isInline ? "inline" : "__noinline__", functionName(id), parameters,
               expr(function.body)));
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
  indent += 2;
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

void KernelPrinter::printReduction(const Stmt &stmt) {
  uint32_t start = 1;
  while (start * 2 < kernel.shape.threads())
    start *= 2;
  static const char *const combine[] = {"x + y", "x < y ? x : y", "x ^ y"};
  uint32_t operations = kernel.shared[stmt.id].type == Type::F32 ? 2 : 3;
  line("__syncthreads();");
  line(formatv("for (unsigned step = {0}; step > 0; step >>= 1) {{", start));
  line("  if (tid < step && tid + step < live) {");
  line(formatv("    auto x = s{0}[tid], y = s{0}[tid + step];", stmt.id));
  line(formatv("    s{0}[tid] = {1};", stmt.id, combine[stmt.aux % operations]));
  line("  }");
  line("  __syncthreads();");
  line("}");
}

void KernelPrinter::printMemory(const Stmt &stmt) {
  auto e = [&](size_t i) { return expr(stmt.exprs[i]); };
  switch (stmt.kind) {
  case StmtKind::StoreOwn:
    if (stmt.exprs[0].type == Type::F32)
      return line("real[gid] = " + e(0) + ";");
    return line(ownSlot(stmt.id, stmt.exprs, 1) + " = " + e(0) + ";");
  case StmtKind::AtomicOwn:
    return line(formatv("unsigned v{0} = atomicAdd(&out[gid * {1} + {2}], {3});", stmt.aux,
                        resultSlots, stmt.id, e(0)));
  case StmtKind::StoreElement:
    return line(formatv("data[v{0}] = {1};", elements.back(), e(0)));
  case StmtKind::StoreLocal:
    return line(local(stmt.id, stmt.exprs[0]) + " = " + e(1) + ";");
  case StmtKind::FillShared:
    if (kernel.guard == Guard::Return)
      return line(formatv("s{0}[tid] = {1};", stmt.id, e(0)));
    line(formatv("for (unsigned j = tid; j < {0}; j += threads)",
                 elementsOf(kernel, kernel.shared[stmt.id])));
    return line(formatv("  s{0}[j] = {1} + j;", stmt.id, e(0)));
  case StmtKind::StoreShared:
    return line(ownShared(stmt.id, stmt.exprs, 1) + " = " + e(0) + ";");
  case StmtKind::LeaderStore:
    return line(formatv("if (tid == 0) s{0}[{1}] = {2};", stmt.id,
                        sharedIndex(stmt.exprs[0], stmt.id), e(1)));
  case StmtKind::AtomicShared:
    return line(formatv("{0}(&s{1}[{2}], {3});", atomicNames[kernel.shared[stmt.id].operation],
                        stmt.id, sharedIndex(stmt.exprs[0], stmt.id), e(1)));
  case StmtKind::AtomicGlobal:
    return line(formatv("{0}(&counters[{1} + {2} % {3}], {4});", atomicNames[stmt.aux],
                        stmt.aux * countersEach, e(0), countersEach, e(1)));
  default:
    return;
  }
}

void KernelPrinter::printWarp(const Stmt &stmt) {
  static const char *const shuffles[] = {
      "__shfl_sync(0xffffffffu, {0}, {1} & 31)", "__shfl_xor_sync(0xffffffffu, {0}, {1} & 31)",
      "__shfl_up_sync(0xffffffffu, {0}, {1} & 31)", "__shfl_down_sync(0xffffffffu, {0}, {1} & 31)"};
  static const char *const votes[] = {"__ballot_sync(0xffffffffu, {0})",
                                      "unsigned(__any_sync(0xffffffffu, {0}) != 0)",
                                      "unsigned(__all_sync(0xffffffffu, {0}) != 0)"};
  if (stmt.kind == StmtKind::WarpSync)
    return line("__syncwarp();");
  std::string value =
      stmt.kind == StmtKind::WarpVote
          ? formatv(votes[stmt.aux % 3], expr(stmt.exprs[0])).str()
          : formatv(shuffles[stmt.aux % 4], expr(stmt.exprs[0]), expr(stmt.exprs[1])).str();
  line(formatv("{0} v{1} = {2};", nameOf(kernel.variables[stmt.id].type), stmt.id, value));
}

void KernelPrinter::printWhile(const Stmt &stmt) {
  static const char *const steps[] = {"--v{0};", "v{0} >>= 1;"};
  line("{");
  line(formatv("  unsigned v{0} = {1} % {2};", stmt.id, expr(stmt.exprs[0]), stmt.limit));
  if (stmt.aux % 3 == 2) {
    line("  do {");
    print(stmt.blocks[0]);
    line(formatv("  } while (v{0}-- > 0);", stmt.id));
  } else {
    line(formatv("  while (v{0} > 0) {{", stmt.id));
    line("    " + formatv(steps[stmt.aux % 3], stmt.id).str());
    print(stmt.blocks[0]);
    line("  }");
  }
  line("}");
}

void KernelPrinter::printLoop(const Stmt &stmt) {
  if (stmt.kind == StmtKind::While)
    return printWhile(stmt);
  if (stmt.kind == StmtKind::GridStride) {
    elements.push_back(stmt.id);
    line(formatv("for (unsigned v{0} = gid; v{0} < n; v{0} += total) {{", stmt.id));
    print(stmt.blocks[0]);
    elements.pop_back();
    return line("}");
  }
  static const char *const heads[] = {
      "for (unsigned v{0} = 0; v{0} < {1} % {2}; ++v{0}) {{",
      "for (int i{0} = 0; i{0} < int({1} % {2}); ++i{0}) {{ const unsigned v{0} = i{0};",
      "for (unsigned v{0} = 0; v{0} < {1} % {2}; v{0} += 2) {{",
      "for (unsigned v{0} = {1} % {2}; v{0}-- > 0;) {{"};
  if (stmt.exprs.empty())
    line(formatv("for (unsigned v{0} = 0; v{0} < min(n, {1}u); ++v{0}) {{", stmt.id, stmt.limit));
  else
    line(formatv(heads[stmt.aux % 4], stmt.id, expr(stmt.exprs[0]), stmt.limit));
  print(stmt.blocks[0]);
  line("}");
}

void KernelPrinter::printSwitch(const Stmt &stmt) {
  line(formatv("switch ({0} % {1}) {{", expr(stmt.exprs[0]), stmt.blocks.size() + 1));
  for (size_t i = 0; i < stmt.blocks.size(); ++i) {
    line(formatv("case {0}: {{", i));
    print(stmt.blocks[i]);
    line(stmt.aux >> i & 1 ? "}" : "} break;");
  }
  line("}");
}

void KernelPrinter::print(const Stmt &stmt) {
  auto e = [&](size_t i) { return expr(stmt.exprs[i]); };
  switch (stmt.kind) {
  case StmtKind::Declare:
    if (stmt.exprs.empty())
      return line(formatv("{0} v{1};", nameOf(kernel.variables[stmt.id]), stmt.id));
    return line(formatv("{0} v{1} = {2};", nameOf(kernel.variables[stmt.id]), stmt.id, e(0)));
  case StmtKind::DeclareIndex:
    return line(formatv("const unsigned v{0} = clamp({1}, {2}, {3}, {4});", stmt.id, e(0), e(1),
                        e(2), elementCount(*kernel.variables[stmt.id].indexOf)));
  case StmtKind::Assign:
    return line(formatv("v{0} = {1};", stmt.id, e(0)));
  case StmtKind::Barrier:
    return line(stmt.aux ? "meet();" : "__syncthreads();");
  case StmtKind::BarrierVote: {
    static const char *const votes[] = {"unsigned(__syncthreads_count({0}))",
                                        "unsigned(__syncthreads_and({0}) != 0)",
                                        "unsigned(__syncthreads_or({0}) != 0)"};
    return line(formatv("unsigned v{0} = {1};", stmt.id, formatv(votes[stmt.aux % 3], e(0)).str()));
  }
  case StmtKind::Fence:
    return line(stmt.aux ? "__threadfence_block();" : "__threadfence();");
  case StmtKind::WarpSync:
  case StmtKind::WarpExchange:
  case StmtKind::WarpVote:
    return printWarp(stmt);
  case StmtKind::TreeReduce:
    return printReduction(stmt);
  case StmtKind::If:
    line("if (" + e(0) + ") {");
    print(stmt.blocks[0]);
    if (!stmt.blocks[1].empty()) {
      line("} else {");
      print(stmt.blocks[1]);
    }
    return line("}");
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::GridStride:
    return printLoop(stmt);
  case StmtKind::Switch:
    return printSwitch(stmt);
  case StmtKind::Break:
    return line("if (" + e(0) + ") break;");
  case StmtKind::Continue:
    return line("if (" + e(0) + ") continue;");
  case StmtKind::Return:
    return line("if (" + e(0) + ") return;");
  default:
    return printMemory(stmt);
  }
}

} // namespace

std::string printPrelude() {
  std::string constants;
  for (uint32_t i = 0; i < tableElements; ++i)
    constants += formatv("{0}{1}u", i ? ", " : "", initialWord(bufferCount + 1, i));
  return formatv(R"(struct Argument {{ unsigned a; float f; unsigned table[{0}]; };
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
)",
                 tableElements, constants);
}

std::string print(const Kernel &kernel, const std::string &name) {
  return KernelPrinter(kernel, name).run();
}

} // namespace regrain::fuzz
