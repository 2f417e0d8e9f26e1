//===- WideCopiesTests.cpp - Copies as the widest accesses ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/WideCopies.h"

#include "unittests/compiler/DeviceIR/Parse.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;
using namespace regrain;

namespace {

class WideCopiesOf : public testing::Test {
protected:
  /// Returns what accesses memory after the pass.
  static std::string after(const std::string &body,
                           WideCopies::Time time = WideCopies::Time::BeforeSroa) {
    test::Parsed parsed(("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                         "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
                         "declare void @llvm.lifetime.start.p0(i64, ptr)\n"
                         "define void @f(ptr %to, ptr %from, i64 %size) {\n" +
                         body + "\nret void\n}")
                            .c_str());
    FunctionAnalysisManager analyses;
    WideCopies(time).run(parsed.function("f"), analyses);
    EXPECT_FALSE(verifyModule(*parsed.module, &errs()));
    std::string names;
    for (Instruction &instruction : instructions(parsed.function("f"))) {
      raw_string_ostream out(names);
      if (auto *load = dyn_cast<LoadInst>(&instruction))
        out << "load " << *load->getType() << ' ' << load->getAlign().value() << "; ";
      else if (auto *store = dyn_cast<StoreInst>(&instruction))
        out << "store " << store->getAlign().value() << "; ";
      else if (isa<MemCpyInst>(instruction))
        out << "copy; ";
      else if (isa<MemSetInst>(instruction))
        out << "fill; ";
    }
    return names;
  }

  /// A copy of `size` bytes whose sides are aligned as given.
  static std::string copy(unsigned to, unsigned from, const std::string &size,
                          const char *isVolatile = "false") {
    return "call void @llvm.memcpy.p0.p0.i64(ptr align " + std::to_string(to) + " %to, ptr align " +
           std::to_string(from) + " %from, i64 " + size + ", i1 " + isVolatile + ")";
  }
};

TEST_F(WideCopiesOf, UseTheSmallerAlignment) {
  EXPECT_EQ(after(copy(16, 16, "16")), "load <4 x i32> 16; store 16; ");
  EXPECT_EQ(after(copy(16, 8, "16")), "load <2 x i32> 8; load <2 x i32> 8; store 16; store 8; ");
  EXPECT_EQ(after(copy(4, 16, "8")), "load i32 16; load i32 4; store 4; store 4; ");
  EXPECT_EQ(after(copy(64, 64, "32")),
            "load <4 x i32> 64; load <4 x i32> 16; store 64; store 16; ");
}

TEST_F(WideCopiesOf, KeepWhatHasNoWholeAccesses) {
  EXPECT_EQ(after(copy(2, 16, "16")), "copy; ");
  EXPECT_EQ(after(copy(16, 16, "18")), "copy; ");
  EXPECT_EQ(after(copy(16, 16, "0")), "copy; ");
  EXPECT_EQ(after(copy(16, 16, "%size")), "copy; ");
  EXPECT_EQ(after(copy(16, 16, "16", "true")), "copy; ");
}

TEST_F(WideCopiesOf, IncludeWhatSroaLeavesOfStructures) {
  EXPECT_EQ(after(copy(16, 16, "20")),
            "load i32 16; load i32 4; load i32 8; load i32 4; load i32 16; "
            "store 16; store 4; store 8; store 4; store 16; ");
  EXPECT_EQ(after(copy(16, 16, "12")),
            "load i32 16; load i32 4; load i32 8; store 16; store 4; store 8; ");
  EXPECT_EQ(after(copy(8, 8, "3")), "load i8 8; load i8 1; load i8 2; store 8; store 1; store 2; ");
  EXPECT_EQ(after("call void @llvm.memset.p0.i64(ptr align 8 %to, i8 7, i64 6, i1 false)",
                  WideCopies::Time::AfterSroa),
            "store 8; store 2; store 4; ");
}

constexpr const char *throughTemporary = R"(
  %kept = alloca [4 x float], align 16
  call void @llvm.lifetime.start.p0(i64 16, ptr %kept)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %kept, ptr align 16 %from, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %kept, i64 16, i1 false)
)";

TEST_F(WideCopiesOf, IncludeTemporaries) {
  EXPECT_EQ(after(throughTemporary), "load <4 x i32> 16; store 16; load <4 x i32> 16; store 16; ");
}

TEST_F(WideCopiesOf, LeaveVariablesToSroa) {
  std::string part = std::string(throughTemporary) + R"(
  %second = getelementptr i8, ptr %kept, i64 4
  store float 0.0, ptr %second)";
  EXPECT_EQ(after(part), "copy; copy; store 4; ");
  EXPECT_EQ(after(part, WideCopies::Time::AfterSroa),
            "load <4 x i32> 16; store 16; load <4 x i32> 16; store 16; store 4; ");
  EXPECT_EQ(after(R"(
  %kept = alloca [8 x float], align 16
  %second = getelementptr inbounds i8, ptr %kept, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %second, ptr align 16 %from, i64 16, i1 false))"),
            "copy; ");
}

TEST_F(WideCopiesOf, LimitWhatIsInRegisters) {
  EXPECT_EQ(after(copy(16, 16, "80")), "copy; ");
  EXPECT_EQ(after(copy(16, 16, "80"), WideCopies::Time::AfterSroa),
            "load <4 x i32> 16; load <4 x i32> 16; load <4 x i32> 16; load <4 x i32> 16; "
            "store 16; store 16; store 16; store 16; load <4 x i32> 16; store 16; ");
}

TEST_F(WideCopiesOf, LoopOverLargeSizes) {
  // The rest of 8 bytes comes before the loop.
  EXPECT_EQ(after(copy(8, 8, "328"), WideCopies::Time::AfterSroa),
            "load <2 x i32> 8; store 8; "
            "load <2 x i32> 8; load <2 x i32> 8; load <2 x i32> 8; load <2 x i32> 8; "
            "load <2 x i32> 8; load <2 x i32> 8; load <2 x i32> 8; load <2 x i32> 8; "
            "store 8; store 8; store 8; store 8; store 8; store 8; store 8; store 8; ");
}

TEST_F(WideCopiesOf, FillAfterSroa) {
  const char *fill = "call void @llvm.memset.p0.i64(ptr align 16 %to, i8 1, i64 32, i1 false)";
  EXPECT_EQ(after(fill), "fill; ");
  EXPECT_EQ(after(fill, WideCopies::Time::AfterSroa), "store 16; store 16; ");
  EXPECT_EQ(after(R"(
  %counts = alloca [8 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %counts, i8 0, i64 32, i1 false))",
                  WideCopies::Time::AfterSroa),
            "store 16; store 16; ");
}

} // namespace
