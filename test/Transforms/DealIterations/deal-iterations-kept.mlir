// These kernels are left unchanged, each for another reason.
// RUN: regrain-opt %s --grain-deal-iterations --split-input-file 2>&1 | FileCheck %s

// CHECK: remark: {{.*}}the kernel has no loop that counts
grain.kernel @straight(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %v = llvm.load %in : !llvm.ptr -> f32
    }
  }
  grain.return
}

// -----

// Each thread would run m iterations, however few elements there are.
// CHECK: remark: {{.*}}nothing bounds how many iterations they would run without it
grain.kernel @unbounded(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      %behind = arith.addi %start, %m overflow<nsw> : i32
      %end = arith.minsi %behind, %n : i32
      scf.for %j = %start to %end step %c1 : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// A sum.
// CHECK: remark: {{.*}}the loop carries a value from iteration to iteration
grain.kernel @carries(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      %zero = arith.constant 0 : i32
      %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> (i32) : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %next = arith.addi %s, %i : i32
        scf.yield %next : i32
      }
      llvm.store %sum, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the counter of the loop does not advance by one
grain.kernel @step(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %m step %c8 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// Each thread has a number of iterations of its own.
// CHECK: remark: {{.*}}threads are not known to run equally many iterations of the loop
grain.kernel @uneven(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %tx step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The sum may wrap, so that the end is less than the start.
// CHECK: remark: {{.*}}threads are not known to run equally many iterations of the loop
grain.kernel @wraps(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      %behind = arith.addi %start, %m : i32
      scf.for %j = %start to %behind step %c1 : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The parts of the threads overlap: each begins m elements behind the last one, and has n of them.
// CHECK: remark: {{.*}}threads are not known to run equally many iterations of the loop
grain.kernel @overlaps(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      %behind = arith.addi %start, %n overflow<nsw> : i32
      scf.for %j = %start to %behind step %c1 : i32 {
        %at = arith.extsi %j : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The same in a loop that counts from 0.
// CHECK: remark: {{.*}}the loop uses a value that may differ between threads in another way than the number of the element
grain.kernel @parts(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %n step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the loop is in another loop or control flow
grain.kernel @repeated(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.while (%k = %c0) : (i32) -> i32 {
        %more = arith.cmpi slt, %k, %n : i32
        scf.condition(%more) %k : i32
      } do {
      ^bb0(%k: i32):
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
        %next = arith.addi %k, %c1 : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the condition around the loop is not known to be the same for all threads
grain.kernel @some(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      %few = arith.cmpi slt, %tx, %c8 : i32
      scf.if %few {
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
      }
    }
  }
  grain.return
}

// -----

// The thread's number is stored.
// CHECK: remark: {{.*}}the loop uses a value that may differ between threads in another way
grain.kernel @stores_thread(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = arith.sitofp %tx : i32 to f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// Each thread has loaded a factor of its own.
// CHECK: remark: {{.*}}the loop uses a value that may differ between threads in another way
grain.kernel @own_factor(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      %own = llvm.getelementptr inbounds %in[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %factor = llvm.load %own : !llvm.ptr -> f32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %w = llvm.fmul %v, %factor : f32
        llvm.store %w, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the loop writes through one pointer and uses another, and what they point to may overlap
grain.kernel @may_alias(%out: !llvm.ptr, %in: !llvm.ptr, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// Each iteration reads what the next one writes.
// CHECK: remark: {{.*}}several iterations of the loop may access the same memory
grain.kernel @shifted(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %k = arith.addi %i, %c1 overflow<nsw> : i32
        %from = llvm.getelementptr inbounds %out[%k] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// All iterations write one place.
// CHECK: remark: {{.*}}several iterations of the loop may access the same memory
grain.kernel @last_one(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        llvm.store %i, %out : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}an operation of the loop concerns other threads
grain.kernel @atomic(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %to = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %old = llvm.atomicrmw add %to, %i monotonic : !llvm.ptr, i32
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}an operation of the loop concerns other threads
grain.kernel @barrier(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        grain.barrier (%tx, %ty, %tz)
      }
    }
  }
  grain.return
}

// -----

// The thread writes an array of its own before the loop.
// CHECK: remark: {{.*}}the loop uses memory of the thread's own
grain.kernel @own_array(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      %array = llvm.alloca %c1 x f32 : (i32) -> !llvm.ptr
      %v0 = arith.sitofp %tx : i32 to f32
      llvm.store %v0, %array : f32, !llvm.ptr
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %array : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The thread changes its copy of a parameter. A barrier does not help.
// CHECK: remark: {{.*}}the loop uses memory of the thread's own
grain.kernel @own_copy(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32, %copy: !llvm.ptr {llvm.byval = f32}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      %v0 = arith.sitofp %tx : i32 to f32
      llvm.store %v0, %copy : f32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %copy : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The thread reads its first element behind the loop.
// CHECK: remark: {{.*}}the thread may access the memory of the loop outside of it
grain.kernel @reads_behind(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32, %other: !llvm.ptr {llvm.noalias}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
      %last = llvm.getelementptr inbounds %out[%start] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %value = llvm.load %last : !llvm.ptr -> f32
      llvm.store %value, %other : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The thread overwrites its first element behind the loop.
// CHECK: remark: {{.*}}the thread may access the memory of the loop outside of it
grain.kernel @behind(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
      %last = llvm.getelementptr inbounds %out[%start] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %zero = arith.constant 0.0 : f32
      llvm.store %zero, %last : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Another thread may wait for the flag, and then read the elements.
// CHECK: remark: {{.*}}an operation before or behind the loop may concern other threads, and no barrier lies between them
grain.kernel @flag(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32, %flag: !llvm.ptr {llvm.noalias}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
      llvm.fence release
      llvm.store volatile %c1, %flag : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}blocks or threads have been regrouped before the iterations
grain.kernel @coarse(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) factors [2, 1, 1] {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %m overflow<nsw> : i32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %i = arith.addi %start, %j overflow<nsw> : i32
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}
