//===- CoverageTests.cpp - Every thread runs once at every grain ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random launches and grains are tested: a kernel that counts each (block,
// thread) as which it runs is raised, re-grained and exported, launched as the
// runtime would, and interpreted with race detection. Each count must be 1.
//
//===----------------------------------------------------------------------===//
#include "compiler/Dialect/Grain/LentMemory.h"
#include "compiler/Export/Export.h"
#include "compiler/Transforms/ApplyGrain.h"
#include "interpreter/Interpreter.h"
#include "runtime/core/alternative.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <random>

using namespace regrain;

namespace {

/// Each kernel has pointers to its counts and to its neighbour's values, and
/// the number of threads that take part.
constexpr const char *deviceCode = R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@slots = internal addrspace(3) global [512 x i32] undef, align 4
@pool = external addrspace(3) global [0 x i32], align 4

define internal i32 @linear(i32 %x, i32 %y, i32 %z, i32 %nx, i32 %ny) alwaysinline {
  %zy = mul i32 %z, %ny
  %yz = add i32 %zy, %y
  %yx = mul i32 %yz, %nx
  %r = add i32 %yx, %x
  ret i32 %r
}
define internal i32 @thread() alwaysinline {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %r = call i32 @linear(i32 %x, i32 %y, i32 %z, i32 %nx, i32 %ny)
  ret i32 %r
}
define internal i32 @threads() alwaysinline {
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %nxy = mul i32 %nx, %ny
  %r = mul i32 %nxy, %nz
  ret i32 %r
}
define internal i32 @identity() alwaysinline {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %b = call i32 @linear(i32 %x, i32 %y, i32 %z, i32 %nx, i32 %ny)
  %n = call i32 @threads()
  %bn = mul i32 %b, %n
  %t = call i32 @thread()
  %r = add i32 %bn, %t
  ret i32 %r
}
define void @plain(ptr %counts, ptr %said, i32 %n) {
  %i = call i32 @identity()
  %p = getelementptr i32, ptr %counts, i32 %i
  %o = atomicrmw add ptr %p, i32 1 monotonic
  ret void
}
define void @guarded(ptr %counts, ptr %said, i32 %n) {
  %i = call i32 @identity()
  %c = icmp slt i32 %i, %n
  br i1 %c, label %in, label %out
in:
  %p = getelementptr i32, ptr %counts, i32 %i
  %o = atomicrmw add ptr %p, i32 1 monotonic
  br label %out
out:
  ret void
}
define internal void @exchange(ptr %counts, ptr %said, ptr %space) alwaysinline {
  %i = call i32 @identity()
  %t = call i32 @thread()
  %own = getelementptr i32, ptr %space, i32 %t
  store i32 %i, ptr %own
  call void @llvm.nvvm.barrier0()
  %m = call i32 @threads()
  %t1 = add i32 %t, 1
  %next = urem i32 %t1, %m
  %other = getelementptr i32, ptr %space, i32 %next
  %v = load i32, ptr %other
  %s = getelementptr i32, ptr %said, i32 %i
  store i32 %v, ptr %s
  %p = getelementptr i32, ptr %counts, i32 %i
  %o = atomicrmw add ptr %p, i32 1 monotonic
  ret void
}
define void @shared(ptr %counts, ptr %said, i32 %n) {
  %s = addrspacecast ptr addrspace(3) @slots to ptr
  call void @exchange(ptr %counts, ptr %said, ptr %s)
  ret void
}
define void @dynamic(ptr %counts, ptr %said, i32 %n) {
  %s = addrspacecast ptr addrspace(3) @pool to ptr
  call void @exchange(ptr %counts, ptr %said, ptr %s)
  ret void
}
define void @levels(ptr %counts, ptr %said, i32 %n) {
  %i = call i32 @identity()
  %t = call i32 @thread()
  %m = call i32 @threads()
  %own = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @slots to ptr), i32 %t
  store i32 %i, ptr %own
  call void @llvm.nvvm.barrier0()
  %near = xor i32 %t, 4
  %nearer = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @slots to ptr), i32 %near
  %v = load i32, ptr %nearer
  call void @llvm.nvvm.barrier0()
  store i32 %v, ptr %own
  call void @llvm.nvvm.barrier0()
  %t33 = add i32 %t, 33
  %far = urem i32 %t33, %m
  %other = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @slots to ptr), i32 %far
  %w = load i32, ptr %other
  %s = getelementptr i32, ptr %said, i32 %i
  store i32 %w, ptr %s
  %p = getelementptr i32, ptr %counts, i32 %i
  %o = atomicrmw add ptr %p, i32 1 monotonic
  ret void
}
define void @rows(ptr %counts, ptr %said, i32 %n) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %row = mul nsw i32 %b, %n
  br label %first
