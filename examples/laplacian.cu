//===- laplacian.cu - The 7-point Laplacian ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Second-order central differences in double precision, one point per thread, zero on
// the boundary. It should move each value once each way; how close it comes is a
// matter of grain.
//
//===----------------------------------------------------------------------===//
#include "example.h"

__global__ void laplacian(double *to, const double *from, int nx, int ny, int nz, double invHx2,
                          double invHy2, double invHz2, double invHxyz2) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x == 0 || x >= nx - 1 || y == 0 || y >= ny - 1 || z == 0 || z >= nz - 1)
    return;

  size_t slice = size_t(nx) * ny;
  size_t i = x + size_t(nx) * y + slice * z;
  to[i] = from[i] * invHxyz2 + (from[i - 1] + from[i + 1]) * invHx2 +
          (from[i - nx] + from[i + nx]) * invHy2 + (from[i - slice] + from[i + slice]) * invHz2;
}

int main(int argc, char **argv) {
  auto options = example::parse(argc, argv, {101, 61, 47}, "NX NY NZ");
  int nx = options.sizes[0], ny = options.sizes[1], nz = options.sizes[2];
  double invHx2 = double(nx - 1) * (nx - 1), invHy2 = double(ny - 1) * (ny - 1),
         invHz2 = double(nz - 1) * (nz - 1);
  double invHxyz2 = -2.0 * (invHx2 + invHy2 + invHz2);

  example::Random random(5);
  size_t slice = size_t(nx) * ny, points = slice * nz;
  std::vector<double> input(points);
  for (double &value : input)
    value = random.unit();

  double *from = example::upload(input);
  double *to = example::upload(std::vector<double>(points));
  dim3 block(256, 1, 1);
  dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y, nz);
  example::KernelTimer timer;
  for (int run = 0; run < options.repeat; ++run) {
    CHECK(cudaMemset(to, 0, points * sizeof(double)));
    timer.start();
    laplacian<<<grid, block>>>(to, from, nx, ny, nz, invHx2, invHy2, invHz2, invHxyz2);
    timer.stop();
  }
  std::vector<double> result = example::download(to, points);
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));

  std::vector<double> reference(points);
  for (int z = 1; z < nz - 1; ++z)
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x) {
        size_t i = x + size_t(nx) * y + slice * z;
        reference[i] = input[i] * invHxyz2 + (input[i - 1] + input[i + 1]) * invHx2 +
                       (input[i - nx] + input[i + nx]) * invHy2 +
                       (input[i - slice] + input[i + slice]) * invHz2;
      }

  char problem[64];
  snprintf(problem, sizeof(problem), "%dx%dx%d", nx, ny, nz);
  return example::finish(options, timer, "laplacian", problem, result, reference, 1e-14);
}
