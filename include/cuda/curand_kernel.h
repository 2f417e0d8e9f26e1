//===- curand_kernel.h - Random numbers in device code ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generators of cuRAND and their distributions, each of which is a header of its own. They
// are written from the published algorithms, and give the numbers of NVIDIA's header except where
// docs/constructs.md says otherwise.
//
//===----------------------------------------------------------------------===//
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_
#pragma GCC system_header

#include "curand_discrete.h"
#include "curand_discrete2.h"
#include "curand_lognormal.h"
#include "curand_mtgp32_kernel.h"
#include "curand_normal.h"
#include "curand_philox4x32_x.h"
#include "curand_poisson.h"
#include "curand_uniform.h"
#include "regrain_curand_mrg32k3a.h"
#include "regrain_curand_sobol.h"
#include "regrain_curand_xorwow.h"

#endif
