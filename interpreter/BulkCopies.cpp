//===- BulkCopies.cpp - Copies of rows that a barrier counts --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a copy writes is undefined until the phase ends in which its bytes are expected, and that
// ends when a thread waits for it: at the latest point at which it may. The memory that a copy
// reads is read at once.
//
//===----------------------------------------------------------------------===//
#include "interpreter/Builtins.h"
#include "interpreter/Machine.h"

using namespace llvm;
using namespace regrain;

namespace {

/// Returns the address of the barrier that an operand names, and records the access to it.
std::optional<uint64_t> barrierOf(Machine &machine, Thread &thread, const Step &step,
                                  unsigned operand, bool isMade = false) {
  uint64_t low = 0;
  if (!machine.readDefined(thread, step, operand, "the address of a barrier", low))
    return std::nullopt;
  uint64_t address = AddressSpaces::sharedBase() + uint32_t(low);
  Leaf word = {nullptr, 64, 0};
  if (isMade)
    return machine.store(thread, {address, 0}, word, {8}, {0, 0}) ? std::optional(address)
                                                                  : std::nullopt;
  Scalar value;
  if (!machine.load(thread, {address, 0}, word, {8, /*atomic=*/true}, value))
    return std::nullopt;
  if (thread.block->copyBarriers.contains(address))
    return address;
  machine.fail(FaultKind::Unsupported, "a barrier that nobody has made");
  return std::nullopt;
}

bool makeBarrier(Machine &machine, Thread &thread, const Step &step) {
  std::optional<uint64_t> address = barrierOf(machine, thread, step, 0, /*isMade=*/true);
  if (address)
    thread.block->copyBarriers[*address] = {};
  return address.has_value();
}

bool expectBytes(Machine &machine, Thread &thread, const Step &step) {
  uint64_t bytes = 0;
  std::optional<uint64_t> address = barrierOf(machine, thread, step, 0);
  if (!address || !machine.readDefined(thread, step, 1, "the size of a copy", bytes))
    return false;
  thread.block->copyBarriers[*address].expected += bytes;
  return true;
}

bool copyRow(Machine &machine, Thread &thread, const Step &step) {
  std::optional<uint64_t> address = barrierOf(machine, thread, step, 3);
  uint64_t size = 0;
  if (!address || !machine.readDefined(thread, step, 2, "the size of a copy", size))
    return false;
  Scalar low = machine.read(thread, step, 0), from = machine.readAddress(thread, step, 1);
  if (low.undefined || from.undefined)
    return machine.fail(FaultKind::UndefinedValue, "the address of a copy");
  uint64_t to = AddressSpaces::sharedBase() + uint32_t(low.bits);
  if ((to | from.bits | size) % 16 != 0)
    return machine.fail(FaultKind::Misaligned, "a copy of a row that is not aligned to 16 bytes");
  CopyBarrier::Row row = {to, std::vector<Scalar>(size)};
  for (uint64_t i = 0; i < size; ++i)
    if (!machine.load(thread, {from.bits + i, 0}, {nullptr, 8, 0}, {}, row.bytes[i]))
      return false;
  thread.block->copyBarriers[*address].rows.push_back(std::move(row));
  return machine.fill(thread, to, unknown(8), size);
}

/// Ends a phase, if it can end.
void end(Machine &machine, Thread &thread, CopyBarrier &barrier) {
  if (!barrier.canEnd)
    return;
  for (const CopyBarrier::Row &row : barrier.rows)
    machine.settle(thread, row.to, row.bytes);
  barrier.rows.clear();
  barrier.canEnd = false;
  barrier.isOdd = !barrier.isOdd;
}

/// The one thread arrives without which a phase does not end. Without all bytes, it never ends.
bool arrive(Machine &machine, Thread &thread, const Step &step) {
  std::optional<uint64_t> address = barrierOf(machine, thread, step, 0);
  if (!address)
    return false;
  CopyBarrier &barrier = thread.block->copyBarriers[*address];
  end(machine, thread, barrier);
  for (const CopyBarrier::Row &row : barrier.rows)
    barrier.expected -= row.bytes.size();
  if (barrier.expected != 0)
    return machine.fail(FaultKind::Deadlock, "a barrier expects other bytes than are copied");
  barrier.canEnd = true;
  return true;
}

/// Tells whether the phase of a parity has ended. A phase that can end does when a thread waits for
/// it.
bool hasEnded(Machine &machine, Thread &thread, const Step &step) {
  uint64_t parity = 0;
  std::optional<uint64_t> address = barrierOf(machine, thread, step, 0);
  if (!address || !machine.readDefined(thread, step, 1, "the parity of a phase", parity))
    return false;
  CopyBarrier &barrier = thread.block->copyBarriers[*address];
  bool awaitsOdd = (parity & 1) != 0;
  if (barrier.isOdd == awaitsOdd)
    end(machine, thread, barrier);
  bool ended = barrier.isOdd != awaitsOdd;
  machine.write(thread, step, {ended, 0});
  machine.offerSwitch();
  return true;
}

} // namespace

Builtin regrain::findBulkCopy(StringRef text) {
  if (text == "mbarrier.init.shared::cta.b64 [$0], 1")
    return makeBarrier;
  if (text == "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [$0], $1")
    return expectBytes;
  if (text == "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, "
              "[$3]")
    return copyRow;
  if (text == "mbarrier.arrive.shared::cta.b64 _, [$0]")
    return arrive;
  if (text == "mbarrier.try_wait.parity.shared::cta.b64 $0, [$1], $2")
    return hasEnded;
  return {};
}
