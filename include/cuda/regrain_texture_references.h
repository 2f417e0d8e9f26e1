//===- regrain_texture_references.h - Binding of references -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are the typed forms of the calls that bind texture and surface references,
// which CUDA 12 removed.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TEXTURE_REFERENCES_H
#define REGRAIN_TEXTURE_REFERENCES_H
#pragma GCC system_header

#include "cuda_runtime_api.h"

#define REGRAIN_REFERENCE template <class T, int Type, enum cudaTextureReadMode Mode> \
  static inline __host__ cudaError_t

REGRAIN_REFERENCE cudaBindTexture(size_t *offset, const texture<T, Type, Mode> &reference,
                                  const void *pointer, const cudaChannelFormatDesc &format,
                                  size_t bytes = UINT_MAX) {
  return ::cudaBindTexture(offset, &reference, pointer, &format, bytes);
}
REGRAIN_REFERENCE cudaBindTexture(size_t *offset, const texture<T, Type, Mode> &reference,
                                  const void *pointer, size_t bytes = UINT_MAX) {
  return ::cudaBindTexture(offset, &reference, pointer, &reference.channelDesc, bytes);
}
REGRAIN_REFERENCE cudaBindTexture2D(size_t *offset, const texture<T, Type, Mode> &reference,
                                    const void *pointer, const cudaChannelFormatDesc &format,
                                    size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &reference, pointer, &format, width, height, pitch);
}
REGRAIN_REFERENCE cudaBindTexture2D(size_t *offset, const texture<T, Type, Mode> &reference,
                                    const void *pointer, size_t width, size_t height,
                                    size_t pitch) {
  return ::cudaBindTexture2D(offset, &reference, pointer, &reference.channelDesc, width,
                             height, pitch);
}
REGRAIN_REFERENCE cudaBindTextureToArray(const texture<T, Type, Mode> &reference,
                                         cudaArray_const_t array,
                                         const cudaChannelFormatDesc &format) {
  return ::cudaBindTextureToArray(&reference, array, &format);
}
REGRAIN_REFERENCE cudaBindTextureToArray(const texture<T, Type, Mode> &reference,
                                         cudaArray_const_t array) {
  return ::cudaBindTextureToArray(&reference, array, &reference.channelDesc);
}
REGRAIN_REFERENCE cudaBindTextureToMipmappedArray(const texture<T, Type, Mode> &reference,
                                                  cudaMipmappedArray_const_t mipmap,
                                                  const cudaChannelFormatDesc &format) {
  return ::cudaBindTextureToMipmappedArray(&reference, mipmap, &format);
}
REGRAIN_REFERENCE cudaBindTextureToMipmappedArray(const texture<T, Type, Mode> &reference,
                                                  cudaMipmappedArray_const_t mipmap) {
  return ::cudaBindTextureToMipmappedArray(&reference, mipmap, &reference.channelDesc);
}
REGRAIN_REFERENCE cudaUnbindTexture(const texture<T, Type, Mode> &reference) {
  return ::cudaUnbindTexture(&reference);
}
REGRAIN_REFERENCE cudaGetTextureAlignmentOffset(size_t *offset,
                                                const texture<T, Type, Mode> &reference) {
  return ::cudaGetTextureAlignmentOffset(offset, &reference);
}

#undef REGRAIN_REFERENCE

template <class T, int Type>
static inline __host__ cudaError_t cudaBindSurfaceToArray(const surface<T, Type> &reference,
                                                          cudaArray_const_t array,
                                                          const cudaChannelFormatDesc &format) {
  return ::cudaBindSurfaceToArray(&reference, array, &format);
}
template <class T, int Type>
static inline __host__ cudaError_t cudaBindSurfaceToArray(const surface<T, Type> &reference,
                                                          cudaArray_const_t array) {
  cudaChannelFormatDesc format;
  cudaError_t status = ::cudaGetChannelDesc(&format, array);
  return status == cudaSuccess ? ::cudaBindSurfaceToArray(&reference, array, &format) : status;
}

#endif
