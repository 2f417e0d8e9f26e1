//===- CollectiveBuiltins.cpp - What threads do together ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Builtins.h"
#include "interpreter/Machine.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace regrain;

namespace {

/// The roles of the operands of a call; -1: there is none.
struct Roles {
  int mask = -1, value = -1, b = -1, c = -1;
};

Builtin collective(Collective kind, Roles roles) {
  return [kind, roles](Machine &machine, Thread &thread, const Step &step) {
    Wait wait = {kind, 0, {1, 0}, 0, 0, &step};
    auto take = [&](int operand, StringRef what, uint32_t &value) {
      uint64_t bits = 0;
      if (operand >= 0 && !machine.readDefined(thread, step, operand, what, bits))
        return false;
      value = bits;
      return true;
    };
    if (!take(roles.mask, "the mask of a warp operation", wait.mask) ||
        !take(roles.b, "an operand of a barrier or shuffle", wait.b) ||
        !take(roles.c, "an operand of a barrier or shuffle", wait.c))
      return false;
    if (roles.mask >= 0 && !(wait.mask >> thread.clock.lane() & 1))
      return machine.fail(FaultKind::Deadlock, "a lane waits with a mask that does not name it");
    if (roles.value >= 0)
      wait.value = machine.read(thread, step, roles.value);
    machine.suspend(thread, wait);
    return true;
  };
}

Builtin findShuffle(StringRef name) {
  bool sync = name.consume_front("sync.");
  auto [mode, type] = name.split('.');
  auto kind = StringSwitch<std::optional<Collective>>(mode)
                  .Case("idx", Collective::ShuffleIndex)
                  .Case("up", Collective::ShuffleUp)
                  .Case("down", Collective::ShuffleDown)
                  .Case("bfly", Collective::ShuffleXor)
                  .Default(std::nullopt);
  if (!kind)
    return {};
  return collective(*kind, sync ? Roles{0, 1, 2, 3} : Roles{-1, 0, 1, 2});
}

} // namespace

Builtin regrain::findCollective(StringRef name) {
  if (name.consume_front("shfl."))
    return findShuffle(name);
  return StringSwitch<Builtin>(name)
      .Case("barrier0", collective(Collective::Barrier, {}))
      .Case("barrier0.and", collective(Collective::BarrierAnd, {-1, 0}))
      .Case("barrier0.or", collective(Collective::BarrierOr, {-1, 0}))
      .Case("barrier0.popc", collective(Collective::BarrierCount, {-1, 0}))
      .Cases("barrier.n", "bar.sync", "barrier.sync", collective(Collective::Barrier, {-1, -1, 0}))
      .Cases("barrier", "barrier.sync.cnt", collective(Collective::Barrier, {-1, -1, 0, 1}))
      .Case("bar.warp.sync", collective(Collective::WarpSync, {0}))
      .Case("vote.all.sync", collective(Collective::VoteAll, {0, 1}))
      .Case("vote.any.sync", collective(Collective::VoteAny, {0, 1}))
      .Case("vote.uni.sync", collective(Collective::VoteUniform, {0, 1}))
      .Case("vote.ballot.sync", collective(Collective::Ballot, {0, 1}))
      .Case("vote.all", collective(Collective::VoteAll, {-1, 0}))
      .Case("vote.any", collective(Collective::VoteAny, {-1, 0}))
      .Case("vote.uni", collective(Collective::VoteUniform, {-1, 0}))
      .Case("vote.ballot", collective(Collective::Ballot, {-1, 0}))
      .Case("activemask", collective(Collective::Ballot, {}))
      .Cases("match.any.sync.i32", "match.any.sync.i64", collective(Collective::MatchAny, {0, 1}))
      .Cases("match.all.sync.i32p", "match.all.sync.i64p", collective(Collective::MatchAll, {0, 1}))
      .Case("redux.sync.add", collective(Collective::ReduceAdd, {1, 0}))
      .Case("redux.sync.min", collective(Collective::ReduceMin, {1, 0}))
      .Case("redux.sync.max", collective(Collective::ReduceMax, {1, 0}))
      .Case("redux.sync.umin", collective(Collective::ReduceUMin, {1, 0}))
      .Case("redux.sync.umax", collective(Collective::ReduceUMax, {1, 0}))
      .Case("redux.sync.and", collective(Collective::ReduceAnd, {1, 0}))
      .Case("redux.sync.or", collective(Collective::ReduceOr, {1, 0}))
      .Case("redux.sync.xor", collective(Collective::ReduceXor, {1, 0}))
      .Default(Builtin());
}
