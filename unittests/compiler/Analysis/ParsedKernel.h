//===- ParsedKernel.h - Kernels of grain IR for tests -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace regrain {

/// A context with the dialects of grain IR.
struct GrainContext {
  GrainContext() {
    context.loadDialect<grain::GrainDialect, mlir::arith::ArithDialect, mlir::scf::SCFDialect,
                        mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect>();
    context.disableMultithreading();
  }
  mlir::MLIRContext context;
};

/// Returns an operation, a value or a type as MLIR prints it.
template <typename T> std::string text(const T &part) {
  std::string result;
  llvm::raw_string_ostream(result) << part;
  return result;
}

/// Returns a module with the kernel @kernel, each of whose threads runs `body`. `parameters` are
/// those of the kernel, `declarations` stand before it.
inline std::string kernelText(const std::string &parameters, const std::string &body,
                              const std::string &declarations = "") {
  return declarations + "grain.kernel @kernel(" + parameters +
         ") {\n  grain.blocks (%bx, %by, %bz) {\n    grain.threads (%tx, %ty, %tz) {\n" + body +
         "    }\n  }\n  grain.return\n}\n";
}

/// A kernel that is parsed from text.
class ParsedKernel {
public:
  ParsedKernel(const std::string &text, mlir::MLIRContext &context)
      : module(mlir::parseSourceString<mlir::ModuleOp>(text, &context)) {
    EXPECT_TRUE(bool(module)) << text;
  }

  explicit operator bool() const { return bool(module); }
  mlir::ModuleOp getModule() { return *module; }
  grain::KernelOp kernel() { return *module->getOps<grain::KernelOp>().begin(); }

  /// Returns the operations of the kernel that have the attribute `mark`.
  std::vector<mlir::Operation *> marked(llvm::StringRef mark) {
    std::vector<mlir::Operation *> found;
    kernel().walk([&](mlir::Operation *op) {
      if (op->hasAttr(mark))
        found.push_back(op);
    });
    return found;
  }

  /// Returns the only operation of the kernel that has the attribute `mark`.
  mlir::Operation *only(llvm::StringRef mark) {
    std::vector<mlir::Operation *> found = marked(mark);
    EXPECT_EQ(found.size(), 1u) << mark.str();
    return found.empty() ? nullptr : found.front();
  }

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace regrain
