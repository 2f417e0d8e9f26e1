/*===- Textures.c - Textures and surfaces -------------------------------------===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include "compiler/Target/CPU/Library/Machine.h"

/* The entries stay functions: they are too large for each place of a kernel. */
#define ENTRY
#define HELPER static inline REGRAIN_INLINE
#define TRAP() regrain_cpu_trap(0)
#include "compiler/Target/Library/Textures.inc"
