/*===- planted.h - What planted kernels and their program share ---*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#ifndef REGRAIN_TEST_TUNING_PLANTED_H
#define REGRAIN_TEST_TUNING_PLANTED_H

/* out[i] is in[i] after that many steps of value * multiplier + increment. */
#define PLANTED_STEPS 128u
#define PLANTED_MULTIPLIER 1664525u
#define PLANTED_INCREMENT 1013904223u

/* in[0] is the number of the launch, from 0. This one is sampled. */
#define PLANTED_LATE_LAUNCH 3u

#define PLANTED_WRONG_ELEMENT 777u

/* For the kernels that round: x * x + x, where x is a number from 1 to 2 made of the value after
   the steps, in two roundings. */
#define PLANTED_NUMBER(VALUE) (1.0f + (float)((VALUE) >> 8) * 0x1p-24f)

/* Every second run of `wavers` has a result that is so many ulps too large. */
#define PLANTED_WAVER 5u

/* The number of steps of `drifts`: so few that several launches are timed at once. Kernels that
   take their time by sleeping have as many. */
#define PLANTED_FEW_STEPS 4u

/* The blocks of a launch of most kernels, and of those whose launches have parts. */
#define PLANTED_BLOCKS 32u
#define PLANTED_MANY_BLOCKS 384u

#endif
