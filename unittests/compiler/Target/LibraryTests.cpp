//===- LibraryTests.cpp - Calls of device libraries, linking and digests --===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Bitcode.h"
#include "compiler/Target/FileDigest.h"
#include "compiler/Target/LibraryCalls.h"
#include "compiler/Target/Linker.h"
#include "compiler/Target/Multiprocessor.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace regrain;

namespace {

std::unique_ptr<Module> parse(LLVMContext &context, const std::string &text) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str() << " in line " << diagnostic.getLineNo();
  return module;
}

/// A temporary file with these bytes.
class Written {
public:
  explicit Written(StringRef bytes) {
    int descriptor = 0;
    EXPECT_FALSE(sys::fs::createTemporaryFile("library", "bin", descriptor, path));
    raw_fd_ostream(descriptor, /*shouldClose=*/true) << bytes;
    remover.setFile(path);
  }
  SmallString<128> path;

private:
  FileRemover remover;
};

//===----------------------------------------------------------------------===//
// LibraryCalls
//===----------------------------------------------------------------------===//

/// Lowers the only call of @f and returns the instructions of @f, one per line; "none" if the
/// library has no function for it.
std::string lowered(const std::string &declaration, const std::string &body) {
  LLVMContext context;
  std::unique_ptr<Module> module = parse(
      context, declaration + "\ndefine void @f(ptr %p, i32 %a, float %x) {\n" + body + "\n}\n");
  Function &function = *module->getFunction("f");
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction)) {
      Value *value = lowerNVVM(*call);
      if (!value)
        return "none";
      replaceCall(*call, value);
      break;
    }
  EXPECT_FALSE(verifyModule(*module, &errs()));
  std::string text;
  raw_string_ostream stream(text);
  for (const Instruction &instruction : instructions(function))
    stream << instruction << "\n";
  return text;
}
bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(LibraryCalls, NamesLeaveOutFlushing) {
  EXPECT_EQ(libraryNameFor("llvm.nvvm.add.rm.ftz.f"), "nvvm_add_rm_f");
  EXPECT_EQ(libraryNameFor("llvm.nvvm.sqrt.approx.f"), "nvvm_sqrt_approx_f");
}

TEST(LibraryCalls, AnUnknownIntrinsicCallsTheLibrary) {
  std::string text = lowered("declare float @llvm.nvvm.add.rm.ftz.f(float, float)",
                             "%r = call float @llvm.nvvm.add.rm.ftz.f(float %x, float 1.0)\n"
                             "store float %r, ptr %p\nret void");
  EXPECT_TRUE(has(text, "call float @nvvm_add_rm_f(float %x, float 1.000000e+00)")) << text;
}

TEST(LibraryCalls, AValueAndAPredicateAreUnpacked) {
  std::string text =
      lowered("declare {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32)",
              "%r = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %a, i32 0, i32 31)\n"
              "%v = extractvalue {i32, i1} %r, 0\n%c = extractvalue {i32, i1} %r, 1\n"
              "%z = zext i1 %c to i32\nstore i32 %v, ptr %p\nstore i32 %z, ptr %p\nret void");
  EXPECT_TRUE(has(text, "call i64 @nvvm_shfl_sync_idx_i32p(")) << text;
  EXPECT_TRUE(has(text, "lshr i64")) << text;
}

