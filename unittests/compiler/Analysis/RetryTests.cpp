//===- RetryTests.cpp - Loops that retry, run alone -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that goes on only if a compare-and-exchange with the value just seen
// has failed ends at the second exchange if no other thread writes. Random
// loops for which that is claimed are run from all small states.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Retry.h"
#include "fuzz/Random.h"
#include "unittests/compiler/Analysis/Evaluator.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"

using namespace mlir;
using namespace regrain;

namespace {

/// A loop of two carried numbers around at most two exchanges at %p.
class Drawing {
public:
  explicit Drawing(uint64_t seed) : random(seed) {
    line("%yes = arith.constant true");
    line("%no = arith.constant false");
    line("%one = arith.constant 1 : i32");
    line("%r:2 = scf.while (%a = %n, %b = %m) : (i32, i32) -> (i32, i32) {");
    numbers = {"%a", "%a", "%b", "%one"};
    for (unsigned count = random.between(1, 2); count > 0; --count) {
      if (random.percent(40))
        load("%p");
      if (random.percent(15))
        choose();
      exchange(random.percent(85) ? "%p" : "%q");
    }
    if (random.percent(10))
      line("llvm.store %one, " + std::string(random.percent(50) ? "%p" : "%q") +
           " : i32, !llvm.ptr");
    for (unsigned count = random.below(3); count > 0; --count)
      combine();
    line("scf.condition(" + conditions.back() + ") " + any() + ", " + any() + " : i32, i32");
    line("} do {\n^bb0(%c: i32, %d: i32):");
    numbers = {"%c", "%c", "%d", "%one"};
    if (random.percent(30))
      load("%p");
    if (random.percent(10))
      increment();
    line("scf.yield " + any() + ", " + any() + " : i32, i32");
    line("}");
  }
  std::string kernel() const {
    return kernelText("%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %m: i32, %o: i1", text);
  }

private:
  void line(const std::string &content) { text += content + "\n"; }
  std::string fresh() { return "%v" + std::to_string(++names); }
  std::string any() { return random.of(numbers); }

  void load(const std::string &pointer) {
    std::string name = fresh();
    line(name + " = llvm.load volatile " + pointer + " : !llvm.ptr -> i32");
    numbers.insert(numbers.end(), {name, name, name});
  }
  void choose() {
    std::string name = fresh();
    line(name + " = arith.select %o, " + any() + ", " + any() + " : i32");
    numbers.insert(numbers.end(), {name, name});
  }
  void increment() {
    std::string name = fresh();
    line(name + " = arith.addi " + any() + ", %one : i32");
    numbers.push_back(name);
  }

  /// Makes an exchange, and a condition that its failure decides, or its success.
  void exchange(const std::string &pointer) {
    std::string pair = fresh(), seen = fresh(), success = fresh(), failed = fresh();
    std::string compared = any(), next = fresh();
    line(next + " = arith.addi " + compared + ", %one : i32");
    line(pair + " = llvm.cmpxchg " + pointer + ", " + compared + ", " + next +
         " monotonic monotonic : !llvm.ptr, i32");
    line(seen + " = llvm.extractvalue " + pair + "[0] : !llvm.struct<(i32, i1)>");
    line(success + " = llvm.extractvalue " + pair + "[1] : !llvm.struct<(i32, i1)>");
    numbers.insert(numbers.end(), {seen, seen});
    std::string with = random.percent(85) ? compared : any(), same = fresh();
    switch (random.below(4)) {
    case 0:
      line(failed + " = arith.cmpi ne, " + seen + ", " + with + " : i32");
      break;
    case 1:
      line(same + " = arith.cmpi eq, " + seen + ", " + with + " : i32");
      line(failed + " = arith.xori " + same + ", %yes : i1");
      break;
    case 2:
      line(failed + " = arith.cmpi ne, " + with + ", " + seen + " : i32");
      break;
    default:
      line(failed + " = arith.xori " + success + ", %yes : i1");
    }
    conditions.push_back(success);
    conditions.push_back(failed);
  }

