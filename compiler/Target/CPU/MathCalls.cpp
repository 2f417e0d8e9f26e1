//===- MathCalls.cpp - SLEEF's functions ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/MathCalls.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

struct MathFunction {
  StringLiteral name;
  StringLiteral accuracy;
  unsigned operands;
};

constexpr MathFunction functions[] = {
#define UNARY_ACCURACY(name, accuracy) {#name, #accuracy, 1},
#define BINARY_ACCURACY(name, accuracy) {#name, #accuracy, 2},
#include "compiler/Target/CPU/Library/SleefFunctions.def"
};

/// SLEEF's spelling of its variants at one vector width.
struct Width {
  unsigned bytes;
  StringLiteral suffix;
};

struct Architecture {
  StringLiteral prefix, scalarSuffix;
  SmallVector<Width, 3> widths;
};

Architecture architectureFor(CPULevel level) {
  switch (level) {
  case CPULevel::V2:
    return {"Sleef_cinz_", "purec", {{16, "sse4"}}};
  case CPULevel::V3:
    return {"Sleef_finz_", "purecfma", {{16, "avx2128"}, {32, "avx2"}}};
  case CPULevel::V4:
    return {"Sleef_finz_", "purecfma", {{16, "avx2128"}, {32, "avx2"}, {64, "avx512f"}}};
  }
  llvm_unreachable("all levels are handled");
}

std::string sleefName(const Architecture &architecture, const MathFunction &function, bool single,
                      unsigned lanes, StringRef suffix) {
  return (architecture.prefix + function.name + (single ? "f" : "d") + Twine(lanes) + "_" +
          function.accuracy + suffix)
      .str();
}

Function *declare(Module &module, StringRef name, Type *type, unsigned operands) {
  auto *callee = cast<Function>(
      module
          .getOrInsertFunction(name,
                               FunctionType::get(type, SmallVector<Type *>(operands, type), false))
          .getCallee());
  callee->setDoesNotAccessMemory();
  callee->setDoesNotThrow();
  callee->setWillReturn();
  return callee;
}

/// Replaces the uses of `placeholder` by calls that name the vector forms.
void bind(Function &placeholder, const Architecture &architecture, const MathFunction &function,
          bool single) {
  Module &module = *placeholder.getParent();
  Type *type = placeholder.getReturnType();
  std::string scalarName = sleefName(architecture, function, single, 1, architecture.scalarSuffix);
  Function *scalar = declare(module, scalarName, type, function.operands);
  std::string variants;
  for (const Width &width : architecture.widths) {
    unsigned lanes = width.bytes / (single ? 4 : 8);
    std::string vectorName = sleefName(architecture, function, single, lanes, width.suffix);
    appendToCompilerUsed(module, {declare(module, vectorName, FixedVectorType::get(type, lanes),
                                          function.operands)});
    variants += (variants.empty() ? "" : ",") +
                ("_ZGV_LLVM_N" + Twine(lanes) + std::string(function.operands, 'v') + "_" +
                 scalarName + "(" + vectorName + ")")
                    .str();
  }
  for (User *user : make_early_inc_range(placeholder.users()))
    if (auto *call = dyn_cast<CallInst>(user)) {
      call->setCalledFunction(scalar);
      call->addFnAttr(Attribute::get(module.getContext(), "vector-function-abi-variant", variants));
    }
  placeholder.eraseFromParent();
}

} // namespace

void bindMathCalls(Module &module, CPULevel level) {
  Architecture architecture = architectureFor(level);
  for (const MathFunction &function : functions)
    for (bool single : {true, false})
      if (Function *placeholder =
              module.getFunction(("regrain_sleef_" + function.name + (single ? "f" : "")).str()))
        bind(*placeholder, architecture, function, single);
}

bool isSuppliedAtLoad(StringRef name) {
  static const StringSet<> names = {
      "memcpy",     "memmove",    "memset",       "j0",        "j0f",        "j1",      "j1f",
      "y0",         "y0f",        "y1",           "y1f",       "jn",         "jnf",     "yn",
      "ynf",        "logb",       "logbf",        "nextafter", "nextafterf", "ldexp",   "ldexpf",
      "ilogb",      "ilogbf",     "frexp",        "frexpf",    "remquo",     "remquof", "remainder",
      "remainderf", "fesetround", "clock_gettime"};
  return names.contains(name) || name.starts_with("Sleef_") || name.starts_with("regrain_cpu_") ||
         name.starts_with("__ubsan_handle_") || name.starts_with("__asan_") ||
         name.starts_with("__tsan_");
}

} // namespace regrain::cpu
