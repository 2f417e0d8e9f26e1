// RUN: regrain-opt %s --grain-reshape-blocks="shape=64,2,1" --verify-diagnostics | FileCheck %s

// None of these has changed.
// CHECK-NOT: shape

grain.kernel @barrier(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{reshape-blocks: the threads of a block cooperate, so shape= cannot divide them among other blocks}}
      grain.barrier (%tx, %ty, %tz)
    }
  }
  grain.return
}

grain.kernel @shared(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    // expected-remark@+1 {{the threads of a block cooperate, so shape= cannot divide them among other blocks}}
    %tile = grain.shared "tile" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      llvm.store %tx, %tile : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

grain.kernel @warp(%p: !llvm.ptr, %mask: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{the lanes of a warp cooperate, so shape= cannot divide them among other warps}}
      %got = nvvm.shfl.sync bfly %mask, %tx, %mask, %mask : i32 -> i32
      llvm.store %got, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

grain.kernel @fused(%p: !llvm.ptr) {
  // expected-remark@+1 {{the threads or blocks have already been coarsened, fused or reshaped}}
  grain.blocks (%bx, %by, %bz) factors [2, 1, 1] {
    grain.threads (%tx, %ty, %tz) attributes {fused = array<i32: 2, 1, 1>} {
      llvm.store %bx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}
