//===- ReadCode.cpp - Read the code in an image ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/ReadCode.h"

#include "compiler/Listing/CudaDisassembler.h"
#include "compiler/Listing/ObjectListing.h"
#include "compiler/Listing/Ptx.h"
#include "compiler/Listing/Sass.h"
#include "runtime/image/max_resident.h"

#include <algorithm>

namespace regrain::report {

const char *nameOf(Form form) {
  switch (form) {
  case Form::Sass:
    return "sass";
  case Form::Ptx:
    return "ptx";
  case Form::Amdgcn:
    return "amdgcn";
  case Form::X86:
    return "x86";
  }
  return "unknown";
}

image::CodeKind kindOf(Form form) {
  switch (form) {
  case Form::Sass:
    return image::CodeKind::Cubin;
  case Form::Ptx:
    return image::CodeKind::Ptx;
  case Form::Amdgcn:
    return image::CodeKind::Hsaco;
  case Form::X86:
    break;
  }
  return image::CodeKind::CpuSharedObject;
}

namespace {

/// Returns what a command line lacks if no code has the form.
const char *remedyFor(Form form) {
  switch (form) {
  case Form::Sass:
    return "--targets=sm_90 adds it where ptxas of a CUDA toolkit is found";
  case Form::Ptx:
    return "--targets=ptx or compute_90 adds it";
  case Form::Amdgcn:
    return "--targets=gfx90a adds it";
  case Form::X86:
    break;
  }
  return "--targets=cpu adds it";
}

bool hasForm(const FileReport &report, Form form, const std::string &arch) {
  return std::ranges::any_of(report.images, [&](const ImageReport &image) {
    return std::ranges::any_of(image.targets, [&](const TargetName &target) {
      return target.kind == kindOf(form) && (arch.empty() || target.arch == arch);
    });
  });
}

/// Returns "sm_90 (sass), x86-64-v3 (x86)".
std::string formsOf(const FileReport &report) {
  std::set<std::string> names;
  for (const ImageReport &image : report.images)
    for (const TargetName &target : image.targets)
      for (Form form : forms)
        if (target.kind == kindOf(form))
          names.insert(target.arch + " (" + nameOf(form) + ")");
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "no code" : text;
}

OrError<Form> chooseForm(const FileReport &report, const CodeRequest &request) {
  for (Form form : forms)
    if ((!request.form || form == *request.form) && hasForm(report, form, request.arch))
      return form;
  std::string wanted = request.form ? std::string(" ") + nameOf(*request.form) : "";
  std::string text = report.file + " has no" + wanted + " code";
  if (!request.arch.empty())
    text += " for " + request.arch;
  text += ", but " + formsOf(report);
  if (request.form && request.arch.empty())
    text += std::string("; ") + remedyFor(*request.form);
  return tl::unexpected(text);
}

/// Returns the name of the function that runs the kernel. On the CPU, the kernel's symbol is a
/// description that points to it (compiler/Target/CPU/KernelEntry.h).
std::string functionOf(Form form, const std::string &symbol) {
  return form == Form::X86 ? symbol + ".run" : symbol;
}

/// Reads modules, each once.
class ModuleReader {
public:
  explicit ModuleReader(Form form) : form(form) {}

  /// Returns the functions of the module.
  OrError<const listing::Listings *> read(const image::Module &module) {
    auto [found, isNew] = known.try_emplace(&module);
    if (isNew) {
      OrError<listing::Listings> listings = list(module);
      if (!listings)
        return tl::unexpected(listings.error());
      found->second = std::move(*listings);
    }
    return &found->second;
  }

  /// Returns whether the disassembler would tell lines if the code had any.
  bool tellsLines() const { return !disassembler || disassembler->tellsLines(); }

private:
  OrError<listing::Listings> list(const image::Module &module) {
    std::span<const char> code(reinterpret_cast<const char *>(module.code()->data()),
                               module.code()->size());
    std::set<std::string> symbols;
    for (const image::Entry *entry : *module.entries())
      symbols.insert(functionOf(form, entry->symbol()->str()));
    switch (form) {
    case Form::Sass:
      return listSass(code);
    case Form::Ptx:
      return listing::parsePtx({code.data(), code.size() - (code.back() ? 0 : 1)});
    case Form::Amdgcn:
      return listing::listAmdgcn(code, module.arch()->str(), symbols);
    case Form::X86:
      break;
    }
    return listing::listX86(code, symbols);
  }

  OrError<listing::Listings> listSass(std::span<const char> cubin) {
    if (!disassembler) {
      OrError<listing::CudaDisassembler> found = listing::findCudaDisassembler();
      if (!found)
        return tl::unexpected(found.error());
      disassembler = std::move(*found);
    }
    return listing::disassemble(*disassembler, cubin).map(listing::parseSass);
  }

  Form form;
  std::optional<listing::CudaDisassembler> disassembler;
  std::map<const image::Module *, listing::Listings> known;
};

/// Reads the kernels of one image.
class KernelReader {
public:
  KernelReader(ImageReport &report, const image::Image &image, Form form,
               const CodeRequest &request, ModuleReader &modules)
      : report(report), image(image), form(form), request(request), modules(modules) {}

