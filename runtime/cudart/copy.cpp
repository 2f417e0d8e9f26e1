//===- copy.cpp - Copies and fills of the runtime API ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/copy.h"

#include "runtime/cudart/array_copy.h"
#include "runtime/cudart/entry.h"

#include <algorithm>

using namespace regrain;

namespace {

bool isKind(cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}

cudaError_t copyRows(Device &device, void *to, size_t toPitch, const void *from, size_t fromPitch,
                     Rows rows, cudaMemcpyKind kind, Order order) {
  if (!isKind(kind))
    return cudaErrorInvalidMemcpyDirection;
  if (rows.width == 0 || rows.height == 0)
    return cudaSuccess;
  if (rows.width > toPitch || rows.width > fromPitch)
    return rows.height == 1 ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue;
  if (!to || !from)
    return cudaErrorInvalidValue;
  return device.copy(to, toPitch, from, fromPitch, rows, kind, order.stream, order.async);
}

cudaError_t fillRows(Device &device, void *to, size_t pitch, int value, Rows rows, Order order) {
  if (rows.width == 0 || rows.height == 0)
    return cudaSuccess;
  if (!to || rows.width > pitch)
    return cudaErrorInvalidValue;
  return device.fill(to, pitch, value, rows, order.stream, order.async);
}

char *positionIn(const cudaPitchedPtr &memory, const cudaPos &position, size_t slice) {
  return static_cast<char *>(memory.ptr) +
         ((position.z + slice) * memory.ysize + position.y) * memory.pitch + position.x;
}

cudaError_t fillBox(Device &device, cudaPitchedPtr memory, int value, cudaExtent extent,
                    Order order) {
  bool isOneRow = extent.height == 1 && extent.depth == 1; // without a bound by the pitch
  if (isOneRow)
    memory.pitch = std::max(memory.pitch, extent.width);
  for (size_t slice = 0; slice < extent.depth; ++slice) {
    if (!memory.ptr)
      return cudaErrorInvalidValue;
    cudaError_t status = fillRows(device, positionIn(memory, {}, slice), memory.pitch, value,
                                  {extent.width, extent.height}, order);
    if (status != cudaSuccess)
      return status;
  }
  return cudaSuccess;
}

} // namespace

cudaError_t regrain::copyBytes(Device &device, void *to, const void *from, size_t bytes,
                               cudaMemcpyKind kind, Order order) {
  return copyRows(device, to, bytes, from, bytes, {bytes, 1}, kind, order);
}

cudaError_t regrain::checkBox(const cudaMemcpy3DParms &box) {
  if (usesArrays(box))
    return checkArrayBox(box);
  if (box.extent.depth && (!box.dstPtr.ptr || !box.srcPtr.ptr))
    return cudaErrorInvalidValue;
  return isKind(box.kind) ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
}

/// Copies slice by slice: devices copy one slice at once.
cudaError_t regrain::copyBox(Device &device, const cudaMemcpy3DParms *box, Order order) {
  if (!box)
    return cudaErrorInvalidValue;
  if (cudaError_t status = checkBox(*box); status != cudaSuccess)
    return status;
  if (usesArrays(*box))
    return copyArrayBox(*box, order);
  Rows rows = {box->extent.width, box->extent.height};
  for (size_t slice = 0; slice < box->extent.depth; ++slice) {
    cudaError_t status = copyRows(device, positionIn(box->dstPtr, box->dstPos, slice),
                                  box->dstPtr.pitch, positionIn(box->srcPtr, box->srcPos, slice),
                                  box->srcPtr.pitch, rows, box->kind, order);
    if (status != cudaSuccess)
      return status;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return onDevice([&](Device &device) { return copyBytes(device, to, from, bytes, kind, {}); });
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return onDevice(
      [&](Device &device) { return copyBytes(device, to, from, bytes, kind, {stream, true}); });
}

cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return onDevice([&](Device &device) {
    return copyRows(device, to, toPitch, from, fromPitch, {width, height}, kind, {});
  });
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return onDevice([&](Device &device) {
    return copyRows(device, to, toPitch, from, fromPitch, {width, height}, kind, {stream, true});
  });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters) {
  return onDevice([&](Device &device) { return copyBox(device, parameters, {}); });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parameters, cudaStream_t stream) {
  return onDevice([&](Device &device) { return copyBox(device, parameters, {stream, true}); });
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  return cudaMemset2D(pointer, bytes, value, bytes, 1);
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
  return cudaMemset2DAsync(pointer, bytes, value, bytes, 1, stream);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  return onDevice(
      [&](Device &device) { return fillRows(device, pointer, pitch, value, {width, height}, {}); });
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return onDevice([&](Device &device) {
    return fillRows(device, pointer, pitch, value, {width, height}, {stream, true});
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return onDevice([&](Device &device) { return fillBox(device, pointer, value, extent, {}); });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return onDevice(
      [&](Device &device) { return fillBox(device, pointer, value, extent, {stream, true}); });
}
