//===- Options.td - The command line of regrain cc ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each option is declared here once: its spellings, where it goes (the group),
// and its help with the heading under which that is listed (a flag). The
// spellings are nvcc's, and clang's where it has another one.
//
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

// Where options go that the driver itself does not read.
def both_Group : OptionGroup<"both">;       // clang, device and host side, and other sources
def device_Group : OptionGroup<"device">;   // clang, device side alone
def host_Group : OptionGroup<"host">;       // clang, host side, and other sources
def link_Group : OptionGroup<"link">;       // the linker, in order with the files
def preprocess_Group : OptionGroup<"pp">;   // dependencies: host side, and other sources
def ignored_Group : OptionGroup<"ignored">; // changes nothing here
def unsupported_Group : OptionGroup<"unsupported">; // an error; HelpText says what it asks for

// The headings of the help. Options.h has their values, OptionHelp.cpp their
// titles and order.
def InOutput : OptionFlag;
def InGrains : OptionFlag;
def InExplanations : OptionFlag;
def InTargets : OptionFlag;
def InCode : OptionFlag;
def InHeaders : OptionFlag;
def InDependencies : OptionFlag;
def InLinking : OptionFlag;
def InOtherTools : OptionFlag;
def InInformation : OptionFlag;
def InIgnored : OptionFlag;

// The option shapes the code that a device link makes: objects with relocatable
// device code carry it there.
def AtDeviceLink : OptionFlag;

// "-name" or "--name".
class Switch<string name> : Flag<["-", "--"], name>;
// The same, where two dashes are usual.
class LongSwitch<string name> : Flag<["--", "-"], name>;
class SwitchAlias<string name, Option option> : Switch<name>, Alias<option>;

// "-name value" or "-name=value", with one dash or two.
multiclass Value<string name, string meta, string help> {
  def NAME : Separate<["-", "--"], name>, HelpText<help>, MetaVarName<meta>;
  def NAME#_eq : Joined<["-", "--"], name#"=">, Alias<!cast<Option>(NAME)>;
}
multiclass ValueAlias<string name, Option option> {
  def NAME : Separate<["-", "--"], name>, Alias<option>;
  def NAME#_eq : Joined<["-", "--"], name#"=">, Alias<option>;
}
// The same for options that are accepted without effect, or refused.
multiclass PlainValue<string name> {
  def NAME : Separate<["-", "--"], name>;
  def NAME#_eq : Joined<["-", "--"], name#"=">, Alias<!cast<Option>(NAME)>;
}
// "-nvalue" or "-n value".
class Letter<string name> : JoinedOrSeparate<["-"], name>;

//===-- Actions ------------------------------------------------------------===//

let Flags = [InOutput] in {
def c : Flag<["-"], "c">, HelpText<"Compile each source to an object file">;
def compile : Flag<["--"], "compile">, Alias<c>;
def dc : Switch<"dc">, HelpText<"As -rdc=true -c">;
def device_c : Switch<"device-c">, Alias<dc>;
def dw : Switch<"dw">, HelpText<"As -rdc=false -c">;
def device_w : Switch<"device-w">, Alias<dw>;
def dlink : Switch<"dlink">,
  HelpText<"Link the device code of objects made with -rdc=true; the host linker takes the result">;
def device_link : Switch<"device-link">, Alias<dlink>;
def lib : Switch<"lib">, HelpText<"Put the objects into a static library">;
def E : Flag<["-"], "E">, HelpText<"Preprocess only, to stdout or -o FILE">;
def preprocess : Flag<["--"], "preprocess">, Alias<E>;
def ptx : Switch<"ptx">, HelpText<"Write the PTX of each .cu file">;
def cubin : Switch<"cubin">, HelpText<"Write the cubin of each .cu file">;
def fatbin : Switch<"fatbin">,
  HelpText<"Write the image of each .cu file, for all targets; cuModuleLoad loads it">;
def run : Switch<"run">, HelpText<"Run the program that is linked">;
defm run_args : Value<"run-args", "A,B,...", "With -run: arguments of the program">;
def link : Switch<"link">, HelpText<"Compile and link (what is done by default)">;
def emit_eq : Joined<["--"], "emit=">, MetaVarName<"llvm|grain|asm|ptx|cubin|amdgcn|hsaco">,
  HelpText<"Show one stage, on stdout or in -o FILE">;
}
def image_form_eq : Joined<["--"], "image-form=">, MetaVarName<"FORM">, Flags<[HelpHidden]>,
  HelpText<"Form of an image's code: image (default), or ir for GPUs' code as LLVM IR, which tests interpret">;
