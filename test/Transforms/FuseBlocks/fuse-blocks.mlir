// RUN: regrain-opt %s --grain-fuse-blocks="factors=4,1,2" --canonicalize --cse | FileCheck %s

// The index of the launch needs no division, and neither does the comparison at the edge.

// CHECK-LABEL: grain.kernel @index
grain.kernel @index(%p: !llvm.ptr, %value: i32) {
  // CHECK: grain.blocks (%[[BX:[^,]*]], %{{.*}}, %[[BZ:[^)]*]]) factors [4, 1, 2] {
  grain.blocks (%bx, %by, %bz) {
    %size = grain.block_size x
    %start = arith.muli %bx, %size : i32
    // CHECK: grain.threads (%[[PX:[^,]*]], %{{.*}}, %{{.*}}) attributes {fused = array<i32: 4, 1, 2>} {
    grain.threads (%tx, %ty, %tz) {
      // CHECK-NOT: arith.divui
      // CHECK: %[[START:.*]] = arith.muli %[[BX]], %[[SIZE:.*]] : i32
      // CHECK: %[[INDEX:.*]] = arith.addi %[[START]], %[[PX]]
      // CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[BX]]
      // CHECK: %[[HAVE:.*]] = arith.minui %[[LEFT]], %c4_i32
      // CHECK: %[[LIMIT:.*]] = arith.muli %[[HAVE]], %[[SIZE]]
      // CHECK: arith.cmpi ult, %[[PX]], %[[LIMIT]]
      // CHECK: %[[INSIDE:.*]] = arith.andi
      // CHECK: scf.if %[[INSIDE]] {
      // CHECK-NOT: arith.remui
      // CHECK: getelementptr %{{.*}}[%[[INDEX]]]
      %i = arith.addi %start, %tx : i32
      %slot = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %value, %slot : i32, !llvm.ptr
    }
  }
  grain.return
}

// Each block keeps its shared memory; the barrier is outside of the guard at the edge.

// CHECK-LABEL: grain.kernel @shared
grain.kernel @shared(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    // These are 20 bytes, 32 with the alignment, eight times.
    // CHECK: %[[ALL:.*]] = grain.shared "tile" : !llvm.array<256 x i8> align 16
    // CHECK: %[[DYNAMIC:.*]] = grain.dynamic_shared "more" align 4
    %tile = grain.shared "tile" : !llvm.array<5 x f32> align 16
    %more = grain.dynamic_shared "more" align 4
    grain.threads (%tx, %ty, %tz) {
      // CHECK: %[[PART:.*]] = arith.divui
      // CHECK: %[[OWN:.*]] = arith.muli %{{.*}}, %c32_i32
      // CHECK: %[[TILE:.*]] = llvm.getelementptr inbounds %[[ALL]][%[[OWN]]]
      // CHECK: %[[BYTES:.*]] = grain.dynamic_shared_size
      // CHECK: %[[OFFSET:.*]] = arith.muli %{{.*}}, %[[BYTES]]
      // CHECK: %[[MORE:.*]] = llvm.getelementptr inbounds %[[DYNAMIC]][%[[OFFSET]]]
      // CHECK: scf.if
      // CHECK: llvm.store %{{.*}}, %[[TILE]]
      // CHECK: }
      // CHECK-NEXT: grain.barrier
      // CHECK-NEXT: scf.if
      // CHECK: llvm.load %[[TILE]]
      // CHECK: llvm.store %{{.*}}, %[[MORE]]
      llvm.store %tx, %tile : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %seen = llvm.load %tile : !llvm.ptr<3> -> i32
      llvm.store %seen, %more : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// Warps stay whole only in blocks of whole warps.

// CHECK-LABEL: grain.kernel @warp
// CHECK: grain.threads ({{.*}}) whole_warps attributes {fused
grain.kernel @warp(%p: !llvm.ptr, %mask: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %got = nvvm.shfl.sync bfly %mask, %tx, %mask, %mask : i32 -> i32
      llvm.store %got, %p : i32, !llvm.ptr
    }
  }
  grain.return
}
