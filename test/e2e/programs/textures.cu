//===- textures.cu - Reads through texture objects --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All formats, address modes, filters and kinds of coordinates of textures in one, two
// and three dimensions are compared with a plain implementation of the CUDA programming
// guide's rules. The program also runs on a GPU. One line for each case has a digest of
// all results: two compilers for one GPU print the same.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O2 --targets=cpu --coarsen='*int4*:block.x=2' --coarsen='*float4*:thread.x=4' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t > %t.original.txt
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t > %t.block.txt
// RUN: diff %t.original.txt %t.block.txt
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=4' timeout 60 %t | diff %t.original.txt -
// RUN: %regrain cc -c --targets=compute_60,compute_90 -o %t.o %s
#include "expect.h"

#include <algorithm>
#include <array>
#include <cstring>

constexpr int width = 8, height = 4, depth = 2, texels = width * height * depth;

//===--- Kernels ----------------------------------------------------------===//

template <int Dimensions, class T>
__global__ void read(T *out, const float *places, int count, cudaTextureObject_t texture) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float x = places[3 * i], y = places[3 * i + 1], z = places[3 * i + 2];
  if constexpr (Dimensions == 1)
    out[i] = tex1D<T>(texture, x);
  else if constexpr (Dimensions == 2)
    out[i] = tex2D<T>(texture, x, y);
  else
    out[i] = tex3D<T>(texture, x, y, z);
}

//===--- Formats ----------------------------------------------------------===//

/// A format of elements: `values` are those of the channels that a read must return.
struct Format {
  const char *name;
  int channels, bits;
  cudaChannelFormatKind kind;

  size_t bytes() const { return size_t(channels) * bits / 8; }
  bool isFloat() const { return kind == cudaChannelFormatKindFloat; }
  cudaChannelFormatDesc descriptor() const {
    auto bitsOf = [&](int channel) { return channel < channels ? bits : 0; };
    return cudaCreateChannelDesc(bitsOf(0), bitsOf(1), bitsOf(2), bitsOf(3), kind);
  }
};

/// Returns an integer of `bits` bits for texel and channel, in two's complement.
unsigned pattern(int texel, int channel, int bits) {
  unsigned value = unsigned(texel * 37 + channel * 101 + 11) * 2654435761u;
  return value >> (32 - bits);
}

/// Returns a half with 5 bits of fraction as its bits, and its value.
double halfOf(int texel, int channel, unsigned short &bits) {
  int fraction = (texel * 5 + channel * 3) % 32, exponent = texel % 4;
  bits = (unsigned short)((texel & 1) << 15 | (exponent + 14) << 10 | fraction << 5);
  double value = std::ldexp(1 + fraction / 32.0, exponent - 1);
  return texel & 1 ? -value : value;
}

/// The bytes of all texels, and what a read of each channel returns.
struct Contents {
  std::vector<char> bytes;
  std::vector<double> values; ///< four for each texel
};

double valueOf(const Format &format, unsigned raw, bool normalizes) {
  double most = std::ldexp(1, format.bits - (format.kind == cudaChannelFormatKindSigned)) - 1;
  double value = raw;
  if (format.kind == cudaChannelFormatKindSigned)
    value = double(int(raw << (32 - format.bits)) >> (32 - format.bits));
  return normalizes ? std::max(value / most, -1.0) : value;
}

Contents makeContents(const Format &format, bool normalizes) {
  Contents all = {std::vector<char>(texels * format.bytes()), std::vector<double>(texels * 4)};
  for (int texel = 0; texel < texels; ++texel)
    for (int channel = 0; channel < format.channels; ++channel) {
      char *at = &all.bytes[(size_t(texel) * format.channels + channel) * format.bits / 8];
      double &value = all.values[texel * 4 + channel];
      if (format.isFloat() && format.bits == 32) {
        float number = float(texel * 3 % 17) - 4 + channel / 4.0f;
        std::memcpy(at, &number, sizeof number);
        value = number;
      } else if (format.isFloat()) {
        unsigned short bits;
        value = halfOf(texel, channel, bits);
        std::memcpy(at, &bits, sizeof bits);
      } else {
        unsigned raw = pattern(texel, channel, format.bits);
        std::memcpy(at, &raw, size_t(format.bits / 8));
        value = valueOf(format, raw, normalizes);
      }
    }
  return all;
}