first:
  %j = phi i32 [ %t, %0 ], [ %jn, %firstbody ]
  %c = icmp slt i32 %j, %n
  br i1 %c, label %firstbody, label %between
firstbody:
  %at = add nsw i32 %row, %j
  %wide = sext i32 %at to i64
  %p = getelementptr inbounds i32, ptr %said, i64 %wide
  %v = load i32, ptr %p
  %v1 = add i32 %v, %j
  store i32 %v1, ptr %p
  %jn = add nsw i32 %j, %m
  br label %first
between:
  call void @llvm.nvvm.barrier0()
  br label %second
second:
  %k = phi i32 [ %t, %between ], [ %kn, %secondbody ]
  %d = icmp slt i32 %k, %n
  br i1 %d, label %secondbody, label %out
secondbody:
  %to = add nsw i32 %row, %k
  %far = sext i32 %to to i64
  %q = getelementptr inbounds i32, ptr %said, i64 %far
  %w = load i32, ptr %q
  %r = getelementptr inbounds i32, ptr %counts, i64 %far
  %u = load i32, ptr %r
  %x = sub i32 %w, %k
  %x1 = add i32 %x, 1
  %y = add i32 %u, %x1
  store i32 %y, ptr %r
  %kn = add nsw i32 %k, %m
  br label %second
out:
  ret void
}
define void @split(ptr %counts, ptr %said, i32 %n) {
  %i = call i32 @identity()
  %c = icmp slt i32 %i, %n
  br i1 %c, label %in, label %out
in:
  %row = mul nsw i32 %i, 64
  br label %loop
loop:
  %j = phi i32 [ 0, %in ], [ %jn, %body ]
  %d = icmp slt i32 %j, 64
  br i1 %d, label %body, label %out
body:
  %at = add nsw i32 %row, %j
  %wide = sext i32 %at to i64
  %p = getelementptr inbounds i32, ptr %counts, i64 %wide
  %v = load i32, ptr %p
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %p
  %jn = add nsw i32 %j, 1
  br label %loop
out:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
declare void @llvm.nvvm.barrier0()
!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6}
!0 = !{ptr @plain, !"kernel", i32 1}
!1 = !{ptr @guarded, !"kernel", i32 1}
!2 = !{ptr @shared, !"kernel", i32 1}
!3 = !{ptr @dynamic, !"kernel", i32 1}
!4 = !{ptr @levels, !"kernel", i32 1}
!5 = !{ptr @rows, !"kernel", i32 1}
!6 = !{ptr @split, !"kernel", i32 1}
)";

uint64_t product(const Extent &extent) { return uint64_t(extent[0]) * extent[1] * extent[2]; }

/// A launch of at most 432 threads per block, and a grain whose thread factors
/// divide the block to which they apply.
struct Case {
  LaunchShape program;
  Grain grain;
  int32_t taking = 0; ///< threads that take part, parameter 2
};

class RandomCase {
public:
  RandomCase(std::mt19937 &random, bool mayReshape, bool mayDemote)
      : random(random), mayReshape(mayReshape), mayDemote(mayDemote) {}

  Case draw() {
    for (int d = 0; d < 3; ++d) {
      result.program.grid[d] = upTo(d == 0 ? 9 : 3);
      grain.block[d] = random() % 2 ? upTo(d == 0 ? 7 : 3) : 1;
      grain.thread[d] = random() % 2 ? upTo(3) : 1;
      result.program.block[d] = grain.thread[d] * upTo(d == 0 ? 4 : 2);
    }
    while (product(grain.block) * product(grain.thread) > 36)
      (product(grain.block) > product(grain.thread) ? grain.block : grain.thread) = {1, 1, 1};
    if (random() % 3 == 0)
      regroup();
    grain.contiguous = product(grain.thread) != 1 && random() % 2;
    grain.remainder = llvm::count(grain.block, 1u) == 2 && random() % 2;
    // A launched block that is known to have one thread keeps nothing in shared
    // memory.
    bool isAlone = product(result.program.block) == product(grain.thread);
    if (mayDemote && random() % 2 && !isAlone)
      grain.shared = SharedArrays::Global;
    result.program.dynamicSharedBytes = product(result.program.block) * sizeof(int32_t);
    return result;
  }

