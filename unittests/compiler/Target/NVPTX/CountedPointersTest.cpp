//===- CountedPointersTest.cpp - Addresses from a loop's counter ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/CountedPointers.h"

#include "unittests/compiler/Target/NVPTX/Rewritten.h"

using namespace regrain::nvptx;

namespace {

struct Form {
  std::string start = "  %start = shl i64 %t, 3\n  %b = getelementptr i8, ptr %q, i64 %start\n",
              distance = "  %bytes = shl i64 %step, 3\n", phi,
              uses = "  store volatile i32 0, ptr %p\n",
              next = "  %o = getelementptr i8, ptr %p, i64 %bytes\n";
};

/// Returns the function after the pass; nothing if it stays as it is.
std::string counted(const Form &form) {
  return rewritten("define void @f(ptr %q, i64 %t, i64 %step, i64 %n) {\nentry:\n" + form.start +
                       form.distance +
                       "  br label %loop\nloop:\n  %p = phi ptr [ %b, %entry ], [ %o, %loop ]\n"
                       "  %c = phi i64 [ %t, %entry ], [ %d, %loop ]\n" +
                       form.phi + form.uses + form.next +
                       "  %d = add i64 %c, %step\n  %e = icmp ult i64 %d, %n\n"
                       "  br i1 %e, label %loop, label %end\nend:\n  ret void\n}\n",
                   countPointers);
}

TEST(CountedPointers, TheAddressComesFromTheCounter) {
  Form near;
  near.uses += "  %a = getelementptr i8, ptr %p, i64 16\n  %v = load volatile i32, ptr %a\n";
  for (const Form &form : {Form(), near}) {
    std::string text = counted(form);
    EXPECT_TRUE(has(text, "%0 = shl i64 %c, 3")) << text;
    EXPECT_TRUE(has(text, "%1 = getelementptr i8, ptr %q, i64 %0")) << text;
    EXPECT_TRUE(has(text, "store volatile i32 0, ptr %1")) << text;
    EXPECT_FALSE(has(text, "phi ptr") || has(text, "%start") || has(text, "%bytes")) << text;
  }
}

TEST(CountedPointers, OtherSizesAndStepsRefuse) {
  Form form;
  form.distance = "  %bytes = shl i64 %step, 2\n";
  EXPECT_EQ(counted(form), "") << "steps of another size";
  form.distance = "  %bytes = shl i64 %n, 3\n";
  EXPECT_EQ(counted(form), "") << "another step";
  form = Form();
  form.start = "  %start = shl i64 %n, 3\n  %b = getelementptr i8, ptr %q, i64 %start\n";
  EXPECT_EQ(counted(form), "") << "another start";
}

TEST(CountedPointers, TwoPointersRefuse) {
  Form form;
  form.phi = "  %p2 = phi ptr [ %b, %entry ], [ %o2, %loop ]\n";
  form.uses += "  store volatile i32 1, ptr %p2\n";
  form.next += "  %o2 = getelementptr i8, ptr %p2, i64 %bytes\n";
  EXPECT_EQ(counted(form), "");
}

TEST(CountedPointers, OtherUsesRefuse) {
  for (const char *use :
       {"  store volatile ptr %p, ptr %q\n", "  store volatile ptr %o, ptr %q\n",
        "  %a = getelementptr i8, ptr %p, i64 %n\n  store volatile i32 0, ptr %a\n",
        "  %a = getelementptr i8, ptr %p, i64 4\n  store volatile ptr %a, ptr %q\n"}) {
    Form form;
    form.next += use;
    EXPECT_EQ(counted(form), "") << use;
  }
}

} // namespace
