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