  /// Some or all values of the launch are known.
  void specialise(int32_t taking) {
    if (random() % 2)
      grain.known.block = result.program.block;
    if (random() % 2)
      grain.known.grid = result.program.grid;
    if (random() % 2)
      grain.known.arguments[2] = taking;
    else if (taking % 2 == 0)
      grain.known.multiples[2] = taking % 4 == 0 ? 4 : 2;
    if (!findContradiction(grain).empty())
      grain.known = {};
  }

  Case result;

private:
  uint32_t upTo(uint32_t most) { return 1 + random() % most; }

  /// Other blocks have any size, and the thread factors divide it.
  void regroup() {
    if (mayReshape && random() % 2) {
      grain.shape = {1, 1, 1};
      for (int d = 0; d < 3; ++d)
        (*grain.shape)[d] = grain.thread[d] * upTo(d == 0 ? 9 : 3);
    } else {
      for (int d = 0; d < 3; ++d)
        grain.fuse[d] = upTo(d == 0 ? 4 : 2);
    }
  }

  std::mt19937 &random;
  bool mayReshape, mayDemote;
  Grain &grain = result.grain;
};

/// A kernel at a grain.
struct Regrained {
  std::unique_ptr<llvm::Module> code; ///< null if the grain is refused
  bool wholeWarps = false;
  uint64_t lentBytes = 0; ///< of a launched block
};

class CoverageTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    registerGrainIRDialects(registry);
    mlirContext.appendDialectRegistry(registry);
    mlirContext.loadAllAvailableDialects();
    llvm::SMDiagnostic diagnostic;
    device = llvm::parseAssemblyString(deviceCode, diagnostic, llvmContext);
    ASSERT_TRUE(device) << diagnostic.getMessage().str() << " in line " << diagnostic.getLineNo();
    auto result = importDeviceModule(*device, {GetParam()}, mlirContext);
    ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
    ASSERT_TRUE(result->notRaised().empty()) << result->notRaised().front().second.reason;
    imported.emplace(std::move(*result));
  }

  /// Returns the result of applyGrain.
  Regrained regrain(GrainPart part, const Grain &grain) {
    mlir::OwningOpRef<mlir::ModuleOp> clone = imported->module().clone();
    auto kernel = clone->lookupSymbol<grain::KernelOp>(GetParam());
    if (auto refusal = applyGrain(kernel, grain, part)) {
      ADD_FAILURE() << refusal->refusal.reason;
      return {};
    }
    Regrained result;
    kernel.walk([&](grain::ThreadsOp threads) { result.wholeWarps |= threads.getWholeWarps(); });
    kernel.walk([&](grain::BlocksOp blocks) { result.lentBytes = grain::lentBytes(blocks); });
    auto exported = exportKernel(kernel, *imported, "k", llvmContext);
    EXPECT_TRUE(static_cast<bool>(exported)) << llvm::toString(exported.takeError());
    if (exported)
      result.code = std::move(*exported);
    return result;
  }

  bool isGuarded() const { return GetParam() == std::string_view("guarded"); }
  bool exchanges() const { return !isGuarded() && GetParam() != std::string_view("plain"); }
  bool hasStaticShared() const { return GetParam() == std::string_view("shared"); }

  void launchAll(const Case &launched, KernelLaunch launch, DeviceMemory &memory, uint64_t seed);
  void check(const Case &launched, uint64_t seed);

  llvm::LLVMContext llvmContext;
  mlir::MLIRContext mlirContext;
  std::unique_ptr<llvm::Module> device;
  std::optional<ImportedModule> imported;
};

