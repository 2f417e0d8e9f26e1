// RUN: regrain-opt %s --grain-specialise=known=for.block=48x1x1 --grain-coarsen-threads=factors=2,1,1 --grain-check-launch --verify-diagnostics | FileCheck %s
// RUN: regrain-opt %s --grain-specialise=known=for.block=64x1x1 --grain-coarsen-threads=factors=2,1,1 --grain-check-launch 2>&1 | FileCheck %s --check-prefix=FITS

// The refused kernel is unchanged; launches of 64 threads leave the warps whole.
// FITS-NOT: remark
// CHECK: grain.threads {{.*}} factors [2, 1, 1] whole_warps

grain.kernel @warps(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    // expected-remark@+1 {{check-launch: the grain needs blocks whose width is a multiple of 32}}
    grain.threads (%tx, %ty, %tz) {
      %mask = arith.constant -1 : i32
      %lane = arith.constant 0 : i32
      %clamp = arith.constant 31 : i32
      %v = nvvm.shfl.sync idx %mask, %tx, %lane, %clamp : i32 -> i32
      llvm.store %v, %p : i32, !llvm.ptr
    }
  }
  grain.return
}