  OrError<void> read() {
    for (KernelReport &kernel : report.kernels)
      for (size_t target = 0; target < report.targets.size() && !kernel.code; ++target)
        if (OrError<void> done = readFor(kernel, target); !done)
          return done;
    return {};
  }

private:
  OrError<void> readFor(KernelReport &kernel, size_t target) {
    const TargetName &name = report.targets[target];
    bool isWanted =
        name.kind == kindOf(form) && (request.arch.empty() || name.arch == request.arch);
    if (!isWanted || kernel.alternatives.empty() ||
        kernel.alternatives.front().code[target].symbol.empty())
      return {};
    KernelCode code = {form, name.arch, {}, ""};
    if (OrError<void> added = addSide(kernel.alternatives.front(), target, code); !added)
      return added;
    if (const AlternativeReport *other = chooseOther(kernel, target, code))
      if (OrError<void> added = addSide(*other, target, code); !added)
        return added;
    kernel.code = std::move(code);
    return {};
  }

  /// Returns the alternative to show beside the original, or says in `code` why there is none.
  const AlternativeReport *chooseOther(const KernelReport &kernel, size_t target,
                                       KernelCode &code) const {
    auto hasCode = [&](const AlternativeReport &each) { return !each.code[target].symbol.empty(); };
    auto own = request.alternativeOf.find(kernel.hash);
    std::string asked =
        idOfCode(own == request.alternativeOf.end() ? request.alternative : own->second);
    std::string wanted = asked.empty() ? idOfCode(kernel.chosen) : asked;
    for (const AlternativeReport &each : kernel.alternatives)
      if (each.id == wanted && &each != &kernel.alternatives.front()) {
        if (hasCode(each))
          return &each;
        code.missing = each.id + " has no code for " + code.arch;
      }
    if (!code.missing.empty())
      return nullptr;
    if (!asked.empty()) {
      if (asked != kernel.alternatives.front().id)
        code.missing = "there is no alternative " + asked;
      return nullptr;
    }
    for (size_t i = 1; i < kernel.alternatives.size(); ++i)
      if (!kernel.alternatives[i].grain.control && hasCode(kernel.alternatives[i]))
        return &kernel.alternatives[i];
    code.missing = "there is no alternative with code for " + code.arch;
    return nullptr;
  }

  OrError<void> addSide(const AlternativeReport &alternative, size_t target, KernelCode &code) {
    const CodeReport &entry = alternative.code[target];
    for (const image::Module *module : *image.modules()) {
      if (module->kind() != entry.target.kind || module->arch()->str() != entry.target.arch ||
          !hasEntry(*module, entry.symbol))
        continue;
      OrError<const listing::Listings *> functions = modules.read(*module);
      if (!functions)
        return tl::unexpected(functions.error());
      auto function = (*functions)->find(functionOf(form, entry.symbol));
      if (function == (*functions)->end())
        return tl::unexpected("the code for " + code.arch + " lacks the kernel " + entry.symbol +
                              (form == Form::X86 ? "; code for debuggers (-G) is not shown" : ""));
      code.sides.push_back({alternative.id, entry.symbol, entry.resources, function->second});
      return {};
    }
    return tl::unexpected("the image lacks the code of " + entry.symbol);
  }

  static bool hasEntry(const image::Module &module, const std::string &symbol) {
    return module.entries() &&
           std::any_of(module.entries()->begin(), module.entries()->end(),
                       [&](const image::Entry *entry) { return entry->symbol()->str() == symbol; });
  }

  ImageReport &report;
  const image::Image &image;
  Form form;
  const CodeRequest &request;
  ModuleReader &modules;
};

/// Says why instructions have no lines, and how to get them.
void sayWithoutLines(FileReport &report, bool tellsLines) {
  for (ImageReport &image : report.images)
    for (KernelReport &kernel : image.kernels) {
      if (!kernel.code || std::ranges::any_of(kernel.code->sides, [](const CodeSide &side) {
            return side.listing.hasLines();
          }))
        continue;
      std::string &missing = kernel.code->missing;
      missing += missing.empty() ? "" : "; ";
      missing += tellsLines ? "the code has no line information: compile with -lineinfo"
                            : "cuobjdump tells no lines: install nvdisasm (package cuda-nvdisasm)";
    }
}

/// Returns whether a kernel of the file has the alternative that is asked for.
bool hasAlternative(const FileReport &report, const std::string &id) {
  return id.empty() || std::ranges::any_of(report.images, [&](const ImageReport &image) {
           return std::ranges::any_of(image.kernels, [&](const KernelReport &kernel) {
             return std::ranges::find(kernel.alternatives, id, &AlternativeReport::id) !=
                    kernel.alternatives.end();
           });
         });
}

std::string alternativesOf(const FileReport &report) {
  std::set<std::string> seen;
  std::string ids;
  for (const ImageReport &image : report.images)
    for (const KernelReport &kernel : image.kernels)
      for (const AlternativeReport &alternative : kernel.alternatives)
        if (seen.insert(alternative.id).second)
          ids += (ids.empty() ? "" : "; ") + alternative.id;
  return ids;
}

} // namespace

OrError<void> readCode(FileReport &report, const std::vector<EmbeddedImage> &images,
                       const CodeRequest &request) {
  if (!hasAlternative(report, request.alternative))
    return tl::unexpected(report.file + " has no alternative '" + request.alternative +
                          "'; there are: " + alternativesOf(report));
  OrError<Form> form = chooseForm(report, request);
  if (!form)
    return tl::unexpected(form.error());
  ModuleReader modules(*form);
  size_t index = 0;
  for (const EmbeddedImage &image : images) {
    if (image.opened.status != ImageStatus::Ok)
      continue;
    KernelReader reader(report.images[index++], *image.opened.image, *form, request, modules);
    if (OrError<void> read = reader.read(); !read)
      return tl::unexpected(report.file + ": " + read.error());
  }
  sayWithoutLines(report, modules.tellsLines());
  return {};
}

} // namespace regrain::report
