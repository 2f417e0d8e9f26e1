//===- RefusalKind.cpp - Why a kernel keeps its original ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Refusal/RefusalKind.h"

#include "llvm/Support/ErrorHandling.h"

llvm::StringRef regrain::idOf(RefusalKind kind) {
  switch (kind) {
#define REFUSAL(kind, id, remedy)                                                                  \
  case RefusalKind::kind:                                                                          \
    return id;
#include "compiler/Refusal/RefusalKind.def"
  }
  llvm_unreachable("every kind is in the table");
}

llvm::StringRef regrain::remedyFor(RefusalKind kind) {
  switch (kind) {
#define REFUSAL(kind, id, remedy)                                                                  \
  case RefusalKind::kind:                                                                          \
    return remedy;
#include "compiler/Refusal/RefusalKind.def"
  }
  llvm_unreachable("every kind is in the table");
}
