//===- ReferenceTest.cpp - The base module's PTX is clang's ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each input is compiled twice: by clang alone, and by clang to LLVM IR and
// then by the target. The outputs may differ only in version and comments.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Toolkit.h"
#include "unittests/compiler/Target/NVPTX/Compile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <optional>
#include <regex>

using namespace regrain;
using namespace regrain::test;
using llvm::StringRef;

namespace {

struct Case {
  const char *input;
  const char *level;
  bool fastMath;
};

class Reference : public testing::TestWithParam<Case> {
protected:
  /// Runs clang for device code and returns what it writes.
  std::string runClang(llvm::ArrayRef<std::string> more) {
    const std::string headers = REGRAIN_CUDA_HEADERS;
    llvm::SmallString<128> output;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("reference", "out", output));
    std::vector<std::string> args = {REGRAIN_REFERENCE_CLANG,
                                     "-x",
                                     "cuda",
                                     "--cuda-device-only",
                                     "--cuda-gpu-arch=sm_70",
                                     "-nocudainc",
                                     "-nocudalib",
                                     "-Xclang",
                                     "-target-sdk-version=12.5",
                                     "-Xclang",
                                     "-target-feature",
                                     "-Xclang",
                                     "+ptx85",
                                     "-I" + headers,
                                     "-include",
                                     headers + "/regrain_prelude.h",
                                     GetParam().level,
                                     "-S",
                                     "-o",
                                     std::string(output),
                                     REGRAIN_INPUTS "/" + std::string(GetParam().input)};
    if (GetParam().fastMath)
      args.insert(args.end(), {"-ffast-math", "-fgpu-flush-denormals-to-zero"});
    args.insert(args.end(), more.begin(), more.end());
    std::vector<StringRef> views(args.begin(), args.end());
    EXPECT_EQ(llvm::sys::ExecuteAndWait(REGRAIN_REFERENCE_CLANG, views), 0);
    auto buffer = llvm::MemoryBuffer::getFile(output);
    EXPECT_TRUE(buffer);
    EXPECT_FALSE(llvm::sys::fs::remove(output));
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
};

/// Returns only the instructions and directives.
std::string withoutComments(StringRef ptx) {
  std::string kept;
  llvm::SmallVector<StringRef> lines;
  ptx.split(lines, '\n');
  for (StringRef line : lines) {
    line = line.split("//").first.rtrim(StringRef(" \t\0", 3));
    if (!line.empty() && !line.starts_with(".version"))
      kept += line.str() + "\n";
  }
  return kept;
}

/// Returns the PTX with its variables sorted, as their order is Regrain's own
/// (compiler/Target/NVPTX/BackEnd/VariableOrder.h).
std::string withSortedVariables(const std::string &ptx) {
  static const std::regex variable(R"((\.(visible|extern) )?\.(global|const|shared) .*;)");
  std::vector<std::string> lines, variables;
  for (StringRef line : llvm::split(ptx, '\n'))
    (std::regex_match(line.str(), variable) ? variables : lines).push_back(line.str());
  llvm::sort(variables);
  return llvm::join(variables, "\n") + "\n" + llvm::join(lines, "\n");
}

/// Returns clang's PTX with exact square roots, as nvcc and Regrain have them.
std::string withExactRoots(std::string ptx) {
  constexpr llvm::StringLiteral approximate = "sqrt.approx.";
  for (size_t at = ptx.find(approximate); at != std::string::npos; at = ptx.find(approximate, at))
    ptx.replace(at, approximate.size(), "sqrt.rn.");
  return ptx;
}

/// Returns clang's PTX with the rounding by which ptxas fuses no sum and no product by itself:
/// which ones are fused is decided before (compiler/DeviceIR/FuseProducts.h).
std::string withDecidedProducts(const std::string &ptx) {
  static const std::regex undecided(R"(\b(add|sub|mul)\.(f32|f64))");
  return std::regex_replace(ptx, undecided, "$1.rn.$2");
}

/// Returns the PTX with branches over the side that follows, as clang has them. Regrain jumps to
/// that side, so that ptxas predicates the other one (compiler/Target/NVPTX/BackEnd/BranchSides.h).
std::string withJumpsOverSides(const std::string &ptx) {
  static const std::regex toNext(R"(@!(%p\d+) bra \t(\S+);\n\tbra\.uni \t(\S+);\n\2:\n)");
  return std::regex_replace(ptx, toNext, "@$1 bra \t$3;\n");
}

/// Returns the PTX with its local addresses as places in the frame, for which Regrain takes a
/// register more where clang converts the generic address back
/// (compiler/Target/NVPTX/BackEnd/LocalFrames.h).
std::string withLocalPlaces(std::string ptx) {
  static const std::regex formed(
      R"(add\.u64 \t(%rd\d+), %SPL, (\d+);\n\tcvt\.u32\.u64 \t(%r\d+), \1;)");
  static const std::regex converted(
      R"(\{ \.reg \.b64 %tmp;\n\t  cvta\.to\.local\.u64 \t%tmp, (%rd\d+);)"
      R"(\n\t  cvt\.u32\.u64 \t(%r\d+), %tmp; \})");
  static const std::regex registers(R"(\.b64 \t%rd<\d+>)");
  ptx = std::regex_replace(ptx, formed, "local $3, $2;");
  for (std::smatch match; std::regex_search(ptx, match, converted);) {
    std::smatch generic;
    bool isOfFrame = std::regex_search(
        ptx, generic, std::regex("add\\.u64 \t" + match[1].str() + ", %SP, (\\d+);"));
    std::string place = isOfFrame ? generic[1].str() : "of " + match[1].str();
    ptx = match.prefix().str() + "local " + match[2].str() + ", " + place + ";" +
          match.suffix().str();
  }
  return std::regex_replace(ptx, registers, ".b64 \t%rd<>");
}

/// Returns clang's PTX with the sizes of blocks read in front of the numbers of blocks and threads,
/// as Regrain reads them (compiler/Target/NVPTX/BackEnd/BlockSizes.h).
std::string withSizesFirst(const std::string &ptx) {
  std::vector<std::string> lines;
  std::optional<size_t> number; // the first one of the block of instructions
  for (StringRef line : llvm::split(ptx, '\n')) {
    if (line.starts_with("$"))
      number.reset();
    if (line.contains(", %ntid.") && number)
      lines.insert(lines.begin() + ptrdiff_t((*number)++), line.str());
    else
      lines.push_back(line.str());
    if ((line.contains(", %ctaid.") || line.contains(", %tid.")) && !number)
      number = lines.size() - 1;
  }
  return llvm::join(lines, "\n");
}

/// Returns clang's PTX with dynamic shared memory that is aligned for the widest access, as nvcc
/// and Regrain align it.
std::string withAlignedDynamicShared(const std::string &ptx) {
  static const std::regex narrow(R"(\.extern \.shared \.align [1248] )");
  return std::regex_replace(ptx, narrow, ".extern .shared .align 16 ");
}

TEST_P(Reference, PtxIsClangs) {
  if (StringRef(REGRAIN_REFERENCE_CLANG).ends_with("NOTFOUND"))
    GTEST_SKIP() << "no clang++-19 to compare with";
  Request request;
  request.toolkit = NVPTXOptions();
  std::string libdevice = nvptx::findToolkit(request.toolkit).libdevice;
  bool usesMath = StringRef(GetParam().input) == "math.cu";
  if (usesMath && libdevice.empty())
    GTEST_SKIP() << "no libdevice, which clang needs for math";
  // As in Regrain's code generator, addresses of shared memory have 32 bits.
  std::vector<std::string> more = {"-fcuda-short-ptr", "-mllvm", "-nvptx-short-ptr"};
  if (usesMath)
    more.insert(more.end(), {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", libdevice});
  std::string reference = runClang(more);
  std::string ir = runClang({"-emit-llvm", "-Xclang", "-disable-llvm-passes"});

  request.codegen.optLevel = GetParam().level[2] - '0';
  Result result = compile(ir, request);
  ASSERT_EQ(result.error, "");
  std::string expected =
      withLocalPlaces(withSortedVariables(withExactRoots(withoutComments(reference))));
  if (request.codegen.optLevel > 0)
    expected = withAlignedDynamicShared(withSizesFirst(expected));
  if (request.codegen.optLevel > 0 && !GetParam().fastMath)
    expected = withDecidedProducts(expected);
  EXPECT_EQ(
      withLocalPlaces(withSortedVariables(withJumpsOverSides(withoutComments(result.text())))),
      expected);
}

INSTANTIATE_TEST_SUITE_P(
    NVPTX, Reference,
    testing::Values(Case{"tile.cu", "-O3", false}, Case{"tile.cu", "-O2", false},
                    Case{"tile.cu", "-O1", false}, Case{"tile.cu", "-O0", false},
                    Case{"tile.cu", "-O3", true}, Case{"math.cu", "-O3", false},
                    Case{"math.cu", "-O3", true}));

} // namespace
