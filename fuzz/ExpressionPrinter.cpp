//===- ExpressionPrinter.cpp - Values as CUDA source ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/ExpressionPrinter.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz {

namespace {

constexpr const char *builtinNames[builtinCount] = {
    "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y",
    "blockIdx.z",  "blockDim.x",  "blockDim.y",  "blockDim.z", "gridDim.x",
    "gridDim.y",   "gridDim.z",   "tid",         "block",      "gid",
    "(tid / 32)",  "(tid % 32)",  "live",        "n"};
constexpr const char *argumentNames[] = {"a", "b", "argument.a", "argument.f"};

/// An operation on operands {0}, {1}; null means the one on words.
struct Pattern {
  const char *word;
  const char *wide = nullptr;
  const char *real = nullptr;
};

/// The patterns are indexed by Op. Divisors are never 0, and shifts are within
/// the width.
constexpr Pattern patterns[] = {
    {"({0} + {1})"},
    {"({0} - {1})"},
    {"({0} * {1})"},
    {"({0} / ({1} | 1))", nullptr, "({0} / (fabsf({1}) + 1.0f))"},
    {"({0} % ({1} | 1))"},
    {"({0} & {1})"},
    {"({0} | {1})"},
    {"({0} ^ {1})"},
    {"({0} << ({1} & 31))", "({0} << ({1} & 63))"},
    {"({0} >> ({1} & 31))", "({0} >> ({1} & 63))"},
    {"unsigned(int({0}) >> ({1} & 31))"},
    {"unsigned(min(int({0}), int({1})))"},
    {"max({0}, {1})"},
    {"unsigned({0} < {1})"},
    {"unsigned(int({0}) < int({1}))"},
    {"unsigned({0} == {1})"},
    {"unsigned({0} && {1})"},
    {"unsigned({0} || {1})"},
    {"(~{0})"},
    {"unsigned(__popc({0}))", "(unsigned long long)__popcll({0})"},
    {"__brev({0})", "__brevll({0})"},
    {"unsigned(__clz({0}))", "(unsigned long long)__clzll({0})"},
    {"fmaf({0}, {1}, {1})"},
    {"quotients({0}, {1})"},
    {"halfSum({0}, {1})"},
    {"halfProduct({0}, {1})"},
    {"bfloatSum({0}, {1})"},
    {"pairFma({0}, {1})"},
    {"toBits(spread(float(({0}) & 4095) * 0.1f, float(({1}) & 4095) * 0.3f, {0}))"},
    {"unsigned(__half_as_ushort(spread(toHalf(({0}) & 63), toHalf(({1}) & 63), {0})))"},
    {"unsigned(__bfloat16_as_ushort(spread(toBfloat({0}), toBfloat({1}), {0})))"},
};
static_assert(std::size(patterns) == size_t(Op::BfloatSpread) + 1);

const char *patternOf(Op op, Type type) {
  const Pattern &pattern = patterns[size_t(op)];
  const char *special = type == Type::F32   ? pattern.real
                        : type == Type::U64 ? pattern.wide
                                            : nullptr;
  return special ? special : pattern.word;
}

/// Returns whether the divisor is a value that is never 0 although no compiler can
/// know this.
bool dividesBare(const Expr &e) {
  if (e.kind != ExprKind::Binary || e.type != Type::U32 || (e.op != Op::Div && e.op != Op::Rem) ||
      e.operands[1].kind != ExprKind::Builtin)
    return false;
  auto by = Builtin(e.operands[1].id);
  return (by >= Builtin::ThreadsX && by <= Builtin::BlocksZ) || by == Builtin::Live ||
         by == Builtin::Size;
}

} // namespace

std::string nameOf(Type type) {
  return type == Type::F32 ? "float" : type == Type::U64 ? "unsigned long long" : "unsigned";
}

std::string argumentName(uint32_t id) { return argumentNames[id]; }

std::string ExpressionPrinter::print(const Expr &e) const {
  switch (e.kind) {
  case ExprKind::Literal:
    return literal(e);
  case ExprKind::Variable:
    return formatv(kernel.variables[e.id].isFlag ? "unsigned(v{0})" : "v{0}", e.id);
  case ExprKind::Builtin:
    return builtinNames[e.id];
  case ExprKind::Argument:
    return argumentName(e.id);
  case ExprKind::ArgumentTable:
  case ExprKind::Constant:
  case ExprKind::Input:
  case ExprKind::Own:
  case ExprKind::Element:
  case ExprKind::LocalElement:
  case ExprKind::SharedOwn:
  case ExprKind::SharedAny:
    return memory(e);
  case ExprKind::Unary:
  case ExprKind::Binary:
  case ExprKind::Select:
    return operation(e);
  case ExprKind::Convert:
    return converted(e);
  case ExprKind::Disguise:
    return formatv("({0} + __umulhi(tid, 1u))", print(e.operands[0]));
  case ExprKind::Call:
    return called(e);
  }
  return "";
}