let Flags = [InInformation] in {
def help : LongSwitch<"help">, HelpText<"Show this text">;
def h : Flag<["-"], "h">, Alias<help>;
def version : LongSwitch<"version">, HelpText<"Show the version">;
def V : Flag<["-"], "V">, Alias<version>;
def v : Flag<["-"], "v">, HelpText<"Show what is done">;
def verbose : LongSwitch<"verbose">, Alias<v>;
def dryrun : Switch<"dryrun">, HelpText<"Show what would be done, and do nothing">;
def dry_run : Switch<"dry-run">, Alias<dryrun>;
def hash_hash_hash : Flag<["-"], "###">, Alias<dryrun>;
def list_gpu_arch : Switch<"list-gpu-arch">, HelpText<"List the virtual architectures">;
def arch_ls : Switch<"arch-ls">, Alias<list_gpu_arch>;
def list_gpu_code : Switch<"list-gpu-code">, HelpText<"List the GPUs code can be made for">;
def code_ls : Switch<"code-ls">, Alias<list_gpu_code>;
}

//===-- Files --------------------------------------------------------------===//

let Flags = [InOutput] in {
def o : Letter<"o">, MetaVarName<"FILE">, HelpText<"Write to FILE">;
defm output_file : ValueAlias<"output-file", o>;
defm odir : Value<"odir", "DIR", "Folder of the files that are written without -o">;
defm output_directory : ValueAlias<"output-directory", odir>;
def x : Letter<"x">, MetaVarName<"cu|c|c++|none">, HelpText<"Language of the files that follow">;
def x_long : Separate<["--"], "x">, Alias<x>;
def x_eq : Joined<["-", "--"], "x=">, Alias<x>;
defm ccbin : Value<"ccbin", "COMPILER", "Host compiler (or its folder), also used to link">;
defm compiler_bindir : ValueAlias<"compiler-bindir", ccbin>;
}

//===-- Preprocessor -------------------------------------------------------===//

let Flags = [InHeaders] in {
def I : Letter<"I">, Group<both_Group>, MetaVarName<"DIR">, HelpText<"Look for headers in DIR">;
defm include_path : ValueAlias<"include-path", I>;
def isystem : Letter<"isystem">, Group<both_Group>, MetaVarName<"DIR">,
  HelpText<"As -I, for headers of others: no warnings">;
def isystem_eq : Joined<["-"], "isystem=">, Alias<isystem>;
defm system_include : ValueAlias<"system-include", isystem>;
def iquote : Letter<"iquote">, Group<both_Group>,
  MetaVarName<"DIR">, HelpText<"As -I, for headers that are named in quotes">;
defm cuda_path : Value<"cuda-path", "DIR", "Use the headers and libraries of the CUDA toolkit in DIR">;
defm cuda_version : Value<"cuda-version", "X.Y",
  "Release of CUDA that programs see, 11.8 to 13.0 (default: the toolkit's, otherwise 13.0)">;
def idirafter : Letter<"idirafter">, Group<both_Group>,
  MetaVarName<"DIR">, HelpText<"As -I, after all other folders">;
def include_file : Letter<"include">, Group<both_Group>, MetaVarName<"FILE">,
  HelpText<"Include FILE first">;
defm pre_include : ValueAlias<"pre-include", include_file>;
def imacros : Letter<"imacros">, Group<both_Group>,
  MetaVarName<"FILE">, HelpText<"Take the macros of FILE first">;
def D : Letter<"D">, Group<both_Group>, MetaVarName<"NAME[=VALUE]">, HelpText<"Define a macro">;
defm define_macro : ValueAlias<"define-macro", D>;
def U : Letter<"U">, Group<both_Group>, MetaVarName<"NAME">, HelpText<"Undefine a macro">;
defm undefine_macro : ValueAlias<"undefine-macro", U>;
}
let Flags = [InDependencies] in {
def M : Flag<["-"], "M">, Group<preprocess_Group>,
  HelpText<"Write a make rule with the headers each source needs">;
def generate_dependencies : Flag<["--"], "generate-dependencies">, Alias<M>;
def MM : Flag<["-"], "MM">, Group<preprocess_Group>, HelpText<"As -M, without system headers">;
def generate_nonsystem_dependencies : Flag<["--"], "generate-nonsystem-dependencies">, Alias<MM>;
def MD : Flag<["-"], "MD">, Group<preprocess_Group>, HelpText<"Write the rule to a .d file, and compile as well">;
def generate_dependencies_with_compile :
  Flag<["--"], "generate-dependencies-with-compile">, Alias<MD>;
def MMD : Flag<["-"], "MMD">, Group<preprocess_Group>, HelpText<"As -MD, without system headers">;
def generate_nonsystem_dependencies_with_compile :
  Flag<["--"], "generate-nonsystem-dependencies-with-compile">, Alias<MMD>;
def MF : Letter<"MF">, Group<preprocess_Group>, MetaVarName<"FILE">,
  HelpText<"Write the rule to FILE">;
defm dependency_output : ValueAlias<"dependency-output", MF>;
def MT : Letter<"MT">, Group<preprocess_Group>, MetaVarName<"NAME">, HelpText<"The rule's target">;
defm dependency_target_name : ValueAlias<"dependency-target-name", MT>;
def MQ : Letter<"MQ">, Group<preprocess_Group>,
  MetaVarName<"NAME">, HelpText<"As -MT, quoted for make">;
def MP : Flag<["-"], "MP">, Group<preprocess_Group>, HelpText<"Add an empty rule for each header">;
def generate_dependency_targets : Flag<["--"], "generate-dependency-targets">, Alias<MP>;
}

