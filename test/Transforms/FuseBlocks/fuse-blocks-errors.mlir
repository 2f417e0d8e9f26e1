// RUN: regrain-opt %s --grain-fuse-blocks="factors=2,1,1" --verify-diagnostics | FileCheck %s

// None of these has changed.
// CHECK-NOT: fused

// The number of iterations differs from block to block.

grain.kernel @own_trips(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{fuse-blocks: a barrier is under a condition or in a loop that may differ between the fused blocks}}
      scf.for %i = %zero to %bx step %one : i32 {
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

// Each block reads in its own shared memory whether to continue.

grain.kernel @own_flag(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    %flag = grain.shared "flag" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a barrier is under a condition or in a loop that may differ between the fused blocks}}
      scf.while : () -> () {
        grain.barrier (%tx, %ty, %tz)
        %seen = llvm.load %flag : !llvm.ptr<3> -> i32
        %more = arith.cmpi ne, %seen, %zero : i32
        scf.condition(%more)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// Another block may write the deciding value between the reads of two blocks.

grain.kernel @global_end(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %seen = llvm.load %p : !llvm.ptr -> i32
      // expected-remark@+1 {{a barrier is under a condition or in a loop that may differ between the fused blocks}}
      scf.for %i = %zero to %seen step %one : i32 {
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

grain.kernel @votes(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a barrier would combine the predicates of several blocks}}
      %any = grain.barrier_reduce or %tx (%tx, %ty, %tz)
      llvm.store %any, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

grain.kernel @waits(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a loop may wait for another thread}}
      scf.while : () -> () {
        %seen = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
        %unset = arith.cmpi ne, %seen, %n : i32
        scf.condition(%unset)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

grain.kernel @coarsened(%p: !llvm.ptr) {
  // expected-remark@+1 {{the threads or blocks have already been coarsened, fused or reshaped}}
  grain.blocks (%bx, %by, %bz) factors [2, 1, 1] {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %bx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// Copies of dynamic shared memory are at multiples of 16 bytes.

grain.kernel @wide_shared(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    // expected-remark@+1 {{dynamic shared memory is aligned to more than 16 bytes, but a copy for another block is aligned to 16; to lift this: align}}
    %lines = grain.dynamic_shared "lines" align 32
    grain.threads (%tx, %ty, %tz) {
      llvm.store %tx, %lines : i32, !llvm.ptr<3>
    }
  }
  grain.return
}
