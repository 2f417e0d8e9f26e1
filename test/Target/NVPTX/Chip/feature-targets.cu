// Targets with the features of one chip or of a family: the source sees nvcc's macros, and the PTX
// names the target, also where LLVM does not know the chip.
// RUN: %regrain cc --targets=compute_90a --emit=ptx %s | FileCheck %s --check-prefixes=CHECK,HOPPER
// RUN: %regrain cc --targets=compute_90a --emit=ptx -DPLAIN --coarsen='*:block.x=2' %s | FileCheck %s --check-prefix=GRAIN
// RUN: %regrain cc --targets=compute_100a --emit=ptx %s | FileCheck %s --check-prefixes=CHECK,CHIP
// RUN: %regrain cc --targets=compute_100f --emit=ptx %s | FileCheck %s --check-prefixes=CHECK,FAMILY
// RUN: %regrain cc --targets=compute_120 --emit=ptx %s | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: not %regrain cc --targets=compute_80a --emit=ptx %s 2>&1 | FileCheck %s --check-prefix=REFUSED
//
// HOPPER: .version 8.5{{$}}
// HOPPER: .target sm_90a{{$}}
// CHIP: .version 8.6{{$}}
// CHIP: .target sm_100a{{$}}
// FAMILY: .version 8.8{{$}}
// FAMILY: .target sm_100f{{$}}
// PLAIN: .version 8.7{{$}}
// PLAIN: .target sm_120{{$}}
// CHECK: .entry _Z1kPi(
// HOPPER: setmaxnreg.inc.sync.aligned.u32 96
// HOPPER: 900900900
// CHIP: 100010001000
// FAMILY: 100000001000
// PLAIN: 120000000
// GRAIN: .target sm_90a
// GRAIN: .entry _Z1kPi__grain_block_x2(
// REFUSED: error: architecture 'compute_80a' is not supported; use 'compute_80'
#ifdef __CUDA_ARCH_SPECIFIC__
#define SPECIFIC __CUDA_ARCH_SPECIFIC__
#else
#define SPECIFIC 0
#endif
#ifdef __CUDA_ARCH_FAMILY_SPECIFIC__
#define FAMILY __CUDA_ARCH_FAMILY_SPECIFIC__
#else
#define FAMILY 0
#endif
#if __CUDA_ARCH__ == 1000 && SPECIFIC && !defined(__CUDA_ARCH_FEAT_SM100_ALL)
#error the macro of the chip is missing
#endif
__global__ void k(int *out) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#ifndef PLAIN
  asm volatile("setmaxnreg.inc.sync.aligned.u32 96;");
#endif
  out[1] = __CUDA_ARCH__ * 1000000 + SPECIFIC * 1000 + FAMILY;
#elif __CUDA_ARCH__ >= 1000
  long *wide = reinterpret_cast<long *>(out);
  wide[1] = __CUDA_ARCH__ * 100000000l + SPECIFIC * 10000l + FAMILY;
#endif
}