TEST(LibraryCalls, PlainInstructionsNeedNoLibrary) {
  std::string atomic = lowered("declare i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr, i32)",
                               "%r = call i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr %p, i32 %a)\n"
                               "ret void");
  EXPECT_TRUE(has(atomic, "atomicrmw uinc_wrap ptr %p, i32 %a seq_cst")) << atomic;
  std::string scoped =
      lowered("declare float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr, float)",
              "%r = call float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr %p, float %x)\nret void");
  EXPECT_TRUE(has(scoped, "atomicrmw fadd ptr %p, float %x seq_cst")) << scoped;
  std::string exchange =
      lowered("declare i32 @llvm.nvvm.atomic.cas.gen.i.sys.i32.p0(ptr, i32, i32)",
              "%r = call i32 @llvm.nvvm.atomic.cas.gen.i.sys.i32.p0(ptr %p, i32 %a, i32 7)\n"
              "store i32 %r, ptr %p\nret void");
  EXPECT_TRUE(has(exchange, "cmpxchg ptr %p, i32 %a, i32 7 seq_cst seq_cst")) << exchange;
  std::string cached = lowered("declare i32 @llvm.nvvm.ldg.global.i.i32.p0(ptr, i32)",
                               "%r = call i32 @llvm.nvvm.ldg.global.i.i32.p0(ptr %p, i32 16)\n"
                               "store i32 %r, ptr %p\nret void");
  EXPECT_TRUE(has(cached, "load i32, ptr %p, align 16")) << cached;
}

TEST(LibraryCalls, AStructureThatCannotBePackedHasNoFunction) {
  EXPECT_EQ(lowered("declare {i64, i1} @llvm.nvvm.some.pair(i64)",
                    "%r = call {i64, i1} @llvm.nvvm.some.pair(i64 1)\nret void"),
            "none");
  EXPECT_EQ(lowered("declare i32 @llvm.nvvm.atomic.frob.gen.i.cta.i32.p0(ptr, i32)",
                    "%r = call i32 @llvm.nvvm.atomic.frob.gen.i.cta.i32.p0(ptr %p, i32 %a)\n"
                    "ret void"),
            "none");
}

TEST(LibraryCalls, ReflectionKnowsTheArchitecture) {
  LLVMContext context;
  std::unique_ptr<Module> module = parse(context, R"(
@arch = private constant [12 x i8] c"__CUDA_ARCH\00"
@cores = private constant [23 x i8] c"__REGRAIN_MATRIX_CORES\00"
@ftz = private constant [11 x i8] c"__CUDA_FTZ\00"
declare i32 @__nvvm_reflect(ptr)
define void @f(ptr %p) {
  %a = call i32 @__nvvm_reflect(ptr @arch)
  %b = call i32 @__nvvm_reflect(ptr @ftz)
  %c = call i32 @__nvvm_reflect(ptr %p)
  %d = call i32 @__nvvm_reflect(ptr @cores)
  ret void
}
)");
  std::vector<int64_t> answers, withCores;
  for (Instruction &instruction : instructions(*module->getFunction("f")))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      for (bool hasCores : {false, true})
        (hasCores ? withCores : answers)
            .push_back(cast<ConstantInt>(reflectedValue(*call, hasCores))->getSExtValue());
  EXPECT_EQ(answers, (std::vector<int64_t>{700, 0, 0, 0}));
  EXPECT_EQ(withCores, (std::vector<int64_t>{700, 0, 0, 1}));
}

//===----------------------------------------------------------------------===//
// Bitcode
//===----------------------------------------------------------------------===//

TEST(Bitcode, OnlyWhatIsNeededIsLinkedAndItIsInternal) {
  LLVMContext context;
  std::unique_ptr<Module> module = parse(context, R"(
declare float @needed(float)
define float @f(float %x) #0 { %r = call float @needed(float %x)  ret float %r }
attributes #0 = { "frame-pointer"="all" "uniform-work-group-size"="true" }
)");
  std::unique_ptr<Module> library = parse(context, R"(
define float @needed(float %x) { %r = call float @below(float %x)  ret float %r }
define float @below(float %x) { ret float %x }
define float @other(float %x) { ret float %x }
)");
  Error error = linkNeeded(*module, std::move(library));
  EXPECT_FALSE(bool(error));
  EXPECT_FALSE(verifyModule(*module, &errs()));
  EXPECT_FALSE(module->getFunction("other"));
  EXPECT_TRUE(module->getFunction("f")->hasExternalLinkage());
  for (const char *name : {"needed", "below"}) {
    const Function *function = module->getFunction(name);
    ASSERT_TRUE(function && !function->isDeclaration()) << name;
    EXPECT_TRUE(function->hasInternalLinkage()) << name;
    EXPECT_EQ(function->getFnAttribute("frame-pointer").getValueAsString(), "all") << name;
    EXPECT_FALSE(function->hasFnAttribute("uniform-work-group-size")) << name;
    EXPECT_TRUE(function->isConvergent()) << name;
  }
}

