//===- ThreadRows.cpp - A row for each thread or warp ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread runs loops over a row of its own, whose iterations lanes can share: they write other
// elements each, and carry sums, extremes, and what is taken with an extreme. Some loops carry or
// do what lanes cannot share.
//
// Or each warp has a row, and its lanes run such loops over every 32nd element. Between loops, they
// shuffle, vote, meet, and read what other lanes have written; some of them store alone.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

class ThreadRows {
public:
  ThreadRows(Writer &w, bool ofWarps) : w(w), c(w.choices()), ofWarps(ofWarps) {}

  void write();

private:
  void addGrains();
  void addGrainsOfWarps();
  void declare();
  void declareOfWarps();
  void finish();
  void openLoop(std::string &index);
  void loop();
  void carry(const std::string &index);
  void carryReal(const std::string &index);
  void carryBest(const std::string &index);
  void store(const std::string &index);
  void outside();
  void combine();
  void crossLanes();
  void outsideOfWarps();
  void rare(const std::string &index);
  std::string inputAt(const std::string &index) { return formatv("in[{0} + {1}]", start, index); }
  std::string outputAt(const std::string &index) { return formatv("to[{0} + {1}]", start, index); }
  std::string value(const std::string &index) { return filled(type->bits, inputAt(index)); }
  std::string word(const std::string &index, unsigned depth = 2) {
    bool isNeighbour = c.percent(readsAgain ? 3 : 20);
    std::string other = isNeighbour ? value(index + " + 1") : value(index);
    if (readsAgain && c.percent(50))
      other = filled(type->bits, outputAt(index));
    return w.word({value(index), "unsigned(" + index + ")", other, "row"}, depth);
  }

  Writer &w;
  cooperation::Choices &c;
  bool ofWarps; ///< each warp has a row, and not each thread
  const ElementType *type = nullptr;
  uint32_t width = 0, pitch = 0, live = 0;
  std::string n, rows;              ///< the length and the number of rows
  std::string start;                ///< the number of a row's first element
  std::vector<std::string> results; ///< expressions of type unsigned
  bool isInPlace = false;           ///< rows are written where they are read
  bool isShifted = false;  ///< lanes have other elements in the loop than in those around it
  bool readsAgain = false; ///< all loops are over the whole row, and few do what lanes may not
};

} // namespace

void ThreadRows::addGrains() {
  static const std::vector<const char *> shapes = {"64x1x1", "32x1x1", "32x2x1", "128x1x1"};
  for (const char *lanes : {"32", "16", "8", "4x4", "8x2", "32x4", "16x8"})
    for (const char *known : {"", ",for.aliases=none"})
      w.grain(formatv("shape={0},split={1}{2}", c.of(shapes), lanes, known));
  for (const char *kept : {"split=8,rows=8", "split=16,rows=8", "split=4x4,rows=8",
                           "split=4x2,rows=16", "split=4x2,rows=8", "split=32x2,rows=8"})
    for (const char *known : {"", ",for.aliases=none"})
      w.grain(formatv("shape={0},{1}{2}", c.of(shapes), kept, known));
  w.grain("shape=128x1x1,split=128x2,for.aliases=none");
  w.grain("shape=256x1x1,split=256");
  w.grain(formatv("shape=64x1x1,split=32,bound=64,for.arg{0}={1},for.aliases=none", 3, width));
}

void ThreadRows::addGrainsOfWarps() {
  static const std::vector<const char *> rows = {"", ",rows=8", ""};
  for (uint32_t warps : {2u, 4u, 8u, 16u, 32u})
    for (const char *known : {"", ",for.aliases=none"})
      w.grain(formatv("shape={0}x1x1,split={1}warps{2}{3}", 32 * warps, warps, c.of(rows), known));
  w.grain(formatv("shape=128x1x1,split=4warps,for.arg{0}={1},for.aliases=none", 3, width));
  w.grain("shape=64x1x1,split=32"); // which does not know warps
  for (uint32_t joined : {2u, 4u})
    if (w.threads() % (joined * 32) == 0)
      for (const char *fused : {"", ",fuse.x=2"})
        w.grain(formatv("thread.x={0}:contiguous{1},{2}", joined, fused, w.knownBlock()));
}