/// Launches as the runtime does, with the program's arguments in `launch`.
void CoverageTest::launchAll(const Case &launched, KernelLaunch launch, DeviceMemory &memory,
                             uint64_t seed) {
  Regrained whole = regrain(GrainPart::Whole, launched.grain);
  ASSERT_TRUE(whole.code) << "no grain of these kernels is illegal";
  auto shape = scaleToGrain(launched.program, launched.grain, whole.wholeWarps);
  ASSERT_TRUE(shape) << describe(shape.error());
  auto remainder = remainderOf(launched.program, launched.grain);
  ASSERT_EQ(whole.lentBytes != 0, launched.grain.takesLentMemory());
  if (whole.lentBytes) {
    uint64_t blocks =
        std::max(product(shape->grid), remainder ? product(remainder->shape.grid) : 0);
    launch.with(memory.allocate(blocks * whole.lentBytes));
  }
  auto append = [&](const Extent &extent) {
    for (uint32_t size : extent)
      launch.with(size);
  };
  if (launched.grain.takesGrid())
    append(launched.program.grid);
  if (launched.grain.takesBlock())
    append(launched.program.block);
  auto run = [&](const llvm::Module &code, const LaunchShape &scaled) {
    ASSERT_EQ(code.getFunction("k")->arg_size(), launch.arguments.size());
    launch.grid = scaled.grid;
    launch.block = scaled.block;
    launch.dynamicSharedBytes = scaled.dynamicSharedBytes;
    llvm::Error error =
        interpretKernel(code, "k", launch, memory, {.seed = seed, .races = RaceCheck::Grid});
    ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  };
  if (product(shape->grid) != 0)
    run(*whole.code, *shape);
  if (!remainder)
    return;
  append(remainder->first);
  Regrained rest = regrain(GrainPart::Remainder, launched.grain);
  ASSERT_TRUE(rest.code) << "no grain of these kernels is illegal";
  run(*rest.code, remainder->shape);
}

void CoverageTest::check(const Case &launched, uint64_t seed) {
  uint64_t inBlock = product(launched.program.block);
  uint64_t all = product(launched.program.grid) * inBlock;
  DeviceMemory memory;
  uint64_t counts = memory.copyIn(std::vector<int32_t>(all));
  uint64_t said = memory.copyIn(std::vector<int32_t>(all));
  KernelLaunch launch;
  launch.with(counts).with(said).with(launched.taking);
  launchAll(launched, launch, memory, seed);
  if (testing::Test::HasFatalFailure())
    return;
  std::vector<int32_t> count = memory.copyOut<int32_t>(counts, all);
  std::vector<int32_t> heard = memory.copyOut<int32_t>(said, all);
  for (uint64_t i = 0; i < all; ++i) {
    ASSERT_EQ(count[i], int64_t(i) < launched.taking) << "thread " << i;
    if (exchanges())
      ASSERT_EQ(heard[i], int32_t(i / inBlock * inBlock + (i % inBlock + 1) % inBlock))
          << "what thread " << i << " reads in shared memory";
  }
}

TEST_P(CoverageTest, EachThreadOnce) {
  std::mt19937 random(20);
  constexpr unsigned cases = 150;
  unsigned ran = 0, regrouped = 0, remainders = 0, specialised = 0, demoted = 0;
  for (unsigned number = 0; number < cases; ++number) {
    // Values that the threads of a block exchange bind them to it.
    RandomCase draw(random, /*mayReshape=*/!exchanges(), /*mayDemote=*/hasStaticShared());
    Case launched = draw.draw();
    uint64_t all = product(launched.program.grid) * product(launched.program.block);
    launched.taking = int32_t(isGuarded() ? all * 2 / 3 : all);
    if (random() % 2) {
      draw.specialise(launched.taking);
      launched.grain = draw.result.grain;
    }
    regrouped += launched.grain.shape || product(launched.grain.fuse) != 1;
    remainders += remainderOf(launched.program, launched.grain).has_value();
    specialised += !launched.grain.known.empty();
    demoted += launched.grain.takesLentMemory();
    SCOPED_TRACE("case " + std::to_string(number) + ", grain " + toString(launched.grain));
    check(launched, number);
    if (testing::Test::HasFatalFailure())
      return;
    ++ran;
  }
  EXPECT_EQ(ran, cases);
  EXPECT_GT(regrouped, cases / 5);
  EXPECT_GT(remainders, cases / 20);
  EXPECT_GT(specialised, cases / 5);
  EXPECT_EQ(demoted > cases / 5, hasStaticShared());
}