TEST(Bitcode, AFileThatCannotBeReadIsNamed) {
  LLVMContext context;
  auto missing = openBitcode("/no/such/file.bc", context);
  ASSERT_FALSE(bool(missing));
  EXPECT_TRUE(has(toString(missing.takeError()), "/no/such/file.bc"));
  Written damaged("no bitcode");
  auto other = openBitcode(damaged.path, context);
  ASSERT_FALSE(bool(other));
  EXPECT_TRUE(has(toString(other.takeError()), damaged.path.str().str()));
}

//===----------------------------------------------------------------------===//
// FileDigest and Linker
//===----------------------------------------------------------------------===//

TEST(FileDigest, BytesCountAndThePathDoesNot) {
  Written one("abc"), same("abc"), other("abd"), empty("");
  std::string digest = cantFail(digestOfFile(one.path));
  EXPECT_EQ(digest.size(), 32u);
  EXPECT_EQ(digest.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(digest, cantFail(digestOfFile(same.path)));
  EXPECT_NE(digest, cantFail(digestOfFile(other.path)));
  EXPECT_NE(digest, cantFail(digestOfFile(empty.path)));
  Expected<std::string> missing = digestOfFile("/no/such/file");
  ASSERT_FALSE(bool(missing));
  EXPECT_TRUE(has(toString(missing.takeError()), "/no/such/file"));
}

TEST(Linker, ItsMessageIsInTheError) {
  Expected<std::vector<char>> linked =
      linkObjects({std::vector<char>{'n', 'o', ' ', 'E', 'L', 'F'}}, {}, "test code");
  ASSERT_FALSE(bool(linked));
  std::string message = toString(linked.takeError());
  EXPECT_TRUE(has(message, "linking test code failed: ")) << message;
  EXPECT_TRUE(has(message, "0.o")) << message;
}

//===----------------------------------------------------------------------===//
// Multiprocessor
//===----------------------------------------------------------------------===//

/// Adds blocks one by one as long as there is room.
unsigned countBlocks(const Multiprocessor &multiprocessor, unsigned threads, uint64_t bytes) {
  uint64_t slots = 0, shared = 0;
  unsigned blocks = 0;
  uint64_t ofBlock = bytes + multiprocessor.sharedOfSystem;
  while (ofBlock % multiprocessor.sharedUnit != 0)
    ++ofBlock;
  while (true) {
    slots += std::max(1u, (threads + multiprocessor.waveThreads - 1) / multiprocessor.waveThreads);
    shared += ofBlock;
    if (slots > multiprocessor.slots || shared > multiprocessor.sharedBytes ||
        blocks == multiprocessor.blocks)
      return blocks;
    ++blocks;
  }
}

TEST(Multiprocessor, AsManyBlocksAreResidentAsHaveRoom) {
  for (const Multiprocessor &multiprocessor :
       {Multiprocessor{32, 64, 32, 233472, 128, 1024}, Multiprocessor{64, 40, 16, 65536, 512, 0},
        Multiprocessor{64, 8, 100, 65536, 1, 0}})
    for (unsigned threads : {1u, 31u, 32u, 33u, 64u, 96u, 256u, 512u, 1000u, 1024u, 4096u})
      for (uint64_t bytes : {0, 1, 127, 128, 129, 512, 4096, 16384, 65536, 65537, 232448, 300000})
        EXPECT_EQ(residentBlocks(multiprocessor, threads, bytes),
                  countBlocks(multiprocessor, threads, bytes))
            << threads << " threads, " << bytes << " bytes";
}

} // namespace
