//===- ControlFlowTests.cpp - Random control flow, raised and lowered -----===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random functions of branches, switches and loops, also irreducible ones, are
// raised to grain IR and exported again. Interpreted, both must write the same.
//
//===----------------------------------------------------------------------===//
#include "compiler/Export/Export.h"
#include "fuzz/Random.h"
#include "interpreter/Interpreter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace regrain;

namespace {

constexpr unsigned kernels = 150;
constexpr unsigned variables = 4, threads = 2, words = 8; ///< words of output for each thread

/// Returns a kernel @k(ptr, i32). Its variables are allocas, which the import's passes remove. Each
/// jump back costs fuel, and without fuel the kernel ends.
class Drawing {
public:
  explicit Drawing(uint64_t seed) : random(seed), blocks(random.between(3, 9)) {
    text = R"(target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define void @k(ptr %p, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %fuel = alloca i32
  store i32 5, ptr %fuel
)";
    for (unsigned i = 0; i < variables; ++i)
      line("%x" + std::to_string(i) + " = alloca i32\n  store i32 " +
           (i == 0   ? "%tid"
            : i == 1 ? "%n"
                     : std::to_string(i)) +
           ", ptr %x" + std::to_string(i));
    line("br label %b1");
    for (block = 1; block <= blocks; ++block)
      drawBlock();
    text += latches + "end:\n";
    for (unsigned i = 0; i < variables; ++i)
      write(load(i), i);
    text += "  ret void\n}\n!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n";
  }
  std::string text;

private:
  void line(const std::string &content) { text += "  " + content + "\n"; }
  std::string fresh() { return "%v" + std::to_string(++names); }
  std::string load(unsigned variable) {
    std::string name = fresh();
    line(name + " = load i32, ptr %x" + std::to_string(variable));
    return name;
  }
  std::string any() {
    return random.percent(30) ? std::to_string(int(random.below(9)) - 3)
                              : load(random.below(variables));
  }

  /// Adds a value to a word of the thread's output.
  void write(const std::string &value, unsigned word) {
    std::string offset = fresh(), to = fresh(), old = fresh(), sum = fresh();
    line(offset + " = mul i32 %tid, " + std::to_string(words));
    std::string index = fresh();
    line(index + " = add i32 " + offset + ", " + std::to_string(word));
    line(to + " = getelementptr i32, ptr %p, i32 " + index);
    line(old + " = load i32, ptr " + to);
    line(sum + " = add i32 " + old + ", " + value);
    line("store i32 " + sum + ", ptr " + to);
  }

  void drawBlock() {
    text += "b" + std::to_string(block) + ":\n";
    for (unsigned count = random.between(0, 2); count > 0; --count)
      compute();
    if (random.percent(30))
      write(load(random.below(variables)), random.between(variables, words - 1));
    if (random.percent(25))
      count();
    leave();
  }

  void compute() {
    static const std::vector<std::string> operations = {"add", "sub", "mul", "xor", "and"};
    std::string left = load(random.below(variables)), right = any(), name = fresh();
    line(name + " = " + random.of(operations) + " i32 " + left + ", " + right);
    line("store i32 " + name + ", ptr %x" + std::to_string(random.below(variables)));
  }

  /// Makes a loop that counts in small steps to a small bound.
  void count() {
    static const std::vector<std::string> predicates = {"slt", "sle", "ult", "ne", "sgt"};
    std::string label = "loop" + std::to_string(++loops), bound = fresh(), from = fresh();
    std::string predicate = random.of(predicates), limit = any();
    bool isDown = predicate == "sgt", isUp = predicate == "slt" || predicate == "sle";
    std::string step = isDown ? "-1" : isUp ? std::to_string(random.between(1, 2)) : "1";
    line(bound + " = and i32 " + limit + ", 3");
    line(from + " = add i32 " + (isDown ? "4" : "0") + ", 0\n  br label %" + label);
    std::string origin = current();
    text += label + ":\n";
    std::string next = fresh(), counter = fresh(), more = fresh();
    line(counter + " = phi i32 [" + from + ", %" + origin + "], [" + next + ", %" + label +
         "body]");
    line(more + " = icmp " + predicate + " i32 " + counter + ", " + bound);
    line("br i1 " + more + ", label %" + label + "body, label %" + label + "end");
    text += label + "body:\n";
    std::string variable = "%x" + std::to_string(random.below(variables));
    std::string old = fresh(), changed = fresh();
    line(old + " = load i32, ptr " + variable);
    line(changed + " = add i32 " + old + ", " + counter);
    line("store i32 " + changed + ", ptr " + variable);
    line(next + " = add " + (random.percent(70) ? "nsw " : "") + "i32 " + counter + ", " + step);
    line("br label %" + label);
    text += label + "end:\n";
    if (random.percent(40))
      line("store i32 " + counter + ", ptr " + variable);
  }

