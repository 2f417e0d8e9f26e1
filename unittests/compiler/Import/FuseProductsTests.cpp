//===- FuseProductsTests.cpp - Fusion compared with the code generator's --===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random straight-line code is compiled to PTX as it is, where LLVM's code
// generator fuses products and sums, and after fuseProducts by the rule for AMD
// GPUs, which is that of all LLVM's code generators. Both are run on random
// numbers and must store the same bits.
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/FuseProducts.h"
#include "compiler/Target/NVPTX/CodeGenerator.h"
#include "fuzz/Random.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>
#include <set>

using namespace llvm;
using namespace regrain;

namespace {

constexpr unsigned parameters = 4;

/// Returns a kernel of sums and products of its parameters. It has no dead code, and no two
/// operations are the same, as after the passes before fusion.
std::string drawKernel(uint64_t seed, const std::string &type) {
  fuzz::Random random(seed);
  std::vector<std::string> values = {"%a0", "%a1", "%a2", "%a3"};
  std::string text = "target triple = \"nvptx64-nvidia-cuda\"\ndefine void @k(ptr %p, " + type +
                     " %a0, " + type + " %a1, " + type + " %a2, " + type + " %a3) {\n";
  static const std::vector<std::string> operations = {"fmul", "fmul", "fadd", "fsub"};
  std::set<std::array<std::string, 3>> known;
  std::set<std::string> unused;
  unsigned stored = 0;
  auto store = [&](const std::string &name) {
    unused.erase(name);
    std::string to = "%p" + std::to_string(++stored);
    text += to + " = getelementptr i64, ptr %p, i64 " + std::to_string(stored) +
            "\nstore volatile " + type + " " + name + ", ptr " + to + "\n";
  };
  unsigned count = random.between(3, 9);
  for (unsigned i = 0; i < count;) {
    std::string name = "%v" + std::to_string(i);
    std::array<std::string, 3> drawn = {random.of(operations), random.of(values),
                                        random.of(values)};
    if (!known.insert(drawn).second || !known.insert({drawn[0], drawn[2], drawn[1]}).second)
      continue;
    ++i;
    text += name + " = " + drawn[0] + (random.percent(85) ? " contract " : " ") + type + " " +
            drawn[1] + ", " + drawn[2] + "\n";
    values.insert(values.end(), {name, name});
    unused.insert(name);
    unused.erase(drawn[1]);
    unused.erase(drawn[2]);
    if (random.percent(20))
      store(name);
  }
  while (!unused.empty())
    store(std::string(*unused.begin()));
  return text + "ret void\n}\n!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n";
}

/// Returns the PTX of a kernel; each product and sum is fused only as its flags allow.
std::string compile(const std::string &text, bool fuses) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  if (fuses) {
    std::string triple = module->getTargetTriple();
    module->setTargetTriple("amdgcn-amd-amdhsa");
    fuseProducts(*module->getFunction("k"));
    module->setTargetTriple(triple);
  }
  nvptx::MachineSettings settings;
  settings.fuseMultiplyAdd = false;
  std::unique_ptr<TargetMachine> machine = nvptx::createMachine(settings);
  module->setDataLayout(machine->createDataLayout());
  Expected<std::vector<char>> ptx =
      nvptx::emitPtx(*module, *machine, nvptx::LoopAddresses::Reduced);
  EXPECT_TRUE(bool(ptx));
  return ptx ? std::string(ptx->data()) : "";
}

/// Runs the arithmetic of a kernel on numbers of type T and returns what it stores, by address.
template <typename T> class Runner {
public:
  explicit Runner(const std::array<T, parameters> &given) : given(given) {}

  std::map<std::string, T> run(StringRef ptx) {
    SmallVector<StringRef> lines;
    ptx.split(lines, '\n');
    for (StringRef line : lines) {
      line = line.trim();
      SmallVector<StringRef> words;
      SplitString(line, words, " \t,;[]");
      if (line.ends_with(";") && words.size() >= 2)
        execute(words);
    }
    return stored;
  }
  unsigned fused = 0;

private:
  void execute(ArrayRef<StringRef> words) {
    StringRef opcode = words[0];
    auto is = [&](StringRef name) {
      return opcode == name || opcode.starts_with((name + ".").str());
    };
    if (is("ld")) {
      unsigned number = 0;
      if (!words[2].rsplit('_').second.getAsInteger(10, number) && number >= 1)
        values[words[1].str()] = given[number - 1];
    } else if (is("st")) {
      stored[words[1].str()] = of(words[2]);
    } else if (is("fma")) {
      ++fused;
      values[words[1].str()] = std::fma(of(words[2]), of(words[3]), of(words[4]));
    } else if (is("mul")) {
      values[words[1].str()] = of(words[2]) * of(words[3]);
    } else if (is("add")) {
      values[words[1].str()] = of(words[2]) + of(words[3]);
    } else if (is("sub")) {
      values[words[1].str()] = of(words[2]) - of(words[3]);
    } else if (is("neg")) {
      values[words[1].str()] = -of(words[2]);
    } else if (!is("mov") && !is("cvta")) {
      EXPECT_TRUE(opcode.starts_with(".") || opcode == "ret") << opcode.str();
    }
  }
  T of(StringRef name) const {
    auto found = values.find(name.str());
    if (found != values.end())
      return found->second;
    if (name.consume_front("0f")) {
      uint32_t bits = 0;
      name.getAsInteger(16, bits);
      return T(bit_cast<float>(bits));
    }
    uint64_t bits = 0;
    EXPECT_TRUE(name.consume_front("0d") && !name.getAsInteger(16, bits)) << name.str();
    return T(bit_cast<double>(bits));
  }

  std::array<T, parameters> given;
  std::map<std::string, T> values, stored;
};

template <typename T> void compareAll(const std::string &type, uint64_t kernels) {
  unsigned fused = 0;
  for (uint64_t seed = 1; seed <= kernels && !testing::Test::HasFailure(); ++seed) {
    std::string text = drawKernel(seed, type);
    std::string plain = compile(text, false), before = compile(text, true);
    fuzz::Random random(seed);
    for (unsigned trial = 0; trial < 8; ++trial) {
      std::array<T, parameters> given;
      for (T &number : given)
        number = T(int64_t(random.bits()) >> 8) / T(uint64_t(1) << 55);
      Runner<T> one(given), other(given);
      std::map<std::string, T> expected = one.run(plain), found = other.run(before);
      EXPECT_EQ(expected, found) << "seed " << seed << ":\n" << text << plain << before;
      EXPECT_FALSE(expected.empty());
      fused += one.fused;
    }
  }
  EXPECT_GT(fused, kernels);
}

TEST(FuseProducts, FloatsAreFusedAsByTheCodeGenerator) { compareAll<float>("float", 80); }
TEST(FuseProducts, DoublesAreFusedAsByTheCodeGenerator) { compareAll<double>("double", 30); }

} // namespace
