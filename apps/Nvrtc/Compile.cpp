//===- Nvrtc/Compile.cpp - One compilation of nvrtc -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Nvrtc/Compile.h"

#include "apps/Process/Run.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace fs = std::filesystem;

/// Is defined in libregrain.
extern "C" const char *regrain_deviceKind();

namespace regrain::nvrtc {
namespace {

constexpr unsigned mostSeconds = 3600;
constexpr const char *namePrefix = "regrain_name_";
constexpr const char *plainFile = "plain.cu", *codeFile = "code.cu", *namesFile = "names.cu",
                     *emptyFile = "empty.cu";

/// A folder that is removed with the object.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "regrain-nvrtc-XXXXXX").string();
    if (const char *made = mkdtemp(pattern.data()))
      path = made;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  fs::path path; ///< empty if none could be made
};

void writeFile(const fs::path &path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string readFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Returns the compiler beside the folder of this library.
fs::path compiler() {
  Dl_info info = {};
  if (!dladdr(reinterpret_cast<void *>(&compiler), &info) || !info.dli_fname)
    return "regrain-nvcc";
  return fs::canonical(info.dli_fname).parent_path().parent_path() / "bin" / "regrain-nvcc";
}

std::vector<std::string> environment() {
  std::vector<std::string> all;
  for (char **entry = environ; *entry; ++entry)
    all.push_back(*entry);
  return all;
}

/// nvrtc has these options, and nvcc has not; they change nothing here.
bool isWithoutEffect(std::string_view name) {
  for (std::string_view known :
       {"builtin-", "brief-diagnostics", "version-ident", "disable-warnings"})
    if (name.starts_with(known))
      return true;
  return false;
}

/// Returns whether nvrtc would make code that only a later link by NVIDIA's tools can use.
bool asksForIntermediate(std::string_view name) {
  for (std::string_view known : {"dlto", "dlink-time-opt", "optix-ir"})
    if (name == known)
      return true;
  return false;
}

bool isArchitecture(std::string_view option) {
  return option.starts_with("-arch=") || option.starts_with("--gpu-architecture=") ||
         option.starts_with("-gpu-architecture=");
}

bool includesFile(std::string_view option) {
  return option.starts_with("-include") || option.starts_with("--pre-include");
}

/// Returns the folder of the program's source, if it were a file of that name.
std::string folderOf(const fs::path &name) {
  return name.has_parent_path() ? name.parent_path().string() : ".";
}

class Compilation {
public:
  Compilation(const Source &source, const std::vector<std::string> &options)
      : source(source), isNvidia(std::string_view(regrain_deviceKind()) == "cuda") {
    bool seesFolder = true;
    for (const std::string &option : options) {
      std::string_view name = option;
      name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
      if (asksForIntermediate(name))
        refusedOption = option;
      if (name.starts_with("no-source-include")) {
        seesFolder = false;
        continue;
      }
      bool isMachineCode = isArchitecture(option) && option.find("=sm_") != std::string::npos;
      hasMachineCode = hasMachineCode || isMachineCode;
      if (!isWithoutEffect(name) && (isNvidia || !isArchitecture(option)))
        passedOn.push_back(option);
    }
    // The options' folders come first.
    if (seesFolder)
      passedOn.push_back("-I" + folderOf(source.name));
  }

  Result run();

private:
  bool runCompiler(std::vector<std::string> flags, const std::string &input,
                   const fs::path &output);
  void writeSources();
  /// Returns the source in a form in which messages have its name.
  std::string withName() const;
  bool readNames();
  /// Returns whether the compiler refuses the options for an empty source as well.
  bool hasBadOption(const std::vector<std::string> &flags, const fs::path &code);
  /// Returns the source with lines that name all expressions.
  std::string withExpressions(const char *each) const;

  const Source &source;
  std::vector<std::string> passedOn;
  std::string refusedOption;
  bool isNvidia, hasMachineCode = false;
  TemporaryFolder folder;
  Result result;
};

bool Compilation::runCompiler(std::vector<std::string> flags, const std::string &input,
                              const fs::path &output) {
  process::Command command;
  command.arguments = {compiler().string()};
  flags.insert(flags.end(), {"-x", "cu", "-D__CUDACC_RTC__=1", "-I" + folder.path.string()});
  for (const std::string &option : passedOn)
    if (input != emptyFile || !includesFile(option))
      flags.push_back(option);
  flags.insert(flags.end(), {(folder.path / input).string(), "-o", output.string()});
  command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  command.folder = fs::current_path();
  command.environment = environment();
  command.out = command.error = folder.path / "log";
  command.limit = mostSeconds;
  process::Ended ended = process::run(command);
  result.log += readFile(folder.path / "log");
  if (!ended.succeeded && result.log.empty())
    result.log = "the compiler did not run: " + ended.how + "\n";
  return ended.succeeded;
}

std::string Compilation::withExpressions(const char *each) const {
  std::string text = withName() + "\n#line 1 \"name expressions\"\n";
  for (size_t i = 0; i < source.expressions.size(); ++i)
    text += std::string(each) + " const void *" + namePrefix + std::to_string(i) +
            " = (const void *)(" + source.expressions[i] + ");\n";
  return text;
}

std::string Compilation::withName() const {
  return "#line 1 \"" + source.name + "\"\n" + source.text;
}

void Compilation::writeSources() {
  writeFile(folder.path / plainFile, withName());
  // Here an expression only instantiates its template; the compiler removes variables of the
  // section.
  writeFile(folder.path / codeFile,
            withExpressions("__device__ __attribute__((section(\"regrain_reference\")))"));
  writeFile(folder.path / namesFile, withExpressions("__device__"));
  for (const auto &[name, text] : source.headers)
    writeFile(folder.path / name, text);
}

/// Takes the names from the initial values of the variables in LLVM IR.
bool Compilation::readNames() {
  if (source.expressions.empty())
    return true;
  fs::path listing = folder.path / "names.ll";
  if (!runCompiler({"--emit=llvm"}, namesFile, listing))
    return false;
  std::string text = readFile(listing);
  std::regex definition("@regrain_name_([0-9]+) = [^@\n]*@\"?([^ ,\")]+)");
  for (std::sregex_iterator found(text.begin(), text.end(), definition), last; found != last;
       ++found)
    result.loweredNames[source.expressions[std::stoul((*found)[1])]] = (*found)[2];
  return true;
}

bool Compilation::hasBadOption(const std::vector<std::string> &flags, const fs::path &code) {
  writeFile(folder.path / emptyFile, "");
  return !runCompiler(flags, emptyFile, code);
}

Result Compilation::run() {
  if (!refusedOption.empty()) {
    result.hasBadOption = true;
    result.log = "error: option '" + refusedOption +
                 "': there is no intermediate code (nvrtcGetLTOIR, nvrtcGetOptiXIR); without the "
                 "option, nvrtcGetPTX gives code that cuModuleLoadData loads\n";
    return result;
  }
  if (folder.path.empty()) {
    result.log = "no temporary folder can be made\n";
    return result;
  }
  writeSources();
  fs::path code = folder.path / "code.out", cubin = folder.path / "cubin.out";
  std::vector<std::string> flags;
  if (isNvidia)
    flags.push_back("-ptx");
  else
    flags.insert(flags.end(), {"-fatbin", "--targets=cpu"});
  result.isCompiled = readNames() && runCompiler(flags, codeFile, code);
  if (!result.isCompiled) {
    // The program itself may be right.
    std::string log = std::exchange(result.log, {});
    result.hasBadOption = hasBadOption(flags, code);
    result.hasBadExpression =
        !result.hasBadOption && !source.expressions.empty() && runCompiler(flags, plainFile, code);
    result.log = log;
    return result;
  }
  result.code = readFile(code);
  if (!isNvidia)
    result.cubin = result.code;
  else if (hasMachineCode && runCompiler({"-cubin"}, codeFile, cubin))
    result.cubin = readFile(cubin);
  if (isNvidia && !result.code.ends_with('\0'))
    result.code.push_back('\0');
  return result;
}

} // namespace

Result compile(const Source &source, const std::vector<std::string> &options) {
  return Compilation(source, options).run();
}

} // namespace regrain::nvrtc
