//===- AnnotationsTests.cpp - nvvm.annotations of a module ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/Annotations.h"

#include "unittests/compiler/DeviceIR/Parse.h"

using namespace regrain;

namespace {

class Annotations : public testing::Test {
protected:
  test::Parsed parsed{R"(
@shown = addrspace(1) global i32 0
define void @first() { ret void }
define void @second(ptr byval(i32) %p) { ret void }
define void @helper() { ret void }
!nvvm.annotations = !{!0, !1, !2, !3, !4, !6}
!0 = !{ptr @second, !"kernel", i32 1}
!1 = !{ptr @first, !"kernel", i32 1, !"maxntidx", i32 64, !"maxntidy", i32 4}
!2 = !{ptr addrspace(1) @shown, !"managed", i32 1}
!3 = !{ptr @second, !"grid_constant", !5}
!4 = !{null, !"kernel", i32 1}
!5 = !{i32 1}
!6 = !{}
)"};
  llvm::Module &module = *parsed.module;

  std::vector<std::string> namesWith(llvm::StringRef key) {
    std::vector<std::string> names;
    for (const llvm::GlobalValue *value : annotatedWith(module, key))
      names.push_back(value->getName().str());
    return names;
  }
};

TEST_F(Annotations, KernelsComeInTheOrderOfTheAnnotations) {
  EXPECT_EQ(namesWith("kernel"), (std::vector<std::string>{"second", "first"}));
  EXPECT_EQ(namesWith("managed"), (std::vector<std::string>{"shown"}));
}

TEST_F(Annotations, NumbersAreFoundUnderTheirKeys) {
  EXPECT_EQ(annotation(parsed.function("first"), "maxntidx"), 64u);
  EXPECT_EQ(annotation(parsed.function("second"), "maxntidx"), 0u);
  EXPECT_EQ(annotation(parsed.function("second"), "grid_constant"), 0u) << "a list is no number";
}

TEST_F(Annotations, BoundsAreTheProductOfTheDimensions) {
  EXPECT_EQ(boundThreads(parsed.function("first")), 256u);
  EXPECT_EQ(boundThreads(parsed.function("second")), 0u);
  EXPECT_EQ(blockThreads(parsed.function("second")), 256u);
  annotate(parsed.function("second"), "reqntidx", 96);
  EXPECT_EQ(boundThreads(parsed.function("second")), 96u);
}

TEST_F(Annotations, ListsSurviveReadingAndWriting) {
  llvm::SmallVector<Annotation> all = readAnnotations(module);
  ASSERT_EQ(all.size(), 4u) << "nodes without a subject are left out";
  writeAnnotations(module, all);
  EXPECT_EQ(module.getNamedMetadata("nvvm.annotations")->getNumOperands(), 4u);
  llvm::SmallVector<Annotation> again = readAnnotations(module);
  EXPECT_TRUE(again[3].has("grid_constant"));
  EXPECT_EQ(again[3].properties[0].value, all[3].properties[0].value);
}

TEST_F(Annotations, OnlyThoseOfTheKernelAreDropped) {
  dropAnnotations(parsed.function("second"));
  EXPECT_EQ(namesWith("kernel"), (std::vector<std::string>{"first"}));
  EXPECT_EQ(annotation(parsed.function("first"), "maxntidy"), 4u);
  dropAnnotations(module);
  EXPECT_FALSE(module.getNamedMetadata("nvvm.annotations"));
}

TEST(NoAnnotations, NothingIsAKernel) {
  test::Parsed parsed("define void @f() { ret void }");
  EXPECT_TRUE(annotatedWith(*parsed.module, "kernel").empty());
  EXPECT_EQ(annotation(parsed.function("f"), "maxntidx"), 0u);
  dropAnnotations(parsed.function("f"));
  EXPECT_FALSE(parsed.module->getNamedMetadata("nvvm.annotations"));
}

TEST_F(Annotations, ANumberIsReplaced) {
  llvm::Function &first = parsed.function("first");
  setAnnotation(first, "maxntidx", 128);
  EXPECT_EQ(annotation(first, "maxntidx"), 128u);
  EXPECT_EQ(annotation(first, "maxntidy"), 4u);
  EXPECT_EQ(annotation(first, "kernel"), 1u);
  setAnnotation(parsed.function("second"), "minctasm", 2);
  EXPECT_EQ(annotation(parsed.function("second"), "minctasm"), 2u);
  EXPECT_EQ(annotation(first, "minctasm"), 0u);
}

} // namespace
