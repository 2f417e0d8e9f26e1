//===- Unsupported.cpp - Device code that is refused ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Unsupported.h"
#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Frontend/DeviceFacts.h"
#include "compiler/Refusal/DebugPosition.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace regrain {
namespace {

/// Returns whether the device's system library, the back ends or, on the CPU, the program's
/// sanitizer provide the function.
bool isProvided(StringRef name) {
  return name.starts_with("__nv_") || name.starts_with("__nvvm_") ||
         name.starts_with("__ubsan_handle_") ||
         StringSwitch<bool>(name)
             .Cases("vprintf", "malloc", "free", "__assertfail", true)
             .Cases("memcpy", "memset", "memmove", true)
             .Default(false);
}

/// Returns whether the variable is threadIdx or similar: the header declares these for their
/// getters, and they are never stored.
bool isBuiltin(const GlobalVariable &variable) {
  auto *type = dyn_cast<StructType>(variable.getValueType());
  return type && type->hasName() && type->getName().starts_with("struct.__cuda_builtin_");
}

bool isTextureOrSurface(StringRef intrinsic) {
  for (StringRef prefix : {"llvm.nvvm.tex.", "llvm.nvvm.tld4.", "llvm.nvvm.suld.",
                           "llvm.nvvm.sust.", "llvm.nvvm.txq.", "llvm.nvvm.suq."})
    if (intrinsic.starts_with(prefix))
      return true;
  return false;
}

/// Returns why `callee` cannot be supported, or nothing if it can.
std::optional<std::string> reasonAgainst(const GlobalValue &callee,
                                         const UndefinedReason &reasonAgainstUndefined) {
  StringRef name = callee.getName();
  if (isTextureOrSurface(name))
    return "LLVM's intrinsics for textures and surfaces are not supported";
  if (name.starts_with("llvm.va_"))
    return "functions with a variable number of arguments ('...') are not supported";
  if (name.starts_with("llvm.") || !callee.isDeclaration())
    return std::nullopt;
  if (name.starts_with("cudaGetParameterBuffer") || name.starts_with("cudaLaunchDevice"))
    return "launching a kernel from the device is not supported";
  if (auto *variable = dyn_cast<GlobalVariable>(&callee)) {
    bool isShared = variable->getAddressSpace() == sharedSpace;
    if (isShared || isBuiltin(*variable))
      return std::nullopt;
  } else if (isProvided(name)) {
    return std::nullopt;
  }
  return reasonAgainstUndefined(callee);
}

void printError(const Instruction &use, const Twine &reason) {
  if (SourcePosition where = positionOf(use.getDebugLoc()); where.isKnown())
    errs() << where.file << ':' << where.line << ':' << where.column << ": ";
  WithColor::error(errs()) << reason << '\n';
}

/// A launch passes the declared parameters alone. Returns whether there is a kernel that takes
/// more.
bool reportEllipses(const Module &device, ArrayRef<DeviceKernel> kernels) {
  bool isReported = false;
  for (const DeviceKernel &kernel : kernels) {
    const Function &function = *device.getFunction(kernel.symbol);
    if (!function.isVarArg())
      continue;
    if (SourcePosition where = definitionOf(function); where.isKnown())
      errs() << toString(where) << ": ";
    WithColor::error(errs()) << "'" << kernel.name
                             << "': a __global__ function cannot have '...'\n";
    isReported = true;
  }
  return isReported;
}

} // namespace

std::string describeUndefined(const GlobalValue &undefined) {
  StringRef kind = isa<GlobalVariable>(undefined) ? "variable" : "device function";
  return (kind + " '" + demangle(undefined.getName()) + "'").str();
}

bool reportUnsupported(const Module &device, ArrayRef<DeviceKernel> kernels,
                       const UndefinedReason &reasonAgainstUndefined) {
  bool isReported = reportEllipses(device, kernels);
  SmallPtrSet<const GlobalValue *, 8> reported;
  for (const Function *function : findReachable(device, kernels))
    for (const Instruction &use : instructions(*function))
      for (const Value *operand : use.operands()) {
        auto *global = dyn_cast<GlobalValue>(operand->stripPointerCasts());
        if (!global || reported.contains(global))
          continue;
        std::optional<std::string> reason = reasonAgainst(*global, reasonAgainstUndefined);
        if (!reason)
          continue;
        printError(use, *reason);
        reported.insert(global);
      }
  return isReported || !reported.empty();
}

} // namespace regrain
