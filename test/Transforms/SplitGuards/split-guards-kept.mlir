// RUN: regrain-opt %s > %t.before
// RUN: regrain-opt %s --grain-split-guards > %t.after
// RUN: diff %t.before %t.after

// The same for all threads: no reason to split.

grain.kernel @uniform(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %bx, %n : i32
      scf.if %inside {
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

// No barrier inside.

grain.kernel @no_barrier(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        llvm.store %n, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The loop's end is loaded, which threads outside must not do.

grain.kernel @loaded_end(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
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

// A division may trap.

grain.kernel @divided_end(%p: !llvm.ptr, %n: i32, %m: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %end = arith.divsi %n, %m : i32
        scf.for %i = %zero to %end step %one : i32 {
          grain.barrier (%tx, %ty, %tz)
        }
      }
    }
  }
  grain.return
}

// A result would have to be put together again.

grain.kernel @result(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
      %value = scf.if %inside -> i32 {
        grain.barrier (%tx, %ty, %tz)
        scf.yield %n : i32
      } else {
        scf.yield %tx : i32
      }
      llvm.store %value, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// The loop's end divides by what may be 0 outside the guard.

grain.kernel @remainder_end(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %end = arith.remui %bx, %n : i32
        scf.for %i = %zero to %end step %one : i32 {
          grain.barrier (%tx, %ty, %tz)
        }
      }
    }
  }
  grain.return
}

// The guard stands in a loop that threads leave at different times.

grain.kernel @own_loop(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %zero to %tx step %one : i32 {
        %inside = arith.cmpi slt, %tx, %n : i32
        scf.if %inside {
          grain.barrier (%tx, %ty, %tz)
        }
      }
    }
  }
  grain.return
}
