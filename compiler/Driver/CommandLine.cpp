//===- CommandLine.cpp - The contents of a command line -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/CommandLine.h"
#include "compiler/Driver/Architectures.h"
#include "compiler/Driver/CommandLineParser.h"
#include "compiler/Driver/Options.h"
#include "compiler/Target/Registry/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace llvm::opt;
using namespace regrain::options;

namespace regrain {

/// The number of grains that --explain tries on each kernel without --alternatives.
static constexpr unsigned explainedAlternatives = 24;

bool CommandLineParser::isTrue(const Arg &arg) {
  StringRef value = arg.getValue();
  if (value != "true" && value != "false")
    fail("option '" + arg.getAsString(args) + "': expected true or false");
  return value == "true";
}

void CommandLineParser::readAction() {
  line.verbose = args.hasArg(OPT_v);
  line.dryRun = args.hasArg(OPT_dryrun);
  line.output = args.getLastArgValue(OPT_o);
  line.outputFolder = args.getLastArgValue(OPT_odir);
  bool explains = args.hasArg(OPT_explain);
  for (auto [option, action] :
       {std::pair(OPT_help, explains ? Action::HelpOnExplain : Action::Help),
        {OPT_version, Action::Version},
        {OPT_list_gpu_arch, Action::ListVirtual},
        {OPT_list_gpu_code, Action::ListReal}})
    if (args.hasArg(option)) {
      line.action = action;
      return;
    }
  readWhy();
  line.explain.json = args.hasArg(OPT_json);
  if (line.explain.json && line.explain.why)
    fail("option '--json' has no form for --why; its exit code tells whether the grain is legal");
  if (explains) {
    line.action = Action::Explain;
    return;
  }
  if (line.explain.why)
    fail("option '--why' needs --explain");
  if (line.explain.json)
    fail("option '--json' needs --explain");
  if (std::optional<Stage> stage = readStage()) {
    line.action = Action::Emit;
    line.stage = *stage;
  } else if (args.hasArg(OPT_M, OPT_MM, OPT_E)) {
    line.action = Action::Preprocess;
  } else if (args.hasArg(OPT_c, OPT_dc, OPT_dw)) {
    line.action = Action::Compile;
  } else if (args.hasArg(OPT_dlink)) {
    line.action = Action::DeviceLink;
  } else if (args.hasArg(OPT_lib)) {
    line.action = Action::Archive;
  }
}

/// Returns the stage to show: the one that --emit names, else -fatbin, -cubin or -ptx; nothing if
/// none is asked for.
std::optional<Stage> CommandLineParser::readStage() {
  std::optional<Stage> stage;
  if (args.hasArg(OPT_ptx))
    stage = *findStage("ptx");
  if (args.hasArg(OPT_cubin))
    stage = *findStage("cubin");
  if (args.hasArg(OPT_fatbin))
    stage = ImageStage();
  if (const Arg *emit = args.getLastArg(OPT_emit_eq)) {
    StringRef name = emit->getValue();
    if (name == "llvm")
      stage = LLVMStage();
    else if (name == "grain")
      stage = GrainStage();
    else if (const CodeStage *code = findStage(name))
      stage = *code;
    else
      fail("option '" + emit->getAsString(args) + "': expected one of llvm, grain, " +
           join(stageNames(), ", "));
    line.emitToStdout = line.output.empty() || line.output == "-";
  }
  return stage;
}

/// Adds the CPU, and the GPUs that nvcc's and clang's options name, or else PTX.
void CommandLineParser::addUsualTargets(TargetList &targets) {
  check(targets.addTarget("cpu"));
  const Arg *code = args.getLastArg(OPT_gpu_code);
  if (code && !args.hasArg(OPT_arch))
    fail("option '-code' needs -arch=compute_NN");
  for (const Arg *arg : args.filtered(OPT_arch, OPT_gencode, OPT_offload_arch)) {
    if (arg->getOption().matches(OPT_gencode))
      check(targets.addGencode(arg->getValue()));
    else if (code && arg->getOption().matches(OPT_arch))
      check(targets.addArchAndCode(arg->getValue(), code->getValue()));
    else
      check(targets.addGpu(arg->getValue(), /*withPtx=*/true));
  }
  line.image.impliedTargets = {"cpu"};
  if (targets.names().size() == 1) {
    check(targets.addTarget("ptx"));
    line.image.impliedTargets.push_back("ptx");
  }
}

void CommandLineParser::readTargets() {
  TargetList targets;
  if (const Arg *exactly = args.getLastArg(OPT_targets_eq)) {
    for (const char *name : exactly->getValues())
      check(targets.addTarget(name));
    if (targets.names().empty() && errors.empty())
      fail("option '--targets=': no target is named");
  } else {
    addUsualTargets(targets);
  }
  if (const Arg *version = args.getLastArg(OPT_mcode_object_version_eq)) {
    StringRef value = version->getValue();
    if (value != "4" && value != "5")
      fail("option '" + version->getAsString(args) + "': expected 4 or 5");
    line.image.codegen.codeObjectVersion = value == "4" ? 4 : 5;
  }
  if (const Arg *form = args.getLastArg(OPT_image_form_eq)) {
    StringRef value = form->getValue();
    if (value != "image" && value != "ir")
      fail("option '" + form->getAsString(args) + "': expected image or ir");
    line.image.form = value == "ir" ? CodeForm::IR : CodeForm::Image;
  }
  line.image.keepGoing = args.hasArg(OPT_keep_going);
  line.image.targets = targets.names();
  line.deviceArchitectures = targets.deviceArchitectures();
  if (line.action == Action::Explain &&
      !args.hasArg(OPT_targets_eq, OPT_arch, OPT_gencode, OPT_offload_arch))
    line.image.targets.clear();
  append(line.warnings, targets.warnings());
}

/// Asks for the variants that the source offers if the image may have alternatives.
void CommandLineParser::readVariants() {
  const ImageOptions &image = line.image;
  line.frontend.offersVariants = image.alternatives || image.allAlternatives ||
                                 !image.coarsen.empty() || !image.choices.kernels.empty() ||
                                 line.explain.why;
}

/// Returns the GLOB:SPEC of the option; nothing if it is none, which is reported.
std::optional<GrainRequest> CommandLineParser::requestOf(const Arg &arg) {
  OrError<GrainRequest> request = parseGrainRequest(arg.getValue());
  OrError<GrainSpec> spec =
      request.and_then([](const GrainRequest &parsed) { return parseGrainSpec(parsed.spec); });
  if (spec)
    return *request;
  fail("option '" + arg.getAsString(args) + "': " + spec.error());
  return std::nullopt;
}

void CommandLineParser::readWhy() {
  if (const Arg *why = args.getLastArg(OPT_why))
    line.explain.why = requestOf(*why);
}

void CommandLineParser::readGrains() {
  for (const Arg *arg : args.filtered(OPT_coarsen_eq))
    if (std::optional<GrainRequest> request = requestOf(*arg))
      line.image.coarsen.push_back(*request);
  if (const Arg *file = args.getLastArg(OPT_choose_eq)) {
    if (OrError<TunedChoices> choices = readChoices(file->getValue()))
      line.image.choices = std::move(*choices);
    else
      fail("option '--choose': " + choices.error());
    line.image.choicesFile = file->getValue();
  }
  if (const Arg *file = args.getLastArg(OPT_launches_eq)) {
    if (OrError<TunedChoices> choices = readChoices(file->getValue()))
      line.image.launches = std::move(*choices);
    else
      fail("option '--launches': " + choices.error());
  }
  line.timesPhases = args.hasArg(OPT_time_phases);
  readSumOrder();
  line.image.specialise = args.hasArg(OPT_specialise);
  line.image.recordTimes = args.hasArg(OPT_record_compile_times);
  if (const Arg *limit = args.getLastArg(OPT_alternative_timeout_eq))
    if (StringRef(limit->getValue()).getAsInteger(10, line.image.alternativeSeconds))
      fail("option '" + limit->getAsString(args) + "': expected a number of seconds");
  const Arg *count = args.getLastArg(OPT_alternatives_eq);
  if (!count) {
    if (line.action == Action::Explain)
      line.image.alternatives = explainedAlternatives;
    return;
  }
  StringRef value = count->getValue();
  if (value == "all")
    line.image.allAlternatives = true;
  else if (value.getAsInteger(10, line.image.alternatives))
    fail("option '" + count->getAsString(args) + "': expected a number or 'all'");
}

void CommandLineParser::readRemarks() {
  RemarkOptions &remarks = line.image.remarks;
  for (auto [option, pattern] : {std::pair(OPT_Rpass_eq, &remarks.passed),
                                 {OPT_Rpass_missed_eq, &remarks.missed},
                                 {OPT_Rpass_analysis_eq, &remarks.analysis}}) {
    const Arg *arg = args.getLastArg(option);
    if (!arg)
      continue;
    std::string problem;
    if (!Regex(arg->getValue()).isValid(problem))
      fail("option '" + arg->getAsString(args) + "': " + problem);
    *pattern = arg->getValue();
  }
  if (const Arg *format = args.getLastArg(OPT_save_record_eq)) {
    remarks.recordFormat = format->getValue();
    if (remarks.recordFormat != "yaml" && remarks.recordFormat != "bitstream")
      fail("option '" + format->getAsString(args) + "': expected yaml or bitstream");
  }
  remarks.recordFile = args.getLastArgValue(OPT_record_file_eq);
  line.savesRecord = remarks.recordFile.empty() && args.hasArg(OPT_save_record, OPT_save_record_eq);
}

void CommandLineParser::readRelocatable() {
  if (const Arg *arg = args.getLastArg(OPT_rdc, OPT_dc, OPT_dw, OPT_fgpu_rdc, OPT_fno_gpu_rdc))
    line.relocatable =
        arg->getOption().matches(OPT_rdc)
            ? isTrue(*arg)
            : arg->getOption().matches(OPT_dc) || arg->getOption().matches(OPT_fgpu_rdc);
  for (auto [isGiven, macro] :
       {std::pair(line.relocatable, "__CUDACC_RDC__"),
        {line.relocatable, "CUB_DISABLE_CDP"}, // CUB and Thrust start no kernels from kernels
        {args.hasArg(OPT_G), "__CUDACC_DEBUG__"},
        {args.hasArg(OPT_extended_lambda), "__CUDACC_EXTENDED_LAMBDA__"},
        {args.hasArg(OPT_expt_relaxed_constexpr), "__CUDACC_RELAXED_CONSTEXPR__"}})
    if (isGiven)
      toMacro(macro);
  line.linksDevice = !args.hasArg(OPT_nodlink);
  for (const Arg *arg : args)
    if (arg->getOption().hasFlag(AtDeviceLink))
      append(line.objectOptions, rendered(*arg));
}

/// The last of -Werror and -Wno-error counts, as for clang.
void CommandLineParser::readSeverity() {
  for (const std::string &argument : line.frontend.clangArgs)
    if (argument == "-Werror" || argument == "-Wno-error")
      line.image.failsOnWarnings = argument == "-Werror";
}

void CommandLineParser::readDependencies() {
  line.writesDependencies = args.hasArg(OPT_MD, OPT_MMD);
  line.dependencyFile = args.getLastArgValue(OPT_MF);
  for (const Arg *arg : args.filtered(OPT_preprocess_Group)) {
    if (arg->getOption().matches(OPT_MT) || arg->getOption().matches(OPT_MQ))
      append(line.dependencyTargets,
             {arg->getOption().matches(OPT_MT) ? "-MT" : "-MQ", arg->getValue()});
    else if (!arg->getOption().matches(OPT_MF))
      append(line.dependencyArgs, rendered(*arg));
  }
}

void CommandLineParser::readToolkit() {
  line.toolkitRoot = args.getLastArgValue(OPT_cuda_path);
  const Arg *version = args.getLastArg(OPT_cuda_version);
  if (!version)
    return;
  auto [major, minor] = StringRef(version->getValue()).split('.');
  unsigned release[2] = {};
  bool isNumber = !major.getAsInteger(10, release[0]) && !minor.getAsInteger(10, release[1]);
  unsigned value = release[0] * 1000 + release[1] * 10;
  if (isNumber && release[1] < 10 && value >= oldestCudaVersion && value <= newestCudaVersion)
    line.cudaVersion = value;
  else
    fail("option '" + version->getAsString(args) + "': expected a release from 11.8 to 13.0");
}

void CommandLineParser::readLinking() {
  line.shared = args.hasArg(OPT_shared);
  line.hostCompiler = args.getLastArgValue(OPT_ccbin);
  line.runs = args.hasArg(OPT_run);
  for (const Arg *arg : args.filtered(OPT_run_args))
    append(line.runArgs, splitPassedOn(arg->getValue()));
  const Arg *cudart = args.getLastArg(OPT_cudart);
  if (!cudart)
    return;
  auto kind = StringSwitch<std::optional<Cudart>>(cudart->getValue())
                  .Case("shared", Cudart::Shared)
                  .Case("static", Cudart::Static)
                  .Case("none", Cudart::None)
                  .Default(std::nullopt);
  if (!kind)
    fail("option '" + cudart->getAsString(args) + "': expected shared, static or none");
  line.cudart = kind.value_or(Cudart::Shared);
}

/// Returns whether the output would take the place of a source. Both may be /dev/null.
static bool overwritesSource(const CommandLine &line) {
  return sys::fs::is_regular_file(line.output) && any_of(line.items, [&](const Item &item) {
           return item.isSource() && sys::fs::equivalent(item.text, line.output);
         });
}

void CommandLineParser::checkInputs() {
  bool hasFile = any_of(line.items, [](const Item &item) { return item.kind != Item::LinkerFlag; });
  size_t sources = count_if(line.items, [](const Item &item) { return item.isSource(); });
  if (!hasFile)
    fail("no input files; '--help' shows how it is called");
  else if (line.action == Action::Explain)
    return;
  else if (line.action == Action::DeviceLink && sources != 0)
    fail("option '-dlink' takes objects; compile sources with -dc");
  else if (!line.linksObjects() && sources == 0)
    fail("no source file is given, and nothing is linked");
  else if (!line.linksObjects() && sources > 1 && !line.output.empty())
    fail("option '-o' names one file, but there are several to write");
  else if (overwritesSource(line))
    fail("option '-o' names a source, '" + line.output + "', which the output would replace");
  if (!line.image.remarks.recordFile.empty() && sources > 1)
    fail("option '-foptimization-record-file' names one file, but there are several to write");
}

Expected<CommandLine> CommandLineParser::parse() {
  readAction();
  readTargets();
  readGrains();
  readVariants();
  readRemarks();
  readCodegen();
  readVendor();
  readSanitizers();
  readRelocatable();
  readDependencies();
  readLinking();
  readToolkit();
  readInOrder();
  readSeverity();
  bool onlyAnswers = line.action >= Action::Help;
  if (!onlyAnswers && errors.empty())
    checkInputs();
  if (!errors.empty())
    return createStringError(join(errors, "\n"));
  return std::move(line);
}

bool CommandLine::runsOnlyOnCPU() const {
  return !image.targets.empty() && none_of(image.targets, [](StringRef target) {
    const TargetFamily *family = findFamily(target);
    return !family || family->isGPU();
  });
}

bool CommandLine::runsOnCPUAndGPU() const {
  auto isGPU = [](StringRef target) {
    const TargetFamily *family = findFamily(target);
    return family && family->isGPU();
  };
  return any_of(image.targets, isGPU) && !all_of(image.targets, isGPU);
}

} // namespace regrain
