//===- driver.h - NVIDIA's driver, loaded at run time -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"
#include "include/cuda/regrain_driver_types.h"

#include <string>

namespace regrain::cuda {

enum class DriverMemory : int { Host = 1, Device = 2, Array = 3, Unified = 4 };

/// This is CUDA_MEMCPY2D of the driver API reference. Sizes and pitches are in
/// bytes; Unified addresses are in the `device` fields.
struct DriverCopy2D {
  size_t fromX, fromY;
  DriverMemory fromKind;
  const void *fromHost;
  CUdeviceptr fromDevice;
  CUarray fromArray;
  size_t fromPitch;
  size_t toX, toY;
  DriverMemory toKind;
  void *toHost;
  CUdeviceptr toDevice;
  CUarray toArray;
  size_t toPitch;
  size_t width, height;
};

/// This is CUlaunchConfig. The driver's attributes are those of the runtime API.
struct DriverLaunch {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned dynamicSharedBytes;
  CUstream stream;
  const cudaLaunchAttribute *attributes;
  unsigned attributeCount;
};

/// One half of CUDA_MEMCPY3D.
struct DriverBoxEnd {
  size_t x, y, z, level;
  DriverMemory kind;
  void *host;
  CUdeviceptr device;
  CUarray array;
  void *reserved;
  size_t pitch, height;
};

/// This is CUDA_MEMCPY3D. Sizes along x are in bytes.
struct DriverCopy3D {
  DriverBoxEnd from, to;
  size_t width, height, depth;
};

/// This is CUDA_ARRAY3D_DESCRIPTOR.
struct DriverArrayShape {
  size_t width, height, depth;
  int format;
  unsigned channels;
  unsigned flags;
};

/// This is CUDA_RESOURCE_DESC.
struct DriverResource {
  int type;
  union {
    CUarray array;
    CUmipmappedArray mipmap;
    struct {
      CUdeviceptr pointer;
      int format;
      unsigned channels;
      size_t bytes;
    } linear;
    struct {
      CUdeviceptr pointer;
      int format;
      unsigned channels;
      size_t width, height, pitch;
    } pitched;
    int reserved[32];
  };
  unsigned flags;
};

/// This is CUDA_TEXTURE_DESC.
struct DriverTexture {
  int addressMode[3];
  int filterMode;
  unsigned flags;
  unsigned maxAnisotropy;
  int mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
};

/// This is CUDA_RESOURCE_VIEW_DESC.
struct DriverView {
  int format;
  size_t width, height, depth;
  unsigned firstLevel, lastLevel, firstLayer, lastLayer;
  unsigned reserved[16];
};

/// This is CUgraphNodeParams for a conditional node. What is reserved is 0.
struct DriverConditionalNode {
  int type;
  int reservedBefore[3];
  union {
    long long reserved[29];
    struct {
      uint64_t handle;
      int kind;
      unsigned size;
      CUgraph *bodies; ///< the driver's array
      CUcontext context;
    };
  };
  long long reservedAfter;
};

/// The driver's entry points, one pointer each.
struct Driver {
#define REGRAIN_DRIVER_CALL(name, symbol, parameters) CUresult(*name) parameters;
#include "runtime/plugins/cuda/driver_api.def"
};

/// Returns where the source and the target of a copy lie.
[[nodiscard]] DriverMemory sourceKind(cudaMemcpyKind kind);
[[nodiscard]] DriverMemory targetKind(cudaMemcpyKind kind);

/// Loads `library` and fills in `out`; on failure `reason` is one sentence.
[[nodiscard]] cudaError_t loadDriver(const char *library, Driver &out, std::string &reason);

/// Returns the runtime's code for the driver's; both have the same numbers for
/// the same errors.
[[nodiscard]] cudaError_t toRuntime(CUresult result);

} // namespace regrain::cuda
