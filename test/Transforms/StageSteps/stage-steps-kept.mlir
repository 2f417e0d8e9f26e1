// What gets no rings, and why.
// DEFINE: %{march} = grain-coarsen-blocks{factors=1,1,8 loop},cse
// RUN: regrain-opt %s --split-input-file --pass-pipeline='builtin.module(grain.kernel(%{march},grain-stage-steps))' 2>&1 | FileCheck %s --implicit-check-not='__regrain_staged'
// RUN: %python %S/Inputs/grid.py 31 2 | regrain-opt --pass-pipeline='builtin.module(grain.kernel(%{march},grain-stage-steps))' 2>&1 | FileCheck %s --check-prefix=TALL --implicit-check-not='__regrain_staged'
// RUN: %python %S/Inputs/grid.py 5 13 | regrain-opt --pass-pipeline='builtin.module(grain.kernel(%{march},grain-stage-steps))' 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: %python %S/Inputs/grid.py 5 12 | regrain-opt --pass-pipeline='builtin.module(grain.kernel(%{march},grain-stage-steps))' 2>&1 | FileCheck %s --check-prefix=STAGED --implicit-check-not=remark
// Without a loop over steps there is nothing to stage.
// RUN: regrain-opt %s --split-input-file --grain-stage-steps 2>&1 | FileCheck %s --check-prefix=NOSTEPS --implicit-check-not='__regrain_staged'

// TALL: remark: {{.*}}this one cannot, because a plane has too many elements for the threads of a block
// STAGED: grain.shared "__regrain_staged_ring"
// MANY: grain.shared "__regrain_staged_ring"
// MANY: llvm.load {{.*}} : !llvm.ptr -> f32
// NOSTEPS: remark: {{.*}}the number of threads of a block is not known
// NOSTEPS: remark: {{.*}}the kernel may end a thread here, before it loads
// NOSTEPS: remark: {{.*}}no steps load from global memory