//===-- Language and code --------------------------------------------------===//

let Flags = [InCode] in {
defm std : Value<"std", "STANDARD", "Language standard: c++17, c++20, ...">;
def O : Joined<["-"], "O">, Group<host_Group>, MetaVarName<"LEVEL">,
  HelpText<"Optimise host code; device code is always optimised, unless -G is given">;
defm optimize : Value<"optimize", "LEVEL", "As -O">;
def g : Flag<["-"], "g">, Group<host_Group>, HelpText<"Debug information for host code">;
def debug : Flag<["--"], "debug">, Alias<g>;
def g_joined : Joined<["-"], "g">, Group<host_Group>,
  MetaVarName<"KIND">, HelpText<"Debug information of that kind or amount for host code">;
def pg : Flag<["-"], "pg">, Group<host_Group>, HelpText<"Host code that gprof can profile">;
def profile : Flag<["--"], "profile">, Alias<pg>;
let Flags = [InCode, AtDeviceLink] in {
def G : Flag<["-"], "G">, HelpText<"Debug device code: not optimised">;
def device_debug : Flag<["--"], "device-debug">, Alias<G>;
def lineinfo : Switch<"lineinfo">, HelpText<"Keep source lines in device code, for profilers">;
def generate_line_info : Flag<["--"], "generate-line-info">, Alias<lineinfo>;
def use_fast_math : Switch<"use_fast_math">,
  HelpText<"Device code: approximate division and functions, denormals are zero">;
def use_fast_math_dashes : Switch<"use-fast-math">, Alias<use_fast_math>;
defm fmad : Value<"fmad", "true|false", "Device code: fused multiply-add (default: true)">;
def ffp_contract_eq : Joined<["-"], "ffp-contract=">, Group<both_Group>, MetaVarName<"off|on|fast">,
  HelpText<"Fused multiply-add; in device code, off is -fmad=false, and the others are -fmad=true">;
defm maxrregcount : Value<"maxrregcount", "N", "At most N registers for a thread">;
}
defm ftz : Value<"ftz", "true|false", "Device code: denormals are zero">;
defm default_stream : Value<"default-stream", "legacy|null|per-thread",
  "Meaning of the default stream (default: legacy)">;
def expt_relaxed_constexpr : Switch<"expt-relaxed-constexpr">,
  HelpText<"Define __CUDACC_RELAXED_CONSTEXPR__; device code may call constexpr functions without it">;
def extended_lambda : Switch<"extended-lambda">,
  HelpText<"Define __CUDACC_EXTENDED_LAMBDA__; lambdas may be device code without it">;
def expt_extended_lambda : Switch<"expt-extended-lambda">, Alias<extended_lambda>;
def f : Joined<["-"], "f">, Group<both_Group>, HelpText<"Passed to clang">, MetaVarName<"NAME">;
def W : Joined<["-"], "W">, Group<both_Group>, HelpText<"Warnings, as clang has them">,
  MetaVarName<"NAME">;
def Wreorder : Flag<["--"], "Wreorder">, Group<both_Group>;
def Wno_deprecated_declarations : Flag<["--"], "Wno-deprecated-declarations">, Group<both_Group>;
def Werror_eq : Joined<["-", "--"], "Werror=">, MetaVarName<"KIND,...">,
  HelpText<"Errors in place of warnings: all-warnings, reorder, deprecated-declarations, or as clang has them">;
def w : Flag<["-"], "w">, Group<both_Group>, HelpText<"No warnings">;
def disable_warnings : Flag<["--"], "disable-warnings">, Alias<w>;
def pedantic : Switch<"pedantic">, Group<both_Group>,
  HelpText<"Warn about extensions of the language standard">;
def ansi : Switch<"ansi">, Group<both_Group>, HelpText<"The oldest standard, without extensions">;
def nostdinc : Switch<"nostdinc">, Group<both_Group>,
  HelpText<"Look for headers only in the folders that options name">;
def nostdincxx : Switch<"nostdinc++">, Group<both_Group>,
  HelpText<"The same for the headers of the C++ library alone">;
def stdlib_eq : Joined<["-", "--"], "stdlib=">, Group<both_Group>,
  MetaVarName<"LIBRARY">, HelpText<"The C++ library: libstdc++ or libc++">;
def Xclang : Separate<["-"], "Xclang">, Group<both_Group>,
  MetaVarName<"ARG">, HelpText<"Passed to clang's front end">;
def Wa_comma : CommaJoined<["-"], "Wa,">, Group<host_Group>,
  MetaVarName<"A,B,...">, HelpText<"Passed to the assembler">;
def no_exceptions : Switch<"no-exceptions">, HelpText<"Host code without exceptions">;
def noeh : Switch<"noeh">, Alias<no_exceptions>;
defm ftemplate_depth : Value<"ftemplate-depth", "N", "Depth of template instantiation">;
defm ftemplate_backtrace_limit : Value<"ftemplate-backtrace-limit", "N",
  "Number of notes on template instantiation">;
def m64 : Flag<["--"], "m64">, HelpText<"As -m64, the only width of addresses">;
def m : Joined<["-"], "m">, Group<host_Group>, HelpText<"Host code: passed to the host compiler">,
  MetaVarName<"NAME">;
def pipe : Flag<["-"], "pipe">, Group<host_Group>, HelpText<"Passed to the host compiler">;
}
let Flags = [InOtherTools] in {
defm Xcompiler : Value<"Xcompiler", "A,B,...", "Passed to the host compiler">;
defm compiler_options : ValueAlias<"compiler-options", Xcompiler>;
}
let Flags = [InOtherTools, AtDeviceLink] in {
defm Xptxas : Value<"Xptxas", "A,B,...", "Passed to ptxas">;
defm ptxas_options : ValueAlias<"ptxas-options", Xptxas>;
}
let Flags = [InInformation, AtDeviceLink] in {
def resource_usage : Switch<"resource-usage">, HelpText<"Show what ptxas says of each kernel">;
def res_usage : Switch<"res-usage">, Alias<resource_usage>;
}

