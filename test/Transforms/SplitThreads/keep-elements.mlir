// Lanes keep what they have loaded and stored in their first iterations for later loops.
// RUN: regrain-opt %s '--grain-split-threads=shape=64,1,1 elements=2 reassociate' --canonicalize --cse | FileCheck %s

// If all lanes have two iterations, each loads both elements first, and hands them out with the number of the
// iteration that is left. Otherwise all run the loop.
// CHECK-LABEL: grain.kernel @kept
// CHECK: %[[LANE:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK: %[[N:.*]] = arith.extsi %arg2 : i32 to i64
// CHECK: %[[BOTH:.*]] = arith.cmpi sgt, %[[N]], %c63_i64
// CHECK: %[[FIRST:.*]]:4 = scf.if %[[BOTH]] -> (f32, f32, f32, i64) {
// CHECK: %[[A:.*]] = llvm.load
// CHECK-NEXT: %[[B:.*]] = llvm.load
// CHECK: %[[LEFT:.*]] = arith.addi %[[LANE]], %c64_i64
// CHECK: scf.yield %{{.*}}, %[[A]], %[[B]], %[[LEFT]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[NONE:.*]], %[[POISON:.*]], %[[POISON]], %[[LANE]]
// CHECK: scf.for %{{.*}} = %[[FIRST]]#3 to %[[N]] step %c32_i64 iter_args(%{{.*}} = %[[FIRST]]#0)
// CHECK: llvm.load

// The second loop reads registers, and stores nothing that the third one overwrites; it hands out what
// it would have stored.
// CHECK: %[[SECOND:.*]]:4 = scf.if %[[BOTH]] -> (f32, f32, f32, i64) {
// CHECK-NOT: llvm.load
// CHECK-NOT: llvm.store
// CHECK: llvm.fsub %[[FIRST]]#1
// CHECK: llvm.fsub %[[FIRST]]#2
// CHECK: scf.for {{.*}} = %[[SECOND]]#3
// CHECK: llvm.load
// CHECK: llvm.store

// The third loop stores.
// CHECK: %[[THIRD:.*]] = scf.if %[[BOTH]] -> (i64) {
// CHECK-NOT: llvm.load
// CHECK: llvm.fmul %[[SECOND]]#1
// CHECK: llvm.store
// CHECK: llvm.fmul %[[SECOND]]#2
// CHECK: llvm.store
// CHECK: scf.for %{{.*}} = %[[THIRD]]
// CHECK: llvm.load
// CHECK: llvm.store
grain.kernel @kept(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %second = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %d = llvm.fsub %v, %sum : f32
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %d, %to : f32, !llvm.ptr
        %next = llvm.fadd %s, %d : f32
        scf.yield %next : f32
      }
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %d = llvm.load %to : !llvm.ptr -> f32
        %p = llvm.fmul %d, %second : f32
        llvm.store %p, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// A loop that runs every second iteration reads the elements as well, from memory. So the store stays.
// CHECK-LABEL: grain.kernel @seen
// CHECK: scf.if
// CHECK-COUNT-2: llvm.load
// CHECK-COUNT-2: llvm.store
// CHECK: } else {
grain.kernel @seen(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %from : !llvm.ptr -> i32
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %v, %to : i32, !llvm.ptr
      }
      %sum = scf.for %j = %c0 to %n step %c2 iter_args(%s = %c0) -> (i32) : i32 {
        %at = arith.extui %j : i32 to i64
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %to : !llvm.ptr -> i32
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %to : !llvm.ptr -> i32
        %next = arith.addi %v, %sum : i32
        llvm.store %next, %to : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// Loops with other ends keep elements together if all of these are in front of all ends. The loop with the
// branch is divided: its first part keeps, too, and stores what the second loop does not store then.
// CHECK-LABEL: grain.kernel @triangle
// CHECK: %[[T:.*]] = arith.extsi %arg3 : i32 to i64
// CHECK: %[[MIDDLE:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: %[[WIDE:.*]] = arith.extsi %[[MIDDLE]] : i32 to i64
// CHECK: %[[ISLESS:.*]] = arith.cmpi slt, %[[T]], %[[WIDE]]
// CHECK: %[[LEAST:.*]] = arith.select %[[ISLESS]], %[[T]], %[[WIDE]]
// CHECK: %[[ALL:.*]] = arith.cmpi sgt, %[[LEAST]], %c63_i64 : i64
// CHECK: scf.if %[[ALL]] -> (f32, f32, f32, i64)
// CHECK: scf.if %[[ALL]] -> (f32, f32, f32, i64)
// CHECK-NOT: llvm.load
// CHECK-NOT: llvm.store
// CHECK: } else {
// CHECK: scf.for
// CHECK: llvm.store
// CHECK: %[[THIRD:.*]] = scf.if %[[ALL]] -> (i64) {
// CHECK-NOT: llvm.load
// CHECK-COUNT-2: llvm.store
// CHECK-NOT: llvm.load
// CHECK: } else {
// CHECK: scf.for %{{.*}} = %[[THIRD]]
// CHECK: llvm.load
// CHECK: llvm.store
grain.kernel @triangle(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32, %t: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %start = arith.muli %thread, %n overflow<nsw> : i32
      %far = arith.extsi %start : i32 to i64
      %row = llvm.getelementptr inbounds %in[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %target = llvm.getelementptr inbounds %out[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %sum = scf.for %j = %c0 to %t step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %more = scf.for %j = %c0 to %t step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %d = llvm.fsub %v, %sum : f32
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %d, %to : f32, !llvm.ptr
        %next = llvm.fadd %s, %d : f32
        scf.yield %next : f32
      }
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %to = llvm.getelementptr inbounds %target[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %inside = arith.cmpi slt, %j, %t : i32
        scf.if %inside {
          %v = llvm.load %to : !llvm.ptr -> f32
          %p = llvm.fmul %v, %more : f32
          llvm.store %p, %to : f32, !llvm.ptr
        } else {
          llvm.store %zero, %to : f32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// Both loops read one row, whose elements are counted in bytes by one of them.
// CHECK-LABEL: grain.kernel @spelt
// CHECK: scf.if %[[SPELT:.*]] -> (f32, f32, f32, i64) {
// CHECK: scf.if %[[SPELT]] -> (i64) {
// CHECK-NOT: llvm.load
// CHECK: llvm.store
grain.kernel @spelt(%out: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pitch = arith.constant 72 : i64
  %bytes = arith.constant 288 : i64
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %size = grain.block_size x
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %first = arith.muli %bx, %size : i32
      %thread = arith.addi %first, %tx : i32
      %row = arith.extui %thread : i32 to i64
      %start = arith.muli %row, %bytes overflow<nsw, nuw> : i64
      %mine = llvm.getelementptr inbounds %in[%start] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %at = arith.extui %j : i32 to i64
        %from = llvm.getelementptr inbounds %mine[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %next = llvm.fadd %s, %v : f32
        scf.yield %next : f32
      }
      %elements = arith.muli %row, %pitch overflow<nsw, nuw> : i64
      scf.for %j = %c0 to %n step %c1 : i32 {
        %at = arith.extui %j : i32 to i64
        %number = arith.addi %elements, %at overflow<nsw, nuw> : i64
        %from = llvm.getelementptr inbounds %in[%number] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %from : !llvm.ptr -> f32
        %less = llvm.fsub %v, %sum : f32
        %to = llvm.getelementptr inbounds %out[%number] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %less, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}
