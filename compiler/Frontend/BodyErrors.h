//===- BodyErrors.h - Errors in bodies that are not compiled ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's device side reads the body of a function template only where it is instantiated, so device
// code may have bodies that no compiler would take. clang looks up at once what does not depend on
// the arguments. Such an error counts only if the body is instantiated, with the branch of
// `if constexpr` in which the error is.
//
// The host side compiles no body of a kernel or device function. There they may call what is a
// function of the host side alone, because a macro is empty without __CUDA_ARCH__. The device side
// has found what is wrong in them.
//
// The device side compiles no body of a function for the host alone. There, calls may be of device
// functions, because a macro has another definition with __CUDA_ARCH__. The host side finds calls
// that are wrong.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Frontend/CompilerInstance.h"
#include <memory>

namespace regrain {

/// Keeps such errors from the instance's diagnostics.
class BodyErrors {
public:
  explicit BodyErrors(clang::CompilerInstance &instance);
  ~BodyErrors();

  /// Reports the errors in bodies that are instantiated, at the end of the device side.
  void reportInstantiated(clang::ASTContext &context);

private:
  struct Held;
  class Holder;
  std::shared_ptr<Held> held;
};

} // namespace regrain
