// These kernels are left unchanged, each for another reason.
// RUN: regrain-opt %s --split-input-file --pass-pipeline='builtin.module(grain.kernel(grain-coarsen-blocks{factors=1,1,4 loop},cse,grain-keep-windows))' 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: not regrain-opt %s --split-input-file --pass-pipeline='builtin.module(grain.kernel(grain-coarsen-blocks{factors=1,1,4 loop},cse,grain-keep-windows{required}))' 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: {{.*}}no step is known to read what an earlier step has read
// The block's size in z is not known, so steps are an unknown number of planes apart.
// REMARK: remark: {{.*}}no step is known to read what an earlier step has read
// CHECK: grain.kernel @any_block(
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: grain.return
grain.kernel @any_block(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i32) {
  %one = arith.constant 1 : i32
  %first = llvm.mlir.constant(1.0 : f32) : f32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %d = grain.block_size z
      %p0 = arith.muli %bz, %d : i32
      %k = arith.addi %p0, %tz : i32
      %x = arith.extsi %tx : i32 to i64
      %z = arith.extsi %k : i32 to i64
      %s = arith.extsi %slice : i32 to i64
      %plane = arith.muli %z, %s : i64
      %at = arith.addi %plane, %x : i64
      %above = arith.addi %at, %s : i64
      %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %q = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %r = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %b = llvm.load %q : !llvm.ptr -> f32
      %c = llvm.load %r : !llvm.ptr -> f32
      llvm.store %b, %t : f32, !llvm.ptr
      llvm.store %c, %r : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The thread may have written the element in the same step.
// REMARK: remark: {{.*}}what a step reads again may have been written in the same step
// CHECK: grain.kernel @stored_before(
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: grain.return
grain.kernel @stored_before(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i32) {
  %one = arith.constant 1 : i32
  %first = llvm.mlir.constant(1.0 : f32) : f32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k = arith.addi %bz, %tz : i32
      %x = arith.extsi %tx : i32 to i64
      %z = arith.extsi %k : i32 to i64
      %s = arith.extsi %slice : i32 to i64
      %plane = arith.muli %z, %s : i64
      %at = arith.addi %plane, %x : i64
      %above = arith.addi %at, %s : i64
      %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %q = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %r = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %first, %t : f32, !llvm.ptr
      %b = llvm.load %q : !llvm.ptr -> f32
      %c = llvm.load %r : !llvm.ptr -> f32
      llvm.store %b, %t : f32, !llvm.ptr
      llvm.store %c, %r : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Another thread may have written the element in the same step, before the barrier. Different
// arguments do not help it: this store is to the same one.
// REMARK: remark: {{.*}}what a step reads again may have been written in the same step
// CHECK: grain.kernel @stored_by_others(
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: grain.return
grain.kernel @stored_by_others(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i32) {
  %one = arith.constant 1 : i32
  %first = llvm.mlir.constant(1.0 : f32) : f32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k = arith.addi %bz, %tz : i32
      %x = arith.extsi %tx : i32 to i64
      %z = arith.extsi %k : i32 to i64
      %s = arith.extsi %slice : i32 to i64
      %plane = arith.muli %z, %s : i64
      %at = arith.addi %plane, %x : i64
      %above = arith.addi %at, %s : i64
      %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %q = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %r = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %mine = llvm.getelementptr %u[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %first, %mine : f32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      %b = llvm.load %q : !llvm.ptr -> f32
      %c = llvm.load %r : !llvm.ptr -> f32
      llvm.store %b, %t : f32, !llvm.ptr
      llvm.store %c, %r : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// An atomic operation may order what is read.
// REMARK: remark: {{.*}}an operation may order what the thread reads with what other threads do
// CHECK: grain.kernel @counted(
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: grain.return
grain.kernel @counted(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i32) {
  %one = arith.constant 1 : i32
  %first = llvm.mlir.constant(1.0 : f32) : f32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k = arith.addi %bz, %tz : i32
      %x = arith.extsi %tx : i32 to i64
      %z = arith.extsi %k : i32 to i64
      %s = arith.extsi %slice : i32 to i64
      %plane = arith.muli %z, %s : i64
      %at = arith.addi %plane, %x : i64
      %above = arith.addi %at, %s : i64
      %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %q = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %r = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %n = llvm.atomicrmw add %f, %one monotonic : !llvm.ptr, i32
      %b = llvm.load %q : !llvm.ptr -> f32
      %c = llvm.load %r : !llvm.ptr -> f32
      llvm.store %b, %t : f32, !llvm.ptr
      llvm.store %c, %r : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// So may a volatile access.
// REMARK: remark: {{.*}}an operation may order what the thread reads with what other threads do
// CHECK: grain.kernel @volatile(
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: grain.return
grain.kernel @volatile(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i32) {
  %one = arith.constant 1 : i32
  %first = llvm.mlir.constant(1.0 : f32) : f32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k = arith.addi %bz, %tz : i32
      %x = arith.extsi %tx : i32 to i64
      %z = arith.extsi %k : i32 to i64
      %s = arith.extsi %slice : i32 to i64
      %plane = arith.muli %z, %s : i64
      %at = arith.addi %plane, %x : i64
      %above = arith.addi %at, %s : i64
      %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %q = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %r = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %b = llvm.load %q : !llvm.ptr -> f32
      %c = llvm.load volatile %r : !llvm.ptr -> f32
      llvm.store %b, %t : f32, !llvm.ptr
      llvm.store %c, %r : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The elements are read as another type.
// REMARK: remark: {{.*}}no step is known to read what an earlier step has read
// CHECK: grain.kernel @other_type(
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: grain.return
grain.kernel @other_type(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i32) {
  %one = arith.constant 1 : i32
  %first = llvm.mlir.constant(1.0 : f32) : f32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k = arith.addi %bz, %tz : i32
      %x = arith.extsi %tx : i32 to i64
      %z = arith.extsi %k : i32 to i64
      %s = arith.extsi %slice : i32 to i64
      %plane = arith.muli %z, %s : i64
      %at = arith.addi %plane, %x : i64
      %above = arith.addi %at, %s : i64
      %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %q = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %r = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %b = llvm.load %q : !llvm.ptr -> f32
      %c = llvm.load %r : !llvm.ptr -> i32
      llvm.store %b, %t : f32, !llvm.ptr
      llvm.store %c, %r : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The planes lie in an order that is read from memory.
// REMARK: remark: {{.*}}no step is known to read what an earlier step has read
// CHECK: grain.kernel @any_plane(
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: grain.return
grain.kernel @any_plane(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i32) {
  %one = arith.constant 1 : i32
  %first = llvm.mlir.constant(1.0 : f32) : f32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k0 = arith.addi %bz, %tz : i32
      %pk = llvm.getelementptr %f[%k0] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %k = llvm.load %pk : !llvm.ptr -> i32
      %x = arith.extsi %tx : i32 to i64
      %z = arith.extsi %k : i32 to i64
      %s = arith.extsi %slice : i32 to i64
      %plane = arith.muli %z, %s : i64
      %at = arith.addi %plane, %x : i64
      %above = arith.addi %at, %s : i64
      %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %q = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %r = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %b = llvm.load %q : !llvm.ptr -> f32
      %c = llvm.load %r : !llvm.ptr -> f32
      llvm.store %b, %t : f32, !llvm.ptr
      llvm.store %c, %r : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The number of the plane may wrap around.
// REMARK: remark: {{.*}}no step is known to read what an earlier step has read
// CHECK: grain.kernel @wrapping(
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: grain.return
grain.kernel @wrapping(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i32, %by_any: i32) {
  %one = arith.constant 1 : i32
  %first = llvm.mlir.constant(1.0 : f32) : f32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k0 = arith.addi %bz, %tz : i32
      %k = arith.addi %k0, %by_any : i32
      %x = arith.extsi %tx : i32 to i64
      %z = arith.extsi %k : i32 to i64
      %s = arith.extsi %slice : i32 to i64
      %plane = arith.muli %z, %s : i64
      %at = arith.addi %plane, %x : i64
      %above = arith.addi %at, %s : i64
      %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %q = llvm.getelementptr %u[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %r = llvm.getelementptr %u[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %b = llvm.load %q : !llvm.ptr -> f32
      %c = llvm.load %r : !llvm.ptr -> f32
      llvm.store %b, %t : f32, !llvm.ptr
      llvm.store %c, %r : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Each of seven numbers waits for eight steps, in two registers of 32 bits.
// REMARK: remark: {{.*}}the window would take 112 registers for each thread
// CHECK: grain.kernel @long_waits(
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: grain.return
grain.kernel @long_waits(%u: !llvm.ptr, %f: !llvm.ptr, %slice: i64) {
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %eight = arith.constant 8 : i64
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 1, 1>} {
      %k = arith.addi %bz, %tz : i32
      %x = arith.extsi %tx : i32 to i64
      %z = arith.extsi %k : i32 to i64
      %plane = arith.muli %z, %slice : i64
      %at = arith.addi %plane, %x : i64
      %far = arith.muli %slice, %eight : i64
      %e0 = arith.constant 0 : i64
      %i0 = arith.addi %at, %e0 : i64
      %h0 = arith.addi %i0, %far : i64
      %p0 = llvm.getelementptr %u[%i0] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %a0 = llvm.load %p0 : !llvm.ptr -> f64
      %q0 = llvm.getelementptr %u[%h0] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %b0 = llvm.load %q0 : !llvm.ptr -> f64
      %s0 = llvm.fadd %a0, %b0 : f64
      %d0 = llvm.fadd %zero, %s0 : f64
      %e1 = arith.constant 1 : i64
      %i1 = arith.addi %at, %e1 : i64
      %h1 = arith.addi %i1, %far : i64
      %p1 = llvm.getelementptr %u[%i1] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %a1 = llvm.load %p1 : !llvm.ptr -> f64
      %q1 = llvm.getelementptr %u[%h1] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %b1 = llvm.load %q1 : !llvm.ptr -> f64
      %s1 = llvm.fadd %a1, %b1 : f64
      %d1 = llvm.fadd %d0, %s1 : f64
      %e2 = arith.constant 2 : i64
      %i2 = arith.addi %at, %e2 : i64
      %h2 = arith.addi %i2, %far : i64
      %p2 = llvm.getelementptr %u[%i2] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %a2 = llvm.load %p2 : !llvm.ptr -> f64
      %q2 = llvm.getelementptr %u[%h2] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %b2 = llvm.load %q2 : !llvm.ptr -> f64
      %s2 = llvm.fadd %a2, %b2 : f64
      %d2 = llvm.fadd %d1, %s2 : f64
      %e3 = arith.constant 3 : i64
      %i3 = arith.addi %at, %e3 : i64
      %h3 = arith.addi %i3, %far : i64
      %p3 = llvm.getelementptr %u[%i3] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %a3 = llvm.load %p3 : !llvm.ptr -> f64
      %q3 = llvm.getelementptr %u[%h3] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %b3 = llvm.load %q3 : !llvm.ptr -> f64
      %s3 = llvm.fadd %a3, %b3 : f64
      %d3 = llvm.fadd %d2, %s3 : f64
      %e4 = arith.constant 4 : i64
      %i4 = arith.addi %at, %e4 : i64
      %h4 = arith.addi %i4, %far : i64
      %p4 = llvm.getelementptr %u[%i4] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %a4 = llvm.load %p4 : !llvm.ptr -> f64
      %q4 = llvm.getelementptr %u[%h4] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %b4 = llvm.load %q4 : !llvm.ptr -> f64
      %s4 = llvm.fadd %a4, %b4 : f64
      %d4 = llvm.fadd %d3, %s4 : f64
      %e5 = arith.constant 5 : i64
      %i5 = arith.addi %at, %e5 : i64
      %h5 = arith.addi %i5, %far : i64
      %p5 = llvm.getelementptr %u[%i5] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %a5 = llvm.load %p5 : !llvm.ptr -> f64
      %q5 = llvm.getelementptr %u[%h5] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %b5 = llvm.load %q5 : !llvm.ptr -> f64
      %s5 = llvm.fadd %a5, %b5 : f64
      %d5 = llvm.fadd %d4, %s5 : f64
      %e6 = arith.constant 6 : i64
      %i6 = arith.addi %at, %e6 : i64
      %h6 = arith.addi %i6, %far : i64
      %p6 = llvm.getelementptr %u[%i6] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %a6 = llvm.load %p6 : !llvm.ptr -> f64
      %q6 = llvm.getelementptr %u[%h6] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      %b6 = llvm.load %q6 : !llvm.ptr -> f64
      %s6 = llvm.fadd %a6, %b6 : f64
      %d6 = llvm.fadd %d5, %s6 : f64
      %t = llvm.getelementptr %f[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f64
      llvm.store %d6, %t : f64, !llvm.ptr
    }
  }
  grain.return
}
