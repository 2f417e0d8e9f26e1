//===- Options.cpp - The option table of regrain cc -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Options.h"
#include "llvm/Option/Option.h"

namespace regrain::options {
namespace {

using llvm::ArrayRef;
using llvm::StringLiteral;

#define PREFIX(NAME, VALUE)                                                                        \
  constexpr StringLiteral NAME##_init[] = VALUE;                                                   \
  constexpr ArrayRef<StringLiteral> NAME(NAME##_init, std::size(NAME##_init) - 1);
#include "compiler/Driver/Options.inc"
#undef PREFIX

using namespace llvm::opt;
constexpr OptTable::Info infoTable[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "compiler/Driver/Options.inc"
#undef OPTION
};

class Table : public GenericOptTable {
public:
  Table() : GenericOptTable(infoTable) {}
};

} // namespace

const llvm::opt::OptTable &table() {
  static const Table instance;
  return instance;
}

ArrayRef<OptTable::Info> entries() { return infoTable; }

} // namespace regrain::options
