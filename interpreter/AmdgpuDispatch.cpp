//===- AmdgpuDispatch.cpp - Inputs of a kernel of amdgcn ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/AmdgpuDispatch.h"

#include "runtime/image/launch_limits.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace regrain;

namespace {

/// Little-endian fields in a sequence of bytes.
class Fields {
public:
  explicit Fields(size_t size) : bytes(size) {}

  template <typename T> void put(size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof(T));
  }
  void put(size_t offset, ArrayRef<uint8_t> values) {
    std::copy(values.begin(), values.end(), bytes.begin() + offset);
  }

  std::vector<uint8_t> bytes;
};

/// Returns the version in hundreds, as in the flag.
uint64_t codeObjectVersion(const Module &module) {
  constexpr uint64_t ofThisCompiler = 500;
  auto *flag =
      mdconst::extract_or_null<ConstantInt>(module.getModuleFlag("amdhsa_code_object_version"));
  return flag ? flag->getZExtValue() : ofThisCompiler;
}

unsigned dimensions(const KernelLaunch &launch) {
  auto isFlat = [&](unsigned d) { return launch.grid[d] * launch.block[d] == 1; };
  return isFlat(2) ? isFlat(1) ? 1 : 2 : 3;
}

/// These are the "hidden" kernel arguments of AMDGPUUsage. Grids are whole
/// blocks: there are no remainders.
void putImplicit(Fields &fields, size_t at, uint64_t version, const KernelLaunch &launch,
                 uint64_t queue) {
  if (version < 500)
    return; // there are no offsets, buffers or queues
  for (unsigned d = 0; d < 3; ++d) {
    fields.put(at + 4 * d, launch.grid[d]);
    fields.put(at + 12 + 2 * d, uint16_t(launch.block[d]));
  }
  fields.put(at + 64, uint16_t(dimensions(launch)));
  fields.put(at + 120, uint32_t(launch.dynamicSharedBytes));
  fields.put(at + 200, queue);
}

uint64_t implicitSize(uint64_t version) { return version < 500 ? 56 : 256; }

/// Makes an hsa_kernel_dispatch_packet_t, whose grid counts threads.
std::vector<uint8_t> packetOf(const KernelLaunch &launch, uint64_t staticShared,
                              uint64_t arguments) {
  Fields packet(64);
  packet.put(2, uint16_t(dimensions(launch)));
  for (unsigned d = 0; d < 3; ++d) {
    packet.put(4 + 2 * d, uint16_t(launch.block[d]));
    packet.put(12 + 4 * d, launch.grid[d] * launch.block[d]);
  }
  packet.put(28, uint32_t(staticShared + launch.dynamicSharedBytes));
  packet.put(40, arguments);
  return packet.bytes;
}

uint64_t placeConstant(DeviceMemory &memory, const std::vector<uint8_t> &bytes) {
  uint64_t address = memory.copyIn(bytes);
  memory.find(address, bytes.size())->writable = false;
  return address;
}

} // namespace

AmdgpuDispatch::AmdgpuDispatch(const llvm::Function &kernel, const KernelLaunch &launch,
                               uint64_t staticShared, DeviceMemory &memory)
    : memory(memory) {
  const DataLayout &layout = kernel.getParent()->getDataLayout();
  uint64_t end = 0;
  for (const Argument &argument : kernel.args()) {
    Type *inMemory = argument.getPointeeInMemoryValueType();
    Type *type = inMemory ? inMemory : argument.getType();
    Align natural = layout.getABITypeAlign(type);
    offsets.push_back(
        alignTo(end, inMemory ? argument.getParamAlign().value_or(natural) : natural));
    end = offsets.back() + layout.getTypeAllocSize(type);
  }
  implicitOffset = alignTo(end, 8);
  uint64_t version = codeObjectVersion(*kernel.getParent());
  Fields segment(implicitOffset + implicitSize(version));
  for (auto [offset, bytes] : zip_equal(offsets, launch.arguments))
    segment.put(offset, ArrayRef<uint8_t>(bytes));
  constexpr size_t queueSize = 256;
  queueAddress = placeConstant(memory, std::vector<uint8_t>(queueSize));
  putImplicit(segment, implicitOffset, version, launch, queueAddress);
  argumentSegment = placeConstant(memory, segment.bytes);
  packetAddress = placeConstant(memory, packetOf(launch, staticShared, argumentSegment));
}

AmdgpuDispatch::~AmdgpuDispatch() {
  for (uint64_t address : {argumentSegment, packetAddress, queueAddress})
    memory.release(address);
}

uint64_t regrain::mostThreads(const llvm::Function &kernel) {
  StringRef range = kernel.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString();
  uint64_t most = 0;
  return range.split(',').second.getAsInteger(10, most) ? maxBlockThreads : most;
}

uint32_t regrain::waveSizeOf(const llvm::Function &kernel) {
  StringRef features = kernel.getFnAttribute("target-features").getValueAsString();
  if (features.contains("+wavefrontsize32"))
    return 32;
  if (features.contains("+wavefrontsize64"))
    return 64;
  StringRef processor = kernel.getFnAttribute("target-cpu").getValueAsString();
  if (!processor.consume_front("gfx"))
    return 0;
  // From the tenth generation on, names are gfx1030, gfx1100, ..., with two
  // digits before the minor version and the stepping.
  return processor.size() >= 4 ? 32 : 64;
}
