//===- TicketsTests.cpp - Loops that draw tickets, run alone --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that draws tickets needs no other thread. Random loops for which that
// is claimed are run alone: each must end after few tickets, unless no ticket
// at all ends it.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/ThreadSummary.h"
#include "fuzz/Random.h"
#include "unittests/compiler/Analysis/Evaluator.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"

using namespace mlir;
using namespace regrain;

namespace {

/// A loop that draws from the counter at %p, computes numbers from the ticket and compares them.
class Drawing {
public:
  explicit Drawing(uint64_t seed) : random(seed) {
    line("%yes = arith.constant true");
    line("%no = arith.constant false");
    for (int number : {1, 2, 3, 5, 20, -1, -4})
      line("%c" + nameOf(number) + " = arith.constant " + std::to_string(number) + " : i32");
    line("scf.while : () -> () {");
    static const std::vector<int> steps = {1, 1, 2, 3, -1};
    bool adds = random.percent(70);
    int added = random.of(steps);
    step = adds ? added : -added;
    line("%ticket = llvm.atomicrmw " + std::string(adds ? "add" : "sub") + " %p, %c" +
         nameOf(added) + " monotonic : !llvm.ptr, i32");
    numbers = {"%ticket"};
    for (unsigned count = random.below(3); count > 0; --count)
      compute();
    for (unsigned count = random.between(1, 3); count > 0; --count)
      compare();
    for (unsigned count = random.below(4); count > 0; --count)
      combine();
    line("scf.condition(" + conditions.back() + ")");
    line("} do {\nscf.yield\n}");
  }
  std::string kernel() const { return kernelText("%p: !llvm.ptr, %n: i32, %o: i1, %u: i1", text); }
  int step = 0; ///< from one ticket to the next

private:
  static std::string nameOf(int number) {
    return number < 0 ? "m" + std::to_string(-number) : std::to_string(number);
  }
  void line(const std::string &content) { text += content + "\n"; }
  std::string fresh() { return "%v" + std::to_string(++names); }
  std::string constant() {
    static const std::vector<std::string> constants = {"%c1",  "%c2",  "%c3", "%c5",
                                                       "%c20", "%cm4", "%n",  "%tx"};
    return random.of(constants);
  }

  void compute() {
    static const std::vector<std::string> operations = {"addi",  "addi",  "subi", "muli", "shli",
                                                        "divsi", "divui", "andi", "xori"};
    static const std::vector<std::string> flags = {"", " overflow<nsw>", " overflow<nuw>"};
    std::string operation = random.of(operations), name = fresh();
    bool mayPromise =
        operation == "addi" || operation == "subi" || operation == "muli" || operation == "shli";
    std::string left = random.of(numbers), right = random.percent(90) ? constant() : left;
    line(name + " = arith." + operation + " " + left + ", " + right +
         (mayPromise ? random.of(flags) : "") + " : i32");
    numbers.push_back(name);
  }

  void compare() {
    static const std::vector<std::string> predicates = {"slt", "sle", "sgt", "sge", "ult",
                                                        "ule", "ugt", "uge", "eq",  "ne"};
    std::string name = fresh(), left = numbers.back(), right = constant();
    if (random.percent(20))
      std::swap(left, right);
    line(name + " = arith.cmpi " + random.of(predicates) + ", " + left + ", " + right + " : i32");
    conditions.push_back(name);
  }

  std::string condition() {
    static const std::vector<std::string> others = {"%o", "%u", "%yes", "%no"};
    return random.percent(30) ? random.of(others) : random.of(conditions);
  }

  void combine() {
    std::string name = fresh(), a = condition(), b = condition(), c = condition();
    switch (random.below(4)) {
    case 0:
      line(name + " = arith.andi " + a + ", " + b + " : i1");
      break;
    case 1:
      line(name + " = arith.ori " + a + ", " + b + " : i1");
      break;
    case 2:
      line(name + " = arith.xori " + a + ", %yes : i1");
      break;
    default:
      line(name + " = arith.select " + a + ", " + b + ", " + c + " : i1");
    }
    conditions.push_back(name);
  }

  fuzz::Random random;
  std::string text;
  std::vector<std::string> numbers, conditions;
  unsigned names = 0;
};

/// The arguments of a kernel.
struct Given {
  uint32_t n;
  bool o, u;
};

enum class Outcome { Ends, Undefined, GoesOn };

/// Returns what becomes of the loop within its first `rounds` tickets, if the counter is at
/// `first`.
Outcome outcomeOf(grain::KernelOp kernel, const Given &given, uint32_t first, unsigned rounds) {
  Region &body = kernel.getBody();
  Setting setting;
  Value p = body.getArgument(0);
  setting.arguments[p] = {0, p, false};
  setting.arguments[body.getArgument(1)] = {given.n, {}, false};
  setting.arguments[body.getArgument(2)] = {given.o, {}, false};
  setting.arguments[body.getArgument(3)] = {given.u, {}, false};
  Memory memory;
  memory.store({0, p, false}, {first, {}, false}, 4);
  Evaluator evaluator(setting, [](Operation *, const Values &, const Iterations &) {});
  evaluator.useMemory(memory);
  evaluator.setMaxRounds(rounds);
  if (evaluator.run(kernel, {{0, 0, 0}, {3, 0, 0}}))
    return Outcome::Ends;
  return evaluator.isEndless() ? Outcome::GoesOn : Outcome::Undefined;
}

/// Returns whether a ticket ends the loop that this counter gives, has given, or gives after it was
/// reset to a multiple of its step before.
bool canEnd(grain::KernelOp kernel, const Given &given, uint32_t first, int step) {
  std::vector<int32_t> distances = {1 << 15, -(1 << 15), 1 << 20, -(1 << 20)};
  for (int32_t distance = -60; distance <= 60; ++distance)
    distances.push_back(distance);
  return llvm::any_of(distances, [&](int32_t distance) {
    return outcomeOf(kernel, given, first + uint32_t(distance * step), 1) == Outcome::Ends;
  });
}

TEST(Tickets, AloneALoopEnds) {
  GrainContext own;
  unsigned claims = 0, others = 0;
  for (uint64_t seed = 1; seed <= 2500 && !HasFailure(); ++seed) {
    Drawing drawn(seed);
    ParsedKernel parsed(drawn.kernel(), own.context);
    if (ThreadSummary(parsed.kernel()).findWait()) {
      ++others;
      continue;
    }
    ++claims;
    for (uint32_t first : {0u, 1u, 6u, 30u})
      for (unsigned choice = 0; choice < 8; ++choice) {
        Given given = {choice & 4 ? 11u : 3u, bool(choice & 1), bool(choice & 2)};
        EXPECT_TRUE(outcomeOf(parsed.kernel(), given, first, 400) != Outcome::GoesOn ||
                    !canEnd(parsed.kernel(), given, first, drawn.step))
            << "seed " << seed << " from " << first << " with n " << int32_t(given.n) << ", o "
            << given.o << ", u " << given.u << ":\n"
            << drawn.kernel();
      }
  }
  EXPECT_GT(claims, 200u);
  EXPECT_GT(others, 200u);
}

} // namespace