  void combine() {
    std::string name = fresh(), a = conditions.back();
    std::string b = random.percent(30) ? "%o" : random.of(conditions);
    switch (random.below(5)) {
    case 0:
      line(name + " = arith.andi " + a + ", " + b + " : i1");
      break;
    case 1:
      line(name + " = arith.ori " + a + ", " + b + " : i1");
      break;
    case 2:
      line(name + " = arith.select " + b + ", " + a + ", %no : i1");
      break;
    case 3:
      line(name + " = arith.select " + b + ", " + a + ", " + random.of(conditions) + " : i1");
      break;
    default:
      line(name + " = scf.if " + b + " -> (i1) {\n  scf.yield " + a +
           " : i1\n} else {\n  scf.yield %no : i1\n}");
    }
    conditions.push_back(name);
  }

  fuzz::Random random;
  std::string text;
  std::vector<std::string> numbers, conditions;
  unsigned names = 0;
};

/// A state from which a loop is run.
struct Start {
  uint32_t n, m, memory;
  bool other, isSame; ///< %o; whether %q is %p
};

/// Returns the iterations after which the loop ends, or nothing if it does not.
std::optional<unsigned> iterationsFrom(grain::KernelOp kernel, const Start &start) {
  Region &body = kernel.getBody();
  Setting setting;
  Value p = body.getArgument(0), q = body.getArgument(1);
  setting.arguments[p] = {0, p, false};
  setting.arguments[q] = {0, start.isSame ? p : q, false};
  setting.arguments[body.getArgument(2)] = {start.n, {}, false};
  setting.arguments[body.getArgument(3)] = {start.m, {}, false};
  setting.arguments[body.getArgument(4)] = {start.other, {}, false};
  Memory memory;
  memory.store({0, p, false}, {start.memory, {}, false}, 4);
  unsigned count = 0;
  Evaluator evaluator(setting, [](Operation *, const Values &, const Iterations &) {});
  evaluator.setWatch([&](Value value, Number &) {
    auto argument = dyn_cast<BlockArgument>(value);
    count += argument && argument.getArgNumber() == 0 &&
             isa<scf::WhileOp>(argument.getOwner()->getParentOp()) &&
             argument.getOwner()->isEntryBlock() &&
             argument.getOwner()->getParent()->getRegionNumber() == 0;
  });
  evaluator.useMemory(memory);
  evaluator.run(kernel, {});
  return evaluator.isEndless() ? std::nullopt : std::optional(count);
}

TEST(Retry, AloneALoopEndsAtItsSecondTry) {
  GrainContext own;
  unsigned claims = 0, endless = 0;
  for (uint64_t seed = 1; seed <= 2000 && !HasFailure(); ++seed) {
    Drawing drawn(seed);
    ParsedKernel parsed(drawn.kernel(), own.context);
    Accesses accesses(parsed.kernel());
    scf::WhileOp loop;
    parsed.kernel().walk([&](scf::WhileOp op) { loop = op; });
    bool retries = isRetryLoop(loop, accesses);
    claims += retries;
    // Few of the other loops need to run: they show that loops of this kind can be endless.
    if (!retries && seed % 50 != 0)
      continue;
    for (unsigned state = 0; state < 3 * 3 * 3 * 4; ++state) {
      Start start = {state % 3, state / 3 % 3, state / 9 % 3, bool(state / 27 & 1),
                     bool(state / 27 & 2)};
      std::optional<unsigned> iterations = iterationsFrom(parsed.kernel(), start);
      endless += !iterations;
      if (!retries)
        continue;
      ASSERT_TRUE(iterations && *iterations <= 3)
          << "seed " << seed << " from n " << start.n << ", m " << start.m << ", memory "
          << start.memory << ", o " << start.other << ", " << start.isSame << ":\n"
          << drawn.kernel();
    }
  }
  EXPECT_GT(claims, 100u);
  EXPECT_GT(endless, 20u);
}

} // namespace
