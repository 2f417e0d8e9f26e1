//===- CodeContentTests.cpp - What is part of a function's content --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each change of a small function that changes what it does must change its
// bytes, and no change of names or of the context may.
//
//===----------------------------------------------------------------------===//
#include "compiler/Identity/CodeContent.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <map>

using namespace llvm;
using namespace regrain;

namespace {

/// Returns the bytes of an item, and what it refers to: names of globals, and nodes of metadata
/// by their bytes.
std::string describe(ContentItem item) {
  CodeContent content = regrain::contentOf(item, AnnotationTexts());
  std::string text(content.bytes.begin(), content.bytes.end());
  for (ContentItem reference : content.references)
    if (auto *global = dyn_cast<const GlobalValue *>(reference.getPointer()))
      text += "|" + global->getName().str();
    else
      text += "|" + describe(reference);
  return text;
}

/// Returns the content of @f in a module of its own, in a context of its own.
std::string contentOf(const std::string &text) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str() << " in:\n" << text;
  if (!module)
    return "";
  EXPECT_FALSE(verifyModule(*module, &errs())) << text;
  return describe({module->getFunction("f"), false});
}

/// Returns the content of a function with this instruction.
std::string with(const std::string &instruction) {
  return contentOf(
      R"(
declare float @g(float)
declare float @h(float)
@v = global i32 0
define void @f(ptr %p, ptr addrspace(1) %q, i32 %a, i32 %b, float %x, float %y, <4 x i32> %w,
               {i32, i32} %s, i1 %c) {
entry:
  br i1 %c, label %one, label %two
one:
  br label %two
two:
  )" + instruction +
      "\n  ret void\n}\n!0 = !{i32 0, i32 9}\n!1 = !{i32 0, i32 8}\n!2 = !{}\n!3 = !{i32 1}\n");
}

