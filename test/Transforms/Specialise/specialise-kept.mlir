// RUN: regrain-opt %s --grain-specialise="known=for.arg0=3" --canonicalize | FileCheck %s
// RUN: regrain-opt %s --grain-specialise="known=original" | FileCheck %s --check-prefix=NONE

// Unknown values stay as they are: sizes are read, coordinates are used.

// CHECK-LABEL: grain.kernel @sizes
// CHECK: grain.blocks (%[[BX:[^,]*]], %{{.*}}, %{{.*}}) {
// CHECK: grain.threads (%{{.*}}, %[[TY:[^,]*]], %{{.*}}) {
// CHECK-DAG: %[[BLOCK:.*]] = grain.block_size x
// CHECK-DAG: %[[GRID:.*]] = grain.grid_size z
// CHECK-DAG: llvm.store volatile %[[BLOCK]]
// CHECK-DAG: llvm.store volatile %[[GRID]]
// CHECK-DAG: llvm.store volatile %[[BX]]
// CHECK-DAG: llvm.store volatile %[[TY]]
// CHECK-DAG: llvm.store volatile %c3_i16

// NONE-LABEL: grain.kernel @sizes
// NONE-SAME: (%[[N:[^:]*]]: i16
// NONE-NOT: arith.constant
// NONE-NOT: known_
// NONE: llvm.store volatile %[[N]]

grain.kernel @sizes(%n: i16, %p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %block = grain.block_size x
      %grid = grain.grid_size z
      llvm.store volatile %block, %p : i32, !llvm.ptr
      llvm.store volatile %grid, %p : i32, !llvm.ptr
      llvm.store volatile %bx, %p : i32, !llvm.ptr
      llvm.store volatile %ty, %p : i32, !llvm.ptr
      llvm.store volatile %n, %p : i16, !llvm.ptr
    }
  }
  grain.return
}
