//===- fake_driver.h - A libcuda.so.1 that records its calls ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plugins/cuda/driver.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// The calls to the fake driver and its results. Device memory is host memory.
struct FakeDriver {
  std::vector<std::string> calls;
  std::vector<std::string> failures;       ///< the calls that did not return success
  std::map<std::string, CUresult> results; ///< by symbol; otherwise success
  int devices = 1;
  CUdevice contextDevice = 0; ///< that of the current context
  int capability = 90;
  std::map<int, int> attributes; ///< of the device; the default is the attribute's number
  std::string jitLog;
  size_t memoryBytes = 1 << 20;
  std::map<uint64_t, size_t> allocated; ///< bytes, by address
  size_t freeBytes() const;
  /// What the driver says of an address.
  struct {
    regrain::cuda::DriverMemory memory = regrain::cuda::DriverMemory::Device;
    unsigned isManaged = 0;
    int device = 0;
    uint64_t begin = 0, mapped = 0; ///< of the range of addresses, and of the memory behind it
    size_t bytes = 0, mappedBytes = 0;
  } pointer;
  int captureStatus = cudaStreamCaptureStatusActive; ///< of every stream
  int captureMode = cudaStreamCaptureModeGlobal;
  int bodiesInProgress = 0; ///< captures into bodies, which end before other captures
  std::vector<regrain::cuda::DriverConditionalNode> conditionalNodes;
  std::vector<std::pair<uint64_t, uint64_t>> setterParameters; ///< handle and address
  std::vector<int> captureModesOfLoading;                      ///< one for each load of code
  std::vector<int> captureModesOfQueries;                      ///< one for each query of a stream

  /// The duration of a launch of the function on the device, which runs launches one
  /// after the other.
  std::map<std::string, double, std::less<>> launchMicroseconds;
  double microseconds = 0;    ///< the device's clock
  std::vector<double> events; ///< their recording times, by their handles
  bool isNoting = false;      ///< while a call is recorded, which allocates

  std::string loadedCode;
  std::map<std::string, uint64_t> globals; ///< of any module
  std::map<int, int> functionAttributes;
  std::function<void(int value)> beforeSetting; ///< called before an attribute of a function is set
  int residentBlocks = 1;                       ///< of any function on a multiprocessor
  int activeClusters = 0;                       ///< of any function and size on the device
  int ptxVersion = 105;                         ///< of any function, as with its other attributes
  int version = 0;                              ///< as cuDriverGetVersion gives it

  struct {
    unsigned grid[3], block[3], dynamicSharedBytes;
    CUstream stream;
    void **parameters;
  } launched = {};
  std::vector<cudaLaunchAttribute> launchAttributes; ///< of cuLaunchKernelEx
  cudaMemPoolProps poolProperties = {};
  cudaMemPool_t poolOfAllocation = nullptr; ///< of the last one
  regrain::cuda::DriverCopy2D copied = {};
  regrain::cuda::DriverArrayShape lastShape = {};
  regrain::cuda::DriverTexture lastTexture = {};
  regrain::cuda::DriverCopy3D lastBox = {};

  bool called(const std::string &symbol) const;
  void reset() { *this = FakeDriver(); }
};

FakeDriver &fakeDriver();
