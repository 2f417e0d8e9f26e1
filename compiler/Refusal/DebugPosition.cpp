//===- DebugPosition.cpp - Where LLVM IR comes from -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Refusal/DebugPosition.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

using namespace llvm;

regrain::SourcePosition regrain::positionOf(const DILocation *location) {
  if (!location || !location->getLine())
    return {};
  return {location->getFilename().str(), location->getLine(), location->getColumn()};
}

regrain::SourcePosition regrain::definitionOf(const Function &function) {
  const DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram)
    return {};
  return {subprogram->getFilename().str(), subprogram->getLine()};
}

const DILocation *regrain::outermost(const DILocation *location) {
  while (location && location->getInlinedAt())
    location = location->getInlinedAt();
  return location;
}

bool regrain::isInFileOf(const Function &function, const DILocation *location) {
  const DISubprogram *own = function.getSubprogram();
  return own && location && location->getLine() && location->getFilename() == own->getFilename() &&
         location->getDirectory() == own->getDirectory();
}

const DILocation *regrain::innermostInFileOf(const Function &function, const DILocation *location) {
  for (const DILocation *at = location; at; at = at->getInlinedAt())
    if (isInFileOf(function, at))
      return at;
  return location;
}
