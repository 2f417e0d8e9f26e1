//===- laplacian_steps.h - The Laplacian, improved by hand ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is the second-order central difference of examples/laplacian.cu in the five
// steps in which AMD's articles on the finite difference method improve it for an
// MI250X:
//   baseline     a point per thread
//   tiled        M rows per thread; a row's own value serves its neighbours in y too
//   reordered    the same, read by ascending address: the slice below, this, above
//   bounded      the same for blocks of at most 256 threads
//   nontemporal  the same, stored past the caches
// A thread reads all of its rows: the number of rows must be a multiple of M. Indices
// are computed in 32 bits, as in the articles. Read as CUDA by laplacian_steps.cu and
// as HIP by laplacian_steps.hip.
//
//===----------------------------------------------------------------------===//
#pragma once

__global__ void baseline(double *to, const double *from, int nx, int ny, int nz, double wx,
                         double wy, double wz, double wc) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  int z = threadIdx.z + blockIdx.z * blockDim.z;
  if (x == 0 || x >= nx - 1 || y == 0 || y >= ny - 1 || z == 0 || z >= nz - 1)
    return;

  const int slice = nx * ny;
  const size_t at = x + nx * y + slice * z;
  to[at] = from[at] * wc + (from[at - 1] + from[at + 1]) * wx +
           (from[at - nx] + from[at + nx]) * wy + (from[at - slice] + from[at + slice]) * wz;
}

/// The points of a thread.
template <int M> struct Column {
  int firstRow, rowLength, slice;
  size_t at;
  bool isInside; ///< in x and z

  __device__ Column(int nx, int ny, int nz) : rowLength(nx), slice(nx * ny) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int z = threadIdx.z + blockIdx.z * blockDim.z;
    firstRow = M * (threadIdx.y + blockIdx.y * blockDim.y);
    isInside = x > 0 && x < nx - 1 && z > 0 && z < nz - 1;
    at = x + nx * firstRow + slice * z;
  }

  template <class Store>
  __device__ void storeInterior(const double (&sums)[M], int ny, Store store) const {
    for (int row = 0; row < M; ++row)
      if (firstRow + row > 0 && firstRow + row < ny - 1)
        store(at + row * rowLength, sums[row]);
  }
};

template <int M>
__global__ void tiled(double *to, const double *from, int nx, int ny, int nz, double wx, double wy,
                      double wz, double wc) {
  const Column<M> column(nx, ny, nz);
  if (!column.isInside)
    return;
  double sums[M] = {};
  for (int row = 0; row < M; ++row) {
    const double *p = from + column.at + row * nx;
    const double own = p[0];
    sums[row] += own * wc + (p[-1] + p[1]) * wx;
    if (row == 0)
      sums[row] += p[-nx] * wy;
    else
      sums[row - 1] += own * wy;
    if (row == M - 1)
      sums[row] += p[nx] * wy;
    else
      sums[row + 1] += own * wy;
    sums[row] += (p[-column.slice] + p[column.slice]) * wz;
  }
  column.storeInterior(sums, ny, [=](size_t at, double sum) { to[at] = sum; });
}

/// The common part of the last three steps: reads in ascending order of addresses.
template <int M, class Store>
__device__ void sweepUpwards(const double *from, int nx, int ny, int nz, double wx, double wy,
                             double wz, double wc, Store store) {
  const Column<M> column(nx, ny, nz);
  if (!column.isInside)
    return;
  const double *p = from + column.at;
  double sums[M] = {};
  for (int row = 0; row < M; ++row)
    sums[row] += p[row * nx - column.slice] * wz;
  sums[0] += column.firstRow > 0 ? p[-nx] * wy : 0;
  for (int row = 0; row < M; ++row) {
    sums[row] += p[row * nx - 1] * wx;
    const double own = p[row * nx];
    sums[row] += own * wc;
    sums[row] += p[row * nx + 1] * wx;
    if (row > 0)
      sums[row - 1] += own * wy;
    if (row < M - 1)
      sums[row + 1] += own * wy;
  }
  sums[M - 1] += column.firstRow < ny - M ? p[M * nx] * wy : 0;
  for (int row = 0; row < M; ++row)
    sums[row] += p[row * nx + column.slice] * wz;
  column.storeInterior(sums, ny, store);
}

template <int M>
__global__ void reordered(double *to, const double *from, int nx, int ny, int nz, double wx,
                          double wy, double wz, double wc) {
  sweepUpwards<M>(from, nx, ny, nz, wx, wy, wz, wc, [=](size_t at, double sum) { to[at] = sum; });
}

template <int M>
__global__ void __launch_bounds__(256) bounded(double *to, const double *from, int nx, int ny,
                                               int nz, double wx, double wy, double wz, double wc) {
  sweepUpwards<M>(from, nx, ny, nz, wx, wy, wz, wc, [=](size_t at, double sum) { to[at] = sum; });
}

template <int M>
__global__ void __launch_bounds__(256)
    nontemporal(double *to, const double *from, int nx, int ny, int nz, double wx, double wy,
                double wz, double wc) {
  sweepUpwards<M>(from, nx, ny, nz, wx, wy, wz, wc,
                  [=](size_t at, double sum) { __stcs(to + at, sum); });
}