std::string ExpressionPrinter::literal(const Expr &e) const {
  if (e.type == Type::F32)
    return formatv("{0}.0f", e.value);
  return formatv(e.type == Type::U64 ? "{0}ull" : "{0}u", e.value);
}

std::string ExpressionPrinter::memory(const Expr &e) const {
  switch (e.kind) {
  case ExprKind::ArgumentTable:
    return (kernel.passing == Passing::Copied ? "argument.table[" : "elementOf(argument.table, ") +
           below(e.operands[0], std::to_string(tableElements)) +
           (kernel.passing == Passing::Copied ? "]" : ")");
  case ExprKind::Constant:
    return (e.id == 0 ? "constants[" : "managed[") +
           below(e.operands[0], std::to_string(tableElements)) + "]";
  case ExprKind::Input:
    return "in[" + below(e.operands[0], std::to_string(inputElements)) + "]";
  case ExprKind::Own:
    return e.type == Type::F32 ? "real[gid]" : ownSlot(e.id, e.operands, 0);
  case ExprKind::Element:
    return element();
  case ExprKind::LocalElement:
    return localElement(e.id, e.operands[0]);
  case ExprKind::SharedOwn:
    return ownShared(e.id, e.operands, 0);
  default:
    return sharedElement(e.id, e.operands[0]);
  }
}

std::string ExpressionPrinter::operation(const Expr &e) const {
  std::string first = print(e.operands[0]);
  if (e.kind == ExprKind::Unary)
    return formatv(patternOf(e.op, e.type), first);
  std::string second = print(e.operands[1]);
  if (e.kind == ExprKind::Select)
    return formatv("({0} ? {1} : {2})", first, second, print(e.operands[2]));
  if (dividesBare(e))
    return formatv(e.op == Op::Div ? "({0} / {1})" : "({0} % {1})", first, second);
  return formatv(patternOf(e.op, e.operands[0].type), first, second);
}

std::string ExpressionPrinter::converted(const Expr &e) const {
  const Expr &from = e.operands[0];
  if (from.type == e.type)
    return print(from);
  return formatv("to{0}({1})",
                 e.type == Type::F32   ? "Real"
                 : e.type == Type::U64 ? "Wide"
                                       : "Word",
                 print(from));
}

std::string ExpressionPrinter::called(const Expr &e) const {
  std::string arguments;
  for (const Expr &operand : e.operands)
    arguments += (arguments.empty() ? "" : ", ") + print(operand);
  return functionName(e.id) + "(" + arguments + ")";
}

/// Returns `e` as a number below `count`. If it is a quotient, the division is
/// the last operation, so that an address depends on it directly.
std::string ExpressionPrinter::below(const Expr &e, const std::string &count) const {
  if (e.op == Op::Div && dividesBare(e))
    return formatv("{0} % ({1} * {2}) / {1}", print(e.operands[0]), print(e.operands[1]), count);
  return formatv("{0} % {1}", print(e), count);
}

std::string ExpressionPrinter::ownSlot(uint32_t id, const std::vector<Expr> &exprs,
                                       size_t at) const {
  if (at >= exprs.size())
    return formatv("out[gid * {0} + {1}]", resultSlots, id);
  return formatv("out[gid * {0} + {1}]", resultSlots,
                 below(exprs[at], std::to_string(resultSlots)));
}

std::string ExpressionPrinter::ownShared(uint32_t id, const std::vector<Expr> &exprs,
                                         size_t at) const {
  if (at >= exprs.size())
    return formatv("s{0}[tid]", id);
  return formatv("s{0}[tid + threads * ({1})]", id,
                 below(exprs[at], std::to_string(kernel.shared[id].perThread)));
}

std::string ExpressionPrinter::sharedElement(uint32_t id, const Expr &index) const {
  bool isFound = index.kind == ExprKind::Variable && kernel.variables[index.id].indexOf == id;
  return formatv("s{0}[{1}]", id, isFound ? print(index) : below(index, elementCount(id)));
}

std::string ExpressionPrinter::localElement(uint32_t id, const Expr &index) const {
  return formatv("l{0}{1}[{2}]", id, kernel.local[id].inStruct ? ".items" : "",
                 below(index, std::to_string(kernel.local[id].size)));
}

std::string ExpressionPrinter::element() const { return formatv("data[v{0}]", elements.back()); }

std::string ExpressionPrinter::elementCount(uint32_t array) const {
  return kernel.guard == Guard::Return ? "live"
                                       : std::to_string(elementsOf(kernel, kernel.shared[array]));
}

} // namespace regrain::fuzz