// CHECK: remark: {{.*}}the number of threads of a block is not known
grain.kernel @unknown_block(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %p0 = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %p1 = llvm.getelementptr %u[%next] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
      %p2 = llvm.getelementptr %u[%last] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f32
      %s1 = llvm.fadd %v0, %v1 : f32
      %s2 = llvm.fadd %s1, %v2 : f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s2, %t : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the kernel may end a thread here, before it loads
grain.kernel @ends(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %odd = arith.cmpi eq, %m, %tx : i32
      scf.if %odd {
        "llvm.intr.trap"() : () -> ()
      }
      %p0 = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %p1 = llvm.getelementptr %u[%next] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
      %p2 = llvm.getelementptr %u[%last] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f32
      %s1 = llvm.fadd %v0, %v1 : f32
      %s2 = llvm.fadd %s1, %v2 : f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s2, %t : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}a step contains a barrier, an atomic or volatile access, or a loop of unknown length
grain.kernel @barrier(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      grain.barrier(%tx, %ty, %tz)
      %p0 = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %p1 = llvm.getelementptr %u[%next] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
      %p2 = llvm.getelementptr %u[%last] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f32
      %s1 = llvm.fadd %v0, %v1 : f32
      %s2 = llvm.fadd %s1, %v2 : f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s2, %t : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}this one cannot, because the kernel may write what it loads
grain.kernel @written(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %p0 = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 : !llvm.ptr -> f32
      %p1 = llvm.getelementptr %u[%next] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 : !llvm.ptr -> f32
      %p2 = llvm.getelementptr %u[%last] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %p2 : !llvm.ptr -> f32
      %s1 = llvm.fadd %v0, %v1 : f32
      %s2 = llvm.fadd %s1, %v2 : f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s2, %t : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}this one cannot, because it stands in a loop of a step
grain.kernel @in_loop(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %one = arith.constant 1 : i32
      scf.for %j = %zero to %m step %one : i32 {
      %p0 = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %p1 = llvm.getelementptr %u[%next] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
      %p2 = llvm.getelementptr %u[%last] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f32
      %s1 = llvm.fadd %v0, %v1 : f32
      %s2 = llvm.fadd %s1, %v2 : f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s2, %t : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The threads that pass are no box.
// CHECK: remark: {{.*}}this one cannot, because its condition is not a conjunction of comparisons of one coordinate each
grain.kernel @either(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %odd = arith.cmpi sgt, %tx, %m : i32
      %even = arith.cmpi slt, %tx, %bz : i32
      %any = arith.ori %odd, %even : i1
      scf.if %any {
      %p0 = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %p1 = llvm.getelementptr %u[%next] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
      %p2 = llvm.getelementptr %u[%last] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f32
      %s1 = llvm.fadd %v0, %v1 : f32
      %s2 = llvm.fadd %s1, %v2 : f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s2, %t : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}this one cannot, because its condition is not a conjunction of comparisons of one coordinate each
grain.kernel @equal(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %odd = arith.cmpi ne, %tx, %m : i32
      scf.if %odd {
      %p0 = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %p1 = llvm.getelementptr %u[%next] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
      %p2 = llvm.getelementptr %u[%last] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f32
      %s1 = llvm.fadd %v0, %v1 : f32
      %s2 = llvm.fadd %s1, %v2 : f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s2, %t : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}this one cannot, because its condition is not a conjunction of comparisons of one coordinate each
grain.kernel @twice(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %double = arith.addi %tx, %tx overflow<nsw> : i32
      %odd = arith.cmpi slt, %double, %m : i32
      scf.if %odd {
      %p0 = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %p1 = llvm.getelementptr %u[%next] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
      %p2 = llvm.getelementptr %u[%last] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f32
      %s1 = llvm.fadd %v0, %v1 : f32
      %s2 = llvm.fadd %s1, %v2 : f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s2, %t : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// A difference of numbers of 64 bits might wrap.
// CHECK: remark: {{.*}}this one cannot, because its condition is not a conjunction of comparisons of one coordinate each
grain.kernel @wide_number(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %odd = arith.cmpi slt, %x, %n : i64
      scf.if %odd {
      %p0 = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %p1 = llvm.getelementptr %u[%next] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
      %p2 = llvm.getelementptr %u[%last] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f32
      %s1 = llvm.fadd %v0, %v1 : f32
      %s2 = llvm.fadd %s1, %v2 : f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s2, %t : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}this one cannot, because its address is not known to be a sum of products of coordinates and arguments
grain.kernel @unknown_index(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %square = arith.muli %tx, %tx : i32
      %far0 = arith.divui %square, %tx : i32
      %far1 = arith.extui %far0 : i32 to i64
      %far = arith.addi %far1, %zn : i64
      %p0 = llvm.getelementptr %u[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v0, %t : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// All steps read the same.
// CHECK: remark: {{.*}}this one cannot, because steps do not go from line to line
grain.kernel @stays(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %xa = arith.addi %x, %c1 : i64
      %xb = arith.subi %x, %c1 : i64
      %p0 = llvm.getelementptr %u[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %p1 = llvm.getelementptr %u[%xa] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
      %p2 = llvm.getelementptr %u[%xb] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f32
      %s1 = llvm.fadd %v0, %v1 : f32
      %s2 = llvm.fadd %s1, %v2 : f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s2, %t : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}this one cannot, because threads of a block load hardly anything in common
grain.kernel @alone(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %p0 = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v0, %t : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}this one cannot, because its lines are longer than 4096 bytes
grain.kernel @long_lines(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 1024, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %p0 = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f64
      %p1 = llvm.getelementptr %u[%next] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f64
      %p2 = llvm.getelementptr %u[%last] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f64
      %s1 = llvm.fadd %v0, %v1 : f64
      %s2 = llvm.fadd %s1, %v2 : f64
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      llvm.store %s2, %t : f64, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}this one cannot, because the block's shared memory does not suffice
grain.kernel @much(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %w: i64) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 256, 4, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %yw = arith.muli %y, %w : i64
      %j = arith.addi %i, %yw : i64
      %c3 = arith.constant 3 : i64
      %far = arith.muli %n, %c3 : i64
      %jn = arith.addi %j, %far : i64
      %jl = arith.subi %j, %far : i64
      %p0 = llvm.getelementptr %u[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f64
      %p1 = llvm.getelementptr %u[%jn] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f64
      %p2 = llvm.getelementptr %u[%jl] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %v2 = llvm.load %p2 invariant : !llvm.ptr -> f64
      %s1 = llvm.fadd %v0, %v1 : f64
      %s2 = llvm.fadd %s1, %v2 : f64
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      llvm.store %s2, %t : f64, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}this one cannot, because neighbouring threads do not load neighbouring elements
grain.kernel @columns(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %n: i64, %w: i64) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %y = arith.extsi %ty : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zn = arith.muli %z, %n : i64
      %i = arith.addi %x, %zn : i64
      %next = arith.addi %i, %n : i64
      %last = arith.subi %i, %n : i64
      %xw = arith.muli %x, %w : i64
      %j = arith.addi %zn, %xw : i64
      %jn = arith.addi %j, %n : i64
      %p0 = llvm.getelementptr %u[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v0 = llvm.load %p0 invariant : !llvm.ptr -> f32
      %p1 = llvm.getelementptr %u[%jn] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v1 = llvm.load %p1 invariant : !llvm.ptr -> f32
      %s1 = llvm.fadd %v0, %v1 : f32
      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %s1, %t : f32, !llvm.ptr
    }
  }
  grain.return
}
