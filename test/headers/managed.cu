//===- managed.cu - What __managed__ becomes on each side -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that accesses a managed variable on both sides is test/e2e/programs/managed_variables.cu.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --emit=ptx -O2 %s | FileCheck %s --check-prefix=PTX
// PTX-DAG: .visible .global .attribute(.managed) .align 4 .u32 counter = 3;
// PTX-DAG: .visible .global .attribute(.managed) .align 4 .b8 many[32];
// PTX-DAG: .visible .global .align 4 .u32 ordinary;
// PTX-NOT: regrain_managed
//
// The host has a pointer for each variable.
// RUN: %regrain cc -c --targets=cpu -O2 -o %t.o %s
// RUN: llvm-nm -S %t.o | FileCheck %s --check-prefix=HOST
// HOST-DAG: 0000000000000008 {{[bB]}} counter
// HOST-DAG: 0000000000000008 {{[bB]}} many
// HOST-DAG: U regrain_managedAddress
//
// An initialiser may have the variable's address, but not compute with it.
// RUN: not %regrain cc -c --targets=cpu -DCOMPUTED -o %t.none %s 2>&1 | FileCheck %s --check-prefix=COMPUTED
// COMPUTED: error: the initialiser of 'number' computes with the address of a managed variable
//
// A file without managed variables does not mention them.
// RUN: %regrain cc -c --targets=cpu -DNONE -o %t.plain %s
// RUN: llvm-nm %t.plain | FileCheck %s --check-prefix=NONE
// NONE-NOT: managed
#ifdef NONE
#undef __managed__
#define __managed__
#endif

__device__ __managed__ int counter = 3;
__managed__ __device__ float many[8];
__device__ int ordinary;

#ifdef COMPUTED
unsigned long number = (unsigned long)&counter;
#endif

__global__ void count() { counter += ordinary; many[threadIdx.x] += 1; }

#ifndef NONE
int read() { return counter + int(many[1]); }
#endif
