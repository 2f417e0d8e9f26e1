//===- batch.cpp - Batches of copies and of hints -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/array_table.h"
#include "runtime/cudart/capture.h"
#include "runtime/cudart/copy.h"
#include "runtime/cudart/entry.h"

#include <algorithm>

using namespace regrain;

namespace {

/// A batch names a stream of its own: CUDA refuses the legacy stream.
bool isLegacy(cudaStream_t stream) { return !stream || stream == cudaStreamLegacy; }

/// Checks that `indices` assign one of the entries of a table to each element: the first index
/// is 0, and each entry holds up to the next one's index.
bool areIndices(const size_t *indices, size_t entries, size_t count) {
  if (!indices || entries == 0 || entries > count || indices[0] != 0)
    return false;
  for (size_t i = 1; i < entries; ++i)
    if (indices[i] <= indices[i - 1] || indices[i] >= count)
      return false;
  return true;
}

bool areOrders(const cudaMemcpyAttributes *attributes, size_t count) {
  return attributes && std::all_of(attributes, attributes + count, [](const auto &attribute) {
           return attribute.srcAccessOrder >= cudaMemcpySrcAccessOrderStream &&
                  attribute.srcAccessOrder <= cudaMemcpySrcAccessOrderAny;
         });
}

/// Returns whether each range is memory.
bool areRanges(void **pointers, const size_t *sizes, size_t count) {
  if (!pointers || !sizes || count == 0)
    return false;
  for (size_t i = 0; i < count; ++i)
    if (!pointers[i] || sizes[i] == 0)
      return false;
  return true;
}

cudaError_t toOrdinal(const cudaMemLocation &location, int &ordinal) {
  ordinal = location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
  return location.type == cudaMemLocationTypeDevice || location.type == cudaMemLocationTypeHost
             ? cudaSuccess
             : cudaErrorNotSupported;
}

/// Returns the bytes of an element: that of the array, or a byte if both ends are pointers.
size_t elementOf(const cudaMemcpy3DBatchOp &operation) {
  for (const cudaMemcpy3DOperand *operand : {&operation.src, &operation.dst})
    if (operand->type == cudaMemcpyOperandTypeArray)
      if (auto known = ArrayTable::get().arrays.find(operand->op.array.array))
        return elementBytes(known->shape.format);
  return 1;
}

cudaPitchedPtr pitchedPointer(const cudaMemcpy3DOperand &operand, const cudaExtent &extent,
                              size_t element) {
  size_t row = operand.op.ptr.rowLength ? operand.op.ptr.rowLength : extent.width;
  size_t rows = operand.op.ptr.layerHeight ? operand.op.ptr.layerHeight : extent.height;
  return {operand.op.ptr.ptr, row * element, row, rows};
}

/// Fills in one end of a box.
cudaError_t addOperand(const cudaMemcpy3DOperand &operand, const cudaExtent &extent, size_t element,
                       cudaArray_t &array, cudaPos &place, cudaPitchedPtr &pointer) {
  switch (operand.type) {
  case cudaMemcpyOperandTypePointer:
    pointer = pitchedPointer(operand, extent, element);
    return pointer.ptr ? cudaSuccess : cudaErrorInvalidValue;
  case cudaMemcpyOperandTypeArray: {
    const cudaOffset3D &offset = operand.op.array.offset;
    array = operand.op.array.array;
    place = {offset.x, offset.y, offset.z};
    return array ? cudaSuccess : cudaErrorInvalidValue;
  }
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t toBox(const cudaMemcpy3DBatchOp &operation, cudaMemcpy3DParms &box) {
  if (operation.srcAccessOrder < cudaMemcpySrcAccessOrderStream ||
      operation.srcAccessOrder > cudaMemcpySrcAccessOrderAny)
    return cudaErrorInvalidValue;
  size_t element = elementOf(operation);
  box.extent = operation.extent;
  box.kind = cudaMemcpyDefault;
  cudaError_t status =
      addOperand(operation.src, operation.extent, element, box.srcArray, box.srcPos, box.srcPtr);
  if (status == cudaSuccess)
    status =
        addOperand(operation.dst, operation.extent, element, box.dstArray, box.dstPos, box.dstPtr);
  return status;
}

} // namespace

cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp *operations,
                                   unsigned long long flags, cudaStream_t stream) {
  return onDevice([&](Device &device) {
    if (!operations || count == 0 || flags != 0 || isLegacy(stream))
      return cudaErrorInvalidValue;
    bool mustRead = false;
    for (size_t i = 0; i < count; ++i) {
      cudaMemcpy3DParms box = {};
      cudaError_t status = toBox(operations[i], box);
      if (status == cudaSuccess)
        status = copyBox(device, &box, {stream, true});
      if (status != cudaSuccess)
        return status;
      mustRead |= operations[i].srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall;
    }
    // The program may change the sources as soon as the call returns.
    return mustRead ? device.synchronizeStream(stream) : cudaSuccess;
  });
}

cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *sizes,
                                 size_t count, cudaMemcpyAttributes *attributes,
                                 size_t *attributeIndices, size_t attributeCount,
                                 cudaStream_t stream) {
  return onDevice([&](Device &device) {
    if (!to || !from || !sizes || count == 0 || isLegacy(stream) ||
        !areIndices(attributeIndices, attributeCount, count) ||
        !areOrders(attributes, attributeCount))
      return cudaErrorInvalidValue;
    bool mustRead = std::any_of(attributes, attributes + attributeCount, [](const auto &attribute) {
      return attribute.srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall;
    });
    for (size_t i = 0; i < count; ++i)
      if (cudaError_t status =
              copyBytes(device, to[i], from[i], sizes[i], cudaMemcpyDefault, {stream, true});
          status != cudaSuccess)
        return status;
    // The program may change the sources as soon as the call returns.
    return mustRead ? device.synchronizeStream(stream) : cudaSuccess;
  });
}

cudaError_t cudaMemPrefetchBatchAsync(void **pointers, size_t *sizes, size_t count,
                                      cudaMemLocation *locations, size_t *locationIndices,
                                      size_t locationCount, unsigned long long flags,
                                      cudaStream_t stream) {
  return onDevice([&](Device &device) {
    if (!areRanges(pointers, sizes, count) || flags != 0 || isLegacy(stream) || !locations ||
        !areIndices(locationIndices, locationCount, count))
      return cudaErrorInvalidValue;
    size_t location = 0;
    for (size_t i = 0; i < count; ++i) {
      if (location + 1 < locationCount && locationIndices[location + 1] == i)
        ++location;
      int ordinal = 0;
      cudaError_t status = toOrdinal(locations[location], ordinal);
      if (status == cudaSuccess)
        status = device.prefetch(pointers[i], sizes[i], ordinal, stream);
      if (status != cudaSuccess)
        return status;
    }
    return cudaSuccess;
  });
}

// The values of discarded memory are undefined until they are written: they may stay.
cudaError_t cudaMemDiscardBatchAsync(void **pointers, size_t *sizes, size_t count,
                                     unsigned long long flags, cudaStream_t stream) {
  return onDevice([&](Device &device) {
    if (!areRanges(pointers, sizes, count) || flags != 0 || isLegacy(stream))
      return cudaErrorInvalidValue;
    return refuseCapture(device, stream);
  });
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **pointers, size_t *sizes, size_t count,
                                                cudaMemLocation *locations, size_t *locationIndices,
                                                size_t locationCount, unsigned long long flags,
                                                cudaStream_t stream) {
  return cudaMemPrefetchBatchAsync(pointers, sizes, count, locations, locationIndices,
                                   locationCount, flags, stream);
}
