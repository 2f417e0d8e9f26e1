// RUN: regrain-opt %s --grain-demote-shared --split-input-file 2>&1 | FileCheck %s --implicit-check-not=remark

// Each array is demoted; addresses that stay in its address space change it, others are converted.
// CHECK-LABEL: grain.kernel @arrays
// CHECK: %[[TILE:.*]] = grain.lent "tile" : !llvm.array<64 x i32> align 4
// CHECK: %[[SUM:.*]] = grain.lent "sum" : i32 align 4
// CHECK: %[[GENERIC:.*]] = llvm.addrspacecast %[[TILE]] : !llvm.ptr<1> to !llvm.ptr
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %[[TILE]][0, %{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>
// CHECK: llvm.store volatile %{{.*}}, %[[AT]] : i32, !llvm.ptr<1>
// CHECK: llvm.store %[[GENERIC]], %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: llvm.atomicrmw add %[[SUM]], %{{.*}} monotonic : !llvm.ptr<1>, i32
// CHECK: grain.barrier
// CHECK: llvm.load %[[SUM]] : !llvm.ptr<1> -> i32
grain.kernel @arrays(%out: !llvm.ptr, %escape: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : !llvm.array<64 x i32> align 4
    %sum = grain.shared "sum" : i32 align 4
    %generic = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %at = llvm.getelementptr inbounds %tile[0, %tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<64 x i32>
      llvm.store volatile %tx, %at : i32, !llvm.ptr<3>
      llvm.store %generic, %escape : !llvm.ptr, !llvm.ptr
      %before = llvm.atomicrmw add %sum, %tx monotonic : !llvm.ptr<3>, i32
      grain.barrier (%tx, %ty, %tz)
      %all = llvm.load %sum : !llvm.ptr<3> -> i32
      llvm.store %all, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Dynamic shared memory stays where it is.
// CHECK-LABEL: grain.kernel @both
// CHECK: grain.lent "tile"
// CHECK: grain.dynamic_shared "more"
// CHECK: llvm.store %{{.*}}, %{{.*}} : i32, !llvm.ptr<3>
grain.kernel @both(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : i32 align 4
    %more = grain.dynamic_shared "more" align 16
    grain.threads (%tx, %ty, %tz) {
      %value = llvm.load %tile : !llvm.ptr<3> -> i32
      llvm.store %value, %more : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// -----

// A function that takes pointers to memory of any kind may get one.
// CHECK-LABEL: grain.kernel @calls
// CHECK: grain.lent "tile"
llvm.func @nvvm.atomic.add.gen.i.cta.i32.p0(!llvm.ptr, i32) -> i32 attributes {grain.callee = #grain.callee<atomic, convergence = none>}
llvm.func @nvvm.fma.rn.d(f64, f64, f64) -> f64 attributes {grain.callee = #grain.callee<instruction, convergence = none>}
llvm.func @memcpy.p0.p0.i64(!llvm.ptr, !llvm.ptr, i64) attributes {grain.callee = #grain.callee<copy, convergence = none>}
llvm.func @__nv_modf(f64, !llvm.ptr) -> f64 attributes {grain.callee = #grain.callee<math, convergence = none>}
grain.kernel @calls(%out: !llvm.ptr, %x: f64, %bytes: i64) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : !llvm.array<64 x f64> align 8
    %generic = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %before = llvm.call @nvvm.atomic.add.gen.i.cta.i32.p0(%generic, %tx) : (!llvm.ptr, i32) -> i32
      %fraction = llvm.call @__nv_modf(%x, %generic) : (f64, !llvm.ptr) -> f64
      %square = llvm.call @nvvm.fma.rn.d(%fraction, %x, %x) : (f64, f64, f64) -> f64
      llvm.call @memcpy.p0.p0.i64(%out, %generic, %bytes) : (!llvm.ptr, !llvm.ptr, i64) -> ()
    }
  }
  grain.return
}
