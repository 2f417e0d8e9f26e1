//===- FileReport.h - Contents of the images in a file ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both the text and the JSON are written from this report.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Report/KernelCode.h"
#include "apps/Report/Traffic.h"
#include "compiler/Refusal/SourcePosition.h"
#include "runtime/image/elf_images.h"
#include "runtime/image/footprint.h"
#include "runtime/image/grain.h"
#include "runtime/image/memory_use.h"
#include "runtime/image/resources.h"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace regrain::report {

/// A target of an image: the kind and the chip of some of its modules.
struct TargetName {
  image::CodeKind kind;
  std::string arch;
  friend bool operator==(const TargetName &, const TargetName &) = default;
};

/// Returns "cpu", "ptx", "cubin" or "hsaco".
const char *kindName(image::CodeKind kind);

/// The code of one alternative for one target.
struct CodeReport {
  TargetName target;
  std::string symbol; ///< empty if the target has no code for it
  Resources resources;
};

struct AlternativeReport {
  std::string id;
  Grain grain;
  unsigned withinUlps = 0;      ///< how far the source says that its results may be apart
  std::vector<CodeReport> code; ///< one for each target of the image, in its order
};

/// An alternative that was requested and is not in the image. Kind and remedy are those that the
/// image tells: another version of Regrain may have written it, with other kinds (Refusal.h).
struct RefusalReport {
  std::string kernel; ///< symbol
  std::string id;
  std::string stage;
  SourcePosition where;
  std::string kind; ///< "divergent-barrier"; empty in images older than kinds
  std::string reason;
  std::string remedy; ///< a way to lift it
};

/// The verdict on a candidate, for one target or as a whole.
struct VerdictReport {
  std::string outcome; ///< "kept", "refused", "pruned" or "timed-out"
  std::string stage;   ///< the stage that decided; empty if nothing spoke against it
  std::string reason;
  float seconds; ///< negative if not recorded
};

/// A grain that was tried, whether it is in the image or not.
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

/// The choice for the launches of one class.
struct ClassChoiceReport {
  std::string launchClass; ///< as runtime/core/launch_class.h writes it
  std::string alternative; ///< id
  // The code and device for which it holds; empty and 0 mean any.
  std::string generation, device;
  uint32_t multiprocessors;
};

struct KernelReport {
  std::string symbol;
  std::string name; ///< demangled
  std::string file;
  uint32_t line;
  /// One parameter of a launch, in bytes.
  struct Parameter {
    uint32_t offset;
    uint32_t size;
  };
  std::vector<Parameter> parameters;
  /// An integer whose magnitude is part of a launch class.
  struct Integer {
    uint32_t parameter; ///< index
    uint32_t offset, size;
  };
  std::vector<Integer> integers;
  uint32_t maxThreads; ///< launch bounds, 0: none
  bool usesDynamicShared;
  std::string hash;          ///< of its content; empty in images older than hashes
  std::string notReplayable; ///< why launches cannot be repeated; empty if they can
  MemoryUse memory;          ///< with all of the kernel's parameters
  std::string chosen;        ///< id of the default alternative
  std::vector<ClassChoiceReport> classChoices; ///< these precede `chosen`
  std::vector<AlternativeReport> alternatives;
  std::vector<CandidateReport> candidates;
  std::optional<Footprint> footprint = std::nullopt;   ///< of the original; none: not in the image
  std::optional<KernelTraffic> traffic = std::nullopt; ///< only on request (TrafficText.h)
  std::vector<KernelTraffic> trafficOfLaunches = {};   ///< the same
  std::optional<KernelCode> code = std::nullopt;       ///< only on request (ReadCode.h)
};

struct VariableReport {
  std::string symbol;
  std::string kind; ///< "device", "constant" or "managed"
  uint64_t bytes;
  uint32_t align;
};

struct ImageReport {
  std::string member; ///< of an archive, otherwise empty
  std::string source;
  std::string producer;
  std::vector<TargetName> targets;
  /// For each target, a digest of everything beside the IR that determines its code; empty in
  /// older images.
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

/// Keeps the kernels whose names match the pattern; returns false if none does.
[[nodiscard]] bool keepKernels(FileReport &report, const std::string &glob);

/// Writes tables, with every candidate on request.
void writeText(const FileReport &report, bool withCandidates, std::ostream &out);

/// Writes JSON as in docs/report-schema.md.
void writeJson(const FileReport &report, std::ostream &out);

} // namespace regrain::report
