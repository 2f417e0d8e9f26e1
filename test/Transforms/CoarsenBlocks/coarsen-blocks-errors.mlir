// RUN: regrain-opt %s --grain-coarsen-blocks="factors=4,1,1" --verify-diagnostics | FileCheck %s

// None of these has changed.
// CHECK-NOT: factors

// The loop's end differs between blocks and between threads.

grain.kernel @own_end(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %end = arith.addi %tx, %bx : i32
      // expected-remark@+1 {{coarsen-blocks: a barrier is in a loop whose trip count may differ between the threads of a block; to lift this: make the condition or the loop's end depend only on blockIdx}}
      scf.for %i = %zero to %end step %one : i32 {
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

// A block waits for its neighbour.

grain.kernel @neighbour(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%bx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      // expected-remark@+1 {{a loop may wait for another thread, which the grain may keep from running; to lift this: let the loop end after a number of iterations that does not depend on other threads}}
      scf.while : () -> () {
        %seen = llvm.load %slot atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
        %unset = arith.cmpi ne, %seen, %n : i32
        scf.condition(%unset)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// This is a barrier of the whole grid, by a counter.

grain.kernel @grid_barrier(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a loop may wait for another thread, which the grain may keep from running; to lift this: let the loop end after a number of iterations that does not depend on other threads}}
      scf.while : () -> () {
        %arrived = llvm.atomicrmw add %p, %zero monotonic : !llvm.ptr, i32
        %missing = arith.cmpi ult, %arrived, %n : i32
        scf.condition(%missing)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

grain.kernel @effect_beside(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    // expected-remark@+1 {{an operation with an effect or a region is outside grain.threads; to lift this: move the operation into grain.threads}}
    llvm.store %n, %p : i32, !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      llvm.store %tx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

llvm.func @nvvm.barrier.sync.cnt(i32, i32) attributes {convergent}

grain.kernel @named_barrier(%n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{an operation may synchronise threads in an unknown way; to lift this: use CUDA's own functions}}
      llvm.call @nvvm.barrier.sync.cnt(%n, %n) : (i32, i32) -> ()
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