//===-- Targets and grains -------------------------------------------------===//

let Flags = [InTargets, AtDeviceLink] in {
defm arch : Value<"arch", "ARCH", "Add a GPU: sm_90 (cubin and PTX), compute_90 (PTX)">;
defm gpu_architecture : ValueAlias<"gpu-architecture", arch>;
defm gpu_code : Value<"code", "ARCH,...", "With -arch=compute_NN: the GPUs to make code for">;
defm gpu_code_long : ValueAlias<"gpu-code", gpu_code>;
defm gencode : Value<"gencode", "arch=compute_NN,code=sm_NN", "Add a GPU">;
defm generate_code : ValueAlias<"generate-code", gencode>;
defm offload_arch : Value<"offload-arch", "ARCH", "Add a GPU, as clang spells it">;
defm cuda_gpu_arch : ValueAlias<"cuda-gpu-arch", offload_arch>;
def targets_eq : CommaJoined<["--"], "targets=">, MetaVarName<"A,B,...">,
  HelpText<"Exactly these targets: cpu, ptx, compute_NN, sm_NN, gfx90a, gfx942, gfx1030, gfx1100 (default: cpu,ptx)">;
def keep_going : Flag<["--"], "keep-going">,
  HelpText<"If a target has no code for a kernel, leave the kernel out there and build the rest">;
def mcode_object_version_eq : Joined<["-"], "mcode-object-version=">, MetaVarName<"4|5">,
  HelpText<"Version of AMD's code objects (default: 5; 4 for ROCm before 5.5)">;
}
let Flags = [InTargets] in {
defm rdc : Value<"rdc", "true|false",
  "Relocatable device code: functions and variables of other files (default: false)">;
defm relocatable_device_code : ValueAlias<"relocatable-device-code", rdc>;
def fgpu_rdc : Flag<["-"], "fgpu-rdc">, HelpText<"As -rdc=true">;
def fno_gpu_rdc : Flag<["-"], "fno-gpu-rdc">, HelpText<"As -rdc=false">;
}
let Flags = [InGrains, AtDeviceLink] in {
def coarsen_eq : Joined<["--"], "coarsen=">, MetaVarName<"GLOB:SPEC">,
  HelpText<"Re-grain the kernels that match: '*:block.x=4', 'saxpy:thread=2,block.y=2'">;
def choose_eq : Joined<["--"], "choose=">, MetaVarName<"FILE">,
  HelpText<"Compile and run what 'regrain tune -o FILE' chose; kernels that have changed since keep their original">;
def alternatives_eq : Joined<["--"], "alternatives=">, MetaVarName<"N|all">,
  HelpText<"Compile N other grains of each kernel beside the original; 'all' keeps poor ones too">;
def launches_eq : Joined<["--"], "launches=">, MetaVarName<"FILE">,
  HelpText<"With --alternatives: also grains for the blocks and arguments that 'regrain tune -o FILE' saw">;
def nvcc_eq : Joined<["--"], "nvcc=">, MetaVarName<"FILE|none">,
  HelpText<"With --alternatives: the nvcc whose code is one more alternative (default: the CUDA toolkit's)">;
def specialise : Flag<["--"], "specialise">,
  HelpText<"With --alternatives: also grains for the blocks, grids and arguments that the file's launches show">;
def reassociate : LongSwitch<"reassociate">,
  HelpText<"Permit grains whose sums have another order (sums=reassociated), so that results differ by rounding">;
def alternative_timeout_eq : Joined<["--"], "alternative-timeout=">, MetaVarName<"SECONDS">,
  HelpText<"Drop a grain that takes more processor time to compile (default: 60, 0: none)">;
}
let Flags = [InExplanations] in {
def time_phases : Flag<["--"], "time-phases">,
  HelpText<"Say on stderr how long each phase took, and each pass of the transforms">;
def record_compile_times : Flag<["--"], "record-compile-times">, Flags<[InExplanations, AtDeviceLink]>,
  HelpText<"Say in the image how long each grain took to compile">;

def explain : LongSwitch<"explain">,
  HelpText<"Say which grains each kernel can have, and why not others; write no file">;
def json : LongSwitch<"json">, HelpText<"With --explain: write JSON">;
defm why : Value<"why", "GLOB:SPEC",
  "With --explain: say what became of one grain; exit code 2 if it is not legal">;
def Rpass_eq : Joined<["-"], "Rpass=">, Group<host_Group>, MetaVarName<"REGEX">,
  HelpText<"Tell what passes did: 'regrain' for grains, others are clang's host passes">;
def Rpass_missed_eq : Joined<["-"], "Rpass-missed=">, Group<host_Group>, MetaVarName<"REGEX">,
  HelpText<"Tell what passes did not do, and why">;
def Rpass_analysis_eq : Joined<["-"], "Rpass-analysis=">, Group<host_Group>, MetaVarName<"REGEX">,
  HelpText<"Tell what passes found out: 'regrain' for the figures of each grain">;
def save_record : Flag<["-"], "fsave-optimization-record">,
  HelpText<"Write every remark on grains to OUTPUT.opt.yaml">;
def save_record_eq : Joined<["-"], "fsave-optimization-record=">, MetaVarName<"yaml|bitstream">,
  HelpText<"The same, in that format">;
def record_file_eq : Joined<["-"], "foptimization-record-file=">, MetaVarName<"FILE">,
  HelpText<"Write every remark on grains to FILE">;
}

