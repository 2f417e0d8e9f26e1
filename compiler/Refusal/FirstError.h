//===- FirstError.h - The reason for a failure ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Threading.h"
#include <string>

namespace regrain {

/// MLIR's own functions tell why they fail by diagnostics alone; with this their reason becomes
/// that of an error or a refusal. During its lifetime, diagnostics of this thread are not printed
/// and the first error is kept. Other threads may use the context meanwhile.
class FirstError {
public:
  explicit FirstError(mlir::MLIRContext &context)
      : handler(&context, [this, thread = llvm::get_threadid()](mlir::Diagnostic &diagnostic) {
          if (llvm::get_threadid() != thread)
            return mlir::failure();
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && message.empty())
            message = diagnostic.str();
          return mlir::success();
        }) {}

  std::string message;

private:
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace regrain
