/*===- Warp.h - Operations between the lanes of a warp ------------*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#ifndef REGRAIN_CPU_LIBRARY_WARP_H
#define REGRAIN_CPU_LIBRARY_WARP_H

#include "compiler/Target/CPU/Library/Machine.h"

/* A warp operation of the lanes in `group` (not 0) of a warp of `lanes` threads, with `values`
   values each. The arrays start at lane 0, and value i at element i * stride. */
typedef struct {
  uint32_t wait, lanes, group, values;
  uint64_t stride;
  const uint64_t *a;
  const uint32_t *b, *c;
  uint64_t *result;
} RegrainExchange;

/* Computes results from operands. */
void regrain_exchange_lanes(const RegrainExchange *exchange);

#endif
