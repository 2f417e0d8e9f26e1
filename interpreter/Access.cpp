//===- Access.cpp - Loads and stores of the interpreter -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Machine.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace regrain;

static std::string hex(uint64_t address) {
  std::string text;
  raw_string_ostream(text) << format_hex(address, 1);
  return text;
}

MemoryRegion *Machine::locate(Thread &thread, uint64_t address, uint64_t size) {
  auto among = [&](std::vector<MemoryRegion> &regions) -> MemoryRegion * {
    auto after = upper_bound(regions, address, [](uint64_t at, const MemoryRegion &region) {
      return at < region.address;
    });
    if (after == regions.begin() || !std::prev(after)->contains(address, size))
      return nullptr;
    return &*std::prev(after);
  };
  if (program.spaces().isShared(address))
    return among(thread.block->shared);
  if (AddressSpaces::isLocal(address))
    return among(thread.locals);
  thread.hasUsedMemory = true;
  return memory.find(address, size);
}

MemoryRegion *Machine::check(Thread &thread, Scalar address, uint64_t size, Access access,
                             bool write) {
  if (address.undefined) {
    fail(FaultKind::UndefinedValue, "the address of an access");
    return nullptr;
  }
  std::string what =
      (Twine(write ? "write" : "read") + " of " + Twine(size) + " bytes at " + hex(address.bits))
          .str();
  MemoryRegion *region = locate(thread, address.bits, size);
  if (!region || (write && !region->writable)) {
    fail(FaultKind::OutOfBounds, what + (region ? ", which is constant" : ""));
    return nullptr;
  }
  if (address.bits % access.align != 0) {
    fail(FaultKind::Misaligned, what + ", aligned to " + Twine(access.align));
    return nullptr;
  }
  if (!AddressSpaces::isLocal(address.bits) && (access.atomic || options.switchAtAccesses))
    offerSwitch();
  return region;
}

bool Machine::checkRace(Thread &thread, const MemoryRegion &region, uint64_t address, bool write,
                        bool atomic, bool changes) {
  if (options.races == RaceCheck::None || AddressSpaces::isLocal(address) || !region.writable)
    return true;
  RaceDetector::Access access = {
      address, region.address, region.bytes.size(), program.spaces().isShared(address), write,
      atomic,  changes};
  if (std::optional<std::string> race = races.record(access, thread.clock))
    return fail(FaultKind::Race, *race);
  return true;
}

bool Machine::load(Thread &thread, Scalar address, const Leaf &leaf, Access access, Scalar &value) {
  uint64_t size = divideCeil(leaf.width, 8);
  address.bits += leaf.offset;
  access.align = MinAlign(access.align, leaf.offset);
  const MemoryRegion *region = check(thread, address, size, access, /*write=*/false);
  if (!region)
    return false;
  value = {};
  for (uint64_t i = 0; i < size; ++i) {
    uint64_t at = address.bits - region->address + i;
    if (!checkRace(thread, *region, address.bits + i, false, access.atomic, false))
      return false;
    value.bits |= uint64_t(region->bytes[at]) << 8 * i;
    value.undefined |= uint64_t(region->undefined[at]) << 8 * i;
  }
  value.bits &= maskOf(leaf.width);
  value.undefined &= maskOf(leaf.width);
  return true;
}

bool Machine::store(Thread &thread, Scalar address, const Leaf &leaf, Access access, Scalar value) {
  uint64_t size = divideCeil(leaf.width, 8);
  address.bits += leaf.offset;
  access.align = MinAlign(access.align, leaf.offset);
  MemoryRegion *region = check(thread, address, size, access, /*write=*/true);
  if (!region)
    return false;
  for (uint64_t i = 0; i < size; ++i) {
    uint64_t at = address.bits - region->address + i;
    uint8_t byte = value.bits >> 8 * i, undefined = value.undefined >> 8 * i;
    bool changes = region->bytes[at] != byte || region->undefined[at] != undefined;
    if (!checkRace(thread, *region, address.bits + i, true, access.atomic, changes))
      return false;
    region->bytes[at] = byte;
    region->undefined[at] = undefined;
  }
  return true;
}

bool Machine::copy(Thread &thread, uint64_t to, uint64_t from, uint64_t size) {
  std::vector<Scalar> bytes(size);
  Leaf leaf = {nullptr, 8, 0};
  for (uint64_t i = 0; i < size; ++i)
    if (!load(thread, {from + i, 0}, leaf, {}, bytes[i]))
      return false;
  for (uint64_t i = 0; i < size; ++i)
    if (!store(thread, {to + i, 0}, leaf, {}, bytes[i]))
      return false;
  return true;
}

bool Machine::fill(Thread &thread, uint64_t to, Scalar byte, uint64_t size) {
  for (uint64_t i = 0; i < size; ++i)
    if (!store(thread, {to + i, 0}, {nullptr, 8, 0}, {}, byte))
      return false;
  return true;
}

void Machine::settle(Thread &thread, uint64_t to, ArrayRef<Scalar> bytes) {
  MemoryRegion &region = *locate(thread, to, bytes.size());
  for (auto [i, byte] : enumerate(bytes)) {
    region.bytes[to - region.address + i] = byte.bits;
    region.undefined[to - region.address + i] = byte.undefined;
  }
}

/// Addresses are not reused while the thread runs: a pointer to a variable of a
/// call that has returned reaches no memory.
uint64_t Machine::allocateLocal(Thread &thread, uint64_t size, uint64_t align) {
  constexpr uint64_t gap = 64;
  uint64_t address = alignTo(thread.nextLocal + gap, std::max<uint64_t>(align, 16));
  if (size > thread.localEnd - address - gap)
    return 0;
  thread.nextLocal = address + size;
  thread.locals.emplace_back(address, size);
  return address;
}

bool Machine::readDefined(const Thread &thread, const Step &step, unsigned operand, StringRef what,
                          uint64_t &value) {
  Scalar scalar = read(thread, step, operand);
  value = scalar.bits;
  return scalar.undefined == 0 || fail(FaultKind::UndefinedValue, what);
}
