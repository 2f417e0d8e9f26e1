//===- heat2d.cu - Heat spreading over a plate ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 5-point stencil with a heat source at each point. A block keeps a tile in shared
// memory and takes several steps in one launch: each step spoils the tile's rim by
// one more point, so that blocks overlap by a halo as wide as there are steps.
//
//===----------------------------------------------------------------------===//
#include "example.h"

constexpr int tile = 16;

__global__ void heatSteps(const float *from, float *to, const float *source, int width, int height,
                          int steps, float conductivity) {
  __shared__ float now[tile][tile];
  __shared__ float next[tile][tile];

  int inner = tile - 2 * steps;
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * inner + tx - steps;
  int y = blockIdx.y * inner + ty - steps;
  bool onPlate = x >= 0 && x < width && y >= 0 && y < height;

  float heat = 0;
  if (onPlate) {
    now[ty][tx] = from[y * width + x];
    heat = source[y * width + x];
  }
  __syncthreads();

  // The plate's edge is insulated: a missing neighbour is as warm as the point.
  int west = x > 0 ? tx - 1 : tx, east = x < width - 1 ? tx + 1 : tx;
  int north = y > 0 ? ty - 1 : ty, south = y < height - 1 ? ty + 1 : ty;

  for (int step = 1; step <= steps; ++step) {
    bool known = onPlate && tx >= step && tx < tile - step && ty >= step && ty < tile - step;
    if (known) {
      float here = now[ty][tx];
      float around = now[ty][west] + now[ty][east] + now[north][tx] + now[south][tx];
      next[ty][tx] = here + conductivity * (around - 4.0f * here) + heat;
    }
    __syncthreads();
    if (known)
      now[ty][tx] = next[ty][tx];
    __syncthreads();
  }

  if (onPlate && tx >= steps && tx < tile - steps && ty >= steps && ty < tile - steps)
    to[y * width + x] = now[ty][tx];
}

static std::vector<float> reference(std::vector<float> now, const std::vector<float> &source,
                                    int width, int height, int steps, float conductivity) {
  std::vector<float> next(now.size());
  for (int step = 0; step < steps; ++step) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        auto at = [&](int column, int row) { return now[size_t(row) * width + column]; };
        float here = at(x, y);
        float around = at(x > 0 ? x - 1 : x, y) + at(x < width - 1 ? x + 1 : x, y) +
                       at(x, y > 0 ? y - 1 : y) + at(x, y < height - 1 ? y + 1 : y);
        size_t i = size_t(y) * width + x;
        next[i] = here + conductivity * (around - 4.0f * here) + source[i];
      }
    }
    now.swap(next);
  }
  return now;
}

int main(int argc, char **argv) {
  auto options =
      example::parse(argc, argv, {309, 251, 9, 2}, "WIDTH HEIGHT STEPS STEPS_PER_LAUNCH");
  int width = options.sizes[0], height = options.sizes[1];
  int steps = options.sizes[2], stepsPerLaunch = options.sizes[3];
  if (stepsPerLaunch >= tile / 2) {
    fprintf(stderr, "at most %d steps fit in one launch\n", tile / 2 - 1);
    return 2;
  }
  const float conductivity = 0.2f;

  example::Random random(2);
  size_t points = size_t(width) * height;
  std::vector<float> plate(points), source(points);
  for (size_t i = 0; i < points; ++i) {
    plate[i] = 20.0f + 60.0f * random.unit();
    source[i] = 0.5f * random.unit();
  }

  float *heat = example::upload(source);
  float *from = example::upload(plate);
  float *to = example::upload(plate);
  example::KernelTimer timer;
  for (int run = 0; run < options.repeat; ++run) {
    CHECK(cudaMemcpy(from, plate.data(), points * sizeof(float), cudaMemcpyHostToDevice));
    timer.start();
    for (int done = 0; done < steps; done += stepsPerLaunch) {
      int now = steps - done < stepsPerLaunch ? steps - done : stepsPerLaunch;
      int inner = tile - 2 * now;
      dim3 grid((width + inner - 1) / inner, (height + inner - 1) / inner);
      heatSteps<<<grid, dim3(tile, tile)>>>(from, to, heat, width, height, now, conductivity);
      float *swapped = from;
      from = to;
      to = swapped;
    }
    timer.stop();
  }
  std::vector<float> result = example::download(from, points);
  CHECK(cudaFree(heat));
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));

  char problem[64];
  snprintf(problem, sizeof(problem), "%dx%d, %d steps", width, height, steps);
  return example::finish(options, timer, "heat2d", problem, result,
                         reference(plate, source, width, height, steps, conductivity), 1e-5);
}
