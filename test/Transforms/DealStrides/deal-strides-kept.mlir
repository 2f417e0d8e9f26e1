// These kernels are left unchanged, each for another reason.
// RUN: regrain-opt %s --grain-deal-strides --split-input-file -o /dev/null 2>&1 | FileCheck %s

// A block of 6 threads has no 4 neighbours for each.
// CHECK: remark: {{.*}}threads that take 4 neighbours do not divide a block that is 6 threads wide
grain.kernel @odd_block(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 6, 1, 1>} {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Neighbouring threads take every second element.
// CHECK: remark: {{.*}}the kernel has no loop in which neighbouring threads take neighbouring elements
grain.kernel @every_second(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %double = arith.muli %thread, %c2 : i32
      %end = scf.while (%i = %double) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Threads advance by their own distance.
// CHECK: remark: {{.*}}the kernel has no loop in which neighbouring threads take neighbouring elements
grain.kernel @own_step(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %own = arith.addi %stride, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %next = arith.addi %i, %own : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Threads end at their own element.
// CHECK: remark: {{.*}}the kernel has no loop in which neighbouring threads take neighbouring elements
grain.kernel @own_end(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %last = arith.subi %n, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %last : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Each thread may have read another end.
// CHECK: remark: {{.*}}the kernel has no loop in which neighbouring threads take neighbouring elements
grain.kernel @loaded_end(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %last = llvm.load %other : !llvm.ptr -> i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %last : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// The counter is used behind the loop.
// CHECK: remark: {{.*}}the kernel has no loop in which neighbouring threads take neighbouring elements
grain.kernel @counter_behind(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
      llvm.store %end, %other : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The step changes in the loop.
// CHECK: remark: {{.*}}the kernel has no loop in which neighbouring threads take neighbouring elements
grain.kernel @changing_step(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %more = llvm.load %other : !llvm.ptr -> i32
        %next = arith.addi %i, %more : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Each thread writes its own number.
// CHECK: remark: {{.*}}the loop uses a value that may differ between threads in another way
grain.kernel @own_number(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %tx, %to : i32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// The next element is written from this one.
// CHECK: remark: {{.*}}several iterations of the loop may access the same memory
grain.kernel @recurrence(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %far = arith.addi %i, %stride overflow<nsw> : i32
        %there = arith.extsi %far : i32 to i64
        %to = llvm.getelementptr inbounds %in[%there] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// What is written may be what is read.
// CHECK: remark: {{.*}}the loop writes through one pointer and uses another
grain.kernel @overlap(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %other[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// The result of an atomic operation says which thread came first.
// CHECK: remark: {{.*}}an operation of the loop concerns other threads
grain.kernel @used_result(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %number = arith.extui %v : i32 to i64
        %to = llvm.getelementptr inbounds %out[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %old = llvm.atomicrmw add %to, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %mine = llvm.getelementptr inbounds %other[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %old, %mine : i32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// The last exchange would be another one.
// CHECK: remark: {{.*}}an operation of the loop concerns other threads
grain.kernel @exchange(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %number = arith.extui %v : i32 to i64
        %to = llvm.getelementptr inbounds %out[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %old = llvm.atomicrmw xchg %to, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Floating-point numbers would be added in another order.
// CHECK: remark: {{.*}}an operation of the loop concerns other threads
grain.kernel @float_sum(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %real = arith.bitcast %v : i32 to f32
        %number = arith.extui %v : i32 to i64
        %to = llvm.getelementptr inbounds %out[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %old = llvm.atomicrmw fadd %to, %real syncscope("device") monotonic : !llvm.ptr, f32
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Additions and extremes do not commute.
// CHECK: remark: {{.*}}several iterations of the loop may access the same memory
grain.kernel @two_kinds(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %number = arith.extui %v : i32 to i64
        %to = llvm.getelementptr inbounds %out[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %old = llvm.atomicrmw add %to, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %more = llvm.atomicrmw max %to, %v syncscope("device") monotonic : !llvm.ptr, i32
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// An addition may announce what has been stored.
// CHECK: remark: {{.*}}may announce what it has stored
grain.kernel @announces(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %number = arith.extui %v : i32 to i64
        %to = llvm.getelementptr inbounds %out[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %old = llvm.atomicrmw add %to, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %mine = llvm.getelementptr inbounds %other[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %v, %mine : i32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// What is added up is read in the same loop.
// CHECK: remark: {{.*}}several iterations of the loop may access the same memory
grain.kernel @reads_counts(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %number = arith.extui %v : i32 to i64
        %to = llvm.getelementptr inbounds %in[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %old = llvm.atomicrmw add %to, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// A warp adds to neighbouring counters together.
// CHECK: remark: {{.*}}neighbouring iterations update neighbouring elements
grain.kernel @flush(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %number = arith.extui %v : i32 to i64
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %old = llvm.atomicrmw add %to, %c1 syncscope("device") monotonic : !llvm.ptr, i32
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Elements of 16 bytes fill the widest access.
// CHECK: remark: {{.*}}no access of the loop to neighbouring elements of global memory becomes wider
grain.kernel @wide_elements(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, vector<4xf32>
        %v = llvm.load %from : !llvm.ptr -> vector<4xf32>
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, vector<4xf32>
        llvm.store %v, %to : vector<4xf32>, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Elements at a distance.
// CHECK: remark: {{.*}}no access of the loop to neighbouring elements of global memory becomes wider
grain.kernel @distant(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %far = arith.muli %i, %c2 overflow<nsw> : i32
        %at = arith.extsi %far : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Another thread may wait for the flag.
// CHECK: remark: {{.*}}an operation before or behind the loop may concern other threads
grain.kernel @flag(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
      llvm.fence release
      llvm.store volatile %c1, %other : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The thread reads behind the loop what it has written.
// CHECK: remark: {{.*}}the thread may access the memory of the loop outside of it
grain.kernel @reads_behind(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
      %mine = llvm.getelementptr inbounds %out[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %value = llvm.load %mine : !llvm.ptr -> f32
      llvm.store %value, %other : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Threads have been joined.
// CHECK: remark: {{.*}}blocks or threads have been regrouped before the iterations
grain.kernel @coarse(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %other: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  %grid = grain.grid_size x
  %stride = arith.muli %grid, %size : i32
  grain.blocks (%bx, %by, %bz) {
    %first = arith.muli %bx, %size : i32
    grain.threads (%tx, %ty, %tz) factors [2, 1, 1] {
      %thread = arith.addi %first, %tx : i32
      %end = scf.while (%i = %thread) : (i32) -> i32 {
        %runs = arith.cmpi slt, %i, %n : i32
        scf.condition(%runs) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.extsi %i : i32 to i64
        %from = llvm.getelementptr inbounds %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        %next = arith.addi %i, %stride : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}