INSTANTIATE_TEST_SUITE_P(Kernels, CoverageTest,
                         testing::Values("plain", "guarded", "shared", "dynamic"),
                         [](const auto &info) { return std::string(info.param); });

/// Grains of keys that apply to kernels of one form only: none of them is refused here.
class KeyCoverageTest : public CoverageTest {
protected:
  /// Launches at a grain, with so many elements in each array; returns both arrays.
  std::array<std::vector<int32_t>, 2> run(const Case &launched, uint64_t elements) {
    DeviceMemory memory;
    uint64_t counts = memory.copyIn(std::vector<int32_t>(elements));
    uint64_t said = memory.copyIn(std::vector<int32_t>(elements));
    KernelLaunch launch;
    launch.with(counts).with(said).with(launched.taking);
    launchAll(launched, launch, memory, elements);
    return {memory.copyOut<int32_t>(counts, elements), memory.copyOut<int32_t>(said, elements)};
  }
};

class LevelsCoverage : public KeyCoverageTest {};
TEST_P(LevelsCoverage, EachThreadOnce) {
  constexpr uint32_t blocks = 3;
  for (uint32_t threads : {64u, 128u, 256u})
    for (uint32_t joined : {1u, 2u, 4u})
      for (bool contiguous : {false, true}) {
        if (threads / joined < 64 || (joined == 1 && contiguous))
          continue;
        Case launched = {{{blocks, 1, 1}, {threads, 1, 1}, 0}, {}, 0};
        launched.grain.words["exchange"] = "levels";
        launched.grain.thread[0] = joined;
        launched.grain.contiguous = contiguous;
        launched.grain.known.block = {threads, 1, 1};
        SCOPED_TRACE(toString(launched.grain));
        auto [count, heard] = run(launched, blocks * threads);
        for (uint32_t i = 0; i < blocks * threads; ++i) {
          ASSERT_EQ(count[i], 1);
          ASSERT_EQ(heard[i],
                    int32_t(i / threads * threads + (((i % threads) + 33) % threads ^ 4)));
        }
      }
}
INSTANTIATE_TEST_SUITE_P(Keys, LevelsCoverage, testing::Values("levels"));

class RowsCoverage : public KeyCoverageTest {};
TEST_P(RowsCoverage, EachElementOnce) {
  for (uint32_t threads : {32u, 64u})
    for (uint32_t length : {1u, 2u, 5u})
      for (uint32_t joined : {1u, 2u, 4u}) {
        uint32_t row = threads * length;
        Case launched = {{{3, 1, 1}, {threads, 1, 1}, 0}, {}, int32_t(row)};
        launched.grain.words["rows"] = "registers";
        launched.grain.thread[0] = joined;
        launched.grain.contiguous = joined == 4;
        launched.grain.known.block = {threads, 1, 1};
        launched.grain.known.arguments[2] = row;
        launched.grain.known.disjoint = true;
        SCOPED_TRACE(toString(launched.grain));
        auto [count, said] = run(launched, 3 * row);
        for (uint32_t i = 0; i < 3 * row; ++i) {
          ASSERT_EQ(count[i], 1);
          ASSERT_EQ(said[i], int32_t(i % row));
        }
      }
}
INSTANTIATE_TEST_SUITE_P(Keys, RowsCoverage, testing::Values("rows"));

class SplitCoverage : public KeyCoverageTest {};
TEST_P(SplitCoverage, EachIterationOnce) {
  constexpr uint32_t width = 64;
  for (std::string_view lanes : {"8", "16", "32"})
    for (Extent shape : {Extent{32, 1, 1}, Extent{64, 1, 1}, Extent{32, 2, 1}, Extent{128, 1, 1}})
      for (uint32_t threads : {24u, 32u, 96u}) {
        Case launched = {{{2, 1, 1}, {threads, 1, 1}, 0}, {}, int32_t(2 * threads - 5)};
        launched.grain.words["split"] = lanes;
        launched.grain.shape = shape;
        SCOPED_TRACE(toString(launched.grain));
        auto [count, said] = run(launched, 2 * threads * width);
        for (uint32_t i = 0; i < 2 * threads * width; ++i)
          ASSERT_EQ(count[i], i < launched.taking * width) << "element " << i;
      }
}
INSTANTIATE_TEST_SUITE_P(Keys, SplitCoverage, testing::Values("split"));

} // namespace
