/*===- Matrices.c - Products of matrices -------------------------------------===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include "compiler/Target/CPU/Library/Machine.h"

static REGRAIN_INLINE uint32_t regrain_lane(void) {
  return regrain_special(REGRAIN_LINEAR_THREAD) & 31;
}
static REGRAIN_INLINE REGRAIN_CONVERGENT uint32_t regrain_word_of(uint32_t mask, uint32_t from,
                                                                  uint32_t word) {
  return (uint32_t)regrain_wait(REGRAIN_SHUFFLE_INDEX, mask, word, from, 31);
}

#define DEFINE REGRAIN_INLINE REGRAIN_CONVERGENT
#include "compiler/Target/Library/Matrices.inc"
