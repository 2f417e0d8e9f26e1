//===- Ptxas.cpp - PTX to machine code ------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Assembler/Ptxas.h"

#include "compiler/Target/TemporaryFile.h"
#include "compiler/Target/Tool.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

#include <map>

using namespace llvm;

namespace regrain::nvptx {

static int32_t numberIn(StringRef text) {
  int32_t number = -1;
  return text.getAsInteger(10, number) ? -1 : number;
}

/// Returns the number before `unit`: 24 in "Used 24 registers, ..." for " registers"; `otherwise`
/// if there is none.
static int32_t numberBefore(StringRef line, StringRef unit, int32_t otherwise) {
  size_t end = line.find(unit);
  if (end == StringRef::npos)
    return otherwise;
  StringRef head = line.take_front(end);
  StringRef digits = head.take_back(head.size() - (head.find_last_not_of("0123456789") + 1));
  return digits.empty() ? otherwise : numberIn(digits);
}

StringMap<Resources> parsePtxasReport(StringRef report) {
  StringMap<Resources> kernels;
  Resources *current = nullptr;
  bool ofKernel = false;
  StringRef kernel;
  SmallVector<StringRef> lines;
  report.split(lines, '\n');
  for (StringRef line : lines) {
    if (line.contains("Compiling entry function '")) {
      kernel = line.split('\'').second.split('\'').first;
      current = &kernels[kernel];
    } else if (auto [before, of] = line.split("Function properties for "); !of.empty()) {
      ofKernel = of.trim() == kernel;
    } else if (current && ofKernel && line.contains("bytes stack frame")) {
      current->stackBytes = numberBefore(line, " bytes stack frame", 0);
      current->spillStoreBytes = numberBefore(line, " bytes spill stores", 0);
      current->spillLoadBytes = numberBefore(line, " bytes spill loads", 0);
    } else if (current && line.contains(" registers")) {
      current->registers = numberBefore(line, " registers", -1);
      current->staticSharedBytes = numberBefore(line, " bytes smem", 0);
      current->stackBytes = numberBefore(line, " bytes cumulative stack size", current->stackBytes);
    }
  }
  return kernels;
}

Expected<StringMap<ArrayRef<uint8_t>>> codeOfFunctions(ArrayRef<char> cubin) {
  Expected<object::ELFFile<object::ELF64LE>> file =
      object::ELFFile<object::ELF64LE>::create(StringRef(cubin.data(), cubin.size()));
  if (!file)
    return file.takeError();
  Expected<object::ELF64LE::ShdrRange> sections = file->sections();
  if (!sections)
    return sections.takeError();
  StringMap<ArrayRef<uint8_t>> codes;
  for (const auto &section : *sections) {
    Expected<StringRef> name = file->getSectionName(section);
    if (!name)
      return name.takeError();
    if (!name->consume_front(".text."))
      continue;
    Expected<ArrayRef<uint8_t>> code = file->getSectionContents(section);
    if (!code)
      return code.takeError();
    codes[*name] = *code;
  }
  return codes;
}

Error readCodeSizes(ArrayRef<char> cubin, StringMap<Resources> &kernels) {
  Expected<StringMap<ArrayRef<uint8_t>>> codes = codeOfFunctions(cubin);
  if (!codes)
    return codes.takeError();
  for (const auto &[symbol, code] : *codes)
    if (auto kernel = kernels.find(symbol); kernel != kernels.end())
      kernel->second.codeBytes = static_cast<int32_t>(code.size());
  return Error::success();
}

/// Returns the name of an option: "-O" for "-O3", "--opt-level" for "--opt-level=3".
static StringRef nameOf(StringRef option) {
  return option.starts_with("-O") ? option.take_front(2) : option.split('=').first;
}

/// Returns each option with its value in one text.
static std::vector<std::string> withValues(ArrayRef<std::string> arguments) {
  std::vector<std::string> options;
  for (StringRef argument : arguments) {
    if (argument.starts_with("-") || options.empty())
      options.push_back(argument.str());
    else
      options.back() += ("=" + argument).str(); // the value of the previous option
  }
  return options;
}

static bool isLevel(StringRef option) {
  return is_contained({"-O", "--opt-level"}, nameOf(option));
}

CodegenOptions atLevel(CodegenOptions options, StringRef level) {
  if (level.empty())
    return options;
  options.ptxasArgs = withValues(options.ptxasArgs);
  erase_if(options.ptxasArgs, isLevel);
  options.ptxasArgs.push_back(("-" + level).str());
  return options;
}

std::vector<std::string> decidingArguments(ArrayRef<std::string> arguments) {
  static const StringSet<> silent = {"-v",
                                     "--verbose",
                                     "-lineinfo",
                                     "--generate-line-info",
                                     "-w",
                                     "--disable-warnings",
                                     "-warn-spills",
                                     "--warn-on-spills",
                                     "-warn-lmem-usage",
                                     "--warn-on-local-memory-usage",
                                     "-warn-double-usage",
                                     "--warn-on-double-precision-use",
                                     "-suppress-stack-size-warning",
                                     "--suppress-stack-size-warning",
                                     "-Werror",
                                     "--warning-as-error"};
  std::vector<std::string> options = withValues(arguments);
  std::multimap<StringRef, std::string> byName; // options of the same name stay in the given order
  for (const std::string &option : options)
    if (!silent.contains(option))
      byName.insert({nameOf(option), option});
  auto sorted = make_second_range(byName);
  return {sorted.begin(), sorted.end()};
}

static std::vector<std::string> arguments(StringRef ptxas, StringRef arch,
                                          const CodegenOptions &options, StringRef input,
                                          StringRef output) {
  std::vector<std::string> args = {ptxas.str(), "-v", ("-arch=" + arch).str()};
  if (none_of(options.ptxasArgs, isLevel))
    args.push_back("-O" + std::to_string(std::min(options.optLevel, 3u)));
  if (options.maxRegisters)
    args.push_back("-maxrregcount=" + std::to_string(options.maxRegisters));
  if (options.debugInfo != DebugInfo::None)
    args.push_back(options.debugInfo == DebugInfo::Full ? "-g" : "-lineinfo");
  args.insert(args.end(), options.ptxasArgs.begin(), options.ptxasArgs.end());
  args.insert(args.end(), {"-o", output.str(), input.str()});
  return args;
}

static std::vector<std::string> linesWith(StringRef report, StringRef word) {
  std::vector<std::string> found;
  SmallVector<StringRef> lines;
  report.split(lines, '\n');
  for (StringRef line : lines)
    if (line.contains(word))
      found.push_back(line.trim().str());
  return found;
}

bool mayAssembleFor(StringRef ptxas, StringRef arch) {
  Expected<std::unique_ptr<TemporaryFile>> log = TemporaryFile::create("log");
  if (!log) {
    consumeError(log.takeError()); // the assembly will report it
    return true;
  }
  constexpr unsigned seconds = 10;
  ToolEnd end =
      runTool(ptxas, {ptxas.str(), "--help"}, {.log = StringRef((*log)->path), .seconds = seconds});
  Expected<std::string> text = readFile((*log)->path);
  if (!text) {
    consumeError(text.takeError());
    return true;
  }
  return !end.isSuccess() || !StringRef(*text).contains("'sm_") ||
         StringRef(*text).contains(("'" + arch + "'").str());
}

/// How many times as long as its processor time the assembler may take on a busy machine.
static constexpr unsigned mostDelay = 20;

Expected<Assembled> assemble(StringRef ptxas, StringRef arch, ArrayRef<char> ptx,
                             const CodegenOptions &options, unsigned seconds) {
  std::unique_ptr<TemporaryFile> files[3];
  for (auto [file, suffix] : zip(files, ArrayRef<StringRef>{"ptx", "cubin", "log"})) {
    Expected<std::unique_ptr<TemporaryFile>> created = TemporaryFile::create(suffix);
    if (!created)
      return created.takeError();
    file = std::move(*created);
  }
  auto &[input, output, log] = files;
  if (Error error = writeFile(input->path, ptx))
    return std::move(error);

  ToolEnd end = runTool(
      ptxas, arguments(ptxas, arch, options, input->path, output->path),
      {.log = StringRef(log->path), .seconds = mostDelay * seconds, .processorSeconds = seconds});
  if (end.state != ToolEnd::State::Exited)
    return createStringError(ptxas + " did not finish: " + end.reason);
  Expected<std::string> report = readFile(log->path);
  if (!report)
    return report.takeError();
  if (end.exitCode != 0) {
    // A report that ends with "aborted due to errors" starts with the error.
    std::vector<std::string> messages = linesWith(*report, "error");
    if (messages.empty())
      messages = linesWith(*report, "fatal");
    if (messages.empty())
      messages = {ptxas.str() + " failed with exit code " + std::to_string(end.exitCode)};
    return createStringError(StringRef(messages.front()).trim());
  }

  Assembled result;
  result.kernels = parsePtxasReport(*report);
  result.warnings = linesWith(*report, "warning");
  Expected<std::string> cubin = readFile(output->path);
  if (!cubin)
    return cubin.takeError();
  result.cubin.assign(cubin->begin(), cubin->end());
  if (Error error = readCodeSizes(result.cubin, result.kernels))
    return std::move(error);
  return result;
}

} // namespace regrain::nvptx
