//===- nvrtc.h - Compilation while a program runs ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnvrtc provides these functions over Regrain's own compiler. On an NVIDIA GPU a program becomes
// PTX, on the CPU an image; cuModuleLoadData loads either.
//
//===----------------------------------------------------------------------===//
#ifndef __NVRTC_H__
#define __NVRTC_H__
#pragma GCC system_header

#include "regrain_symbol.h"

#include <stddef.h>

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

#if defined(__cplusplus)
extern "C" {
#endif

const char *nvrtcGetErrorString(nvrtcResult result) REGRAIN_SYMBOL("nvrtcGetErrorString");

#define REGRAIN_NVRTC_API(NAME, PARAMETERS) nvrtcResult NAME PARAMETERS REGRAIN_SYMBOL(#NAME);
REGRAIN_NVRTC_API(nvrtcVersion, (int *major, int *minor))
REGRAIN_NVRTC_API(nvrtcGetNumSupportedArchs, (int *count))
REGRAIN_NVRTC_API(nvrtcGetSupportedArchs, (int *archs))
REGRAIN_NVRTC_API(nvrtcCreateProgram, (nvrtcProgram *program, const char *source, const char *name, int headerCount, const char *const *headers, const char *const *includeNames))
REGRAIN_NVRTC_API(nvrtcDestroyProgram, (nvrtcProgram *program))
REGRAIN_NVRTC_API(nvrtcCompileProgram, (nvrtcProgram program, int optionCount, const char *const *options))
REGRAIN_NVRTC_API(nvrtcGetPTXSize, (nvrtcProgram program, size_t *bytes))
REGRAIN_NVRTC_API(nvrtcGetPTX, (nvrtcProgram program, char *code))
REGRAIN_NVRTC_API(nvrtcGetCUBINSize, (nvrtcProgram program, size_t *bytes))
REGRAIN_NVRTC_API(nvrtcGetCUBIN, (nvrtcProgram program, char *code))
/* There is no intermediate code: the sizes are 0, and its copies are errors. */
REGRAIN_NVRTC_API(nvrtcGetLTOIRSize, (nvrtcProgram program, size_t *bytes))
REGRAIN_NVRTC_API(nvrtcGetLTOIR, (nvrtcProgram program, char *code))
REGRAIN_NVRTC_API(nvrtcGetOptiXIRSize, (nvrtcProgram program, size_t *bytes))
REGRAIN_NVRTC_API(nvrtcGetOptiXIR, (nvrtcProgram program, char *code))
REGRAIN_NVRTC_API(nvrtcGetProgramLogSize, (nvrtcProgram program, size_t *bytes))
REGRAIN_NVRTC_API(nvrtcGetProgramLog, (nvrtcProgram program, char *log))
REGRAIN_NVRTC_API(nvrtcAddNameExpression, (nvrtcProgram program, const char *expression))
REGRAIN_NVRTC_API(nvrtcGetLoweredName, (nvrtcProgram program, const char *expression, const char **name))
#undef REGRAIN_NVRTC_API

#if defined(__cplusplus)
}
#endif

#endif
