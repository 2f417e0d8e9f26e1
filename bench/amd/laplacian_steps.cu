//===- laplacian_steps.cu - Runs the Laplacian of every step ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each step of laplacian_steps.h runs with 1, 2, 4, 8 and 16 rows per thread (the
// baseline with 1) and must equal a plain reference: values and weights are so short
// that no order of the sums rounds.
//
//===----------------------------------------------------------------------===//
#include "../../examples/example.h"
#include "laplacian_steps.h"

#include <string>

/// The grid and the weight of a neighbour in each direction, and of the point itself.
struct Problem {
  int nx, ny, nz;
  double wx, wy, wz, wc;

  Problem(int nx, int ny, int nz)
      : nx(nx), ny(ny), nz(nz), wx(double(nx - 1) * (nx - 1)), wy(double(ny - 1) * (ny - 1)),
        wz(double(nz - 1) * (nz - 1)), wc(-2 * (wx + wy + wz)) {}
  size_t points() const { return size_t(nx) * ny * nz; }
};

using Kernel = void (*)(double *, const double *, int, int, int, double, double, double, double);

struct Step {
  const char *name;
  int rows; ///< of a thread
  Kernel kernel;
};

static const Step steps[] = {
    {"baseline", 1, baseline},
#define ROWS(STEP)                                                                                 \
  {#STEP, 1, STEP<1>}, {#STEP, 2, STEP<2>}, {#STEP, 4, STEP<4>}, {#STEP, 8, STEP<8>}, {            \
    #STEP, 16, STEP<16>                                                                            \
  }
    ROWS(tiled),
    ROWS(reordered),
    ROWS(bounded),
    ROWS(nontemporal),
#undef ROWS
};

static std::vector<double> computeReference(const Problem &problem,
                                            const std::vector<double> &from) {
  const auto [nx, ny, nz, wx, wy, wz, wc] = problem;
  const size_t slice = size_t(nx) * ny;
  std::vector<double> to(problem.points());
  for (int z = 1; z < nz - 1; ++z)
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x) {
        const size_t at = x + size_t(nx) * y + slice * z;
        to[at] = from[at] * wc + (from[at - 1] + from[at + 1]) * wx +
                 (from[at - nx] + from[at + nx]) * wy + (from[at - slice] + from[at + slice]) * wz;
      }
  return to;
}

int main(int argc, char **argv) {
  auto options = example::parse(argc, argv, {301, 64, 9}, "NX NY NZ");
  const Problem problem(options.sizes[0], options.sizes[1], options.sizes[2]);
  if (problem.ny % 16) {
    fprintf(stderr, "%s: NY must be a multiple of 16\n", argv[0]);
    return 2;
  }
  example::Random random(5);
  std::vector<double> input(problem.points());
  for (double &value : input)
    value = random.unit();
  const std::vector<double> reference = computeReference(problem, input);
  double *from = example::upload(input);
  double *to = example::upload(input);
  const dim3 block(256, 1, 1);

  int code = 0;
  for (const Step &step : steps) {
    const dim3 grid((problem.nx + block.x - 1) / block.x, problem.ny / step.rows, problem.nz);
    example::KernelTimer timer;
    for (int run = 0; run < options.repeat; ++run) {
      CHECK(cudaMemset(to, 0, problem.points() * sizeof(double)));
      timer.start();
      step.kernel<<<grid, block>>>(to, from, problem.nx, problem.ny, problem.nz, problem.wx,
                                   problem.wy, problem.wz, problem.wc);
      timer.stop();
    }
    std::string name = std::string(step.name) + " " + std::to_string(step.rows);
    code |= example::finish(options, timer, name.c_str(), "rows",
                            example::download(to, problem.points()), reference, 0);
  }
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
  return code;
}
