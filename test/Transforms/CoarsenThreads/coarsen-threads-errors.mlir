// RUN: regrain-opt %s --grain-coarsen-threads="factors=2,1,1" --verify-diagnostics | FileCheck %s

// None of these has changed.
// CHECK-NOT: factors

// The end of the loop is different in each thread.

grain.kernel @own_end(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{coarsen-threads: a barrier is in a loop whose trip count may differ between the threads of a block; to lift this: make the condition or the loop's end depend only on blockIdx}}
      scf.for %i = %zero to %tx step %one : i32 {
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

// The guard cannot be split: only the threads inside know how often the barrier
// is reached.

grain.kernel @loaded_inside(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
      // expected-remark@+1 {{a barrier is under a condition that may differ between the threads of a block; to lift this: make the condition or the loop's end depend only on blockIdx}}
      scf.if %inside {
        %end = llvm.load %p : !llvm.ptr -> i32
        scf.for %i = %zero to %end step %one : i32 {
          grain.barrier (%tx, %ty, %tz)
        }
      }
    }
  }
  grain.return
}

// Barriers are in both branches, one of them in a loop.

grain.kernel @both_branches(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
      // expected-remark@+1 {{a barrier is under a condition that may differ between the threads of a block; to lift this: make the condition or the loop's end depend only on blockIdx}}
      scf.if %inside {
        grain.barrier (%tx, %ty, %tz)
      } else {
        scf.for %i = %zero to %n step %one : i32 {
          grain.barrier (%tx, %ty, %tz)
        }
      }
    }
  }
  grain.return
}

// A load at the thread's own address decides.

grain.kernel @own_flag(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %slot = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %count = llvm.load %slot : !llvm.ptr -> i32
      // expected-remark@+1 {{a barrier is in a loop whose trip count may differ between the threads of a block; to lift this: make the condition or the loop's end depend only on blockIdx}}
      %end = scf.while (%i = %count) : (i32) -> i32 {
        %zero = arith.constant 0 : i32
        %more = arith.cmpi sgt, %i, %zero : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        grain.barrier (%tx, %ty, %tz)
        %half = arith.shrsi %i, %i : i32
        scf.yield %half : i32
      }
    }
  }
  grain.return
}

grain.kernel @unstructured(%p: !llvm.ptr, %c: i1) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a barrier is in control flow that cannot be duplicated; to lift this: put the barrier only inside plain if}}
      scf.execute_region {
        cf.cond_br %c, ^bb1, ^bb2
      ^bb1:
        grain.barrier (%tx, %ty, %tz)
        llvm.store %tx, %p : i32, !llvm.ptr
        cf.br ^bb2
      ^bb2:
        scf.yield
      }
    }
  }
  grain.return
}

// This is a lock: the second copy would wait for the first, which unlocks after it.

grain.kernel @lock(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a loop may wait for another thread, which the grain may keep from running; to lift this: let the loop end after a number of iterations that does not depend on other threads}}
      scf.while : () -> () {
        %pair = llvm.cmpxchg %p, %zero, %one acquire monotonic : !llvm.ptr, i32
        %old = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
        %taken = arith.cmpi ne, %old, %zero : i32
        scf.condition(%taken)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// This is the same, with the critical section in the loop.

grain.kernel @lock_inside(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %false = arith.constant false
  %true = arith.constant true
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a loop may wait for another thread, which the grain may keep from running; to lift this: let the loop end after a number of iterations that does not depend on other threads}}
      %end = scf.while (%waiting = %true) : (i1) -> i1 {
        scf.condition(%waiting) %waiting : i1
      } do {
      ^bb0(%waiting: i1):
        %old = llvm.atomicrmw xchg %p, %one monotonic : !llvm.ptr, i32
        %free = arith.cmpi eq, %old, %zero : i32
        %again = scf.if %free -> i1 {
          llvm.store %zero, %p : i32, !llvm.ptr
          scf.yield %false : i1
        } else {
          scf.yield %true : i1
        }
        scf.yield %again : i1
      }
    }
  }
  grain.return
}

grain.kernel @flag(%p: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{a loop may wait for another thread, which the grain may keep from running; to lift this: let the loop end after a number of iterations that does not depend on other threads}}
      scf.while : () -> () {
        %flag = llvm.load volatile %p : !llvm.ptr -> i32
        %unset = arith.cmpi eq, %flag, %zero : i32
        scf.condition(%unset)
      } do {
        scf.yield
      }
    }
  }
  grain.return
}

// A named barrier counts the threads of the original.

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

// The number of a warp in its block changes.

llvm.func @nvvm.read.ptx.sreg.warpid() -> i32 attributes {memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>}

grain.kernel @warpid(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{an operation may synchronise threads in an unknown way; to lift this: use CUDA's own functions}}
      %warp = llvm.call @nvvm.read.ptx.sreg.warpid() : () -> i32
      llvm.store %warp, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// The called function is not known.

grain.kernel @indirect(%f: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      // expected-remark@+1 {{an operation may synchronise threads in an unknown way; to lift this: use CUDA's own functions}}
      llvm.call %f() : !llvm.ptr, () -> ()
    }
  }
  grain.return
}
