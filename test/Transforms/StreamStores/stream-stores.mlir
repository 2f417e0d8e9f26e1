// RUN: regrain-opt %s --grain-stream-stores --split-input-file 2>&1 | FileCheck %s

// These are stores through a pointer that nothing reads through; memory that is read keeps its stores.
// CHECK-LABEL: grain.kernel @two
// CHECK: llvm.store %{{.*}}, %{{.*}} {nontemporal} : f32, !llvm.ptr
// CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr
// CHECK-NOT: remark
grain.kernel @two(%out: !llvm.ptr, %data: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %from = llvm.getelementptr inbounds %data[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %to = llvm.getelementptr inbounds %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %value = llvm.load %from : !llvm.ptr -> f32
      llvm.store %value, %to : f32, !llvm.ptr
      llvm.store %value, %from : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// This covers a module variable, and branches of which one runs; shared memory and variables of the thread may be read.
// CHECK-LABEL: grain.kernel @branches
// CHECK: llvm.store %{{.*}}, %{{.*}} {nontemporal} : i32
// CHECK: llvm.store %{{.*}}, %{{.*}} {nontemporal} : i32
// CHECK: llvm.store %{{.*}}, %{{.*}} : i32, !llvm.ptr<3>
llvm.mlir.global external @results() {addr_space = 1 : i32} : !llvm.array<64 x i32>
grain.kernel @branches(%limit: i32) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %results = llvm.mlir.addressof @results : !llvm.ptr<1>
      %to = llvm.getelementptr inbounds %results[0, %tx] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<64 x i32>
      %at = llvm.getelementptr inbounds %tile[0, %tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<64 x i32>
      %value = llvm.load %at : !llvm.ptr<3> -> i32
      %condition = arith.cmpi slt, %tx, %limit : i32
      scf.if %condition {
        llvm.store %value, %to : i32, !llvm.ptr<1>
      } else {
        llvm.store %tx, %to : i32, !llvm.ptr<1>
      }
      llvm.store %tx, %at : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// -----

// The index of these loops, or a value that they carry, is in the address.
// CHECK-LABEL: grain.kernel @loops
// CHECK: llvm.store %{{.*}}, %{{.*}} {nontemporal} : i32
// CHECK: llvm.store %{{.*}}, %{{.*}} {nontemporal} : i32
grain.kernel @loops(%out: !llvm.ptr, %other: !llvm.ptr, %n: i32, %step: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %to = llvm.getelementptr inbounds %out[%i, %tx] : (!llvm.ptr, i32, i32) -> !llvm.ptr, !llvm.array<64 x i32>
        llvm.store %i, %to : i32, !llvm.ptr
      }
      %end = scf.while (%at = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %at, %n : i32
        scf.condition(%more) %at : i32
      } do {
      ^bb0(%at: i32):
        %to = llvm.getelementptr inbounds %other[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %at, %to : i32, !llvm.ptr
        %next = arith.addi %at, %step overflow<nsw> : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Lanes that meet, and that exchange values, read no memory.
// CHECK-LABEL: grain.kernel @lanes
// CHECK: llvm.store %{{.*}}, %{{.*}} {nontemporal} : i32
grain.kernel @lanes(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %all = arith.constant -1 : i32
      %one = arith.constant 1 : i32
      %last = arith.constant 31 : i32
      nvvm.bar.warp.sync %all : i32
      %other = nvvm.shfl.sync bfly %all, %tx, %one, %last : i32 -> i32
      %to = llvm.getelementptr inbounds %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %other, %to : i32, !llvm.ptr
    }
  }
  grain.return
}
