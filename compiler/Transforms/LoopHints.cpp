//===- LoopHints.cpp - What LLVM is told of loops -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/LoopHints.h"

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace regrain;

void regrain::keepRolled(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto off =
      LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
  auto all = LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, off, {}, {}, {}, {}, {}, {}, {}, {},
                                           {}, {}, {});
  Block *body = loop.getBody();
  bool isEnded = body->mightHaveTerminator();
  OpBuilder inside(body, isEnded ? Block::iterator(body->getTerminator()) : body->end());
  inside.create<grain::LoopHintOp>(loop.getLoc(), all);
}
