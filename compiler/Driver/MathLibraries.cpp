//===- MathLibraries.cpp - The libraries of CUDA that Regrain has ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Driver/MathLibraries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace regrain {

ArrayRef<MathLibrary> mathLibraries() {
  static constexpr MathLibrary all[] = {
      {"cublas", "cublas", "OpenBLAS (libopenblas-dev)"},
      {"cublasLt", "cublas", "OpenBLAS (libopenblas-dev)"},
      {"cusolver", "cusolver", "OpenBLAS (libopenblas-dev)"},
      {"cufft", "cufft", "FFTW (libfftw3-dev)"},
      {"curand", "curand", nullptr},
      {"cusparse", "cusparse", nullptr},
  };
  return all;
}

const MathLibrary *findMathLibrary(StringRef input) {
  StringRef name = input;
  if (!name.consume_front("-l")) {
    if (!is_contained({".so", ".a"}, sys::path::extension(input)))
      return nullptr;
    name = sys::path::stem(input);
    if (!name.consume_front("lib"))
      return nullptr;
    name.consume_back("_static");
  }
  const MathLibrary *known =
      find_if(mathLibraries(), [&](const MathLibrary &known) { return name == known.name; });
  return known == mathLibraries().end() ? nullptr : known;
}

std::string switchLibrary(const Installation &installation, const MathLibrary &library) {
  std::string path = installation.libraries + "/libregrain-" + library.own.str() + "-switch.so";
  return sys::fs::exists(path) ? path : "";
}

} // namespace regrain
