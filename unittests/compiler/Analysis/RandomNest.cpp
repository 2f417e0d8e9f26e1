//===- RandomNest.cpp - Small random kernels in grain IR ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/compiler/Analysis/RandomNest.h"

#include "fuzz/Random.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;
using regrain::fuzz::Random;

namespace regrain {

namespace {

struct Named {
  std::string name;
  unsigned width;
};

class Drawing {
public:
  explicit Drawing(uint64_t seed) : random(seed) {}

  RandomNest run() {
    if (random.percent(30))
      nest.factors[random.below(2)] = random.between(2, 4);
    if (random.percent(20))
      nest.shape = {random.of(std::vector<uint32_t>{4, 32}), random.between(1, 4), 1};
    numbers = {{"%bx", 32}, {"%by", 32}, {"%tx", 32}, {"%tx", 32}, {"%ty", 32},
               {"%n", 32},  {"%m", 64},  {"%gx", 32}, {"%sx", 32}, {"%sy", 32}};
    text += "grain.kernel @kernel(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %m: i64) {\n";
    text += "  %gx = grain.grid_size x\n  %sx = grain.block_size x\n  %sy = grain.block_size y\n";
    text += "  grain.blocks (%bx, %by, %bz) " + blockAttributes() + "{\n";
    text += "    %s = grain.shared \"s\" : !llvm.array<64 x i32> align 4\n";
    text += "    grain.threads (%tx, %ty, %tz) " + threadAttributes() + "{\n";
    statements(random.between(3, 6), 0);
    access();
    access();
    text += "    }\n  }\n  grain.return\n}\n";
    nest.text = std::move(text);
    return std::move(nest);
  }

private:
  std::string blockAttributes() const {
    return formatv("factors [{0}, {1}, {2}] ", nest.factors[0], nest.factors[1], nest.factors[2]);
  }
  std::string threadAttributes() const {
    if (!nest.shape[0])
      return "";
    return formatv("attributes {{shape = array<i32: {0}, {1}, {2}>} ", nest.shape[0], nest.shape[1],
                   nest.shape[2]);
  }

  std::string fresh() { return "%v" + std::to_string(++names); }
  void line(const std::string &content) { text += "      " + content + "\n"; }

  std::string constant(unsigned width) {
    static const std::vector<int64_t> few = {0, 1, 1, 2, 3, 4, 5, 7, 8, 16, -1, -2, 31, 64, 127};
    static const std::vector<int64_t> ends = {2147483647, -2147483647 - 1, 65535, 65536, 1024};
    int64_t value = width >= 32 && random.percent(6) ? random.of(ends) : random.of(few);
    return constantOf(value, width);
  }
  std::string constantOf(int64_t value, unsigned width) {
    std::string name = fresh();
    line(formatv("{0} = arith.constant {1} : i{2}", name, value, width));
    return name;
  }

  /// Returns a number of the width; one of another width is converted.
  std::string number(unsigned width) {
    if (random.percent(20))
      return constant(width);
    Named from = random.of(numbers);
    if (from.width == width)
      return from.name;
    std::string name = fresh();
    const char *how = from.width > width ? "trunci" : random.percent(50) ? "extsi" : "extui";
    line(formatv("{0} = arith.{1} {2} : i{3} to i{4}", name, how, from.name, from.width, width));
    numbers.push_back({name, width});
    return name;
  }

  unsigned width() {
    static const std::vector<unsigned> widths = {32, 32, 32, 64, 64, 8, 16};
    return random.of(widths);
  }

  void compute() {
    static const std::vector<std::string> operations = {"addi", "addi",  "subi",  "muli", "shli",
                                                        "andi", "remui", "divui", "ori",  "xori"};
    static const std::vector<std::string> flags = {
        "", "", "", " overflow<nsw>", " overflow<nuw>", " overflow<nsw, nuw>"};
    unsigned bits = width();
    std::string operation = random.of(operations), left = number(bits);
    bool byConstant =
        operation != "addi" && operation != "subi" ? random.percent(85) : random.percent(40);
    std::string right = byConstant ? constant(bits) : number(bits), name;
    bool mayPromise =
        operation == "addi" || operation == "subi" || operation == "muli" || operation == "shli";
    std::string flag = mayPromise ? random.of(flags) : "";
    line(formatv("{0} = arith.{1} {2}, {3}{4} : i{5}", name = fresh(), operation, left, right, flag,
                 bits));
    numbers.push_back({name, bits});
  }

