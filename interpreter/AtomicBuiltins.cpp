//===- AtomicBuiltins.cpp - NVVM's atomic operations ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Arithmetic.h"
#include "interpreter/Builtins.h"
#include "interpreter/Machine.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace regrain;

Builtin regrain::findAtomic(StringRef name) {
  name.consume_front("atomic.");
  name.consume_front("load.");
  StringRef operation = name.take_until([](char c) { return c == '.'; });
  bool compares = operation == "cas";
  bool floating = name.contains(".f.") || name.contains(".f32") || name.contains(".f64");
  auto op = StringSwitch<std::optional<AtomicRMWInst::BinOp>>(operation)
                .Case("add", floating ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
                .Cases("exch", "cas", AtomicRMWInst::Xchg)
                .Case("and", AtomicRMWInst::And)
                .Case("or", AtomicRMWInst::Or)
                .Case("xor", AtomicRMWInst::Xor)
                .Case("max", AtomicRMWInst::Max)
                .Case("min", AtomicRMWInst::Min)
                .Case("inc", AtomicRMWInst::UIncWrap)
                .Case("dec", AtomicRMWInst::UDecWrap)
                .Default(std::nullopt);
  if (!op)
    return {};
  return [op = *op, compares](Machine &machine, Thread &thread, const Step &step) {
    const Leaf &leaf = step.leaves[0];
    Scalar address = machine.readAddress(thread, step, 0), old;
    Machine::Access access = {leaf.width / 8, /*atomic=*/true};
    if (!machine.load(thread, address, leaf, access, old))
      return false;
    machine.write(thread, step, old);
    Scalar operand = machine.read(thread, step, compares ? 2 : 1);
    if (compares) {
      Scalar expected = machine.read(thread, step, 1);
      if (old.undefined || expected.undefined)
        return machine.fail(FaultKind::UndefinedValue, "what an atomic operation compares");
      if (old.bits != expected.bits)
        return true;
    }
    return machine.store(thread, address, leaf, access, update(op, leaf.type, old, operand));
  };
}
