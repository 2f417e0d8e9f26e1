//===- loaded_image.cpp - The code of one image on one device -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/loaded_image.h"

#include "runtime/core/relaxed_capture.h"
#include "runtime/core/settings.h"

#include <functional>

namespace regrain {
namespace {

/// The best module comes first; equal ones stay in the order of the image.
using RankedModules = std::multimap<int, const image::Module *, std::greater<int>>;

/// Returns the modules that `device` can run and `wanted` accepts.
template <typename Wanted>
RankedModules rank(const image::Image &image, Device &device, Wanted wanted) {
  RankedModules ranked;
  if (image.modules())
    for (const image::Module *code : *image.modules())
      if (wanted(*code))
        if (int rank = device.codeRank(*code); rank >= 0)
          ranked.insert({rank, code});
  return ranked;
}

bool isBase(const image::Module &code) { return code.base(); }

std::string nameOf(const image::Module &code) {
  return std::string(image::EnumNameCodeKind(code.kind())) + " for " + code.arch()->str();
}

} // namespace

bool LoadedImage::hasCode(const image::Image &image, Device &device) {
  return !rank(image, device, isBase).empty();
}

cudaError_t LoadedImage::loadModule(const image::Module &code, Module *&out) {
  std::unique_ptr<Module> &module = modules[&code];
  if (!module) {
    std::string reason;
    cudaError_t status = device.device->loadModule(code, module, reason);
    if (status != cudaSuccess) {
      modules.erase(&code);
      sayVerbose("cannot load " + nameOf(code) + ": " + reason);
      return status;
    }
  }
  out = module.get();
  return cudaSuccess;
}

/// Takes the best module that loads: a driver may be too old for the PTX version
/// of the best one and still accept a lesser one.
cudaError_t LoadedImage::loadBase() {
  if (base)
    return cudaSuccess;
  RelaxedCapture mayLoad(*device.device);
  cudaError_t status = cudaErrorNoKernelImageForDevice;
  for (auto [order, code] : rank(image, *device.device, isBase)) {
    status = loadModule(*code, base);
    if (status == cudaErrorMemoryAllocation)
      return status;
    if (status == cudaSuccess && (status = placeManaged(*code, *base)) != cudaSuccess) {
      modules.erase(code);
      base = nullptr;
    }
    if (status == cudaSuccess) {
      baseCode = code;
      sayVerbose("loaded " + nameOf(*code) + " on " + device.properties.name);
      return cudaSuccess;
    }
  }
  return status;
}

LoadedImage::~LoadedImage() {
  // This fails only if the device was reset, and then the memory is gone.
  for (auto &[symbol, memory] : managed)
    static_cast<void>(device.device->free(memory.pointer));
}

/// Gives memory to the variable of a slot of the base module.
cudaError_t LoadedImage::place(const image::Slot &slot, Module &module) {
  const char *symbol = image.variables()->Get(slot.variable())->symbol()->c_str();
  void *initial = nullptr;
  Memory memory = {};
  cudaError_t status = module.variable(symbol, initial, memory.bytes);
  if (status == cudaSuccess)
    status = device.device->allocateHost(HostMemory::Managed, memory.bytes, cudaMemAttachGlobal,
                                         memory.pointer);
  if (status != cudaSuccess)
    return status;
  managed[symbol] = memory;
  status = device.device->copy(memory.pointer, memory.bytes, initial, memory.bytes,
                               {memory.bytes, 1}, cudaMemcpyDefault, nullptr, /*async=*/false);
  return status == cudaSuccess ? module.writeSlot(slot.slot()->c_str(), memory.pointer) : status;
}

cudaError_t LoadedImage::placeManaged(const image::Module &code, Module &module) {
  if (!code.slots())
    return cudaSuccess;
  for (const image::Slot *slot : *code.slots()) {
    cudaError_t status = place(*slot, module);
    // Code generation drops what no kernel uses.
    if (status != cudaSuccess && status != cudaErrorInvalidSymbol)
      return status;
  }
  return cudaSuccess;
}

cudaError_t LoadedImage::addressOf(const char *symbol, void *&address, size_t &bytes) {
  auto found = managed.find(symbol);
  if (found == managed.end())
    return base->variable(symbol, address, bytes);
  address = found->second.pointer;
  bytes = found->second.bytes;
  return cudaSuccess;
}

const image::Entry *LoadedImage::entryIn(const image::Module &code, const Key &key) {
  if (code.entries())
    for (const image::Entry *entry : *code.entries())
      if (entry->kernel() == key.kernel && entry->alternative() == key.alternative &&
          entry->remainder() == key.remainder)
        return entry;
  return nullptr;
}

/// Only the base module contains originals, so that they share its variables.
const image::Entry *LoadedImage::findEntry(const Key &key, const image::Module *&code) {
  code = baseCode;
  const image::Entry *entry = entryIn(*baseCode, key);
  if (entry || key.alternative == 0)
    return entry;
  auto candidates = rank(image, *device.device, [&](const image::Module &module) {
    return !module.base() && entryIn(module, key);
  });
  if (candidates.empty())
    return nullptr;
  code = candidates.begin()->second;
  return entryIn(*code, key);
}

cudaError_t LoadedImage::writeSlots(const image::Module &code, Module &module) {
  if (!code.slots())
    return cudaSuccess;
  for (const image::Slot *slot : *code.slots()) {
    const image::Variable *variable = image.variables()->Get(slot->variable());
    void *address = nullptr;
    size_t bytes = 0;
    cudaError_t status = addressOf(variable->symbol()->c_str(), address, bytes);
    if (status == cudaSuccess)
      status = module.writeSlot(slot->slot()->c_str(), address);
    if (status != cudaSuccess)
      return status;
  }
  return cudaSuccess;
}

cudaError_t LoadedImage::function(const Key &key, LoadedFunction &out) {
  std::lock_guard lock(loading);
  if (cudaError_t status = loadBase(); status != cudaSuccess)
    return status;
  const image::Module *code = nullptr;
  const image::Entry *entry = findEntry(key, code);
  if (!entry)
    return cudaErrorNoKernelImageForDevice;
  if (auto found = functions.find(entry); found != functions.end()) {
    out = {found->second.get(), entry->single_dimensions(), entry->max_threads()};
    return cudaSuccess;
  }
  bool isNew = !modules.contains(code);
  Module *module = nullptr;
  cudaError_t status = loadModule(*code, module);
  if (status == cudaSuccess && isNew) {
    status = writeSlots(*code, *module);
    if (status != cudaSuccess)
      modules.erase(code);
  }
  std::unique_ptr<Function> function;
  if (status == cudaSuccess)
    status = module->function(entry->symbol()->c_str(), function);
  if (status != cudaSuccess)
    return status;
  out = {function.get(), entry->single_dimensions(), entry->max_threads()};
  functions[entry] = std::move(function);
  return cudaSuccess;
}

std::string_view LoadedImage::generation() {
  std::lock_guard lock(loading);
  const flatbuffers::String *known = baseCode ? baseCode->generation() : nullptr;
  return known ? known->string_view() : std::string_view();
}

cudaError_t LoadedImage::variable(const char *symbol, void *&address, size_t &bytes) {
  std::lock_guard lock(loading);
  if (cudaError_t status = loadBase(); status != cudaSuccess)
    return status;
  return addressOf(symbol, address, bytes);
}

void LoadedImage::addVariables(std::vector<Allocation> &out) {
  std::lock_guard lock(loading);
  if (!base || !image.variables())
    return;
  for (const image::Variable *variable : *image.variables()) {
    Allocation found = {};
    // Code generation drops a variable that no kernel uses.
    if (variable->kind() == image::VariableKind::Constant ||
        addressOf(variable->symbol()->c_str(), found.pointer, found.bytes) != cudaSuccess)
      continue;
    found.kind = variable->kind() == image::VariableKind::Managed ? MemoryKind::ManagedVariable
                                                                  : MemoryKind::Variable;
    out.push_back(found);
  }
}

} // namespace regrain
