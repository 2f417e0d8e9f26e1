// These kernels are left as they are, each for another reason.
// RUN: regrain-opt %s --grain-stage-loops --split-input-file 2>&1 | FileCheck %s --implicit-check-not='__regrain_staged'

// The size of the tile is not known.
// CHECK: remark: {{.*}}the number of threads of a block is not known
grain.kernel @unknown_block(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The load is not known to be of memory that nobody writes.
// CHECK: remark: {{.*}}the kernel may write what it loads
grain.kernel @written(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// A volatile load.
// CHECK: remark: {{.*}}it contains a barrier, an atomic or volatile access, or a loop of unknown length
grain.kernel @volatile_load(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load volatile %p : !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Threads would not meet at the same barriers.
// CHECK: remark: {{.*}}threads of a block may run it for different numbers of iterations
grain.kernel @own_length(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %sum = scf.for %i = %c0 to %tx step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The same for the start.
// CHECK: remark: {{.*}}threads of a block may run it for different numbers of iterations
grain.kernel @own_start(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %sum = scf.for %i = %tx to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Threads may read different lengths.
// CHECK: remark: {{.*}}threads of a block may run it for different numbers of iterations
grain.kernel @loaded_length(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %len = llvm.load %c : !llvm.ptr -> i32
      %sum = scf.for %i = %c0 to %len step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The counter is not a multiple of a number.
// CHECK: remark: {{.*}}its step is not a small constant
grain.kernel @unknown_step(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %sum = scf.for %i = %c0 to %n step %n iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// A tile would be the whole loop.
// CHECK: remark: {{.*}}it has too few iterations
grain.kernel @short(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %sum = scf.for %i = %c0 to %c12 step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The program has barriers in the loop.
// CHECK: remark: {{.*}}it contains a barrier, an atomic or volatile access, or a loop of unknown length
grain.kernel @barrier(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        grain.barrier(%tx, %ty, %tz)
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The address is not known in front of the iteration.
// CHECK: remark: {{.*}}the address of a load is not known
grain.kernel @loaded_index(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %p0 = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i8
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %w = llvm.load %p0 : !llvm.ptr -> i32
        %p = llvm.getelementptr %a[%w] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// An index that the loop changes in another way than its counter.
// CHECK: remark: {{.*}}the address of a load is not known
grain.kernel @carried(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %odd = arith.xori %i, %c12 : i32
        %p = llvm.getelementptr %a[%odd] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Each element is loaded once.
// CHECK: remark: {{.*}}threads of a block load hardly anything in common
grain.kernel @no_reuse(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c256 = arith.constant 256 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 256, 1, 1>} {
    %fx = arith.muli %bx, %c256 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// A thread may end before it reaches the loop.
// CHECK: remark: {{.*}}the kernel may end a thread here
grain.kernel @trap(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      "llvm.intr.trap"() : () -> ()
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The outer loop would have to wait for the last tile.
// CHECK: remark: {{.*}}it stands in another loop
grain.kernel @nested(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      scf.for %o = %c0 to %n step %c1 : i32 {
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The corners of a block do not tell for all threads.
// CHECK: remark: {{.*}}its condition is not a conjunction of linear comparisons
grain.kernel @odd(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %low = arith.andi %tx, %c1 : i32
      %isOdd = arith.cmpi ne, %low, %c0 : i32
      scf.if %isOdd {
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// A condition from memory.
// CHECK: remark: {{.*}}its condition is not a conjunction of linear comparisons
grain.kernel @loaded_condition(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %lp = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %low = llvm.load %lp : !llvm.ptr -> i32
      %isOdd = arith.cmpi ne, %low, %c0 : i32
      scf.if %isOdd {
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The kernel's own array takes the memory.
// CHECK: remark: {{.*}}the block's shared memory does not suffice
grain.kernel @full(%c: !llvm.ptr {llvm.noalias}, %a: !llvm.ptr {llvm.noalias}, %n: i32) {
  %zero = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    %own = grain.shared "own" : !llvm.array<48000 x i8> align 16
    %fx = arith.muli %bx, %c16 : i32
    grain.threads (%tx, %ty, %tz) {
      %x = arith.addi %fx, %tx : i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %row = arith.muli %i, %n overflow<nsw> : i32
        %in = arith.addi %row, %x overflow<nsw> : i32
        %p = llvm.getelementptr %a[%in] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p invariant: !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      llvm.store %sum, %own : f32, !llvm.ptr<3>
      %q = llvm.getelementptr %c[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// There is nothing to stage.
// CHECK: remark: {{.*}}the kernel has no counting loop
grain.kernel @no_loop(%c: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %tx, %c : i32, !llvm.ptr
    }
  }
  grain.return
}