//===-- Linking ------------------------------------------------------------===//

let Flags = [InLinking] in {
def l : Letter<"l">, Group<link_Group>, MetaVarName<"NAME">, HelpText<"Link a library">;
defm library : ValueAlias<"library", l>;
def L : Letter<"L">, Group<link_Group>, MetaVarName<"DIR">, HelpText<"Look for libraries in DIR">;
defm library_path : ValueAlias<"library-path", L>;
defm Xlinker : Value<"Xlinker", "A,B,...", "Passed to the linker">;
defm linker_options : ValueAlias<"linker-options", Xlinker>;
def Wl_comma : CommaJoined<["-"], "Wl,">, Group<link_Group>,
  MetaVarName<"A,B,...">, HelpText<"Passed to the linker">;
def z : Letter<"z">, Group<link_Group>, MetaVarName<"KEYWORD">, HelpText<"A keyword of the linker">;
def rdynamic : Switch<"rdynamic">, Group<link_Group>,
  HelpText<"Let libraries find the program's symbols">;
def static : Switch<"static">, Group<link_Group>, HelpText<"Link no shared libraries">;
def static_libstdcxx : Switch<"static-libstdc++">, Group<link_Group>,
  HelpText<"Link the C++ library statically">;
def static_libgcc : Switch<"static-libgcc">, Group<link_Group>,
  HelpText<"Link the compiler's library statically">;
def nostdlib : Switch<"nostdlib">, Group<link_Group>, HelpText<"Link no standard libraries">;
def no_pie : Switch<"no-pie">, Group<link_Group>,
  HelpText<"A program with a fixed address">;
def pie : Switch<"pie">, Group<link_Group>, HelpText<"A program that can be loaded at any address">;
def s : Flag<["-"], "s">, Group<link_Group>, HelpText<"Leave symbols out">;
def T : Letter<"T">, Group<link_Group>, MetaVarName<"FILE">, HelpText<"A script for the linker">;
def pthread : Switch<"pthread">, HelpText<"Threads, when compiling and linking">;
def shared : Switch<"shared">, HelpText<"Make a shared library">;
def nodlink : Switch<"nodlink">, HelpText<"Link without the device link of relocatable device code">;
def no_device_link : Switch<"no-device-link">, Alias<nodlink>;
defm cudart : Value<"cudart", "shared|static|none", "How the runtime is linked (default: shared)">;
}

