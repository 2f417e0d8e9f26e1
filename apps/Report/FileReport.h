//===- FileReport.h - What the images of a file hold ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one form from which both the text and the JSON are written.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/elf_images.h"
#include "runtime/image/grain.h"
#include "runtime/image/memory_use.h"
#include "runtime/image/resources.h"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace regrain::report {

/// What an image has code for: the kind and the chip of some of its modules.
struct TargetName {
  image::CodeKind kind;
  std::string arch;
  friend bool operator==(const TargetName &, const TargetName &) = default;
};

/// "cpu", "ptx", "cubin" or "hsaco".
const char *kindName(image::CodeKind kind);

/// The code of one alternative for one target.
struct CodeReport {
  TargetName target;
  std::string symbol; ///< empty where the target has no code for it
  Resources resources;
};

struct AlternativeReport {
  std::string id;
  Grain grain;
  std::vector<CodeReport> code; ///< one for each target of the image, in their order
};

/// An alternative that was asked for and is not in the image.
struct RefusalReport {
  std::string kernel; ///< symbol
  std::string id;
  std::string stage;
  std::string file;
  uint32_t line, column; ///< 0 where unknown
  std::string kind;      ///< "divergent-barrier"; empty in images older than kinds
  std::string reason;
  std::string remedy; ///< what would lift it
};

/// A candidate on one target, or as a whole.
struct VerdictReport {
  std::string outcome; ///< "kept", "refused", "pruned" or "timed-out"
  std::string stage;   ///< that decided; empty where nothing spoke against it
  std::string reason;
  float seconds; ///< negative where not recorded
};

/// A grain that was tried, in the image or not.
struct CandidateReport {
  std::string id;
  VerdictReport verdict;
  struct Code {
    std::string target;
    VerdictReport verdict;
    uint64_t bytes;
  };
  std::vector<Code> code;
};

/// What launches of one class run at.
struct ClassChoiceReport {
  std::string launchClass; ///< as runtime/core/launch_class.h writes it
  std::string alternative; ///< id
  // What it holds for; empty and 0: any.
  std::string generation, device;
  uint32_t multiprocessors;
};

struct KernelReport {
  std::string symbol;
  std::string name; ///< demangled
  std::string file;
  uint32_t line;
  /// As the launch passes it, in bytes.
  struct Parameter {
    uint32_t offset;
    uint32_t size;
  };
  std::vector<Parameter> parameters;
  /// Of which a class of launches holds the magnitude.
  struct Integer {
    uint32_t parameter; ///< index
    uint32_t offset, size;
  };
  std::vector<Integer> integers;
  uint32_t maxThreads; ///< launch bounds, 0: none
  bool usesDynamicShared;
  std::string hash;          ///< of its content; empty in images older than hashes
  std::string notReplayable; ///< why launches cannot be repeated; empty where they can
  MemoryUse memory;          ///< with all of the kernel's parameters
  std::string chosen;        ///< id of the alternative that runs unless told otherwise
  std::vector<ClassChoiceReport> classChoices; ///< these go before `chosen`
  std::vector<AlternativeReport> alternatives;
  std::vector<CandidateReport> candidates;
};

struct VariableReport {
  std::string symbol;
  std::string kind; ///< "device", "constant" or "managed"
  uint64_t bytes;
  uint32_t align;
};

struct ImageReport {
  std::string member; ///< of an archive, else empty
  std::string source;
  std::string producer;
  std::vector<TargetName> targets;
  /// Of each target: what decides on its code beside the IR, as a digest; empty in older images.
  std::vector<std::string> generations;
  std::vector<KernelReport> kernels;
  std::vector<VariableReport> variables;
  std::vector<RefusalReport> refusals;
};

struct DamagedImage {
  std::string member;
  std::string message;
};

struct FileReport {
  std::string file;
  std::vector<ImageReport> images;
  std::vector<DamagedImage> damaged;
};

FileReport makeReport(const std::string &file, const std::vector<EmbeddedImage> &images);

/// "k.cu:12:3" as far as it is known.
std::string place(const std::string &file, uint32_t line, uint32_t column);

/// Tables for people to read, with every candidate where that is asked for.
void writeText(const FileReport &report, bool withCandidates, std::ostream &out);

/// JSON as docs/report-schema.md describes it.
void writeJson(const FileReport &report, std::ostream &out);

} // namespace regrain::report
