//===- Fault.cpp - Reasons why the interpreter ends a run -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Fault.h"

#include "llvm/Support/raw_ostream.h"

using namespace regrain;

char Fault::ID = 0;

llvm::StringRef regrain::toString(FaultKind kind) {
  switch (kind) {
  case FaultKind::OutOfBounds:
    return "out of bounds";
  case FaultKind::Misaligned:
    return "misaligned";
  case FaultKind::UndefinedValue:
    return "undefined value";
  case FaultKind::DivisionByZero:
    return "division by zero";
  case FaultKind::DivergentBarrier:
    return "divergent barrier";
  case FaultKind::Deadlock:
    return "deadlock";
  case FaultKind::Race:
    return "race";
  case FaultKind::Trap:
    return "trap";
  case FaultKind::StackOverflow:
    return "stack overflow";
  case FaultKind::Unsupported:
    return "unsupported";
  case FaultKind::StepLimit:
    return "step limit";
  case FaultKind::BadLaunch:
    return "bad launch";
  }
  llvm_unreachable("all kinds are handled");
}

static void print(llvm::raw_ostream &out, const std::array<uint32_t, 3> &index) {
  out << '(' << index[0] << ',' << index[1] << ',' << index[2] << ')';
}

void Fault::log(llvm::raw_ostream &out) const {
  out << toString(kind) << ": " << what;
  if (!place)
    return;
  out << "; block ";
  print(out, place->block);
  out << " thread ";
  print(out, place->thread);
  out << ", " << place->function << ':' << place->instruction;
  if (!place->file.empty())
    out << ", " << place->file << ':' << place->line;
}

llvm::Error regrain::makeFault(FaultKind kind, const llvm::Twine &what) {
  return llvm::make_error<Fault>(kind, what.str());
}