/// Begins a loop over the row, most of them over all of it.
void ThreadRows::openLoop(std::string &index) {
  static const std::vector<const char *> forms = {
      "for (int {0} = 0; {0} < int({1}); ++{0}) {{",
      "for (unsigned {0} = 0; {0} < {1}; ++{0}) {{",
      "for (int {0} = {2}; {0} < int({1}); {0} += {3}) {{",
      "for (int {0} = int({1}) - 1; {0} >= 0; --{0}) {{",
      "for (long long {0} = 0; {0} < int({1}); ++{0}) {{",
      "for (unsigned {0} = {2}; {0} <= {1} - 1; {0} += {3}) {{",
      "for (int {0} = row % 3; {0} < int({1}); ++{0}) {{",
      "for (unsigned {0} = {1}; {0}-- > 0;) {{"};
  static const std::vector<const char *> formsOfWarps = {
      "for (int {0} = lane; {0} < int({1}); {0} += 32) {{",
      "for (unsigned {0} = lane; {0} < {1}; {0} += 32) {{",
      "for (int {0} = lane; {0} < int({1}); {0} += warpSize) {{",
      "for (long long {0} = lane; {0} < int({1}); {0} += 32) {{",
      "for (int {0} = int(lane) + {2}; {0} < int({1}) - {2}; {0} += 32) {{",
      "for (int {0} = int(lane) - 32 * {2}; {0} < int({1}); {0} += 32) if ({0} >= 0) {{"};
  index = w.fresh("i");
  bool isWhole = readsAgain || c.percent(50);
  const std::vector<const char *> &all = ofWarps ? formsOfWarps : forms;
  std::string head = formatv(isWhole ? all[0] : c.of(all), index, n, c.below(3), c.between(1, 3));
  isShifted = head.find("int(lane) +") != std::string::npos;
  if (isShifted)
    w.line("__syncwarp();");
  w.line(head);
}

/// An integer that is put together in any order.
void ThreadRows::carry(const std::string &index) {
  static const std::vector<const char *> forms = {"{0} += {1};",
                                                  "{0} ^= {1};",
                                                  "{0} -= {1};",
                                                  "{0} *= {1} | 1;",
                                                  "{0} = max({0}, {1});",
                                                  "{0} |= {1} & 0xf0f;",
                                                  "{0} = min({0}, {1});",
                                                  "{0} &= {1} | 0xff00ff;",
                                                  "{0} = {1} < {0} ? {1} : {0};",
                                                  "{0} += {1} * 3 + {2};"};
  std::string sum = "s" + std::to_string(c.below(3));
  if (c.percent(25))
    w.line("if (" + w.condition({value(index), "unsigned(" + index + ")"}) + ")");
  w.line("  " + formatv(c.of(forms), sum, word(index), value(index)).str());
}

/// A sum of floating-point numbers, whose order matters.
void ThreadRows::carryReal(const std::string &index) {
  static const std::vector<const char *> forms = {"{0} += {1};",
                                                  "{0} -= {1};",
                                                  "{0} += {1} * {1};",
                                                  "{0} = {0} + {1} * 0.5f;",
                                                  "{0} += {1}; {0} -= {1} * 0.25f;",
                                                  "{0} = {1} - {0};"};
  std::string number = type->isReal ? inputAt(index) : filled(elementTypes()[1].make, value(index));
  w.line(formatv(c.of(forms), c.percent(60) ? "f" : "d", number));
}

/// The best number, and where it is.
void ThreadRows::carryBest(const std::string &index) {
  static const std::vector<const char *> comparisons = {">", "<", ">=", "<="};
  std::string number = inputAt(index), best = w.fresh("best"), where = w.fresh("where");
  // Of equal numbers, and of both zeros, the first or the last one counts.
  if (c.percent(60))
    number = filled(type->make, "(" + value(index) + " & 7) << 10");
  else if (type->isReal && c.percent(50))
    number = formatv("(float({0} & 3) - 1.5f) * 0.0f", value(index));
  results.push_back(filled(type->bits, best));
  results.push_back(where);
  w.line(formatv("if ({0} {1} {2})", number, c.of(comparisons), best));
  w.line(formatv("  {0} = {1}, {2} = unsigned({3});", best, number, where, index));
  best = formatv("  {0} {1} = {2};\n  unsigned {3} = 9;\n", type->name, best,
                 c.percent(50) ? filled(type->make, "3000u") : inputAt("0"), where);
  w.declareFirst(best);
}

void ThreadRows::store(const std::string &index) {
  if (c.percent(20))
    w.line("if (" + w.condition({value(index), "unsigned(" + index + ")"}) + ")");
  bool isOwn = ofWarps || c.percent(readsAgain ? 97 : 85);
  w.line(formatv("  {0} = {1};", outputAt(isOwn ? index : index + " / 2"),
                 filled(type->make, word(index) + " + s0 * 0")));
}

