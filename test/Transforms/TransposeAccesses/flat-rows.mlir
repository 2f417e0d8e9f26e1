// A flat index that is divided by the length of rows: blocks take 32 elements of each of 32 rows, if the length is a
// multiple of 32 and the launch fills the rows. The length is computed without flags, since it is not behind the guard.
// RUN: regrain-opt %s --grain-transpose-accesses --canonicalize --cse | FileCheck %s

// CHECK-LABEL: grain.kernel @permute
// CHECK: %[[TILE:.*]] = grain.shared "transposed" : !llvm.array<1056 x f32> align 16
// CHECK: grain.threads (%[[T:.*]], %{{.*}}, %{{.*}}) attributes
// CHECK: %[[START:.*]] = arith.muli %{{.*}}, %c1024_i32 : i32
// CHECK: %[[FLAT:.*]] = arith.addi %[[START]], %[[T]] : i32
// CHECK: %[[LENGTH:.*]] = arith.muli %{{[^ ]*}}, %{{[^ ]*}} : i32
// CHECK: arith.remui %[[LENGTH]], %c32_i32
// CHECK: arith.cmpi ne, %[[LENGTH]], %c0_i32
// CHECK: arith.cmpi ult, %[[LENGTH]], %c33554432_i32
// CHECK: %[[ROW:.*]] = arith.select %{{.*}}, %[[LENGTH]], %c32_i32
// CHECK: %[[ROWS:.*]] = arith.muli %[[ROW]], %c32_i32
// CHECK: %[[GROUP:.*]] = arith.divui %[[START]], %[[ROWS]]
// CHECK: %[[FIRST:.*]] = arith.muli %[[GROUP]], %[[ROWS]]
// CHECK: %[[END:.*]] = arith.addi %[[FIRST]], %[[ROWS]]
// CHECK: %[[ALL:.*]] = arith.muli %{{.*}}, %{{.*}} : i32
// CHECK: %[[FILLED:.*]] = arith.cmpi ule, %[[END]], %[[ALL]]
// CHECK: %[[WHOLE:.*]] = arith.andi %{{.*}}, %[[FILLED]]
// CHECK: %[[LANE:.*]] = arith.remui %[[T]], %c32_i32
// CHECK: %[[LINE:.*]] = arith.divui %[[T]], %c32_i32
// CHECK: %[[BEFORE:.*]] = arith.subi %[[START]], %[[FIRST]]
// CHECK: %[[COLUMN:.*]] = arith.divui %[[BEFORE]], %c32_i32
// CHECK: arith.muli %[[LINE]], %[[ROW]]
// CHECK: %[[PLACE:.*]] = arith.addi
// CHECK: %[[NUMBER:.*]] = arith.select %[[WHOLE]], %{{.*}}, %[[FLAT]]
// CHECK: arith.cmpi ult, %[[NUMBER]], %[[ALL]]
// CHECK: llvm.load
// CHECK: %[[SLOT:.*]] = arith.addi %[[T]], %[[LINE]]
// CHECK: llvm.getelementptr inbounds %[[TILE]][%[[SLOT]]]
// CHECK: grain.barrier
// CHECK: arith.muli %[[LANE]], %c32_i32
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr
// CHECK: grain.return
grain.kernel @permute(%in: !llvm.ptr, %out: !llvm.ptr, %d1: i32, %d2: i32, %d3: i32, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) attributes {shape = array<i32: 1024, 1, 1>} {
      %c1024 = arith.constant 1024 : i32
      %s = arith.muli %bx, %c1024 : i32
      %i = arith.addi %s, %tx : i32
      %size = grain.block_size x
      %grid = grain.grid_size x
      %all = arith.muli %grid, %size : i32
      %inside = arith.cmpi ult, %i, %all : i32
      scf.if %inside {
        %c = arith.cmpi slt, %i, %n : i32
        scf.if %c {
          %row = arith.muli %d2, %d3 overflow<nsw> : i32
          %q = arith.divsi %i, %row : i32
          %r = arith.remsi %q, %d1 : i32
          %k = arith.remsi %i, %row : i32
          %kd = arith.muli %k, %d1 overflow<nsw> : i32
          %o = arith.addi %kd, %r overflow<nsw> : i32
          %il = arith.extsi %i : i32 to i64
          %ol = arith.extsi %o : i32 to i64
          %from = llvm.getelementptr inbounds %in[%il] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %v = llvm.load %from : !llvm.ptr -> f32
          %to = llvm.getelementptr inbounds %out[%ol] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          llvm.store %v, %to : f32, !llvm.ptr
        }
      }
    }
  }
  grain.return
}