/// Each line holds instructions that do different things.
const std::vector<std::vector<std::string>> families = {
    {"%r = add i32 %a, %b", "%r = add nsw i32 %a, %b", "%r = add nuw i32 %a, %b",
     "%r = add nuw nsw i32 %a, %b", "%r = sub i32 %a, %b", "%r = add i32 %b, %a",
     "%r = add i32 %a, 1", "%r = add i32 %a, 2", "%r = or i32 %a, %b",
     "%r = or disjoint i32 %a, %b", "%r = udiv i32 %a, %b", "%r = udiv exact i32 %a, %b"},
    {"%r = fadd float %x, %y", "%r = fadd contract float %x, %y", "%r = fadd nnan float %x, %y",
     "%r = fadd reassoc float %x, %y", "%r = fadd fast float %x, %y", "%r = fadd float %x, 1.0",
     "%r = fadd float %x, 0.0", "%r = fadd float %x, -0.0", "%r = fneg float %x"},
    {"%r = icmp slt i32 %a, %b", "%r = icmp ult i32 %a, %b", "%r = icmp sgt i32 %a, %b",
     "%r = fcmp olt float %x, %y", "%r = fcmp ult float %x, %y"},
    {"%r = zext i32 %a to i64", "%r = zext nneg i32 %a to i64", "%r = sext i32 %a to i64",
     "%r = zext i32 %a to i128", "%r = trunc i32 %a to i8", "%r = trunc nsw i32 %a to i8",
     "%r = trunc nuw i32 %a to i8"},
    {"%r = load i32, ptr %p, align 4", "%r = load i32, ptr %p, align 8",
     "%r = load volatile i32, ptr %p, align 4", "%r = load float, ptr %p, align 4",
     "%r = load i32, ptr addrspace(1) %q, align 4",
     "%r = load atomic i32, ptr %p monotonic, align 4",
     "%r = load atomic i32, ptr %p acquire, align 4",
     "%r = load atomic i32, ptr %p syncscope(\"device\") monotonic, align 4",
     "%r = load atomic i32, ptr %p syncscope(\"block\") monotonic, align 4",
     "%r = load atomic i32, ptr %p syncscope(\"singlethread\") monotonic, align 4",
     "%r = load i32, ptr %p, align 4, !invariant.load !2",
     "%r = load i32, ptr %p, align 4, !range !0", "%r = load i32, ptr %p, align 4, !range !1",
     "%r = load i32, ptr @v, align 4"},
    {"store i32 %a, ptr %p, align 4", "store i32 %b, ptr %p, align 4",
     "store volatile i32 %a, ptr %p, align 4", "store i32 %a, ptr %p, align 1",
     "store atomic i32 %a, ptr %p release, align 4",
     "store i32 %a, ptr %p, align 4, !nontemporal !3"},
    {"%r = atomicrmw add ptr %p, i32 %a monotonic", "%r = atomicrmw sub ptr %p, i32 %a monotonic",
     "%r = atomicrmw add ptr %p, i32 %a acq_rel",
     "%r = atomicrmw volatile add ptr %p, i32 %a monotonic",
     "%r = atomicrmw add ptr %p, i32 %a syncscope(\"device\") monotonic",
     "%r = atomicrmw umax ptr %p, i32 %a monotonic", "%r = atomicrmw max ptr %p, i32 %a monotonic"},
    {"%r = cmpxchg ptr %p, i32 %a, i32 %b monotonic monotonic",
     "%r = cmpxchg ptr %p, i32 %b, i32 %a monotonic monotonic",
     "%r = cmpxchg weak ptr %p, i32 %a, i32 %b monotonic monotonic",
     "%r = cmpxchg volatile ptr %p, i32 %a, i32 %b monotonic monotonic",
     "%r = cmpxchg ptr %p, i32 %a, i32 %b acquire monotonic",
     "%r = cmpxchg ptr %p, i32 %a, i32 %b acquire acquire"},
    {"fence acquire", "fence seq_cst", "fence syncscope(\"block\") acquire"},
    {"%r = getelementptr i32, ptr %p, i32 %a", "%r = getelementptr inbounds i32, ptr %p, i32 %a",
     "%r = getelementptr nusw i32, ptr %p, i32 %a", "%r = getelementptr nuw i32, ptr %p, i32 %a",
     "%r = getelementptr i64, ptr %p, i32 %a", "%r = getelementptr {i32, i64}, ptr %p, i32 %a",
     "%r = getelementptr <{i32, i64}>, ptr %p, i32 %a",
     "%r = getelementptr [2 x i32], ptr %p, i32 %a",
     "%r = getelementptr i32, ptr getelementptr (i8, ptr @v, i64 4), i32 %a",
     "%r = getelementptr i32, ptr getelementptr (i8, ptr @v, i64 8), i32 %a",
     "%r = getelementptr i32, ptr getelementptr inbounds (i8, ptr @v, i64 8), i32 %a"},
    {"%r = extractvalue {i32, i32} %s, 0", "%r = extractvalue {i32, i32} %s, 1",
     "%r = insertvalue {i32, i32} %s, i32 %a, 0", "%r = insertvalue {i32, i32} %s, i32 %a, 1"},
    {"%r = shufflevector <4 x i32> %w, <4 x i32> %w, <2 x i32> <i32 0, i32 1>",
     "%r = shufflevector <4 x i32> %w, <4 x i32> %w, <2 x i32> <i32 0, i32 2>",
     "%r = shufflevector <4 x i32> %w, <4 x i32> %w, <2 x i32> <i32 0, i32 poison>",
     "%r = extractelement <4 x i32> %w, i32 0", "%r = extractelement <4 x i32> %w, i32 1"},
    {"%r = phi i32 [%a, %entry], [%b, %one]", "%r = phi i32 [%a, %one], [%b, %entry]",
     "%r = phi i32 [%b, %entry], [%b, %one]"},
    {"%r = call float @g(float %x)", "%r = call float @h(float %x)", "%r = call float @g(float %y)",
     "%r = tail call float @g(float %x)", "%r = notail call float @g(float %x)",
     "%r = call fast float @g(float %x)", "%r = call float @g(float nofpclass(nan) %x)",
     "%r = call float @g(float %x) convergent", "%r = call float @g(float %x) memory(none)",
     "%r = call float @g(float %x) memory(read)", "%r = call float @g(float %x) \"key\"=\"1\"",
     "%r = call float @g(float %x) \"key\"=\"2\"", "%r = call float @g(float %x) [\"bundle\"()]",
     "%r = call float @g(float %x) [\"bundle\"(i32 1)]", "%r = call fastcc float @g(float %x)"},
    {"call void asm \"nop;\", \"\"()", "call void asm \"nop;nop;\", \"\"()",
     "call void asm sideeffect \"nop;\", \"\"()", "call void asm \"nop;\", \"~{memory}\"()"},
    {"%r = alloca i32, align 4", "%r = alloca i32, align 8", "%r = alloca i64, align 4",
     "%r = alloca i32, i32 2, align 4", "%r = alloca [2 x i32], align 4"},
    {"%r = select i1 %c, i32 %a, i32 %b", "%r = select i1 %c, i32 %b, i32 %a", "%r = freeze i32 %a",
     "%r = freeze i32 undef", "%r = freeze i32 poison"},
};

TEST(CodeContent, WhatAnInstructionDoesIsPartOfIt) {
  std::map<std::string, std::string> known;
  unsigned count = 0;
  for (const std::vector<std::string> &family : families)
    for (const std::string &instruction : family) {
      std::string content = with(instruction);
      auto [other, isNew] = known.emplace(content, instruction);
      EXPECT_TRUE(isNew) << instruction << " has the content of " << other->second;
      ++count;
    }
  EXPECT_GT(count, 100u);
}