//===--- The plain implementation -----------------------------------------===//

struct Axis {
  int place[2];
  int weight; ///< of the second texel, in 1/256
};

/// Returns the texel for an index; -1 for the border.
int wrapIndex(int i, int size, cudaTextureAddressMode mode, bool isNormalized) {
  if (mode == cudaAddressModeBorder)
    return i < 0 || i >= size ? -1 : i;
  if (mode == cudaAddressModeWrap && isNormalized)
    return (i % size + size) % size;
  if (mode == cudaAddressModeMirror && isNormalized) {
    int in = (i % (2 * size) + 2 * size) % (2 * size);
    return in < size ? in : 2 * size - 1 - in;
  }
  return std::min(std::max(i, 0), size - 1);
}

Axis axisOf(double x, int size, const cudaTextureDesc &d) {
  bool isNormalized = d.normalizedCoords;
  double position = isNormalized ? x * size : x;
  auto index = [&](int i) { return wrapIndex(i, size, d.addressMode[0], isNormalized); };
  if (d.filterMode == cudaFilterModePoint)
    return {{index(int(std::floor(position))), 0}, 0};
  double fixed = std::floor((position - 0.5) * 256 + 0.5);
  int first = int(std::floor(fixed / 256));
  return {{index(first), index(first + 1)}, int(fixed - first * 256.0)};
}

/// The weights of the texels of a plane, in 1/256, as H100s round them.
std::array<int, 4> planeWeights(int x, int y) {
  int both = (x * y + 128) / 256;
  return {256 - x - y + both, x - both, y - both, both};
}

double readPlainly(const Contents &all, const float *place, int dimensions, int channel,
                   const cudaTextureDesc &d) {
  const Axis one = {{0, 0}, 0};
  Axis x = axisOf(place[0], width, d);
  Axis y = dimensions > 1 ? axisOf(place[1], height, d) : one;
  Axis z = dimensions > 2 ? axisOf(place[2], depth, d) : one;
  double sum = 0;
  for (int tap = 0; tap < 8; ++tap) {
    int i = x.place[tap & 1], j = y.place[tap >> 1 & 1], k = z.place[tap >> 2];
    double weight = planeWeights(x.weight, y.weight)[tap & 3] / 256.0 *
                    (tap < 4 ? 256 - z.weight : z.weight) / 256.0;
    bool isBorder = i < 0 || j < 0 || k < 0;
    if (weight != 0 && !isBorder)
      sum += weight * all.values[((k * height + j) * width + i) * 4 + channel];
  }
  return sum;
}

//===--- Cases ------------------------------------------------------------===//

/// Coordinates inside and outside, which are no closer than 1/16 to a border of texels.
std::vector<float> makePlaces(int count, bool isNormalized) {
  std::vector<float> places;
  for (int i = 0; i < count; ++i) {
    float texel[3] = {i * 0.875f - 19.0625f, i * 0.375f - 6.1875f, i * 0.125f - 2.4375f};
    const int sizes[3] = {width, height, depth};
    for (int axis = 0; axis < 3; ++axis)
      places.push_back(isNormalized ? texel[axis] / sizes[axis] : texel[axis]);
  }
  return places;
}

