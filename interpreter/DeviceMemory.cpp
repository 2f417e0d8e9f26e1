//===- DeviceMemory.cpp - Memory that a kernel can access -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/DeviceMemory.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "interpreter/Fault.h"
#include "interpreter/Program.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace regrain;

MemoryRegion &DeviceMemory::add(uint64_t size) {
  uint64_t address = next;
  // The gap is as large as the region, so that an index that is off by the region's
  // size reaches no memory.
  next = alignTo(next + 2 * size + 4096, 4096);
  return all.try_emplace(address, address, size).first->second;
}

uint64_t DeviceMemory::allocate(uint64_t size) { return add(size).address; }

uint64_t DeviceMemory::copyBytesIn(ArrayRef<uint8_t> bytes) {
  MemoryRegion &region = add(bytes.size());
  copy(bytes, region.bytes.begin());
  region.undefined.assign(bytes.size(), 0);
  return region.address;
}

bool DeviceMemory::release(uint64_t address) { return all.erase(address) != 0; }

const MemoryRegion *DeviceMemory::find(uint64_t address, uint64_t size) const {
  auto after = all.upper_bound(address);
  if (after == all.begin())
    return nullptr;
  const MemoryRegion &region = std::prev(after)->second;
  return region.contains(address, size) ? &region : nullptr;
}

MemoryRegion *DeviceMemory::find(uint64_t address, uint64_t size) {
  if (const MemoryRegion *region = std::as_const(*this).find(address, size))
    return const_cast<MemoryRegion *>(region);
  return foreign ? viewOf(address, size) : nullptr;
}

/// Views are made by page, so that the memory of an access is looked up once. Pages that
/// one access covers together are a separate view, with its own bits, which count as
/// defined.
MemoryRegion *DeviceMemory::viewOf(uint64_t address, uint64_t size) {
  constexpr uint64_t pageSize = 4096;
  uint64_t page = alignDown(address, pageSize);
  uint64_t reached = alignTo(address + std::max<uint64_t>(size, 1), pageSize) - page;
  auto found = views.find({page, reached});
  if (found == views.end()) {
    for (uint64_t offset = 0; offset < reached; offset += pageSize)
      if (!foreign->contains(std::max(address, page + offset)))
        return nullptr;
    MutableArrayRef<uint8_t> bytes(reinterpret_cast<uint8_t *>(page), reached);
    found = views.try_emplace({page, reached}, bytes).first;
  }
  return found->second.contains(address, size) ? &found->second : nullptr;
}

/// Makes the memory of a variable, which the program can also access if memory is
/// foreign; returns null if there is none left.
MemoryRegion *DeviceMemory::addVariable(const GlobalVariable &variable, uint64_t size) {
  if (!foreign)
    return &add(size);
  uint64_t address = foreign->allocate(variable, std::max<uint64_t>(size, 1));
  if (!address)
    return nullptr;
  MutableArrayRef<uint8_t> bytes(reinterpret_cast<uint8_t *>(address), size);
  std::fill(bytes.begin(), bytes.end(), 0);
  return &all.try_emplace(address, bytes).first->second;
}

bool DeviceMemory::isDefined(uint64_t address, uint64_t size) const {
  const MemoryRegion *region = find(address, size);
  if (!region)
    return false;
  ArrayRef<uint8_t> undefined(region->undefined);
  return all_of(undefined.slice(address - region->address, size),
                [](uint8_t bits) { return bits == 0; });
}

std::optional<uint64_t> DeviceMemory::addressOf(StringRef variable) const {
  auto found = variables.find(variable);
  if (found == variables.end())
    return std::nullopt;
  return found->second;
}

/// Writes an initial value; padding stays undefined.
static bool initialise(MemoryRegion &region, const Constant &value, const DataLayout &layout,
                       Program &program) {
  SmallVector<Leaf> leaves;
  SmallVector<Scalar> scalars;
  if (!flatten(value.getType(), layout, leaves) || !program.evaluate(value, scalars))
    return false;
  for (auto [leaf, scalar] : zip_equal(leaves, scalars))
    for (unsigned i = 0; i < (leaf.width + 7) / 8; ++i) {
      region.bytes[leaf.offset + i] = scalar.bits >> 8 * i;
      region.undefined[leaf.offset + i] = scalar.undefined >> 8 * i;
    }
  return true;
}

llvm::Error DeviceMemory::defineVariables(const Module &module) {
  const DataLayout &layout = module.getDataLayout();
  SmallVector<const GlobalVariable *> fresh;
  for (const GlobalVariable &variable : module.globals()) {
    if (variable.isDeclaration() || variable.getAddressSpace() == sharedSpace ||
        variable.getSection() == "llvm.metadata" || variables.contains(variable.getName()))
      continue;
    MemoryRegion *region = addVariable(variable, layout.getTypeAllocSize(variable.getValueType()));
    if (!region)
      return makeFault(FaultKind::BadLaunch,
                       "no memory is left for the variable " + variable.getName());
    variables[variable.getName()] = region->address;
    fresh.push_back(&variable);
  }
  Program program(module, *this, 0);
  for (const GlobalVariable *variable : fresh) {
    MemoryRegion &region = all.at(variables[variable->getName()]);
    if (!initialise(region, *variable->getInitializer(), layout, program))
      return makeFault(FaultKind::Unsupported,
                       "the initial value of the variable " + variable->getName());
    region.writable = !variable->isConstant() && variable->getAddressSpace() != constantSpace;
    // From here on, the program may change it.
    if (foreign)
      all.erase(region.address);
  }
  if (!program.missingVariable().empty())
    return makeFault(FaultKind::BadLaunch,
                     "the variable " + program.missingVariable() + " has no memory");
  return Error::success();
}
