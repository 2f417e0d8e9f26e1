//===- Compare.h - Compare the results of two runs --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// The original runs several times. Lines, numbers and files that differ between
// those runs vary by themselves and are not compared; neither are numbers on
// lines that mention time or rates, nor blanks. Everything else must be equal.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace regrain::suite {

/// A file that a run wrote: its size and a hash of its bytes.
struct FileMark {
  uint64_t bytes = 0;
  uint64_t hash = 0;
  friend bool operator==(const FileMark &, const FileMark &) = default;
};

/// The result of one run.
struct Output {
  std::string text; ///< standard output
  std::map<std::string, FileMark>
      files; ///< path in the program's folder; hash 0 and size 0: removed
};

/// The counts of what is omitted from the comparison, and of what is compared.
struct Compared {
  size_t numbers = 0;      ///< numbers that are not compared because they vary
  size_t timings = 0;      ///< numbers that are not compared because they are times or rates
  size_t lines = 0;        ///< lines that are not compared at all
  size_t files = 0;        ///< files that are not compared
  bool textVaries = false; ///< the runs print different numbers of lines: no text is compared
  size_t left = 0;         ///< lines and files in which something is compared
};

/// The original's runs, with which others are compared.
class Reference {
public:
  /// Adds a run of the original.
  void add(const Output &output);

  /// Returns the first difference between a run and the original, as a phrase.
  std::optional<std::string> difference(const Output &output) const;

  Compared compared() const;

private:
  struct Token {
    std::string text;
    bool isNumber = false;
    bool varies = false;
  };
  struct Line {
    std::vector<Token> tokens;
    bool isTiming = false;
    bool varies = false;
  };
  static std::vector<Line> linesOf(const std::string &text);
  static void widen(Line &known, const Line &again);
  static bool agrees(const Line &known, const Line &other);
  static std::string textOf(const Line &line);

  bool empty = true;
  bool textVaries = false;
  std::vector<Line> lines;
  std::map<std::string, std::optional<FileMark>> files; ///< without value: it varies
};

} // namespace regrain::suite
