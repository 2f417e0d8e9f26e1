//===- LibclcMath.cpp - Device math without NVIDIA's toolkit --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's CUDA headers call NVIDIA's __nv_ functions. Each of them gets a definition in one of four
// ways, tried in this order:
//   1. an LLVM intrinsic that the NVPTX code generator has (sqrt, fma, floor);
//   2. an NVVM intrinsic whose name follows from the function's own: the
//      functions with an explicit rounding mode, and the conversions;
//   3. a function of libclc with the same parameters (sin, pow);
//   4. a definition in LibclcBridge.ll.inc.
// The results are those of libclc, which differ from those of libdevice in the last bits.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Calls/DeviceMath.h"

#include "compiler/Target/Bitcode.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace regrain::nvptx {

static constexpr const char bridgeText[] =
#include "compiler/Target/NVPTX/Calls/LibclcBridge.ll.inc"
    ;

/// Returns the C name of a __nv_ function, without the suffix of its float form.
static StringRef baseName(const Function &function) {
  StringRef name = function.getName().drop_front(StringRef("__nv_").size());
  if (function.getReturnType()->isFloatTy())
    name.consume_back("f");
  return name;
}

static Function *asIntrinsic(Function &function) {
  Intrinsic::ID id = StringSwitch<Intrinsic::ID>(baseName(function))
                         .Case("ceil", Intrinsic::ceil)
                         .Case("copysign", Intrinsic::copysign)
                         .Case("fabs", Intrinsic::fabs)
                         .Case("floor", Intrinsic::floor)
                         .Case("fma", Intrinsic::fma)
                         .Case("fmax", Intrinsic::maxnum)
                         .Case("fmin", Intrinsic::minnum)
                         .Case("nearbyint", Intrinsic::nearbyint)
                         .Case("rint", Intrinsic::rint)
                         .Case("round", Intrinsic::round)
                         .Case("sqrt", Intrinsic::sqrt)
                         .Case("trunc", Intrinsic::trunc)
                         .Default(Intrinsic::not_intrinsic);
  if (id == Intrinsic::not_intrinsic)
    return nullptr;
  return Intrinsic::getDeclaration(function.getParent(), id, {function.getReturnType()});
}

/// Returns NVVM's letters for the types in the names of conversions.
static StringRef conversionLetters(StringRef type) {
  return StringSwitch<StringRef>(type)
      .Case("double", "d")
      .Case("float", "f")
      .Case("half", "h")
      .Case("int", "i")
      .Case("uint", "ui")
      .Case("ll", "ll")
      .Case("ull", "ull")
      .Default("");
}

/// Returns NVVM's name of CUDA's rounding mode: down is towards minus infinity, up towards plus
/// infinity.
static StringRef roundingMode(StringRef mode) {
  return StringSwitch<StringRef>(mode)
      .Case("rn", "rn")
      .Case("rz", "rz")
      .Case("rd", "rm")
      .Case("ru", "rp")
      .Default("");
}

/// Returns the intrinsic of a name: "fadd_rn" is llvm.nvvm.add.rn.f, "double2int_rd"
/// llvm.nvvm.d2i.rm.
static Function *asRoundingIntrinsic(Function &function) {
  StringRef name = function.getName().drop_front(StringRef("__nv_").size());
  StringRef operation = name.rsplit('_').first;
  StringRef mode = roundingMode(name.rsplit('_').second);
  if (mode.empty())
    return nullptr;
  std::string intrinsic;
  if (auto [from, to] = operation.split('2'); !to.empty())
    intrinsic = (conversionLetters(from) + "2" + conversionLetters(to) + "." + mode).str();
  else if (operation == "fmaf" || operation == "fmaf_ieee")
    intrinsic = ("fma." + mode + ".f").str();
  else if (operation == "fma")
    intrinsic = ("fma." + mode + ".d").str();
  else
    intrinsic = (operation.drop_front() + "." + mode + "." + operation.take_front()).str();
  Intrinsic::ID id = Function::lookupIntrinsicID("llvm.nvvm." + intrinsic);
  if (id == Intrinsic::not_intrinsic || Intrinsic::isOverloaded(id))
    return nullptr;
  return Intrinsic::getDeclaration(function.getParent(), id);
}

static bool libclcHas(StringRef name) {
  static const StringSet<> names = {
      "acos",      "acosh",  "asin",  "asinh", "atan",  "atan2",     "atanh",  "cbrt",
      "cos",       "cosh",   "cospi", "erf",   "erfc",  "exp",       "exp10",  "exp2",
      "expm1",     "fdim",   "fmod",  "frexp", "hypot", "ldexp",     "lgamma", "log",
      "log10",     "log1p",  "log2",  "logb",  "modf",  "nextafter", "pow",    "pown",
      "remainder", "remquo", "sin",   "sinh",  "sinpi", "tan",       "tanh",   "tgamma"};
  return names.contains(name);
}

/// Returns OpenCL's mangled name of `name` with the parameters of `function`. A pointer is to int,
/// as in frexp and remquo, or to the result's type, as in modf.
static std::string mangledForLibclc(StringRef name, const Function &function) {
  StringRef real = function.getReturnType()->isFloatTy() ? "f" : "d";
  std::string mangled = ("_Z" + Twine(name.size()) + name).str();
  for (Type *parameter : function.getFunctionType()->params()) {
    if (parameter->isPointerTy())
      mangled += name == "modf" ? ("P" + real).str() : "Pi";
    else
      mangled += parameter->isIntegerTy() ? "i" : real;
  }
  return mangled;
}

static Function *asLibclcFunction(Function &function) {
  StringRef name = StringSwitch<StringRef>(baseName(function))
                       .Case("powi", "pown")
                       .Case("scalbn", "ldexp")
                       .Default(baseName(function));
  if (!function.getReturnType()->isFloatingPointTy() || !libclcHas(name))
    return nullptr;
  FunctionCallee callee = function.getParent()->getOrInsertFunction(
      mangledForLibclc(name, function), function.getFunctionType());
  return dyn_cast<Function>(callee.getCallee());
}

static std::unique_ptr<Module> parseBridge(const Module &module) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> bridge = parseAssemblyString(bridgeText, diagnostic, module.getContext());
  if (!bridge)
    return nullptr;
  bridge->setTargetTriple(module.getTargetTriple());
  bridge->setDataLayout(module.getDataLayout());
  return bridge;
}

/// Replaces every undefined __nv_ function that the ways 1 to 3 cover.
static void mapByName(Module &module, bool haveLibclc) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getName().starts_with("__nv_"))
      continue;
    Function *replacement = asIntrinsic(function);
    if (!replacement)
      replacement = asRoundingIntrinsic(function);
    if (!replacement && haveLibclc)
      replacement = asLibclcFunction(function);
    if (!replacement || replacement->getFunctionType() != function.getFunctionType())
      continue;
    function.replaceAllUsesWith(replacement);
    function.eraseFromParent();
  }
}

Expected<bool> mapMathToLibclc(Module &module, bool haveLibclc) {
  std::unique_ptr<Module> bridge = parseBridge(module);
  if (!bridge)
    return createStringError("the definitions for libclc do not parse");
  if (Error error = linkNeeded(module, std::move(bridge)))
    return std::move(error);
  mapByName(module, haveLibclc);
  return haveLibclc && any_of(module, [](const Function &function) {
           return function.isDeclaration() && function.getName().starts_with("_Z");
         });
}

} // namespace regrain::nvptx