/// What lanes may not share, or may not do for one thread.
void ThreadRows::rare(const std::string &index) {
  static const std::vector<const char *> forms = {
      "if ({0} % 97 == 5) break;",
      "s1 = s1 * 3 + {0};",
      "atomicAdd(&counts[{0} % 8], {1} & 15);",
      "s2 += *(volatile unsigned *)&counts[8 + {1} % 8];",
      "s2 ^= __popc(__activemask()) * 0 + {0};",
      "if (s1 > {0}) s2 += 1;",
      "if (({0} & 3) == 1) continue;",
      "s0 += s1; s1 += {0};",
      "for (unsigned j = 0; j < {1} % 4; ++j) s2 += {0} * j;"};
  if (ofWarps && c.percent(20))
    return w.line("s1 += __shfl_sync(__activemask(), s1, lane);");
  w.line(formatv(c.of(forms), value(index), "unsigned(" + index + ")"));
}

void ThreadRows::loop() {
  std::string index, inner;
  bool isNested = c.percent(readsAgain ? 3 : 12);
  if (isNested)
    w.line(formatv("for (unsigned round = 0; round < {0}; ++round) {{", c.between(1, 3)));
  openLoop(index);
  for (uint32_t count = c.between(1, 3); count > 0; --count) {
    switch (c.below(8)) {
    case 0:
    case 1:
      carry(index);
      break;
    case 2:
      if (ofWarps && c.percent(80))
        carry(index);
      else
        carryReal(index);
      break;
    case 3:
      carryBest(index);
      break;
    case 4:
      if (c.percent(readsAgain ? 4 : 25))
        rare(index);
      else
        carry(index);
      break;
    default:
      store(index);
    }
  }
  w.line("}");
  if (isNested)
    w.line("}");
  if (isShifted)
    w.line("__syncwarp();");
}

/// Lets lanes read what others have written.
void ThreadRows::crossLanes() {
  std::string index = w.fresh("i");
  w.line("__syncwarp();");
  w.line(formatv("for (int {0} = lane; {0} < int({1}); {0} += 32)", index, n));
  w.line(formatv("  s1 += {0};", filled(type->bits, outputAt(n + " - 1 - " + index))));
  w.line("__syncwarp();");
}

/// What lanes of a warp do between their loops, together and alone.
void ThreadRows::outsideOfWarps() {
  static const std::vector<const char *> forms = {
      "for (int o = 16; o > 0; o /= 2) s0 += __shfl_xor_sync(~0u, s0, o);",
      "for (int o = 16; o > 0; o /= 2) s1 = max(s1, __shfl_xor_sync(~0u, s1, o));",
      "for (int o = 16; o > 0; o /= 2) s2 ^= __shfl_down_sync(~0u, s2, o);",
      "s0 = __shfl_sync(~0u, s0, {0});",
      "s1 ^= __ballot_sync(~0u, s0 & 1);",
      "s2 += __any_sync(~0u, s1 == {0}u);",
      "if (lane == {0}) out[own * 6 + 5] = s0;",
      "if (lane < {0}) {{ s1 += out[own * 6 + 5]; }",
      "if (lane % 3 == {0} % 3) {{ out[own * 6 + 5] = s1 + out[own * 6 + 5]; }",
      "out[own * 6 + 5] += s2;",
      "if (lane == {0}) {{ out[own * 6 + 5] = s2; s2 = 7; }",
      "if (row & 1) s1 += {0};",
      "while (s2 > 100) s2 /= 3;",
      "s2 += lane == {0} ? s0 : 1u;"};
  if (c.percent(15))
    return crossLanes();
  w.line(formatv(c.of(forms), c.below(32)));
}

/// What every lane does on the same values.
void ThreadRows::outside() {
  if (ofWarps)
    return outsideOfWarps();
  static const std::vector<const char *> forms = {"s0 = s0 * 3 + {0};", "{1} = {2};",
                                                  "if (s0 & 1) s1 += {0};", "f = f * 0.5f + 1.0f;",
                                                  "while (s2 > 100) s2 /= 3;"};
  std::string last = formatv("({0} - 1)", n);
  std::string of =
      "unsigned(" + filled(type->bits, isInPlace ? outputAt(last) : inputAt("0")) + ")";
  w.line(formatv(c.of(forms), of, outputAt("0"), filled(type->make, "s0 ^ row")));
}

void ThreadRows::declareOfWarps() {
  static const std::vector<const char *> forms = {
      "unsigned row = own / 32, lane = threadIdx.x % 32;",
      "unsigned row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;",
      "int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread & 31;",
      "unsigned row = (blockIdx.x * blockDim.x + (threadIdx.x & ~31u)) >> 5, lane = own & 31;"};
  w.line("unsigned own = blockIdx.x * blockDim.x + threadIdx.x;");
  w.line(c.of(forms));
}

