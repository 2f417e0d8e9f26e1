//===- FaultTests.cpp - Faults that the interpreter reports ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/interpreter/RunKernel.h"

using namespace regrain;

namespace {

/// Returns "k" with the body `body`, in which %t is threadIdx.x and %own the
/// thread's element.
std::string kernel(llvm::StringRef body, llvm::StringRef before = "") {
  return (before + R"(
define void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr %out, i32 %t
)" + body +
          "\n}")
      .str();
}

TEST_F(RunKernel, OutOfBounds) {
  parse(kernel("store i32 1, ptr %own\n ret void"));
  EXPECT_EQ(faultOn(4, 4), std::nullopt);
  EXPECT_EQ(faultOn(4, 5), FaultKind::OutOfBounds);
  EXPECT_NE(message.find("write of 4 bytes"), std::string::npos) << message;
  EXPECT_NE(message.find("thread (4,0,0)"), std::string::npos) << message;
  EXPECT_NE(message.find("k:store"), std::string::npos) << message;
}

TEST_F(RunKernel, OutOfBounds_Null) {
  parse(kernel("%v = load i32, ptr null\n ret void"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::OutOfBounds);
}

TEST_F(RunKernel, OutOfBounds_LocalMemoryOfAReturnedCall) {
  parse(kernel("%p = call ptr @leak()\n store i32 1, ptr %p\n ret void",
               "define internal ptr @leak() {\n %a = alloca i32\n ret ptr %a\n}"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::OutOfBounds);
}

TEST_F(RunKernel, OutOfBounds_Constant) {
  parse(kernel("store i32 1, ptr addrspace(4) @c\n ret void", "@c = addrspace(4) constant i32 1"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::OutOfBounds);
  EXPECT_NE(message.find("constant"), std::string::npos) << message;
}

TEST_F(RunKernel, Misaligned) {
  parse(kernel("%p = getelementptr i8, ptr %own, i32 2\n store i32 1, ptr %p, align 4\n ret void"));
  EXPECT_EQ(faultOn(4, 1), FaultKind::Misaligned);
}

TEST_F(RunKernel, UndefinedBranch) {
  parse(kernel(R"(%a = alloca i32
  %v = load i32, ptr %a
  %c = icmp eq i32 %v, 0
  br i1 %c, label %x, label %y
x:
  ret void
y:
  ret void)"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::UndefinedValue);
}

/// Branches on the result of `condition` for %p, which is poison.
static std::string branchOnPoison(const std::string &condition) {
  return kernel("%wraps = add nsw i32 2147483647, 1\n %p = icmp eq i32 %wraps, 0\n" + condition +
                "\n br i1 %c, label %x, label %y\nx:\n ret void\ny:\n ret void");
}

TEST_F(RunKernel, Poison_IsDefinedByNoMask) {
  for (const char *condition :
       {"%c = and i1 %p, false", "%c = or i1 %p, true", "%c = select i1 %p, i1 true, i1 true",
        "%z = zext i1 %p to i32\n %c = icmp ult i32 %z, 8",
        "%m = call i32 @llvm.umin.i32(i32 %wraps, i32 0)\n %n = and i32 %m, 0\n"
        " %c = icmp eq i32 %n, 0"}) {
    parse(branchOnPoison(condition));
    EXPECT_EQ(faultOn(1, 1), FaultKind::UndefinedValue) << condition;
  }
}

TEST_F(RunKernel, Poison_ThatIsNotTakenOrFrozen) {
  for (const char *condition :
       {"%c = select i1 false, i1 %p, i1 true", "%f = freeze i1 %p\n %c = and i1 %f, false"}) {
    parse(branchOnPoison(condition));
    EXPECT_EQ(faultOn(1, 1), std::nullopt) << condition << ": " << message;
  }
}

TEST_F(RunKernel, UndefinedAddress_FromAnOverflow) {
  parse(kernel("%i = add nsw i32 2147483647, 1\n %p = getelementptr i32, ptr %own, i32 %i\n"
               "store i32 1, ptr %p\n ret void"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::UndefinedValue);
}

TEST_F(RunKernel, DivisionByZero) {
  parse(kernel("%v = load i32, ptr %own\n %q = udiv i32 1, %v\n ret void"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::DivisionByZero);
}

TEST_F(RunKernel, DivisionOverflow) {
  parse(kernel("%v = load i32, ptr %own\n %m = sub i32 %v, 1\n"
               "%q = sdiv i32 -2147483648, %m\n ret void"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::DivisionByZero);
}

constexpr const char *divergentBarrier = R"(%c = icmp ult i32 %t, 3
  br i1 %c, label %x, label %y
x:
  call void @llvm.nvvm.barrier0()
  br label %end
y:
  %n = call i32 @llvm.nvvm.barrier0.popc(i32 1)
  br label %end
end:
  ret void)";

TEST_F(RunKernel, DivergentBarrier) {
  parse(kernel(divergentBarrier));
  EXPECT_EQ(faultOn(8, 8), FaultKind::DivergentBarrier);
}

TEST_F(RunKernel, DivergentBarrier_TwoOfOneNumber) {
  std::string text = divergentBarrier;
  text.replace(text.find("%n = call i32 @llvm.nvvm.barrier0.popc(i32 1)"), 45,
               "call void @llvm.nvvm.barrier0()");
  parse(kernel(text));
  EXPECT_EQ(faultOn(8, 8), std::nullopt);
  EXPECT_EQ(faultOn(8, 8, {.sameBarrier = true}), FaultKind::DivergentBarrier);
}

TEST_F(RunKernel, Deadlock_OfLanes) {
  parse(kernel(R"(%c = icmp ult i32 %t, 3
  br i1 %c, label %x, label %y
x:
  call void @llvm.nvvm.bar.warp.sync(i32 15)
  ret void
y:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void)"));
  EXPECT_EQ(faultOn(8, 8), FaultKind::Deadlock);
}

TEST_F(RunKernel, Deadlock_MaskWithoutOwnLane) {
  parse(kernel("call void @llvm.nvvm.bar.warp.sync(i32 1)\n ret void"));
  EXPECT_EQ(faultOn(1, 1), std::nullopt);
  EXPECT_EQ(faultOn(2, 2), FaultKind::Deadlock);
}

TEST_F(RunKernel, StepLimit) {
  parse(kernel("br label %x\nx:\n br label %x"));
  EXPECT_EQ(faultOn(1, 1, {.stepLimit = 1000}), FaultKind::StepLimit);
}

TEST_F(RunKernel, StackOverflow) {
  parse(kernel("call void @f()\n ret void",
               "define internal void @f() {\n call void @f()\n ret void\n}"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::StackOverflow);
}

TEST_F(RunKernel, Trap) {
  parse(kernel("call void @llvm.trap()\n unreachable", "declare void @llvm.trap()"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::Trap);
}

TEST_F(RunKernel, Unsupported_ByName) {
  parse(kernel("call void @unknown()\n ret void", "declare void @unknown()"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::Unsupported);
  EXPECT_NE(message.find("the function unknown"), std::string::npos) << message;
  for (const char *body : {"%v = atomicrmw add ptr %out, i128 1 monotonic",
                           "%v = load atomic i128, ptr %out monotonic, align 16",
                           "%w = zext i32 %t to i128\n switch i128 %w, label %b [ ]\nb:"}) {
    parse(kernel(std::string(body) + "\n ret void"));
    EXPECT_EQ(faultOn(4, 1), FaultKind::Unsupported);
    EXPECT_NE(message.find("i128"), std::string::npos) << message;
  }
  parse(kernel("call void asm sideeffect \"bar.red;\", \"\"()\n ret void"));
  EXPECT_EQ(faultOn(1, 1), FaultKind::Unsupported);
  EXPECT_NE(message.find("bar.red"), std::string::npos) << message;
}

TEST_F(RunKernel, BadLaunch) {
  parse(kernel("%v = load i32, ptr @gone\n ret void", "@gone = external global i32"));
  EXPECT_EQ(run({}), FaultKind::BadLaunch) << "no arguments";
  EXPECT_EQ(run(KernelLaunch().with(int32_t(1))), FaultKind::BadLaunch) << "too small an argument";
  EXPECT_EQ(faultOn(1, 1), FaultKind::BadLaunch);
  EXPECT_NE(message.find("gone"), std::string::npos) << message;
  EXPECT_EQ(faultOn(1, 0), FaultKind::BadLaunch);
}

TEST_F(RunKernel, CoordinateObjects_HaveAnAddressAndNoContent) {
  llvm::StringRef before = "@blockIdx = external addrspace(1) global {i8}";
  parse(kernel("%c = icmp eq ptr addrspacecast (ptr addrspace(1) @blockIdx to ptr), %out\n"
               "ret void",
               before));
  EXPECT_EQ(faultOn(1, 1), std::nullopt) << message;
  parse(kernel("%v = load i8, ptr addrspace(1) @blockIdx\n ret void", before));
  EXPECT_EQ(faultOn(1, 1), FaultKind::OutOfBounds);
}

constexpr const char *readNeighbour = R"(%n = add i32 %t, 1
  %next = getelementptr i32, ptr %out, i32 %n
  store i32 1, ptr %own
  BETWEEN
  %v = load i32, ptr %next
  ret void)";

std::string between(llvm::StringRef what) {
  std::string text = readNeighbour;
  text.replace(text.find("BETWEEN"), 7, what.str());
  return kernel(text);
}

TEST_F(RunKernel, Race_InABlock) {
  parse(between(""));
  for (uint64_t seed = 0; seed < 4; ++seed)
    EXPECT_EQ(faultOn(65, 64, {.seed = seed, .races = RaceCheck::Block}), FaultKind::Race);
  EXPECT_EQ(faultOn(65, 64), std::nullopt) << "only where it is asked for";
  parse(between("call void @llvm.nvvm.barrier0()"));
  EXPECT_EQ(faultOn(65, 64, {.races = RaceCheck::Block}), std::nullopt) << message;
}

TEST_F(RunKernel, Race_WarpsAreOrderedByWarpOperationsAlone) {
  parse(between("call void @llvm.nvvm.bar.warp.sync(i32 -1)"));
  EXPECT_EQ(faultOn(33, 32, {.races = RaceCheck::Block}), std::nullopt) << message;
  EXPECT_EQ(faultOn(65, 64, {.races = RaceCheck::Block}), FaultKind::Race)
      << "lane 31 reads what the next warp writes";
}

TEST_F(RunKernel, Race_BetweenBlocks) {
  parse(kernel("%b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
               "store i32 %b, ptr %own\n ret void"));
  EXPECT_EQ(faultOn(4, 4, {.races = RaceCheck::Block}, 2), std::nullopt);
  EXPECT_EQ(faultOn(4, 4, {.races = RaceCheck::Grid}, 2), FaultKind::Race);
  parse(kernel("store i32 7, ptr %own\n ret void"));
  EXPECT_EQ(faultOn(4, 4, {.races = RaceCheck::Grid}, 2), std::nullopt) << "the same value";
}

TEST_F(RunKernel, Race_WithTheLaunchInFront) {
  const char *wait = R"(call void asm sideeffect "griddepcontrol.wait;", "~{memory}"()
  )";
  const char *store = R"(call void asm sideeffect "griddepcontrol.launch_dependents;", ""()
  store i32 1, ptr %own
  )";
  parse(kernel(std::string(wait) + store + "ret void"));
  EXPECT_EQ(faultOn(4, 4), std::nullopt);
  parse(kernel(std::string(store) + wait + "ret void"));
  EXPECT_EQ(faultOn(4, 4), FaultKind::Race);
  EXPECT_NE(message.find("before the wait"), std::string::npos) << message;
}

TEST_F(RunKernel, Race_BetweenTheLaunchesAround) {
  const std::string hint = R"(call void asm sideeffect "griddepcontrol.launch_dependents;", ""()
  )",
                    wait = R"(call void asm sideeffect "griddepcontrol.wait;", "~{memory}"()
  )";
  const InterpreterOptions strict = {.hintsFollowWaits = true, .allWait = true};
  parse(kernel(wait + hint + "ret void"));
  EXPECT_EQ(faultOn(4, 4, strict), std::nullopt) << message;
  parse(kernel(hint + wait + "ret void"));
  EXPECT_EQ(faultOn(4, 4), std::nullopt) << message;
  EXPECT_EQ(faultOn(4, 4, strict), FaultKind::Race);
  EXPECT_NE(message.find("a hint to the launch behind"), std::string::npos) << message;
  parse(kernel("ret void"));
  EXPECT_EQ(faultOn(4, 4), std::nullopt) << message;
  EXPECT_EQ(faultOn(4, 4, strict), FaultKind::Race);
  EXPECT_NE(message.find("a thread ends"), std::string::npos) << message;
}

TEST_F(RunKernel, Race_AtomicWithPlain) {
  parse(kernel("%o = atomicrmw add ptr %out, i32 1 monotonic\n"
               "%v = load i32, ptr %out\n ret void"));
  EXPECT_EQ(faultOn(4, 4, {.races = RaceCheck::Block}), FaultKind::Race);
}

} // namespace
