// Lanes of rows that are shorter keep fewer elements: the greatest number that the row has for all of them. Lanes of
// a block, whose rows are long, keep all or none.
// RUN: regrain-opt %s '--grain-split-threads=shape=256,1,1 reassociate=1 elements=8' --grain-clean-up | FileCheck %s
// RUN: regrain-opt %s '--grain-split-threads=shape=256,1,1 lanes=256 reassociate=1 elements=8' --grain-clean-up | FileCheck %s --check-prefix=BLOCK

// CHECK: %[[EIGHT:.*]] = arith.cmpi sgt, %[[N:.*]], %c255_i64
// CHECK: %[[FIRST:.*]]:10 = scf.if %[[EIGHT]]
// CHECK-COUNT-8: llvm.load
// CHECK-NOT: llvm.load
// CHECK: } else {
// CHECK: %[[SIX:.*]] = arith.cmpi sgt, %[[N]], %c191_i64
// CHECK: scf.if %[[SIX]]
// CHECK-COUNT-6: llvm.load
// CHECK-NOT: llvm.load
// CHECK: } else {
// CHECK: %[[FOUR:.*]] = arith.cmpi sgt, %[[N]], %c127_i64
// CHECK: scf.if %[[FOUR]]
// CHECK-COUNT-4: llvm.load
// CHECK-NOT: llvm.load
// CHECK: } else {
// CHECK: %[[TWO:.*]] = arith.cmpi sgt, %[[N]], %c63_i64
// CHECK: scf.if %[[TWO]]
// CHECK-COUNT-2: llvm.load
// CHECK-NOT: llvm.load
// CHECK: } else {
// CHECK: scf.for %{{.*}} = %[[FIRST]]#9 to %[[N]]
// The second loop loads nothing of these.
// CHECK: scf.if %[[EIGHT]]
// CHECK-NOT: llvm.load
// CHECK: scf.for

// BLOCK: %[[ALL:.*]] = arith.cmpi sgt, %[[N:.*]], %c2047_i64
// BLOCK: scf.if %[[ALL]]
// BLOCK-COUNT-8: llvm.load
// BLOCK: } else {
// BLOCK-NEXT: scf.yield
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