TEST(CodeContent, NamesAndTheContextAreNoPart) {
  std::string text = "define i32 @f(i32 %a, ptr %p) {\nentry:\n  %r = add i32 %a, 1\n"
                     "  %s = load atomic i32, ptr %p syncscope(\"block\") monotonic, align 4, "
                     "!regrain.own !0\n"
                     "  br label %next\nnext:\n  %t = add i32 %r, %s\n  ret i32 %t\n}\n!0 = !{}\n";
  std::string renamed = "define i32 @f(i32 %x, ptr %y) {\nfirst:\n  %z = add i32 %x, 1\n"
                        "  %u = load atomic i32, ptr %y syncscope(\"block\") monotonic, align 4, "
                        "!regrain.own !0\n"
                        "  br label %last\nlast:\n  %v = add i32 %z, %u\n  ret i32 %v\n}\n"
                        "!0 = !{}\n";
  EXPECT_EQ(contentOf(text), contentOf(renamed));
  // Other scopes and kinds of metadata, and other named structures, are numbered before.
  std::string before = "%named = type { i32, ptr }\n@n = global %named zeroinitializer\n"
                       "define i32 @a(ptr %p) {\n  %s = load atomic i32, ptr %p "
                       "syncscope(\"other\") monotonic, align 4, !regrain.other !0\n"
                       "  ret i32 %s\n}\n";
  EXPECT_EQ(contentOf(text), contentOf(before + text));
  EXPECT_EQ(contentOf("define void @f(ptr %p) {\n  %r = getelementptr {i32, ptr}, ptr %p, i32 1\n"
                      "  ret void\n}\n"),
            contentOf("%named = type { i32, ptr }\ndefine void @f(ptr %p) {\n"
                      "  %r = getelementptr %named, ptr %p, i32 1\n  ret void\n}\n"));
}

TEST(CodeContent, LinkageAndDebugInformationAreNoPart) {
  std::string body = "@f(i32 %a) {\n  ret i32 %a\n}\n";
  EXPECT_EQ(contentOf("define i32 " + body), contentOf("define weak_odr i32 " + body));
  EXPECT_NE(contentOf("define i32 " + body), contentOf("define i32 @f(i32 noundef %a) {\n"
                                                       "  ret i32 %a\n}\n"));
  EXPECT_EQ(contentOf("define i32 @f(i32 %a) \"target-cpu\"=\"sm_70\" {\n  ret i32 %a\n}\n"),
            contentOf("define i32 @f(i32 %a) \"target-cpu\"=\"sm_90\" {\n  ret i32 %a\n}\n"));
}

/// Returns the content of a variable of a module.
CodeContent contentOfVariable(const Module &module, StringRef name) {
  return regrain::contentOf({module.getNamedGlobal(name), false}, AnnotationTexts());
}

TEST(CodeContent, ReferencesAreNumberedInTheirOrder) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module =
      parseAssemblyString("@a = global i32 1\n@b = global i32 2\n"
                          "@ab = constant [3 x ptr] [ptr @a, ptr @b, ptr @a]\n"
                          "@ba = constant [3 x ptr] [ptr @b, ptr @a, ptr @b]\n"
                          "@aa = constant [3 x ptr] [ptr @a, ptr @a, ptr @b]\n",
                          diagnostic, context);
  ASSERT_TRUE(module);
  CodeContent ab = contentOfVariable(*module, "ab"), ba = contentOfVariable(*module, "ba"),
              aa = contentOfVariable(*module, "aa");
  EXPECT_EQ(ab.bytes, ba.bytes) << "the numbers stand for the names";
  EXPECT_NE(ab.bytes, aa.bytes);
  ASSERT_EQ(ab.references.size(), 2u);
  EXPECT_EQ(ab.references[0], ContentItem(module->getNamedGlobal("a"), false));
  EXPECT_EQ(ab.references[1], ContentItem(module->getNamedGlobal("b"), false));
  EXPECT_EQ(ba.references[0], ContentItem(module->getNamedGlobal("b"), false));
}

TEST(CodeContent, WhatAVariableIsIsPartOfIt) {
  std::map<std::vector<uint8_t>, std::string> known;
  for (const char *text :
       {"global i32 1", "constant i32 1", "global i32 2", "global i32 1, align 16",
        "global i32 1, section \"s\"", "addrspace(1) global i32 1", "global i64 1",
        "global [1 x i32] [i32 1]", "externally_initialized global i32 1", "global float 1.0",
        "global i32 undef", "global i32 poison", "global [2 x i8] c\"ab\"",
        "global [2 x i8] c\"ac\"", "global i128 18446744073709551616", "global i128 0",
        "external global i32"}) {
    LLVMContext context;
    SMDiagnostic diagnostic;
    std::unique_ptr<Module> module =
        parseAssemblyString(std::string("@v = ") + text, diagnostic, context);
    ASSERT_TRUE(module) << text;
    CodeContent content = contentOfVariable(*module, "v");
    auto [other, isNew] =
        known.emplace(std::vector<uint8_t>(content.bytes.begin(), content.bytes.end()), text);
    EXPECT_TRUE(isNew) << text << " has the content of " << other->second;
  }
}

} // namespace
