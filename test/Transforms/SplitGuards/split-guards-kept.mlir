// RUN: regrain-opt %s > %t.before
// RUN: regrain-opt %s --grain-split-guards > %t.after
// RUN: diff %t.before %t.after

// The condition is the same for all threads, so there is no reason to split.

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

// There is no barrier inside.

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

// Barriers are in both branches, one of them in a loop: it is not clear which ones meet.

grain.kernel @both_in_loop(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
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

// A barrier that reduces does not meet one that does not, nor one of another kind.

grain.kernel @both_kinds(%p: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        grain.barrier (%tx, %ty, %tz)
        %all = grain.barrier_reduce and %n (%tx, %ty, %tz)
        llvm.store %all, %p : i32, !llvm.ptr
      } else {
        grain.barrier (%tx, %ty, %tz)
        %any = grain.barrier_reduce or %n (%tx, %ty, %tz)
        llvm.store %any, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// The loop's end divides by a value that may be 0 outside the guard.

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

// The guard is in a loop that threads leave at different times.

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

// The loop's end is the same in both branches of a condition, but threads outside
// cannot tell which of them is taken.

grain.kernel @end_by_loaded_condition(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %set = llvm.load %p : !llvm.ptr -> i1
        %end = scf.if %set -> i32 {
          grain.barrier (%tx, %ty, %tz)
          scf.yield %n : i32
        } else {
          scf.yield %one : i32
        }
        scf.for %i = %zero to %end step %one : i32 {
          grain.barrier (%tx, %ty, %tz)
        }
      }
    }
  }
  grain.return
}

// Threads outside could not tell which path those inside take, and the paths
// have barriers that cannot be paired.

grain.kernel @barriers_on_both_ways(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %loaded = llvm.load %p : !llvm.ptr -> i32
        %way = arith.cmpi slt, %loaded, %n : i32
        scf.if %way {
          grain.barrier (%tx, %ty, %tz)
        } else {
          scf.for %i = %zero to %n step %one : i32 {
            grain.barrier (%tx, %ty, %tz)
          }
        }
      }
    }
  }
  grain.return
}