cudaArray_t makeArray(const Format &format, const Contents &all, int dimensions) {
  cudaArray_t array;
  cudaExtent extent =
      make_cudaExtent(width, dimensions > 1 ? height : 0, dimensions > 2 ? depth : 0);
  cudaChannelFormatDesc descriptor = format.descriptor();
  CHECK(cudaMalloc3DArray(&array, &descriptor, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<char *>(all.bytes.data()), width * format.bytes(),
                                    width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, dimensions > 1 ? height : 1, dimensions > 2 ? depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

template <class T> unsigned digestOf(const std::vector<T> &data) {
  unsigned digest = 2166136261u;
  for (size_t i = 0; i < data.size() * sizeof(T); ++i)
    digest = (digest ^ reinterpret_cast<const unsigned char *>(data.data())[i]) * 16777619u;
  return digest;
}

/// `Scalar` is the type of a channel in T.
template <class T, class Scalar, int Dimensions>
void runCase(const Format &format, cudaArray_t array, const Contents &all,
             const cudaTextureDesc &d) {
  constexpr int count = 64;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &d, nullptr));
  std::vector<float> places = makePlaces(count, d.normalizedCoords);
  DeviceArray<float> on(places);
  DeviceArray<T> out(count);
  read<Dimensions, T><<<4, 16>>>(out, on, count, texture);
  std::vector<T> got = out.host();
  CHECK(cudaDestroyTextureObject(texture));
  // In space, the eight weights are rounded, too.
  double tolerance = d.filterMode == cudaFilterModePoint ? 1e-6 : Dimensions < 3 ? 1e-3 : 0.2;
  for (int i = 0; i < count; ++i)
    for (int channel = 0; channel < format.channels; ++channel) {
      double value = double(reinterpret_cast<const Scalar *>(&got[i])[channel]);
      double wanted = readPlainly(all, &places[3 * i], Dimensions, channel, d);
      expect(std::fabs(value - wanted) <= tolerance * std::max(1.0, std::fabs(wanted)), format.name,
             i, value, wanted);
    }
  printf("%s %dD address=%d filter=%d normalized=%d/%d %08x\n", format.name, Dimensions,
         d.addressMode[0], d.filterMode, d.readMode, d.normalizedCoords, digestOf(got));
}

template <class T, class Scalar, int Dimensions>
void runModes(const Format &format, cudaTextureReadMode readMode) {
  bool readsReal = format.isFloat() || readMode == cudaReadModeNormalizedFloat;
  Contents all = makeContents(format, readMode == cudaReadModeNormalizedFloat);
  cudaArray_t array = makeArray(format, all, Dimensions);
  for (int address = cudaAddressModeWrap; address <= cudaAddressModeBorder; ++address)
    for (int filter = cudaFilterModePoint; filter <= int(readsReal); ++filter)
      for (int normalized = 0; normalized < 2; ++normalized) {
        cudaTextureDesc d = {};
        std::fill(d.addressMode, d.addressMode + 3, cudaTextureAddressMode(address));
        d.filterMode = cudaTextureFilterMode(filter);
        d.readMode = readMode;
        d.normalizedCoords = normalized;
        runCase<T, Scalar, Dimensions>(format, array, all, d);
      }
  CHECK(cudaFreeArray(array));
}

template <class T, class Scalar>
void runDimensions(const Format &format, cudaTextureReadMode readMode = cudaReadModeElementType) {
  runModes<T, Scalar, 1>(format, readMode);
  runModes<T, Scalar, 2>(format, readMode);
  runModes<T, Scalar, 3>(format, readMode);
}

int main() {
  constexpr auto isSigned = cudaChannelFormatKindSigned, isUnsigned = cudaChannelFormatKindUnsigned,
                 isFloat = cudaChannelFormatKindFloat;
  runDimensions<float, float>({"float", 1, 32, isFloat});
  runDimensions<float4, float>({"float4", 4, 32, isFloat});
  runDimensions<float2, float>({"half2", 2, 16, isFloat});
  runDimensions<signed char, signed char>({"char", 1, 8, isSigned});
  runDimensions<uchar4, unsigned char>({"uchar4", 4, 8, isUnsigned});
  runDimensions<unsigned short, unsigned short>({"ushort", 1, 16, isUnsigned});
  runDimensions<int4, int>({"int4", 4, 32, isSigned});
  runDimensions<float4, float>({"uchar4", 4, 8, isUnsigned}, cudaReadModeNormalizedFloat);
  runDimensions<float, float>({"char", 1, 8, isSigned}, cudaReadModeNormalizedFloat);
  runDimensions<float2, float>({"ushort2", 2, 16, isUnsigned}, cudaReadModeNormalizedFloat);
  runDimensions<float, float>({"short", 1, 16, isSigned}, cudaReadModeNormalizedFloat);
  return verdict("textures");
}
