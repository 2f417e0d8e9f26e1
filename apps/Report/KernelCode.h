//===- KernelCode.h - The code of a kernel, side by side --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Listing/Listing.h"
#include "runtime/image/container.h"
#include "runtime/image/resources.h"

#include <array>
#include <string>
#include <vector>

namespace regrain::report {

/// What code is written in: NVIDIA's virtual and real instructions, AMD's, the CPU's.
enum class Form : uint8_t { Sass, Ptx, Amdgcn, X86 };

/// All forms; where none is asked for, the first that a file has is shown.
inline constexpr std::array<Form, 4> forms = {Form::Sass, Form::Ptx, Form::Amdgcn, Form::X86};

/// Returns "sass", "ptx", "amdgcn" or "x86".
const char *nameOf(Form form);

/// Returns the kind of the modules that have such code.
image::CodeKind kindOf(Form form);

/// A kernel at one grain.
struct CodeSide {
  std::string alternative; ///< id
  std::string symbol;
  Resources resources;
  listing::Listing listing;
};

/// A line of a source file, with its indentation.
struct SourceLine {
  std::string file;
  uint32_t line;
  std::string text;
};

/// The original, and an alternative if there is one to show.
struct KernelCode {
  Form form;
  std::string arch;
  std::vector<CodeSide> sides;
  std::string missing; ///< why there is only one side, or no lines; empty if nothing is missing
  std::vector<SourceLine> source = {}; ///< only on request (SourceLines.h)
};

} // namespace regrain::report
