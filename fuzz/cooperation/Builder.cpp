//===- Builder.cpp - Builder of a cooperating program ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/cooperation/Builder.h"

#include "fuzz/cooperation/Acts.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::cooperation {

Program build(const Plan &plan) { return Builder(plan).run(); }

Program Builder::run() {
  current = Choices(program.plan.launch);
  chooseShape();
  findBoth();
  trim();
  bool fills = current.percent(8);
  Choices last = current;
  for (const ActPlan &act : program.plan.acts) {
    const ActKind &kind = actKinds()[act.kind];
    current = Choices(act.tape);
    form(kind.name);
    line("{");
    kind.write(*this);
    line("}");
    if (kind.name == leavingAct)
      return std::move(program);
  }
  current = last;
  if (fills)
    fillParameters();
  return std::move(program);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void Builder::line(const std::string &text) {
  if (text[0] == '}')
    --indent;
  program.body.append(2 * indent, ' ').append(text).append("\n");
  if (text.back() == '{')
    ++indent;
}

/// Returns "unsigned *p, unsigned n" as operands: "p, n".
static std::string operandsOf(const std::string &parameters) {
  std::string operands;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(parameters).split(parts, ',');
  for (llvm::StringRef part : parts)
    operands += (operands.empty() ? "" : ", ") +
                part.take_back(part.size() - 1 - part.find_last_of(" *")).str();
  return operands;
}

std::string Builder::function(const std::string &result, const std::string &parameters,
                              const std::string &body) {
  static const char *const descriptions[] = {"",
                                             "",
                                             "in a function that is not inlined",
                                             "in a recursive function",
                                             "in a lambda",
                                             "behind a function pointer"};
  static const std::vector<Linkage> linkages = {
      Linkage::Plain,      Linkage::Plain,     Linkage::Inline, Linkage::NotInlined,
      Linkage::NotInlined, Linkage::Recursive, Linkage::Lambda, Linkage::Pointer};
  Linkage linkage = choices().of(linkages);
  if (linkage == Linkage::Pointer && !choices().percent(40))
    linkage = Linkage::NotInlined;
  std::string name = fresh("f");
  auto define = [&](const std::string &as, const std::string &extra = "",
                    const std::string &first = "") {
    const char *how = linkage == Linkage::Plain    ? ""
                      : linkage == Linkage::Inline ? "__forceinline__ "
                                                   : "__noinline__ ";
    program.functions.push_back(formatv("__device__ {0}{1} {2}({3}{4}) {{\n{5}{6}}\n", how, result,
                                        as, extra, parameters, first, body));
  };
  if (*descriptions[size_t(linkage)])
    form(descriptions[size_t(linkage)]);
  switch (linkage) {
  case Linkage::Recursive:
    define(
        name, "unsigned deeper, ",
        formatv("  if (deeper)\n    return {0}(deeper - 1, {1});\n", name, operandsOf(parameters)));
    return name + "(2u, ";
  case Linkage::Lambda: {
    line("auto " + name + " = [](" + parameters + ") -> " + result + " {");
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(body).split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef part : lines)
      program.body.append(2 * (indent - 1), ' ').append(part.str()).append("\n");
    line("};");
    return name + "(";
  }
  case Linkage::Pointer:
    define(name + "a");
    define(name + "b");
    line(formatv("{0} (*{1})({2}) = {3} ? {1}a : {1}b;", result, name, parameters, scalar(0)));
    return name + "(";
  default:
    define(name);
    return name + "(";
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

std::string Builder::pointerTo(const Region &region, bool isRestrict) {
  // A pointer beyond the memory's begin looks different from the others.
  std::string name = fresh("p");
  uint32_t offset = choices().percent(15) ? 2 : 0;
  program.parameters.push_back(
      {std::string(region.word.type()) + " *" + (isRestrict ? "__restrict__ " : "") + name,
       region.memory, offset});
  return offset ? formatv("({0} - {1})", name, offset / region.word.words()).str() : name;
}

Region Builder::grid(Word word, uint32_t count, uint32_t initial, uint32_t step, bool isRestrict) {
  Region region = {uint32_t(program.memory.size()), "", word};
  Memory memory = {std::max(count * word.words(), 2u), initial, step};
  if (word.isWide) {
    memory.base = 0;
    for (uint32_t i = 0; i < count; ++i)
      memory.others.push_back({2 * i, initial + i * step});
  }
  program.memory.push_back(std::move(memory));
  region.pointer = pointerTo(region, restricts || isRestrict);
  return region;
}

Region Builder::shared(Word word, uint32_t count) {
  std::string name = fresh("s"), pointer = word.type() + std::string(" *");
  program.hasShared = true;
  bool isDynamic = choices().percent(30), isInFunction = choices().percent(20);
  std::string declaration =
      isDynamic ? "extern __shared__ __align__(16) unsigned char pool[];"
                : formatv("__shared__ {0} {1}[{2}];", word.type(), name, count).str();
  std::string begin =
      isDynamic ? formatv("({0})(pool + {1})", pointer, program.dynamicBytes).str() : name;
  if (isDynamic)
    program.dynamicBytes += (count * word.words() * 4 + 15) & ~15u;
  if (isInFunction) {
    form("shared memory of a function");
    if (isDynamic) {
      // The kernel, which has C's linkage, may also be declared in it.
      program.functions.push_back("extern \"C\" {\n" + declaration + "\n}\n");
      declaration.clear();
    }
    std::string body = formatv("  {0}\n  return {1} + from;\n", declaration, begin);
    name = fresh("s");
    std::string call = function(pointer, "unsigned from", body);
    line(pointer + name + " = " + call + "0u);");
    return {std::nullopt, name, word};
  }
  line(declaration);
  if (isDynamic)
    line(pointer + name + " = " + begin + ";");
  return {std::nullopt, name, word};
}

Region Builder::block(Word word, uint32_t count, uint32_t initial) {
  if (choices().percent(50)) {
    Region region = grid(word, count * blocks(), initial);
    isInexact(region);
    region.offset = formatv(" + home * {0}", count);
    region.pointer = "(" + region.pointer + region.offset + ")";
    return region;
  }
  Region region = shared(word, count);
  if (choices().percent(50))
    line(formatv("for (unsigned i = 0; i < {0}; ++i)", count));
  else
    line(formatv("for (unsigned i = self; i < {0}; i += {1})", count, live()));
  line(formatv("  {0}[i] = {1};", region.pointer, word.number(initial)));
  meet();
  return region;
}

/// Returns "unsigned *p" for "unsigned *__restrict__ p".
static std::string plainPointer(std::string declaration) {
  static const std::string qualifier = "__restrict__ ";
  if (size_t at = declaration.find(qualifier); at != std::string::npos)
    declaration.erase(at, qualifier.size());
  return declaration;
}

std::string Builder::alias(const Region &region, bool isRestrict) {
  if (!region.memory) {
    std::string name = fresh("q");
    line(formatv("{0} *{1} = {2};", region.word.type(), name, region.pointer));
    return name;
  }
  form(isRestrict ? "two restrict parameters point to the same memory"
                  : "two parameters point to the same memory");
  // One thread may use both pointers.
  for (Parameter &parameter : program.parameters)
    if (parameter.memory == region.memory && !isRestrict)
      parameter.declaration = plainPointer(parameter.declaration);
  return "(" + pointerTo(region, isRestrict) + region.offset + ")";
}

std::string Builder::scalar(uint32_t value) {
  std::string name = fresh("n");
  Parameter parameter;
  parameter.declaration = "unsigned " + name;
  parameter.words = {value};
  program.parameters.push_back(std::move(parameter));
  return name;
}

void Builder::checkValues(const Region &region, uint32_t index, uint32_t count, uint32_t value,
                          const std::string &what) {
  uint32_t words = region.word.words();
  for (uint32_t half = 0; half < words; ++half)
    checkLinear(region, index * words + half, count, half ? 0 : value, 0, what, words);
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

void Builder::chooseShape() {
  static const std::vector<std::array<uint32_t, 3>> shapes = {
      {2, 1, 1},  {32, 1, 1}, {64, 1, 1}, {96, 1, 1}, {48, 1, 1}, {33, 1, 1},
      {64, 1, 1}, {32, 1, 1}, {8, 1, 1},  {64, 1, 1}, {32, 1, 1}, {16, 4, 1},
      {8, 8, 1},  {32, 2, 1}, {32, 3, 1}, {5, 7, 1},  {4, 16, 1}, {1, 32, 1},
      {2, 8, 1},  {8, 4, 2},  {4, 4, 4},  {3, 3, 3},  {32, 1, 2}, {1, 2, 16}};
  program.shape.block = current.of(shapes);
  program.shape.grid = {1 + current.below(6), 1, 1};
  if (current.percent(20)) {
    program.shape.grid[0] = 1 + current.below(3);
    program.shape.grid[1 + current.below(2)] = 2 + current.below(2);
  }
  for (unsigned d = 0; d < 3; ++d)
    if (program.shape.block[d] > 1 || program.shape.grid[d] > 1)
      program.dimensions = d + 1;
  program.hasLaunchBounds = current.percent(15);
  restricts = current.percent(15);
  liveThreads = program.shape.threads();
}

static std::string linear(const std::string &index, const std::string &extent,
                          const std::array<uint32_t, 3> &extents) {
  std::string text = index + ".x";
  if (extents[1] > 1)
    text += " + " + extent + ".x * " + index + ".y";
  if (extents[2] > 1)
    text += " + " + extent + ".x * " + extent + ".y * " + index + ".z";
  return text;
}

void Builder::findBlock() {
  line("const unsigned home = " + linear("blockIdx", "gridDim", program.shape.grid) + ";");
}

/// Draws numbers of blocks, which one thread of each block takes; `self`
/// exists.
static void drawBlock(Builder &b) {
  b.form("blocks are numbered by tickets");
  Word word = {false, Reach::Grid};
  Ticket ticket = drawTicket(b.choices(), word, b.blocks());
  Region drawn = b.grid(word, 1, ticket.initial);
  b.checkValue(drawn, 0, ticket.after(b.blocks()), "tickets of blocks");
  b.line("__shared__ unsigned number;");
  b.line("if (self == 0)");
  b.line("  number = " + with(ticket.text, drawn.pointer) + ";");
  b.meet();
  b.line("const unsigned home = number;");
}

void Builder::findThread() {
  Word word = {false, Reach::Block};
  auto drawn = [&](uint32_t count, uint32_t most, const std::string &index) {
    Ticket ticket = drawTicket(current, word, most);
    Region counters = grid(word, count * blocks(), ticket.initial);
    checkValues(counters, 0, count * blocks(), ticket.after(most), "tickets of threads");
    return with(ticket.text, "&" + counters.pointer + "[" + index + "]");
  };
  uint32_t width = program.shape.block[0], threads = program.shape.threads();
  if (hasRows() && current.percent(60)) {
    form("threads of a column are told apart by tickets alone");
    line(formatv("const unsigned self = threadIdx.x + {0} * {1};", width,
                 drawn(width, threads / width, formatv("home * {0} + threadIdx.x", width))));
    return;
  }
  form("threads are told apart by tickets alone");
  line("const unsigned self = " + drawn(1, threads, "home") + ";");
}

void Builder::findBoth() {
  if (current.percent(30)) {
    findBlock();
    findThread();
  } else {
    line("const unsigned self = " + linear("threadIdx", "blockDim", program.shape.block) + ";");
    if (current.percent(15))
      drawBlock(*this);
    else
      findBlock();
  }
}

/// Threads with high numbers end here.
void Builder::trim() {
  static const std::vector<std::pair<const char *, const char *>> ways = {
      {"return;", "threads return early"},
      {"return;", "threads return early"},
      {"EXIT_THREAD();", "threads end by an exit"},
      {"asm volatile(\"exit;\");", "threads end by an exit in assembly"}};
  if (!current.percent(18) || live() == 1)
    return;
  auto [text, description] = current.of(ways);
  form(description);
  liveThreads = current.between(1, live() - 1);
  line(formatv("if (self >= {0})",
               current.percent(50) ? scalar(live()) : std::to_string(live()) + "u"));
  line(std::string("  ") + text);
}

uint32_t Builder::parameterBytes() const {
  uint32_t bytes = 0;
  for (const Parameter &parameter : program.parameters)
    bytes = parameter.memory ? (bytes + 15) / 8 * 8 : bytes + uint32_t(parameter.words.size()) * 4;
  return bytes;
}

/// Adds parameters up to the 4096 bytes that a kernel may have, or a few less.
void Builder::fillParameters() {
  form("parameters up to the limit");
  constexpr uint32_t mostBytes = 4096;
  std::vector<std::string> scalars;
  for (uint32_t i = current.below(40); i > 0; --i)
    scalars.push_back(scalar(i));
  uint32_t expected = uint32_t(scalars.size() * (scalars.size() + 1) / 2);
  Region all = results(everyone()), sums = results(everyone());
  uint32_t words = (mostBytes - parameterBytes()) / 4 - current.below(8);
  Parameter pack;
  std::string name = fresh("n");
  pack.declaration = "Pack " + name;
  pack.isStruct = true;
  for (uint32_t i = 0; i < words; ++i)
    pack.words.push_back(1000 + 3 * i);
  program.parameters.push_back(std::move(pack));
  program.functions.push_back(formatv("struct Pack {{\n  unsigned values[{0}];\n};\n", words));
  line(formatv("{0}[home * {1} + self] = {2}.values[home * {1} + self];", all.pointer, live(),
               name));
  line(formatv("{0}[home * {1} + self] = {2}.values[{3}]{4}{5};", sums.pointer, live(), name,
               words - 1, scalars.empty() ? "" : " + ", llvm::join(scalars, " + ")));
  checkLinear(all, 0, everyone(), 1000, 3, "what parameters hold");
  checkLinear(sums, 0, everyone(), 1000 + 3 * (words - 1) + expected, 0,
              "the sum of the parameters");
}

} // namespace regrain::fuzz::cooperation
