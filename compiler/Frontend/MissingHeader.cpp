//===- MissingHeader.cpp - What to do about a missing header --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/MissingHeader.h"
#include "compiler/Frontend/PassingConsumer.h"

#include "clang/Lex/LexDiagnostic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace regrain {
namespace {

struct Origin {
  llvm::StringRef prefix; ///< of the header's name
  const char *advice;
};

constexpr const char *samples =
    "belongs to NVIDIA's cuda-samples: clone https://github.com/NVIDIA/cuda-samples and add "
    "-I cuda-samples/Common";
constexpr const char *cccl =
    "belongs to NVIDIA's CCCL (CUB, Thrust, libcu++), which a CUDA toolkit contains: "
    "--cuda-path=DIR names one; cooperative_groups/reduce.h and scan.h have sums over threads "
    "without it";
constexpr const char *library =
    "belongs to a library of NVIDIA's CUDA toolkit: --cuda-path=DIR names one that has it";

constexpr const char *callbacks =
    "belongs to NVIDIA's cuFFT: --cuda-path=DIR names a CUDA toolkit that has it; Regrain's own "
    "cuFFT, which serves the CPU and AMD GPUs, has no callbacks";

/// The first prefix that fits counts.
constexpr Origin origins[] = {
    {"helper_cuda", samples},
    {"helper_cusolver", samples},
    {"helper_functions.h", samples},
    {"helper_gl.h", samples},
    {"helper_image.h", samples},
    {"helper_math.h", samples},
    {"helper_multiprocess.h", samples},
    {"helper_string.h", samples},
    {"helper_timer.h", samples},
    {"nvrtc_helper.h", samples},
    {"cub/", cccl},
    {"thrust/", cccl},
    {"cuda/", cccl},
    {"nv/", cccl},
    {"cublas", library},
    {"cufftXt.h", callbacks},
    {"cufft", library},
    {"curand", library},
    {"cusparse", library},
    {"cusolver", library},
    {"cudnn", library},
    {"cutensor", library},
    {"nvml", library},
    {"nvrtc", library},
    {"nvToolsExt", library},
    {"nvtx3/", library},
    {"nvjpeg", library},
    {"npp", library},
    {"nccl", library},
    {"mpi.h", "belongs to MPI: install libopenmpi-dev, and add what 'mpicxx "
              "--showme:compile' and 'mpicxx --showme:link' print"},
    {"GL/glew", "belongs to GLEW: install libglew-dev"},
    {"GL/freeglut", "belongs to GLUT: install freeglut3-dev"},
    {"GL/glut", "belongs to GLUT: install freeglut3-dev"},
    {"GL/", "belongs to OpenGL: install libgl-dev"},
    {"omp.h", "belongs to OpenMP: install libomp-19-dev"},
};

class HeaderAdvice : public PassingConsumer {
public:
  using PassingConsumer::PassingConsumer;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override {
    PassingConsumer::HandleDiagnostic(level, diagnostic);
    if (diagnostic.getID() == clang::diag::err_pp_file_not_found)
      llvm::WithColor::note(llvm::errs()) << adviseOnHeader(diagnostic.getArgStdStr(0)) << '\n';
  }
};

} // namespace

std::string adviseOnHeader(llvm::StringRef header) {
  for (const Origin &origin : origins)
    if (header.starts_with(origin.prefix))
      return (header + " " + origin.advice).str();
  return ("no folder of the command line has " + header + "; -I DIR adds one").str();
}

std::unique_ptr<clang::DiagnosticConsumer>
withHeaderAdvice(std::unique_ptr<clang::DiagnosticConsumer> consumer) {
  return std::make_unique<HeaderAdvice>(std::move(consumer));
}

} // namespace regrain
