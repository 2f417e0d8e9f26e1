// RUN: regrain-opt %s --grain-transpose-accesses --canonicalize --cse --split-input-file 2>&1 | FileCheck %s --implicit-check-not=remark

// Neighbours in y store neighbouring elements. The conditions of the other thread are computed one behind the other.
// CHECK-LABEL: grain.kernel @stores
// CHECK: %[[TILE:.*]] = grain.shared "transposed" : !llvm.array<1056 x f32> align 16
// CHECK: grain.threads (%[[X:.*]], %[[Y:.*]], %[[Z:.*]]) attributes
// CHECK: scf.if
// CHECK: %[[READ:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: %[[ROW:.*]] = arith.muli %[[Y]], %c33_i32
// CHECK: %[[SLOT:.*]] = arith.addi %[[X]], %[[ROW]]
// CHECK: %[[OWN:.*]] = llvm.getelementptr inbounds %[[TILE]][%[[SLOT]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
// CHECK: llvm.store %[[READ]], %[[OWN]] {alignment = 4 : i64} : f32, !llvm.ptr<3>
// CHECK: grain.barrier(%[[X]], %[[Y]], %[[Z]])
// CHECK: %[[ROW2:.*]] = arith.muli %[[X]], %c33_i32
// CHECK: %[[SLOT2:.*]] = arith.addi %[[Y]], %[[ROW2]]
// CHECK: %[[THEIRS:.*]] = llvm.getelementptr inbounds %[[TILE]][%[[SLOT2]]]
// CHECK: %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[Y]]
// CHECK: %[[FIRST:.*]] = arith.cmpi slt, %[[COLUMN]], %{{.*}}
// CHECK: scf.if %[[FIRST]] {
// CHECK: %[[OTHER:.*]] = arith.addi %{{.*}}, %[[X]]
// CHECK: %[[SECOND:.*]] = arith.cmpi slt, %[[OTHER]]
// CHECK: scf.if %[[SECOND]] {
// CHECK: %[[VALUE:.*]] = llvm.load %[[THEIRS]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK: llvm.store %[[VALUE]], %{{.*}} {alignment = 16 : i64, nontemporal} : f32, !llvm.ptr
// CHECK-NOT: llvm.store
// CHECK: grain.return
grain.kernel @stores(%out: !llvm.ptr, %in: !llvm.ptr, %nx: i32, %ny: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 32, 32, 1>} {
      %c32 = arith.constant 32 : i32
      %x0 = arith.muli %bx, %c32 overflow<nsw, nuw> : i32
      %x = arith.addi %x0, %tx overflow<nsw, nuw> : i32
      %y0 = arith.muli %by, %c32 overflow<nsw, nuw> : i32
      %y = arith.addi %y0, %ty overflow<nsw, nuw> : i32
      %a = arith.cmpi slt, %x, %nx : i32
      scf.if %a {
        %b = arith.cmpi slt, %y, %ny : i32
        scf.if %b {
          %xl = arith.extsi %x : i32 to i64
          %yl = arith.extsi %y : i32 to i64
          %nxl = arith.extsi %nx : i32 to i64
          %nyl = arith.extsi %ny : i32 to i64
          %f = arith.muli %yl, %nxl : i64
          %fi = arith.addi %f, %xl : i64
          %from = llvm.getelementptr inbounds %in[%fi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %v = llvm.load %from : !llvm.ptr -> f32
          %t = arith.muli %xl, %nyl : i64
          %ti = arith.addi %t, %yl : i64
          %to = llvm.getelementptr inbounds %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          llvm.store %v, %to {alignment = 16 : i64, nontemporal} : f32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}

// -----

// Loads come in front of all that is written. A block that is not square numbers its threads: 8 rows of 16 bytes.
// CHECK-LABEL: grain.kernel @loads
// CHECK: %[[TILE:.*]] = grain.shared "transposed" : !llvm.array<272 x i16> align 16
// CHECK: grain.threads (%[[X:.*]], %[[Y:.*]], %{{.*}}) {
// CHECK: %[[ROW:.*]] = arith.muli %[[Y]], %c32_i32
// CHECK: %[[NUMBER:.*]] = arith.addi %[[X]], %[[ROW]]
// CHECK: %[[LINE:.*]] = arith.remui %[[NUMBER]], %c8_i32
// CHECK: %[[COLUMN:.*]] = arith.divui %[[NUMBER]], %c8_i32
// CHECK: %[[PLACE:.*]] = arith.muli %[[LINE]], %c34_i32
// CHECK: %[[SLOT:.*]] = arith.addi %[[COLUMN]], %[[PLACE]]
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %[[TILE]][%[[SLOT]]]
// CHECK: %[[LOADED:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i16
// CHECK: llvm.store %[[LOADED]], %[[AT]] {alignment = 2 : i64} : i16, !llvm.ptr<3>
// CHECK: grain.barrier
// CHECK: %[[OWN:.*]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> i16
// CHECK: %[[SUM:.*]] = arith.addi %[[OWN]], %[[OWN]]
// CHECK: llvm.store %[[SUM]], %{{.*}} : i16, !llvm.ptr
// CHECK-NOT: barrier
// CHECK: grain.return
grain.kernel @loads(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 8, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %c1000 = arith.constant 1000 : i64
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %f = arith.muli %xl, %c1000 : i64
      %fi = arith.addi %f, %yl : i64
      %from = llvm.getelementptr inbounds %in[%fi] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      %v = llvm.load %from : !llvm.ptr -> i16
      %sum = arith.addi %v, %v : i16
      %t = arith.muli %yl, %c1000 : i64
      %ti = arith.addi %t, %xl : i64
      %to = llvm.getelementptr inbounds %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      llvm.store %sum, %to : i16, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Where the condition does not hold, the other thread's does not either. Of two stores, the first stays first.
// CHECK-LABEL: grain.kernel @two
// CHECK-COUNT-2: grain.shared "transposed"
// CHECK: grain.barrier
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: } else {
// CHECK: %[[ONE:.*]] = llvm.load
// CHECK: llvm.store %[[ONE]], %[[A:.*]] : i32, !llvm.ptr
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: } else {
// CHECK: %[[TWO:.*]] = llvm.load
// CHECK: llvm.store %[[TWO]], %{{.*}} : i32, !llvm.ptr
grain.kernel @two(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %c64 = arith.constant 64 : i64
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %c = arith.cmpi ult, %tx, %n : i32
      scf.if %c {
      } else {
        %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %tx, %p : i32, !llvm.ptr
        %q = llvm.getelementptr inbounds %b[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %ty, %q : i32, !llvm.ptr
      }
    }
  }
  grain.return
}