/// Declares the row and what is in memory.
void ThreadRows::declare() {
  static const std::vector<uint32_t> sizes = {32, 64, 48, 96, 24, 128};
  static const std::vector<uint32_t> wholeWarps = {32, 64, 96, 128};
  static const std::vector<uint32_t> widths = {33, 64, 70, 5, 31, 32, 100, 40, 1, 130};
  static const std::vector<uint32_t> widthsOfWarps = {33, 300, 70, 5, 1000, 64, 100, 513, 1, 130};
  w.launch({c.of(ofWarps ? wholeWarps : sizes), 1, 1}, c.between(1, 3));
  uint32_t all = w.threads() * w.blocks() / (ofWarps ? 32 : 1);
  live = all > 1 && c.percent(60) ? all - c.below(all / 2) : all;
  type = &c.of(elementTypes());
  width = c.of(ofWarps ? widthsOfWarps : widths);
  pitch = (width + 4) & ~3u; // with an element behind the row
  isInPlace = !ofWarps && c.percent(20);
  readsAgain = c.percent(50);
  bool isRestrict = !isInPlace && c.percent(readsAgain ? 90 : 60);
  uint32_t words = (pitch * all * type->bytes / 4 + 3) & ~3u, from = w.memory(words, type->isReal);
  w.pointer(std::string("const ") + type->name, from, 0, isRestrict, "in");
  w.pointer(type->name, isInPlace ? from : w.memory(words, type->isReal), 0, isRestrict, "to");
  w.pointer("unsigned", w.memory(w.threads() * w.blocks() * 6), 0, isRestrict, "out");
  n = w.scalar("unsigned", width);
  rows = w.scalar("unsigned", live);
  w.pointer("unsigned", w.memory(16), 0, false, "counts");
  start = readsAgain ? "int(row) * " + w.scalar("int", pitch) : "row * " + std::to_string(pitch);
  if (ofWarps)
    declareOfWarps();
  else
    w.line("unsigned row = blockIdx.x * blockDim.x + threadIdx.x;");
}

/// Combines each element of the thread's row with one that all threads read, in a register or in
/// memory between the loads.
void ThreadRows::combine() {
  static const std::vector<const char *> forms = {
      "s0 += {0} * {1};", "s1 ^= {0} - {1};", "s2 = max(s2, {0} & {1});",
      "out[row * 6 + 5] += {0} * {1};", "out[row * 6 + 5] ^= {0} | {1};"};
  std::string index = w.fresh("i");
  w.line(formatv("for (unsigned {0} = 0; {0} < {1}; ++{0})", index, n));
  w.line("  " + formatv(c.of(forms), value(index), filled(type->bits, "in[" + index + "]")).str());
}

/// Stores what has been carried.
void ThreadRows::finish() {
  std::string sum = "0u";
  for (size_t i = 5; i < results.size(); ++i)
    sum += formatv(" + {0} * {1}", results[i], 2 * i + 1);
  results[4] += " + (" + sum + ")";
  for (size_t i = 0; i < 5; ++i)
    w.line(formatv("out[{0} * 6 + {1}] = {2};", ofWarps ? "own" : "row", i, results[i]));
}

void ThreadRows::write() {
  declare();
  bool returns = c.percent(50);
  w.line(returns ? formatv("if (row >= {0})\n    return;", rows).str()
                 : formatv("if (row < {0}) {{", rows).str());
  w.line("unsigned s0 = row, s1 = 1, s2 = 77;");
  w.line("float f = 0.25f;");
  w.line("double d = 0;");
  results = {"s0", "s1", "s2", "__float_as_uint(f)",
             "unsigned(__double2loint(d)) + unsigned(__double2hiint(d))"};
  w.beginFirst();
  for (uint32_t loops = c.between(readsAgain ? 2 : 1, 3); loops > 0; --loops) {
    loop();
    if (c.percent(ofWarps ? 70 : 40))
      outside();
  }
  if (!ofWarps && !isInPlace && c.percent(60))
    combine();
  finish();
  if (!returns)
    w.line("}");
  ofWarps ? addGrainsOfWarps() : addGrains();
}

void writeThreadRows(Writer &w) { ThreadRows(w, /*ofWarps=*/false).write(); }

void writeWarpRows(Writer &w) { ThreadRows(w, /*ofWarps=*/true).write(); }

} // namespace regrain::fuzz::patterns
