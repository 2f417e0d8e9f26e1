// Loops of known length are unrolled, and what they read again comes from registers, over barriers.
// RUN: regrain-opt %s --grain-keep-rows --split-input-file 2>&1 | FileCheck %s

// Both loops run twice in all threads. The second one loads nothing.
// CHECK-LABEL: @stored_row(
// CHECK-NOT: scf.while
// CHECK: %[[A:.*]] = llvm.load
// CHECK: %[[S:.*]] = llvm.fadd %{{.*}}, %[[A]]
// CHECK: llvm.store %[[S]]
// CHECK: %[[B:.*]] = llvm.load
// CHECK: %[[T:.*]] = llvm.fadd %[[S]], %[[B]]
// CHECK: llvm.store %[[T]]
// CHECK: grain.barrier
// CHECK-NOT: llvm.load
// CHECK: llvm.fmul %[[S]], %[[T]]
// CHECK: llvm.fmul %[[T]], %[[T]]
// CHECK-NOT: scf.while
// CHECK: grain.return
grain.kernel @stored_row(%x: !llvm.ptr {grain.disjoint}, %out: !llvm.ptr {grain.disjoint}, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %end = arith.constant 128 : i32
  %step = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %sum:2 = scf.while (%i = %tx, %s = %zero) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %t = llvm.fadd %s, %v : f32
        llvm.store %t, %p : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next, %t : i32, f32
      }
      grain.barrier(%tx, %ty, %tz)
      %done = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %w = llvm.fmul %v, %sum#1 : f32
        %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %w, %q : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// A row that is only read.
// CHECK-LABEL: @loaded_row(
// CHECK: %[[A:.*]] = llvm.load
// CHECK: %[[B:.*]] = llvm.load
// CHECK: grain.barrier
// CHECK-NOT: llvm.load
// CHECK: llvm.fmul %[[A]],
// CHECK: llvm.fmul %[[B]],
grain.kernel @loaded_row(%x: !llvm.ptr {grain.disjoint}, %out: !llvm.ptr {grain.disjoint}, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %end = arith.constant 128 : i32
  %step = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %sum:2 = scf.while (%i = %tx, %s = %zero) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %t = llvm.fadd %s, %v : f32
        %next = arith.addi %i, %step : i32
        scf.yield %next, %t : i32, f32
      }
      grain.barrier(%tx, %ty, %tz)
      %done = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %w = llvm.fmul %v, %sum#1 : f32
        %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %w, %q : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// A counted loop that begins at the thread's number.
// CHECK-LABEL: @counted(
// CHECK-COUNT-2: llvm.load
// CHECK: grain.barrier
// CHECK-NOT: llvm.load
// CHECK-COUNT-2: llvm.fmul
grain.kernel @counted(%x: !llvm.ptr {grain.disjoint}, %out: !llvm.ptr {grain.disjoint}, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %end = arith.constant 128 : i32
  %step = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %sum = scf.for %i = %tx to %end step %step iter_args(%s = %zero) -> (f32) : i32 {
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %t = llvm.fadd %s, %v : f32
        scf.yield %t : f32
      }
      grain.barrier(%tx, %ty, %tz)
      scf.for %i = %tx to %end step %step : i32 {
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %w = llvm.fmul %v, %sum : f32
        %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %w, %q : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The first loop, over other memory, stays as it is.
// CHECK-LABEL: @unrelated_loop(
// CHECK: scf.while
// CHECK: llvm.store %{{.*}}, %arg1 : i32
// CHECK: grain.barrier
// CHECK-NOT: scf.while
grain.kernel @unrelated_loop(%x: !llvm.ptr {grain.disjoint}, %out: !llvm.ptr {grain.disjoint}, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %end = arith.constant 128 : i32
  %step = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %other = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %n : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        llvm.store %i, %out : i32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
      %sum:2 = scf.while (%i = %tx, %s = %zero) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %t = llvm.fadd %s, %v : f32
        llvm.store %t, %p : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next, %t : i32, f32
      }
      grain.barrier(%tx, %ty, %tz)
      %done = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %w = llvm.fmul %v, %sum#1 : f32
        %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %w, %q : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}
