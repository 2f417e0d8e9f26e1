//===- CudaDisassembler.cpp - NVIDIA's disassemblers ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Listing/CudaDisassembler.h"

#include "compiler/Target/CudaToolkit.h"
#include "compiler/Target/TemporaryFile.h"
#include "compiler/Target/Tool.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace regrain::listing {
namespace {

constexpr unsigned timeLimit = 300; ///< seconds for one cubin

std::string firstLineOf(StringRef text) { return text.trim().split('\n').first.trim().str(); }

} // namespace

OrError<CudaDisassembler> findCudaDisassembler() {
  using Kind = CudaDisassembler::Kind;
  constexpr std::pair<Kind, StringLiteral> programs[] = {{Kind::Nvdisasm, "nvdisasm"},
                                                         {Kind::Cuobjdump, "cuobjdump"}};
  for (const std::string &root : toolkitRoots(""))
    for (auto [kind, name] : programs)
      if (std::string file = inFolder(inFolder(root, "bin"), name); sys::fs::can_execute(file))
        return CudaDisassembler{kind, file};
  for (auto [kind, name] : programs)
    if (ErrorOr<std::string> file = sys::findProgramByName(name))
      return CudaDisassembler{kind, *file};
  return tl::unexpected<std::string>(
      "machine code of NVIDIA GPUs is disassembled by nvdisasm of the CUDA toolkit, which was not "
      "found: install NVIDIA's package cuda-nvdisasm, or set CUDA_PATH to a toolkit that has "
      "bin/nvdisasm; --code=ptx needs no tool, but an image with PTX");
}

OrError<std::string> disassemble(const CudaDisassembler &disassembler,
                                 std::span<const char> cubin) {
  auto input = TemporaryFile::create("cubin"), output = TemporaryFile::create("sass");
  Error error = joinErrors(input.takeError(), output.takeError());
  if (!error)
    error = writeFile((*input)->path, ArrayRef(cubin.data(), cubin.size()));
  if (error)
    return tl::unexpected(toString(std::move(error)));
  std::string name = sys::path::filename(disassembler.file).str();
  std::vector<std::string> arguments = {name};
  if (disassembler.kind == CudaDisassembler::Kind::Nvdisasm)
    arguments.insert(arguments.end(), {"-c", "-g"});
  else
    arguments.push_back("-sass");
  arguments.push_back((*input)->path.str().str());
  ToolEnd end = runTool(disassembler.file, arguments, {(*output)->path, timeLimit});
  auto printed = MemoryBuffer::getFile((*output)->path);
  StringRef text = printed ? (*printed)->getBuffer() : "";
  if (end.isSuccess())
    return text.str();
  std::string why = end.state == ToolEnd::State::Exited ? firstLineOf(text) : end.reason;
  return tl::unexpected(disassembler.file + " failed: " +
                        (why.empty() ? "exit code " + std::to_string(end.exitCode) : why));
}

} // namespace regrain::listing
