//===- TemplateErrors.h - Errors in templates that nothing uses -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's device side reads the body of a function template only where it is instantiated, so device
// code may have bodies that no compiler would take. clang looks up at once what does not depend on
// the arguments. Such an error counts only if the body is instantiated.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Frontend/CompilerInstance.h"
#include <memory>

namespace regrain {

/// Keeps the errors in bodies of templates from the instance's diagnostics.
class TemplateErrors {
public:
  explicit TemplateErrors(clang::CompilerInstance &instance);
  ~TemplateErrors();

  /// Reports the errors in bodies that are instantiated, at the end of the translation unit.
  void reportInstantiated(clang::ASTContext &context);

private:
  struct Held;
  class Holder;
  std::shared_ptr<Held> held;
};

} // namespace regrain
