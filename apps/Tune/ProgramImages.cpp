//===- ProgramImages.cpp - The images in a program's file -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/ProgramImages.h"

#include "apps/Tune/LaunchedOccupancy.h"
#include "runtime/core/alternative.h"
#include "runtime/image/max_resident.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

namespace regrain::tune {
namespace {

bool isProgram(const std::string &path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::string text(const flatbuffers::String *string) { return string ? string->str() : ""; }

template <typename Vector> size_t sizeOf(const Vector *vector) {
  return vector ? vector->size() : 0;
}

/// Returns the index of the kernel in the image; nothing if it is not there.
std::optional<uint32_t> indexOf(const image::Image &image, const TunedKernel &kernel) {
  if (text(image.producer()) != kernel.compiler)
    return std::nullopt;
  for (uint32_t i = 0; i < sizeOf(image.kernels()); ++i)
    if (text(image.kernels()->Get(i)->hash()) == kernel.hash)
      return i;
  return std::nullopt;
}

/// The code that a device runs, as far as the device's name tells: the name of an AMD
/// device ends with its chip in parentheses.
struct CodeOfDevice {
  image::CodeKind kind;
  std::string arch; ///< empty: not known
};

std::optional<CodeOfDevice> codeOf(const std::string &device) {
  if (device.starts_with("NVIDIA"))
    return CodeOfDevice{image::CodeKind::Cubin, ""};
  size_t chip = device.rfind("(gfx");
  if (chip == std::string::npos || !device.ends_with(")"))
    return std::nullopt;
  return CodeOfDevice{image::CodeKind::Hsaco, device.substr(chip + 1, device.size() - chip - 2)};
}

std::optional<Resources> figuresIn(const image::Image &image, uint32_t kernel,
                                   const std::string &launchClass, const std::string &alternative,
                                   const CodeOfDevice &code) {
  std::set<std::string> architectures;
  std::optional<Resources> found;
  std::string idInImage = idOfCode(alternative);
  for (uint32_t i = 0; i < sizeOf(image.modules()); ++i) {
    const image::Module &module = *image.modules()->Get(i);
    std::string arch = text(module.arch());
    if (module.kind() != code.kind ||
        (!code.arch.empty() && arch.substr(0, arch.find(':')) != code.arch))
      continue;
    architectures.insert(arch);
    for (uint32_t j = 0; j < sizeOf(module.entries()); ++j) {
      const image::Entry &entry = *module.entries()->Get(j);
      const auto &ids = *image.kernels()->Get(kernel)->alternatives();
      if (entry.kernel() != kernel || entry.remainder() || !entry.resources() ||
          text(ids.Get(entry.alternative())->id()) != idInImage)
        continue;
      Resources figures = {.registers = entry.resources()->registers(),
                           .staticSharedBytes = entry.resources()->static_shared_bytes(),
                           .occupancyPercent = entry.resources()->occupancy_percent(),
                           .occupancyThreads = entry.resources()->occupancy_threads()};
      std::string chip = code.kind == image::CodeKind::Cubin ? arch : "";
      found = ofLaunchedBlock(figures, {chip, grainOf(*ids.Get(entry.alternative())), launchClass});
    }
  }
  return architectures.size() == 1 ? found : std::nullopt;
}

} // namespace

std::string findProgram(const std::string &name) {
  if (name.find('/') != std::string::npos)
    return name;
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/bin:/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string file = (folder.empty() ? "." : folder) + "/" + name; isProgram(file))
      return file;
  return "";
}

ProgramImages::ProgramImages(const std::string &path) {
  std::error_code error;
  std::ifstream stream;
  if (std::filesystem::is_regular_file(path, error))
    stream.open(path, std::ios::binary);
  std::ostringstream copy;
  copy << stream.rdbuf(); // nothing if it cannot be read
  std::string contents = copy.str();
  executable = contents.starts_with("\177ELF");
  // A file that cannot be read has no image to show.
  FoundImages found = findImages(contents);
  for (EmbeddedImage &image : found.images)
    if (image.opened.status == ImageStatus::Ok)
      images.push_back(std::move(image));
}

bool ProgramImages::hasAlternatives() const {
  for (const EmbeddedImage &embedded : images)
    for (uint32_t i = 0; i < sizeOf(embedded.opened.image->kernels()); ++i)
      if (embedded.opened.image->kernels()->Get(i)->alternatives()->size() > 1)
        return true;
  return false;
}

bool ProgramImages::holds(const TunedKernel &kernel) const {
  for (const EmbeddedImage &embedded : images)
    if (indexOf(*embedded.opened.image, kernel))
      return true;
  return false;
}

std::optional<Resources> ProgramImages::figures(const Choice &choice,
                                                const std::string &alternative) const {
  std::optional<CodeOfDevice> code = codeOf(choice.kernel.device);
  if (!code)
    return std::nullopt;
  for (const EmbeddedImage &embedded : images)
    if (std::optional<uint32_t> index = indexOf(*embedded.opened.image, choice.kernel))
      return figuresIn(*embedded.opened.image, *index, choice.launchClass, alternative, *code);
  return std::nullopt;
}

} // namespace regrain::tune
