//===- array_copy.cpp - Copies to and from arrays -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/array_copy.h"

#include "runtime/cudart/entry.h"

#include <algorithm>
#include <array>

using namespace regrain;

namespace {

std::optional<KnownArray> knownArray(cudaArray_const_t array) {
  return ArrayTable::get().arrays.find(const_cast<cudaArray_t>(array));
}

/// Returns the size of an array in bytes by rows by slices.
cudaExtent bytesOf(const ArrayShape &shape) {
  return {shape.extent.width * elementBytes(shape.format), std::max<size_t>(shape.extent.height, 1),
          std::max<size_t>(shape.extent.depth, 1)};
}

bool isWithin(size_t start, size_t length, size_t size) {
  return start <= size && length <= size - start;
}

bool isWithin(const BoxEnd &end, const cudaExtent &extent) {
  std::optional<KnownArray> known = knownArray(end.array);
  if (!known)
    return false;
  cudaExtent size = bytesOf(known->shape);
  return isWithin(end.position.x, extent.width, size.width) &&
         isWithin(end.position.y, extent.height, size.height) &&
         isWithin(end.position.z, extent.depth, size.depth);
}

cudaError_t checkMemory(const BoxEnd &end, const cudaExtent &extent) {
  if (!end.memory.ptr)
    return cudaErrorInvalidValue;
  return extent.height > 1 && extent.width > end.memory.pitch ? cudaErrorInvalidPitchValue
                                                              : cudaSuccess;
}

cudaError_t checkEnd(const BoxEnd &end, const cudaExtent &extent) {
  if (end.array)
    return isWithin(end, extent) ? cudaSuccess : cudaErrorInvalidValue;
  return checkMemory(end, extent);
}

bool isKind(cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}

cudaError_t copy(BoxCopy box, Order order) {
  if (!isKind(box.kind))
    return cudaErrorInvalidMemcpyDirection;
  if (!box.extent.width || !box.extent.height || !box.extent.depth)
    return cudaSuccess;
  for (const BoxEnd *end : {&box.to, &box.from})
    if (cudaError_t status = checkEnd(*end, box.extent); status != cudaSuccess)
      return status;
  OpenDevice &device = *knownArray(box.to.array ? box.to.array : box.from.array)->device;
  return device.arrays->copy(box, order.stream, order.async);
}

BoxEnd inArray(cudaArray_const_t array, size_t column, size_t row) {
  return {const_cast<cudaArray_t>(array), {}, {column, row, 0}};
}

BoxEnd inMemory(const void *memory, size_t pitch) {
  return {nullptr, {const_cast<void *>(memory), pitch, pitch, 0}, {}};
}

/// Returns an error for a handle that is no array.
cudaError_t checkArrays(std::initializer_list<cudaArray_const_t> arrays) {
  bool areKnown = std::all_of(arrays.begin(), arrays.end(),
                              [](cudaArray_const_t array) { return knownArray(array); });
  return areKnown ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t copyRows(BoxEnd to, BoxEnd from, size_t width, size_t height, cudaMemcpyKind kind,
                     Order order) {
  return onOpenDevice([&](OpenDevice &) {
    for (const BoxEnd *end : {&to, &from})
      if (!end->memory.ptr)
        if (cudaError_t status = checkArrays({end->array}); status != cudaSuccess)
          return status;
    return copy({to, from, {width, height, 1}, kind}, order);
  });
}

/// A run of bytes that continues in the next row at the end of a row. `done` are the bytes
/// before it in the run.
struct Piece {
  size_t column, row, width, height, done;
};

/// Splits a run that starts at `column` and `row` into at most three boxes of rows of
/// `rowBytes`.
std::array<Piece, 3> splitRun(size_t column, size_t row, size_t bytes, size_t rowBytes) {
  size_t first = std::min(column ? rowBytes - column : 0, bytes);
  size_t rows = (bytes - first) / rowBytes, last = (bytes - first) % rowBytes;
  size_t next = row + (first ? 1 : 0);
  return {Piece{column, row, first, 1, 0}, Piece{0, next, rows ? rowBytes : 0, rows, first},
          Piece{0, next + rows, last, 1, first + rows * rowBytes}};
}

enum class Direction { ToArray, FromArray };

/// Copies `bytes` between memory and an array, from whose position on they fill rows.
cudaError_t copyRun(cudaArray_const_t array, size_t column, size_t row, const void *memory,
                    size_t bytes, cudaMemcpyKind kind, Direction direction, Order order) {
  return onOpenDevice([&](OpenDevice &) {
    std::optional<KnownArray> known = knownArray(array);
    if (!known || !memory)
      return bytes ? cudaErrorInvalidValue : cudaSuccess;
    auto [rowBytes, rows, slices] = bytesOf(known->shape);
    if (column >= rowBytes || row >= rows || bytes > (rows - row) * rowBytes - column)
      return cudaErrorInvalidValue;
    for (const Piece &piece : splitRun(column, row, bytes, rowBytes)) {
      BoxEnd inside = inArray(array, piece.column, piece.row);
      BoxEnd outside = inMemory(static_cast<const char *>(memory) + piece.done, piece.width);
      bool toArray = direction == Direction::ToArray;
      cudaError_t status = copy({toArray ? inside : outside,
                                 toArray ? outside : inside,
                                 {piece.width, piece.height, 1},
                                 kind},
                                order);
      if (status != cudaSuccess)
        return status;
    }
    return cudaSuccess;
  });
}

/// Returns one end of a box whose position is in elements of an array.
BoxEnd endOf(cudaArray_t array, const cudaPitchedPtr &memory, cudaPos position) {
  if (array)
    position.x *= elementBytes(knownArray(array)->shape.format);
  return {array, memory, position};
}

} // namespace

bool regrain::usesArrays(const cudaMemcpy3DParms &box) { return box.srcArray || box.dstArray; }

cudaError_t regrain::checkArrayBox(const cudaMemcpy3DParms &box) {
  for (cudaArray_t array : {box.srcArray, box.dstArray})
    if (array && !knownArray(array))
      return cudaErrorInvalidValue;
  if ((box.srcArray && box.srcPtr.ptr) || (box.dstArray && box.dstPtr.ptr))
    return cudaErrorInvalidValue;
  return isKind(box.kind) ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
}

/// If an array takes part, the extent counts elements of that array.
cudaError_t regrain::copyArrayBox(const cudaMemcpy3DParms &box, Order order) {
  if (cudaError_t status = checkArrayBox(box); status != cudaSuccess)
    return status;
  size_t bytes = elementBytes(knownArray(box.srcArray ? box.srcArray : box.dstArray)->shape.format);
  cudaExtent extent = {box.extent.width * bytes, box.extent.height, box.extent.depth};
  return copy({endOf(box.dstArray, box.dstPtr, box.dstPos),
               endOf(box.srcArray, box.srcPtr, box.srcPos), extent, box.kind},
              order);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t wOffset, size_t hOffset, const void *from,
                              size_t bytes, cudaMemcpyKind kind) {
  return copyRun(to, wOffset, hOffset, from, bytes, kind, Direction::ToArray, {});
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t column, size_t row, const void *from,
                                   size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return copyRun(to, column, row, from, count, kind, Direction::ToArray, {stream, true});
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t wOffset, size_t hOffset,
                                size_t bytes, cudaMemcpyKind kind) {
  return copyRun(from, wOffset, hOffset, to, bytes, kind, Direction::FromArray, {});
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t column, size_t row,
                                     size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return copyRun(from, column, row, to, count, kind, Direction::FromArray, {stream, true});
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t wOffset, size_t hOffset, const void *from,
                                size_t fromPitch, size_t width, size_t height,
                                cudaMemcpyKind kind) {
  return copyRows(inArray(to, wOffset, hOffset), inMemory(from, fromPitch), width, height, kind,
                  {});
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t column, size_t row, const void *from,
                                     size_t fromPitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return copyRows(inArray(to, column, row), inMemory(from, fromPitch), width, height, kind,
                  {stream, true});
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t toPitch, cudaArray_const_t from, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height,
                                  cudaMemcpyKind kind) {
  return copyRows(inMemory(to, toPitch), inArray(from, wOffset, hOffset), width, height, kind, {});
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t toPitch, cudaArray_const_t from,
                                       size_t column, size_t row, size_t width, size_t height,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
  return copyRows(inMemory(to, toPitch), inArray(from, column, row), width, height, kind,
                  {stream, true});
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toColumn, size_t toRow,
                                     cudaArray_const_t from, size_t fromColumn, size_t fromRow,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
  return copyRows(inArray(to, toColumn, toRow), inArray(from, fromColumn, fromRow), width, height,
                  kind, {});
}

/// A run that lies in one row of each array, or fills whole rows of arrays of one width.
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t toColumn, size_t toRow,
                                   cudaArray_const_t from, size_t fromColumn, size_t fromRow,
                                   size_t count, cudaMemcpyKind kind) {
  return onOpenDevice([&](OpenDevice &) {
    if (cudaError_t status = checkArrays({to, from}); status != cudaSuccess)
      return status;
    size_t rowBytes = bytesOf(knownArray(to)->shape).width;
    bool fits = toColumn + count <= rowBytes &&
                fromColumn + count <= bytesOf(knownArray(from)->shape).width;
    if (fits)
      return copy(
          {inArray(to, toColumn, toRow), inArray(from, fromColumn, fromRow), {count, 1, 1}, kind},
          {});
    if (toColumn != fromColumn || rowBytes != bytesOf(knownArray(from)->shape).width ||
        toColumn >= rowBytes)
      return cudaErrorNotSupported;
    for (const Piece &piece : splitRun(toColumn, 0, count, rowBytes)) {
      cudaError_t status = copy({inArray(to, piece.column, toRow + piece.row),
                                 inArray(from, piece.column, fromRow + piece.row),
                                 {piece.width, piece.height, 1},
                                 kind},
                                {});
      if (status != cudaSuccess)
        return status;
    }
    return cudaSuccess;
  });
}