//===-- Accepted without effect --------------------------------------------===//

let Flags = [InIgnored] in {
def restrict : Switch<"restrict">, Group<ignored_Group>;
}
let Flags = [InOtherTools] in {
def forward_host : Switch<"forward-unknown-to-host-compiler">,
  HelpText<"Pass options that are not known to the host compiler">;
def forward_opts : Switch<"forward-unknown-opts">, Alias<forward_host>;
def forward_linker : Switch<"forward-unknown-to-host-linker">,
  HelpText<"Pass options that are not known to the linker">;
}
let Flags = [InIgnored] in {
def allow_unsupported : Switch<"allow-unsupported-compiler">, Group<ignored_Group>;
defm brief_diagnostics : PlainValue<"brief-diagnostics">, Group<ignored_Group>;
def display_error_number : Switch<"display-error-number">, Group<ignored_Group>;
def no_display_error_number : Switch<"no-display-error-number">, Group<ignored_Group>;
def source_in_ptx : Switch<"source-in-ptx">, Group<ignored_Group>;
def src_in_ptx : Switch<"src-in-ptx">, Group<ignored_Group>;
def no_compress : Switch<"no-compress">, Group<ignored_Group>;
def extra_device_vectorization : Switch<"extra-device-vectorization">, Group<ignored_Group>;
def nocudainc : Switch<"nocudainc">, Group<ignored_Group>;
def nocudalib : Switch<"nocudalib">, Group<ignored_Group>;
def Wno_deprecated_gpu_targets : Switch<"Wno-deprecated-gpu-targets">, Group<ignored_Group>;
def Wdefault_stream_launch : Switch<"Wdefault-stream-launch">, Group<ignored_Group>;
def Wmissing_launch_bounds : Switch<"Wmissing-launch-bounds">, Group<ignored_Group>;
def Wext_lambda : Switch<"Wext-lambda-captures-this">, Group<ignored_Group>;
def err_no : Switch<"err-no">, Group<ignored_Group>;
def no_err_no : Switch<"no-err-no">, Group<ignored_Group>;
defm brief_diag : PlainValue<"brief-diag">, Group<ignored_Group>;
def objtemp : Switch<"objtemp">, Group<ignored_Group>;
def objdir_as_tempdir : Switch<"objdir-as-tempdir">, Group<ignored_Group>;
defm cudadevrt : PlainValue<"cudadevrt">, Group<ignored_Group>;
defm arbin : PlainValue<"arbin">, Group<ignored_Group>;
defm archiver_binary : PlainValue<"archiver-binary">, Group<ignored_Group>;
defm ldir : PlainValue<"ldir">, Group<ignored_Group>;
defm libdevice_directory : PlainValue<"libdevice-directory">, Group<ignored_Group>;
defm target_dir : PlainValue<"target-dir">, Group<ignored_Group>;
defm target_directory : PlainValue<"target-directory">, Group<ignored_Group>;
def use_local_env : Switch<"use-local-env">, Group<ignored_Group>;
def force_cl_env_setup : Switch<"force-cl-env-setup">, Group<ignored_Group>;
defm opt_info : PlainValue<"opt-info">, Group<ignored_Group>;
defm optimization_info : PlainValue<"optimization-info">, Group<ignored_Group>;
defm Ofc : PlainValue<"Ofc">, Group<ignored_Group>;
defm Ofast_compile : PlainValue<"Ofast-compile">, Group<ignored_Group>;
defm dopt : PlainValue<"dopt">, Group<ignored_Group>;
def dlto : Switch<"dlto">, Group<ignored_Group>;
def dlink_time_opt : Switch<"dlink-time-opt">, Group<ignored_Group>;
def lto : Switch<"lto">, Group<ignored_Group>;
def gen_opt_lto : Switch<"gen-opt-lto">, Group<ignored_Group>;
def nohdinitlist : Switch<"nohdinitlist">, Group<ignored_Group>;
def no_host_device_initializer_list : Switch<"no-host-device-initializer-list">, Group<ignored_Group>;
def nohdmoveforward : Switch<"nohdmoveforward">, Group<ignored_Group>;
def no_host_device_move_forward : Switch<"no-host-device-move-forward">, Group<ignored_Group>;
defm static_stub : PlainValue<"static-global-template-stub">, Group<ignored_Group>;
defm hidden_entities : PlainValue<"device-entity-has-hidden-visibility">, Group<ignored_Group>;
def noprof : Switch<"noprof">, Group<ignored_Group>;
def dont_use_profile : Switch<"dont-use-profile">, Group<ignored_Group>;
defm split_compile_extended : PlainValue<"split-compile-extended">, Group<ignored_Group>;
defm time : PlainValue<"time">, Group<ignored_Group>;
defm fdevice_time_trace : PlainValue<"fdevice-time-trace">, Group<ignored_Group>;
defm idp : PlainValue<"idp">, Group<ignored_Group>;
defm input_drive_prefix : PlainValue<"input-drive-prefix">, Group<ignored_Group>;
defm ddp : PlainValue<"ddp">, Group<ignored_Group>;
defm dependency_drive_prefix : PlainValue<"dependency-drive-prefix">, Group<ignored_Group>;
defm dp : PlainValue<"dp">, Group<ignored_Group>;
defm drive_prefix : PlainValue<"drive-prefix">, Group<ignored_Group>;
def no_align_double : Switch<"no-align-double">, Group<ignored_Group>;
defm e : PlainValue<"e">, Group<ignored_Group>;
defm entries : PlainValue<"entries">, Group<ignored_Group>;
def keep_device_functions : Switch<"keep-device-functions">, Group<ignored_Group>;
def ewp : Switch<"ewp">, Group<ignored_Group>;
def extensible_whole_program : Switch<"extensible-whole-program">, Group<ignored_Group>;
defm qpp_config : PlainValue<"qpp-config">, Group<ignored_Group>;
defm hls : PlainValue<"hls">, Group<ignored_Group>;
defm host_linker_script : PlainValue<"host-linker-script">, Group<ignored_Group>;
def aug_hls : Switch<"aug-hls">, Group<ignored_Group>;
def augment_host_linker_script : Switch<"augment-host-linker-script">, Group<ignored_Group>;
defm jtd : PlainValue<"jtd">, Group<ignored_Group>;
defm jump_table_density : PlainValue<"jump-table-density">, Group<ignored_Group>;
defm device_stack_protector : PlainValue<"device-stack-protector">, Group<ignored_Group>;
defm compress_mode : PlainValue<"compress-mode">, Group<ignored_Group>;
defm frandom_seed : PlainValue<"frandom-seed">, Group<ignored_Group>;
def jobserver : Switch<"jobserver">, Group<ignored_Group>;
defm archive_options : PlainValue<"archive-options">, Group<ignored_Group>;
def keep : Switch<"keep">, Group<ignored_Group>;
def save_temps : Joined<["-", "--"], "save-temps">, Group<ignored_Group>;
defm keep_dir : PlainValue<"keep-dir">, Group<ignored_Group>;
defm threads : PlainValue<"threads">, Group<ignored_Group>;
def t : Letter<"t">, Group<ignored_Group>;
defm split_compile : PlainValue<"split-compile">, Group<ignored_Group>;
defm prec_div : PlainValue<"prec-div">, Group<ignored_Group>;
defm prec_sqrt : PlainValue<"prec-sqrt">, Group<ignored_Group>;
defm diag_suppress : PlainValue<"diag-suppress">, Group<ignored_Group>;
defm diag_warn : PlainValue<"diag-warn">, Group<ignored_Group>;
defm diag_error : PlainValue<"diag-error">, Group<ignored_Group>;
defm Xcudafe : PlainValue<"Xcudafe">, Group<ignored_Group>;
defm cudafe_options : PlainValue<"cudafe-options">, Group<ignored_Group>;
defm Xfatbin : PlainValue<"Xfatbin">, Group<ignored_Group>;
defm fatbin_options : PlainValue<"fatbin-options">, Group<ignored_Group>;
defm Xnvlink : PlainValue<"Xnvlink">, Group<ignored_Group>;
defm nvlink_options : PlainValue<"nvlink-options">, Group<ignored_Group>;
defm Xarchive : PlainValue<"Xarchive">, Group<ignored_Group>;
}

