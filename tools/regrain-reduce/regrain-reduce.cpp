//===- regrain-reduce.cpp - Reduces grain IR text -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/Import.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "tools/regrain-reduce/ReducePass.h"
#include "llvm/Support/CommandLine.h"

static llvm::cl::extrahelp examples(R"(
Examples:
  regrain-reduce --grain-reduce=test=./check.sh kernel.mlir
      Print the smallest form of kernel.mlir for which './check.sh FILE' exits with 1.
)");

int main(int argc, char **argv) {
  mlir::DialectRegistry dialects;
  regrain::registerGrainIRDialects(dialects);
  regrain::registerReducePass();
  mlir::MLIRContext context(dialects);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
