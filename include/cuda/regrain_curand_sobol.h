//===- regrain_curand_sobol.h - The Sobol generators ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// P. Bratley and B. Fox, "Algorithm 659: implementing Sobol's quasirandom sequence generator"
// (1988), in the order of Gray codes (I. Antonov and V. Saleev): a state is one dimension, with
// its 32 or 64 direction numbers. A scrambled generator's direction numbers are permuted before,
// and it adds a constant (in GF(2)). The functions are for the host and the device.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_CURAND_SOBOL_H
#define REGRAIN_CURAND_SOBOL_H
#pragma GCC system_header

#include "curand.h"
#include "regrain_curand_math.h"

/* Number i of the sequence is x; c is the number 0. */
#define REGRAIN_SOBOL_STATE(NAME, WORD, BITS)                                                      \
  struct NAME {                                                                                    \
    WORD i, x, c;                                                                                  \
    WORD direction_vectors[BITS];                                                                  \
  };                                                                                               \
  typedef struct NAME NAME##_t;
REGRAIN_SOBOL_STATE(curandStateSobol32, unsigned int, 32)
REGRAIN_SOBOL_STATE(curandStateScrambledSobol32, unsigned int, 32)
REGRAIN_SOBOL_STATE(curandStateSobol64, unsigned long long, 64)
REGRAIN_SOBOL_STATE(curandStateScrambledSobol64, unsigned long long, 64)
#undef REGRAIN_SOBOL_STATE

/* Makes number i the next one: the direction numbers of i's Gray code are added. */
template <class State, class Word> REGRAIN_RANDOM void regrainSobolSeek(State *state, Word i) {
  state->i = i;
  state->x = state->c;
  Word code = i ^ (i >> 1);
#pragma unroll 1
  for (int bit = 0; code != 0; ++bit, code >>= 1)
    if (code & 1)
      state->x ^= state->direction_vectors[bit];
}

template <class State, class Word>
REGRAIN_RANDOM void regrainSobolInit(State *state, const Word *directions, Word constant,
                                     Word offset) {
  for (int bit = 0; bit < (int)(8 * sizeof(Word)); ++bit)
    state->direction_vectors[bit] = directions[bit];
  state->c = constant;
  regrainSobolSeek(state, offset);
}

/* The successor of a Gray code differs in the bit of the lowest 0 of its number, or in the highest
   bit after the last number. */
template <class State> REGRAIN_RANDOM auto regrainSobolNext(State *state) -> decltype(state->x) {
  auto number = state->x;
  auto zeros = ~state->i;
  int bit = zeros == 0 ? (int)(8 * sizeof(zeros)) - 1 : __builtin_ctzll(zeros);
  state->x ^= state->direction_vectors[bit];
  ++state->i;
  return number;
}

#define REGRAIN_SOBOL_FUNCTIONS(STATE, WORD)                                                       \
  REGRAIN_RANDOM void skipahead(WORD n, STATE *state) { regrainSobolSeek(state, state->i + n); }   \
  REGRAIN_RANDOM WORD curand(STATE *state) { return regrainSobolNext(state); }
REGRAIN_SOBOL_FUNCTIONS(curandStateSobol32_t, unsigned int)
REGRAIN_SOBOL_FUNCTIONS(curandStateScrambledSobol32_t, unsigned int)
REGRAIN_SOBOL_FUNCTIONS(curandStateSobol64_t, unsigned long long)
REGRAIN_SOBOL_FUNCTIONS(curandStateScrambledSobol64_t, unsigned long long)
#undef REGRAIN_SOBOL_FUNCTIONS

REGRAIN_RANDOM void curand_init(curandDirectionVectors32_t direction_vectors, unsigned int offset,
                                curandStateSobol32_t *state) {
  regrainSobolInit(state, direction_vectors, 0u, offset);
}
REGRAIN_RANDOM void curand_init(curandDirectionVectors32_t direction_vectors,
                                unsigned int scramble_c, unsigned int offset,
                                curandStateScrambledSobol32_t *state) {
  regrainSobolInit(state, direction_vectors, scramble_c, offset);
}
REGRAIN_RANDOM void curand_init(curandDirectionVectors64_t direction_vectors,
                                unsigned long long offset, curandStateSobol64_t *state) {
  regrainSobolInit(state, direction_vectors, 0ull, offset);
}
REGRAIN_RANDOM void curand_init(curandDirectionVectors64_t direction_vectors,
                                unsigned long long scramble_c, unsigned long long offset,
                                curandStateScrambledSobol64_t *state) {
  regrainSobolInit(state, direction_vectors, scramble_c, offset);
}

#endif
