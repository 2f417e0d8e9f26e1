// Rows are padded where the lanes of a warp access one bank; the place of each access follows from its offset.
// RUN: regrain-opt %s --grain-pad-shared --split-input-file | FileCheck %s

// A column of 32 floats: each row is followed by one more.
// CHECK-LABEL: grain.kernel @columns
// CHECK: %[[TILE:.*]] = grain.shared "tile" : !llvm.array<4220 x i8> align 16
// CHECK: %[[GENERIC:.*]] = llvm.addrspacecast %[[TILE]]
grain.kernel @columns(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : !llvm.array<32 x array<32 x f32>> align 16
    %generic = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extui %tx : i32 to i64
      %y = arith.extui %ty : i32 to i64
      %from = llvm.getelementptr inbounds %in[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %value = llvm.load %from : !llvm.ptr -> f32
      // CHECK: %[[ROW:.*]] = llvm.getelementptr inbounds %[[GENERIC]][0, %[[Y:.*]], %[[X:.*]]] : {{.*}}, !llvm.array<32 x array<32 x f32>>
      // CHECK-DAG: %[[ROWS:.*]] = arith.muli %{{.*}}, %c128_i32{{.*}} : i32
      // CHECK: %[[OFFSET:.*]] = arith.addi
      // CHECK: %[[OFFSET:.*]] = arith.addi
      // CHECK: %[[NUMBER:.*]] = arith.divui %[[OFFSET]], %c128_i32
      // CHECK: %[[SHIFT:.*]] = arith.muli %[[NUMBER]], %c4_i32
      // CHECK: %[[PLACE:.*]] = llvm.getelementptr inbounds %[[ROW]][%[[SHIFT]]] : (!llvm.ptr, i32) -> !llvm.ptr, i8
      // A greater alignment than that of the padding is given up.
      // CHECK: llvm.store %{{.*}}, %[[PLACE]] {alignment = 4 : i64}
      %row = llvm.getelementptr inbounds %generic[0, %y, %x] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<32 x array<32 x f32>>
      llvm.store %value, %row {alignment = 16 : i64} : f32, !llvm.ptr
      grain.barrier (%tx, %ty, %tz)
      // CHECK: %[[COLUMN:.*]] = llvm.getelementptr inbounds %[[GENERIC]][0, %[[X]], %[[Y]]]
      // CHECK: %[[PLACE:.*]] = llvm.getelementptr inbounds %[[COLUMN]][%{{.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, i8
      // CHECK: llvm.load %[[PLACE]] {alignment = 4 : i64}
      %column = llvm.getelementptr inbounds %generic[0, %x, %y] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<32 x array<32 x f32>>
      %other = llvm.load %column {alignment = 4 : i64} : !llvm.ptr -> f32
      %to = llvm.getelementptr inbounds %out[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %other, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Rows of a flat array are found by the distance of the lanes. Doubles stay aligned.
// CHECK-LABEL: grain.kernel @flat
// CHECK: grain.shared "s" : !llvm.array<4216 x i8> align 8
// CHECK: arith.divui %{{.*}}, %c256_i32
// CHECK: arith.muli %{{.*}}, %c8_i32
grain.kernel @flat(%out: !llvm.ptr) {
  %c5 = arith.constant 5 : i32
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<512 x f64> align 8
    grain.threads (%tx, %ty, %tz) {
      %first = arith.shli %tx, %c5 : i32
      %index = arith.addi %first, %ty : i32
      %place = llvm.getelementptr %s[0, %index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<512 x f64>
      %value = llvm.load %place : !llvm.ptr<3> -> f64
      llvm.store %value, %out : f64, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The elements of a column are accessed four at a time: rows stay aligned to 16 bytes. Atomic operations move as well.
// CHECK-LABEL: grain.kernel @wide
// CHECK: grain.shared "s" : !llvm.array<4592 x i8> align 16
// CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32
grain.kernel @wide(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<32 x array<32 x i32>> align 16
    grain.threads (%tx, %ty, %tz) {
      %four = llvm.getelementptr %s[0, %tx, 0] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x i32>>
      %value = llvm.load %four {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
      llvm.store %value, %out {alignment = 4 : i64} : vector<4xi32>, !llvm.ptr
      %old = llvm.atomicrmw add %four, %ty monotonic : !llvm.ptr<3>, i32
    }
  }
  grain.return
}

// -----

// Only arrays with conflicts are padded, and only those whose addresses do not escape.
// CHECK-LABEL: grain.kernel @some
// CHECK: grain.shared "padded" : !llvm.array<4220 x i8>
// CHECK: grain.shared "rows" : !llvm.array<32 x array<32 x f32>>
// CHECK: grain.shared "escapes" : !llvm.array<32 x array<32 x f32>>
grain.kernel @some(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %padded = grain.shared "padded" : !llvm.array<32 x array<32 x f32>> align 4
    %rows = grain.shared "rows" : !llvm.array<32 x array<32 x f32>> align 4
    %escapes = grain.shared "escapes" : !llvm.array<32 x array<32 x f32>> align 4
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.getelementptr %padded[0, %tx, %ty] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
      %b = llvm.getelementptr %rows[0, %ty, %tx] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
      %c = llvm.getelementptr %escapes[0, %tx, %ty] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
      %x = llvm.load %a : !llvm.ptr<3> -> f32
      llvm.store %x, %b : f32, !llvm.ptr<3>
      llvm.store %x, %c : f32, !llvm.ptr<3>
      llvm.store %c, %out : !llvm.ptr<3>, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The eight lanes of a row of the block access the banks of those of the next one.
// CHECK-LABEL: grain.kernel @known_block
// CHECK: grain.shared "s" : !llvm.array<5088 x i8>
grain.kernel @known_block(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 8, 8, 1>} {
    %s = grain.shared "s" : !llvm.array<32 x array<32 x f32>> align 4
    grain.threads (%tx, %ty, %tz) {
      %a = llvm.getelementptr %s[0, %ty, %tx] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
      %x = llvm.load %a : !llvm.ptr<3> -> f32
      llvm.store %x, %out : f32, !llvm.ptr
    }
  }
  grain.return
}
