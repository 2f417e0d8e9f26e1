/*===- Warp.h - Operations between the lanes of a warp ------------*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#ifndef REGRAIN_CPU_LIBRARY_WARP_H
#define REGRAIN_CPU_LIBRARY_WARP_H

#include "compiler/Target/CPU/Library/Machine.h"

/* Carries out `wait` for the lanes in `group` (not 0) of the warp that starts at thread
   `base` and has `lanes` threads: computes results from operands. */
void regrain_exchange_lanes(const RegrainThreads *threads, uint32_t base, uint32_t lanes,
                            uint32_t group, uint32_t wait);

#endif
