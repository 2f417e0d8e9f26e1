//===- regrain-opt.cpp - Runs passes on grain IR text ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/Import.h"
#include "compiler/Import/Passes.h"
#include "compiler/Transforms/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "test/lib/Analysis/TestAnalysisPasses.h"
#include "llvm/Support/CommandLine.h"

static llvm::cl::extrahelp examples(R"(
Examples:
  regrain-opt --pass-pipeline='builtin.module(grain.kernel(grain-pipeline{spec=block.x=2}))' kernel.mlir
      Print the kernels of kernel.mlir at the grain block.x=2.
  regrain-opt --canonicalize kernel.mlir
      Run one of MLIR's own passes on them.
)");

int main(int argc, char **argv) {
  mlir::DialectRegistry dialects;
  regrain::registerGrainIRDialects(dialects);
  regrain::registerImportPasses();
  regrain::registerTransformPasses();
  mlir::registerTransformsPasses();
  regrain::test::registerAnalysisPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "regrain-opt: passes on grain IR\n", dialects));
}