  /// Returns the name of the block that is being written.
  std::string current() const {
    size_t colon = text.rfind(":\n");
    size_t start = text.rfind('\n', colon) + 1;
    return text.substr(start, colon - start);
  }

  /// Returns the label of a block to jump to; a jump back goes through a latch.
  std::string target() {
    unsigned to = random.between(1, blocks + 2);
    if (random.percent(60))
      to = random.between(block + 1, blocks + 2);
    if (to > blocks)
      return "end";
    std::string name = "b" + std::to_string(to);
    if (to > block)
      return name;
    std::string latch = "latch" + std::to_string(++names), number = std::to_string(names);
    latches += latch + ":\n  %f" + number + " = load i32, ptr %fuel\n  %g" + number +
               " = sub i32 %f" + number + ", 1\n  store i32 %g" + number + ", ptr %fuel\n  %h" +
               number + " = icmp sgt i32 %g" + number + ", 0\n  br i1 %h" + number + ", label %" +
               name + ", label %end\n";
    return latch;
  }

  void leave() {
    uint32_t roll = random.below(100);
    if (roll < 20)
      return line("br label %" + target());
    std::string value = load(random.below(variables));
    if (roll < 75) {
      std::string condition = fresh(), first = target(), second = target();
      line(condition + " = icmp " + (random.percent(50) ? "slt" : "eq") + " i32 " + value + ", " +
           std::to_string(random.below(4)));
      return line("br i1 " + condition + ", label %" + first + ", label %" + second);
    }
    std::string cases;
    for (unsigned i = 0; i < 3; ++i)
      cases += " i32 " + std::to_string(i) + ", label %" + target();
    line("switch i32 " + value + ", label %" + target() + " [" + cases + " ]");
  }

  fuzz::Random random;
  unsigned blocks, block = 0, names = 0, loops = 0;
  std::string latches;
};

/// Returns what a launch writes.
std::optional<std::vector<int32_t>> interpret(const llvm::Module &module, int32_t n) {
  DeviceMemory memory;
  uint64_t out = memory.copyIn(std::vector<int32_t>(threads * words));
  KernelLaunch launch = {{1, 1, 1}, {threads, 1, 1}, 0, {}};
  llvm::Error error = interpretKernel(module, "k", launch.with(out).with(n), memory);
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  return memory.copyOut<int32_t>(out, threads * words);
}

TEST(ControlFlow, RaisedAndLoweredItDoesTheSame) {
  mlir::MLIRContext mlirContext;
  mlirContext.disableMultithreading();
  unsigned loops = 0, counted = 0;
  for (uint64_t seed = 1; seed <= kernels && !HasFailure(); ++seed) {
    Drawing drawn(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + drawn.text);
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseAssemblyString(drawn.text, diagnostic, context);
    ASSERT_TRUE(module) << diagnostic.getMessage().str() << diagnostic.getLineNo();
    llvm::Expected<ImportedModule> imported = importDeviceModule(*module, {"k"}, mlirContext);
    ASSERT_TRUE(bool(imported)) << llvm::toString(imported.takeError());
    ASSERT_TRUE(imported->notRaised().empty()) << imported->notRaised().begin()->second.reason;
    mlir::OwningOpRef<mlir::ModuleOp> clone = imported->module().clone();
    clone->walk([&](mlir::scf::WhileOp) { ++loops; });
    clone->walk([&](mlir::scf::ForOp) { ++counted; });
    llvm::Expected<std::unique_ptr<llvm::Module>> exported =
        exportKernel(*clone->getOps<grain::KernelOp>().begin(), *imported, "k", context);
    ASSERT_TRUE(bool(exported)) << llvm::toString(exported.takeError());
    for (int32_t n : {0, 1, 3, -5})
      EXPECT_EQ(interpret(*module, n), interpret(**exported, n)) << "with n " << n;
  }
  EXPECT_GT(loops, kernels / 4);
  EXPECT_GT(counted, kernels / 4);
}

} // namespace
