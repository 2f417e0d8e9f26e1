//===- Nvrtc/Entries.cpp - The entries of nvrtc ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma GCC visibility push(default)
#include "include/cuda/nvrtc.h"
#pragma GCC visibility pop

#include "apps/Nvrtc/Compile.h"
#include "compiler/DeviceIR/ArchitectureNumbers.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>

using regrain::nvrtc::Result;
using regrain::nvrtc::Source;

struct _nvrtcProgram {
  Source source;
  Result result;
  bool wasCompiled = false;
};

namespace {

/// Calls the body, and lets no exception escape.
template <typename Body> nvrtcResult entry(nvrtcProgram program, Body body) noexcept {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  try {
    return body(*program);
  } catch (const std::bad_alloc &) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

/// Headers are written to a folder of their own, which the names must not leave.
bool staysInFolder(const std::filesystem::path &name) {
  std::filesystem::path shortest = name.lexically_normal();
  return name.is_relative() && !shortest.empty() && *shortest.begin() != "..";
}

/// `code` is null for code that no program has.
nvrtcResult sizeOf(nvrtcProgram program, std::string Result::*code, size_t *bytes) {
  return entry(program, [&](_nvrtcProgram &program) {
    if (!bytes)
      return NVRTC_ERROR_INVALID_INPUT;
    if (!program.result.isCompiled)
      return NVRTC_ERROR_INVALID_PROGRAM;
    *bytes = code ? (program.result.*code).size() : 0;
    return NVRTC_SUCCESS;
  });
}

nvrtcResult copyOf(nvrtcProgram program, std::string Result::*code, char *out) {
  return entry(program, [&](_nvrtcProgram &program) {
    if (!out)
      return NVRTC_ERROR_INVALID_INPUT;
    if (!program.result.isCompiled)
      return NVRTC_ERROR_INVALID_PROGRAM;
    std::memcpy(out, (program.result.*code).data(), (program.result.*code).size());
    return NVRTC_SUCCESS;
  });
}

/// No program has intermediate code: options that ask for it are refused.
nvrtcResult copyOfIntermediate(nvrtcProgram program, char *code) {
  return entry(program, [&](_nvrtcProgram &) {
    return code ? NVRTC_ERROR_INVALID_PROGRAM : NVRTC_ERROR_INVALID_INPUT;
  });
}

} // namespace

const char *nvrtcGetErrorString(nvrtcResult result) {
#define TEXT(NAME)                                                                                 \
  case NAME:                                                                                       \
    return #NAME;
  switch (result) {
    TEXT(NVRTC_SUCCESS)
    TEXT(NVRTC_ERROR_OUT_OF_MEMORY)
    TEXT(NVRTC_ERROR_PROGRAM_CREATION_FAILURE)
    TEXT(NVRTC_ERROR_INVALID_INPUT)
    TEXT(NVRTC_ERROR_INVALID_PROGRAM)
    TEXT(NVRTC_ERROR_INVALID_OPTION)
    TEXT(NVRTC_ERROR_COMPILATION)
    TEXT(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    TEXT(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    TEXT(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    TEXT(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    TEXT(NVRTC_ERROR_INTERNAL_ERROR)
    TEXT(NVRTC_ERROR_TIME_FILE_WRITE_FAILED)
  }
#undef TEXT
  return "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor)
    return NVRTC_ERROR_INVALID_INPUT;
  *major = 12;
  *minor = 5;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
  if (!count)
    return NVRTC_ERROR_INVALID_INPUT;
  *count = std::size(regrain::architectureNumbers);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *archs) {
  if (!archs)
    return NVRTC_ERROR_INVALID_INPUT;
  std::copy(std::begin(regrain::architectureNumbers), std::end(regrain::architectureNumbers),
            archs);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name,
                               int headerCount, const char *const *headers,
                               const char *const *includeNames) {
  if (!program || !source || headerCount < 0 || (headerCount && (!headers || !includeNames)))
    return NVRTC_ERROR_INVALID_INPUT;
  try {
    auto made = std::make_unique<_nvrtcProgram>();
    made->source.text = source;
    made->source.name = name && *name ? name : "default_program";
    for (int i = 0; i < headerCount; ++i) {
      if (!staysInFolder(includeNames[i]))
        return NVRTC_ERROR_INVALID_INPUT;
      made->source.headers[includeNames[i]] = headers[i];
    }
    *program = made.release();
    return NVRTC_SUCCESS;
  } catch (...) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
  if (!program || !*program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int optionCount, const char *const *options) {
  return entry(program, [&](_nvrtcProgram &program) {
    if (optionCount < 0 || (optionCount && !options))
      return NVRTC_ERROR_INVALID_INPUT;
    program.result = regrain::nvrtc::compile(program.source, {options, options + optionCount});
    program.wasCompiled = true;
    if (program.result.isCompiled)
      return NVRTC_SUCCESS;
    if (program.result.hasBadOption)
      return NVRTC_ERROR_INVALID_OPTION;
    return program.result.hasBadExpression ? NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID
                                           : NVRTC_ERROR_COMPILATION;
  });
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes) {
  return sizeOf(program, &Result::code, bytes);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *code) {
  return copyOf(program, &Result::code, code);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes) {
  return sizeOf(program, &Result::cubin, bytes);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *code) {
  return copyOf(program, &Result::cubin, code);
}

nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t *bytes) {
  return sizeOf(program, nullptr, bytes);
}

nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char *code) {
  return copyOfIntermediate(program, code);
}

nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t *bytes) {
  return sizeOf(program, nullptr, bytes);
}

nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char *code) {
  return copyOfIntermediate(program, code);
}

// The log ends in NUL, which counts.
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes) {
  return entry(program, [&](_nvrtcProgram &program) {
    if (!bytes)
      return NVRTC_ERROR_INVALID_INPUT;
    *bytes = program.result.log.size() + 1;
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
  return entry(program, [&](_nvrtcProgram &program) {
    if (!log)
      return NVRTC_ERROR_INVALID_INPUT;
    std::memcpy(log, program.result.log.c_str(), program.result.log.size() + 1);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression) {
  return entry(program, [&](_nvrtcProgram &program) {
    if (!expression)
      return NVRTC_ERROR_INVALID_INPUT;
    if (program.wasCompiled)
      return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    program.source.expressions.push_back(expression);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name) {
  return entry(program, [&](_nvrtcProgram &program) {
    if (!expression || !name)
      return NVRTC_ERROR_INVALID_INPUT;
    if (!program.wasCompiled)
      return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    auto found = program.result.loweredNames.find(expression);
    if (found == program.result.loweredNames.end())
      return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *name = found->second.c_str();
    return NVRTC_SUCCESS;
  });
}
