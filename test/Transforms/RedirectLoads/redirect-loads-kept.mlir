// RUN: regrain-opt %s --pass-pipeline='builtin.module(grain.kernel(grain-coarsen-threads{factors=4,1,1 contiguous joins-guards required},grain-redirect-loads))' --verify-diagnostics | FileCheck %s

// Neighbours that read an element each gain nothing.

// CHECK-LABEL: grain.kernel @copy(
// CHECK: arith.select {{.*}} : !llvm.ptr
// CHECK: llvm.mlir.poison
// expected-remark@+1 {{redirect-loads: guards=joined needs neighbours that load the same elements}}
grain.kernel @copy(%out: !llvm.ptr, %in: !llvm.ptr, %n: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %inside = arith.cmpi slt, %tx, %n : i32
      scf.if %inside {
        %from = llvm.getelementptr %in[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %x = llvm.load %from : !llvm.ptr -> f32
        %to = llvm.getelementptr %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %x, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}
