//===- snapshot.cpp - A copy of device memory -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/snapshot.h"

#include <algorithm>
#include <cstdlib>

namespace regrain {
namespace {

constexpr size_t stagingBytes = 64 << 20; // a multiple of pageBytes
constexpr size_t copyAlignment = 256;
/// A larger number of ranges is reduced by joining them over gaps, because each
/// range costs a copy.
constexpr size_t mostRanges = 256;

/// Joins neighbours that are at most `gap` bytes apart and lie in the same piece.
void join(std::vector<MemoryRange> &ranges, const std::vector<MemoryRange> &pieces, size_t gap) {
  std::vector<MemoryRange> joined;
  auto piece = pieces.begin();
  for (const MemoryRange &range : ranges) {
    while (range.begin >= piece->begin + piece->bytes)
      ++piece;
    if (!joined.empty() && joined.back().begin >= piece->begin &&
        size_t(range.begin - (joined.back().begin + joined.back().bytes)) <= gap)
      joined.back().bytes = size_t(range.begin - joined.back().begin) + range.bytes;
    else
      joined.push_back(range);
  }
  ranges = std::move(joined);
}

} // namespace

uint64_t totalBytes(const std::vector<MemoryRange> &ranges) {
  uint64_t sum = 0;
  for (const MemoryRange &range : ranges)
    sum += range.bytes;
  return sum;
}

Snapshot::Snapshot(Device &device, std::vector<MemoryRange> ranges, Place place)
    : device(device), where(place), pieces(std::move(ranges)) {
  std::sort(pieces.begin(), pieces.end(),
            [](const MemoryRange &a, const MemoryRange &b) { return a.begin < b.begin; });
}

cudaError_t Snapshot::allocate() {
  size_t bytes = 0;
  for (const MemoryRange &piece : pieces) {
    offsets.push_back(bytes);
    bytes += (piece.bytes + copyAlignment - 1) / copyAlignment * copyAlignment;
  }
  if (bytes == 0)
    return cudaSuccess;
  void *memory = nullptr;
  if (where == Place::Host) {
    storage = static_cast<std::byte *>(std::malloc(bytes));
    if (!storage)
      return cudaErrorMemoryAllocation;
    cudaError_t status = device.allocate(stagingBytes, memory);
    staging = static_cast<std::byte *>(memory);
    taken = {stagingBytes, bytes};
    return status;
  }
  cudaError_t status = device.allocate(bytes, memory);
  storage = static_cast<std::byte *>(memory);
  taken.device = bytes;
  return status;
}

cudaError_t Snapshot::copy(std::byte *to, const std::byte *from, size_t bytes, cudaMemcpyKind kind,
                           cudaStream_t stream) {
  return device.copy(to, bytes, from, bytes, {bytes, 1}, kind, stream, /*async=*/true);
}

cudaError_t Snapshot::take(Device &device, std::vector<MemoryRange> ranges, Place place,
                           cudaStream_t stream, std::unique_ptr<Snapshot> &out) {
  std::unique_ptr<Snapshot> snapshot(new Snapshot(device, std::move(ranges), place));
  cudaError_t status = snapshot->allocate();
  cudaMemcpyKind kind = place == Place::Device ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost;
  for (size_t i = 0; status == cudaSuccess && i < snapshot->pieces.size(); ++i)
    status = snapshot->copy(snapshot->storage + snapshot->offsets[i], snapshot->pieces[i].begin,
                            snapshot->pieces[i].bytes, kind, stream);
  if (status == cudaSuccess)
    status = device.synchronizeStream(stream);
  if (status == cudaSuccess)
    out = std::move(snapshot);
  return status;
}

/// Work that reads the copies may be pending; a device that has failed frees nothing,
/// and its memory ends with the process.
Snapshot::~Snapshot() {
  bool isIdle = device.synchronize() == cudaSuccess;
  if (where == Place::Host)
    std::free(storage);
  for (std::byte *memory : {where == Place::Device ? storage : nullptr, staging})
    if (memory && isIdle)
      static_cast<void>(device.free(memory));
}

std::byte *Snapshot::copyOf(const std::byte *address) const {
  auto after = std::upper_bound(
      pieces.begin(), pieces.end(), address,
      [](const std::byte *value, const MemoryRange &piece) { return value < piece.begin; });
  size_t index = size_t(after - pieces.begin()) - 1;
  return storage + offsets[index] + (address - pieces[index].begin);
}

/// Sets pages[i] to 1 if page i of `range` differs from its copy.
cudaError_t Snapshot::compare(const MemoryRange &range, std::vector<uint8_t> &pages) {
  pages.assign((range.bytes + pageBytes - 1) / pageBytes, 0);
  if (where == Place::Device)
    return device.comparePages(range.begin, copyOf(range.begin), range.bytes, pageBytes, pages);
  cudaError_t status = device.synchronize();
  for (size_t at = 0; status == cudaSuccess && at < range.bytes; at += stagingBytes) {
    size_t bytes = std::min(stagingBytes, range.bytes - at);
    status = copy(staging, copyOf(range.begin + at), bytes, cudaMemcpyHostToDevice, nullptr);
    std::span<uint8_t> part(pages.data() + at / pageBytes, (bytes + pageBytes - 1) / pageBytes);
    if (status == cudaSuccess)
      status = device.comparePages(range.begin + at, staging, bytes, pageBytes, part);
  }
  return status;
}

cudaError_t Snapshot::changed(std::vector<MemoryRange> &out) {
  out.clear();
  std::vector<uint8_t> pages;
  for (const MemoryRange &piece : pieces) {
    if (cudaError_t status = compare(piece, pages); status != cudaSuccess)
      return status;
    for (size_t page = 0; page < pages.size(); ++page)
      if (pages[page])
        out.push_back(
            {piece.begin + page * pageBytes, std::min(pageBytes, piece.bytes - page * pageBytes)});
  }
  for (size_t gap = 0; !out.empty() && (gap == 0 || out.size() > mostRanges);
       gap = gap ? 4 * gap : pageBytes) {
    size_t before = out.size();
    join(out, pieces, gap);
    if (gap > totalBytes(pieces) && out.size() == before)
      break;
  }
  return cudaSuccess;
}

cudaError_t Snapshot::read(const MemoryRange &range, std::byte *now, std::byte *then) {
  cudaMemcpyKind kind = where == Place::Device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
  cudaError_t status = copy(now, range.begin, range.bytes, cudaMemcpyDeviceToHost, nullptr);
  if (status == cudaSuccess)
    status = copy(then, copyOf(range.begin), range.bytes, kind, nullptr);
  return status == cudaSuccess ? device.synchronize() : status;
}

cudaError_t Snapshot::restore(const std::vector<MemoryRange> &ranges, cudaStream_t stream) {
  cudaError_t status = cudaSuccess;
  for (size_t i = 0; status == cudaSuccess && i < ranges.size(); ++i) {
    auto [begin, bytes] = ranges[i];
    status = where == Place::Device
                 ? device.copyByKernel(begin, copyOf(begin), bytes, stream)
                 : copy(begin, copyOf(begin), bytes, cudaMemcpyHostToDevice, stream);
  }
  return status;
}

cudaError_t Snapshot::restore(cudaStream_t stream) { return restore(pieces, stream); }

} // namespace regrain