  std::string condition() {
    static const std::vector<std::string> predicates = {"slt", "sle", "sgt", "sge", "ult",
                                                        "ule", "ugt", "uge", "eq",  "ne"};
    unsigned bits = width();
    std::string left = number(bits), right = number(bits), name = fresh();
    line(formatv("{0} = arith.cmpi {1}, {2}, {3} : i{4}", name, random.of(predicates), left, right,
                 bits));
    if (!random.percent(30))
      return name;
    std::string other = condition(), both = fresh();
    switch (random.below(4)) {
    case 0:
      line(formatv("{0} = arith.andi {1}, {2} : i1", both, name, other));
      break;
    case 1:
      line(formatv("{0} = arith.ori {1}, {2} : i1", both, name, other));
      break;
    case 2: {
      std::string no = constantOf(0, 1);
      line(formatv("{0} = arith.select {1}, {2}, {3} : i1", both, name, other, no));
      break;
    }
    default: {
      std::string yes = constantOf(1, 1);
      line(formatv("{0} = arith.xori {1}, {2} : i1", both, name, yes));
    }
    }
    return both;
  }

  void branch(unsigned depth) {
    line("scf.if " + condition() + " {");
    inside(depth);
    if (random.percent(40)) {
      line("} else {");
      inside(depth);
    }
    line("}");
  }

  /// Returns a bound of a loop: small, whatever it is made from, or near an
  /// end.
  std::string bound(unsigned bits, bool isUpper) {
    if (random.percent(15))
      return constantOf(isUpper ? 4 : 0, bits);
    std::string from = number(bits), mask = constantOf(3, bits), name = fresh();
    line(formatv("{0} = arith.andi {1}, {2} : i{3}", name, from, mask, bits));
    return name;
  }

  void loop(unsigned depth) {
    static const std::vector<unsigned> widths = {32, 32, 64};
    unsigned bits = random.of(widths);
    std::string low, high, step = constantOf(random.between(1, 3), bits), counter = fresh();
    if (bits == 32 && random.percent(10)) {
      low = constantOf(2147483640, bits), high = constantOf(2147483644, bits);
    } else {
      low = bound(bits, /*isUpper=*/false), high = bound(bits, /*isUpper=*/true);
    }
    line(formatv("scf.for {0} = {1} to {2} step {3} : i{4} {{", counter, low, high, step, bits));
    size_t outside = numbers.size();
    numbers.push_back({counter, bits});
    numbers.push_back({counter, bits});
    inside(depth);
    numbers.resize(outside);
    line("}");
  }

  void inside(unsigned depth) {
    std::vector<Named> before = numbers;
    statements(random.between(1, 3), depth + 1);
    access();
    numbers = std::move(before);
  }

  void statements(unsigned count, unsigned depth) {
    for (; count > 0; --count) {
      uint32_t roll = random.below(100);
      if (roll < 60)
        compute();
      else if (roll < 70)
        access();
      else if (depth < 2 && roll < 85)
        branch(depth);
      else if (depth < 2)
        loop(depth);
    }
  }

  /// Makes a load or a store at a number.
  void access() {
    static const std::vector<unsigned> sizes = {8, 32, 32, 64};
    bool isShared = random.percent(30), isLoad = random.percent(50);
    unsigned bits = random.of(sizes);
    std::string index = number(64), pointer = fresh();
    const char *space = isShared ? "<3>" : "";
    line(formatv("{0} = llvm.getelementptr {1}{2}[{3}] : (!llvm.ptr{4}, i64) -> !llvm.ptr{4}, i{5}",
                 pointer, random.percent(80) ? "inbounds " : "",
                 isShared             ? "%s"
                 : random.percent(70) ? "%p"
                                      : "%q",
                 index, space, bits));
    if (isLoad) {
      std::string name = fresh();
      line(formatv("{0} = llvm.load {1} : !llvm.ptr{2} -> i{3}", name, pointer, space, bits));
      numbers.push_back({name, bits});
    } else {
      std::string value = number(bits);
      line(formatv("llvm.store {0}, {1} : i{2}, !llvm.ptr{3}", value, pointer, bits, space));
    }
  }

  Random random;
  RandomNest nest;
  std::string text;
  std::vector<Named> numbers;
  unsigned names = 0;
};

} // namespace

RandomNest drawNest(uint64_t seed) { return Drawing(seed).run(); }

} // namespace regrain