//===-- Read by the driver, and possibly refused ---------------------------===//

let Flags = [InIgnored] in {
defm machine : Value<"machine", "64", "The only width of addresses">;
def machine_m : Separate<["-"], "m">, Alias<machine>;
}
let Flags = [InOtherTools] in {
defm optf : Value<"optf", "FILE", "Read more options from FILE">;
defm options_file : ValueAlias<"options-file", optf>;
}

//===-- Refused ------------------------------------------------------------===//

class Refused<string name, string what> : Switch<name>, Group<unsupported_Group>,
  Flags<[HelpHidden]>, HelpText<what>;
def optix_ir : Refused<"optix-ir", "code for OptiX">;
def ltoir : Refused<"ltoir", "NVIDIA's form of intermediate code; see --emit=llvm">;
def fdevice_syntax_only : Refused<"fdevice-syntax-only", "a check of device code alone">;
def clean : Refused<"clean", "removing what a build has written">;
def clean_targets : Refused<"clean-targets", "removing what a build has written">;
def astoolspatch : Refused<"astoolspatch", "a patch for NVIDIA's debugging tools">;
def compile_as_tools_patch : Refused<"compile-as-tools-patch", "a patch for NVIDIA's debugging tools">;
def r : Refused<"r", "a device link whose result is linked again">;
def relocatable_link : Refused<"relocatable-link", "a device link whose result is linked again">;
def reloc_ptx : Refused<"reloc-ptx", "PTX that is linked later">;
def relocatable_ptx : Refused<"relocatable-ptx", "PTX that is linked later">;
class RefusedValue<string name, string what> : Separate<["-", "--"], name>, Group<unsupported_Group>,
  Flags<[HelpHidden]>, HelpText<what>;
def sanitize : RefusedValue<"sanitize", "instrumented device code">;
def sanitize_eq : Joined<["-", "--"], "sanitize=">, Group<unsupported_Group>, Flags<[HelpHidden]>,
  HelpText<"instrumented device code">;
def cuda_long : Refused<"cuda", "writing the intermediate C++ of nvcc">;
def cuda_device_only : Refused<"cuda-device-only", "one side alone; see --emit">;
def cuda_host_only : Refused<"cuda-host-only", "one side alone; see --emit">;
def m32 : Refused<"m32", "32-bit code">;
