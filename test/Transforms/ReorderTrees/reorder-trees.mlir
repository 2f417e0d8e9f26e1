// RUN: regrain-opt %s --grain-reorder-trees --grain-clean-up | FileCheck %s

// Neighbours are combined first. Sums in another order may overflow.
// CHECK-LABEL: grain.kernel @sum
// CHECK: %[[REST:.*]] = arith.andi %[[T:.*]], %c1_i32
// CHECK-NEXT: %[[EVEN:.*]] = arith.cmpi eq, %[[REST]], %c0_i32
// CHECK-NEXT: scf.if %[[EVEN]] {
// CHECK: arith.addi %[[T]], %c1_i32
// CHECK: arith.addi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: llvm.store
// CHECK: grain.barrier
// CHECK: arith.andi %[[T]], %c3_i32
// CHECK: arith.addi %[[T]], %c2_i32
// CHECK: arith.andi %[[T]], %c7_i32
// CHECK: arith.addi %[[T]], %c4_i32
// CHECK: arith.andi %[[T]], %c15_i32
// CHECK: arith.addi %[[T]], %c8_i32
// CHECK: arith.andi %[[T]], %c31_i32
// CHECK: arith.addi %[[T]], %c16_i32
// CHECK: arith.andi %[[T]], %c63_i32
// CHECK: arith.addi %[[T]], %c32_i32
// CHECK: grain.barrier
// CHECK-NEXT: llvm.load
// CHECK: grain.return
grain.kernel @sum(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c24 = arith.constant 24 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %array = grain.shared "a" : !llvm.array<64 x i32> align 4
    %generic = llvm.addrspacecast %array : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %wide = arith.extsi %tx : i32 to i64
      %own = llvm.getelementptr %generic[0, %wide] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<64 x i32>
      llvm.store %tx, %own : i32, !llvm.ptr
      grain.barrier(%tx, %ty, %tz)
      %last = scf.while (%s = %c32) : (i32) -> i32 {
        %more = arith.cmpi ne, %s, %c0 : i32
        scf.condition(%more) %s : i32
      } do {
      ^bb0(%s: i32):
        %in = arith.cmpi slt, %tx, %s : i32
        scf.if %in {
          %a = llvm.load %own : !llvm.ptr -> i32
          %at = arith.addi %tx, %s overflow<nsw> : i32
          %far = arith.extsi %at : i32 to i64
          %other = llvm.getelementptr %generic[0, %far] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<64 x i32>
          %b = llvm.load %other : !llvm.ptr -> i32
          %sum = arith.addi %a, %b overflow<nsw> : i32
          llvm.store %sum, %own : i32, !llvm.ptr
        }
        grain.barrier(%tx, %ty, %tz)
        %half = arith.shrui %s, %c1 : i32
        scf.yield %half : i32
      }
      %first = llvm.load %generic : !llvm.ptr -> i32
      llvm.store %first, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// Threads that have no element take no part.
// CHECK-LABEL: grain.kernel @more_threads
// CHECK: %[[FIRST:.*]] = arith.cmpi eq
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %c64_i32
// CHECK: %[[BOTH:.*]] = arith.andi %[[FIRST]], %[[INSIDE]]
// CHECK: scf.if %[[BOTH]]
grain.kernel @more_threads(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c24 = arith.constant 24 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 128, 1, 1>} {
    %array = grain.shared "a" : !llvm.array<64 x i32> align 4
    %generic = llvm.addrspacecast %array : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %wide = arith.extsi %tx : i32 to i64
      %own = llvm.getelementptr %generic[0, %wide] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<64 x i32>
      llvm.store %tx, %own : i32, !llvm.ptr
      grain.barrier(%tx, %ty, %tz)
      %last = scf.while (%s = %c32) : (i32) -> i32 {
        %more = arith.cmpi ne, %s, %c0 : i32
        scf.condition(%more) %s : i32
      } do {
      ^bb0(%s: i32):
        %in = arith.cmpi slt, %tx, %s : i32
        scf.if %in {
          %a = llvm.load %own : !llvm.ptr -> i32
          %at = arith.addi %tx, %s overflow<nsw> : i32
          %far = arith.extsi %at : i32 to i64
          %other = llvm.getelementptr %generic[0, %far] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<64 x i32>
          %b = llvm.load %other : !llvm.ptr -> i32
          %sum = arith.addi %a, %b overflow<nsw> : i32
          llvm.store %sum, %own : i32, !llvm.ptr
        }
        grain.barrier(%tx, %ty, %tz)
        %half = arith.shrui %s, %c1 : i32
        scf.yield %half : i32
      }
      %first = llvm.load %generic : !llvm.ptr -> i32
      llvm.store %first, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// One thread hands out a result in the first element.
// CHECK-LABEL: grain.kernel @handed_out
// CHECK-NOT: scf.while
// CHECK: %[[REST:.*]] = arith.andi %{{.*}}, %c1_i32
// CHECK-NEXT: arith.cmpi eq, %[[REST]], %c0_i32
// CHECK: grain.return
grain.kernel @handed_out(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c24 = arith.constant 24 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %array = grain.shared "a" : !llvm.array<64 x i32> align 4
    %generic = llvm.addrspacecast %array : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %wide = arith.extsi %tx : i32 to i64
      %own = llvm.getelementptr %generic[0, %wide] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<64 x i32>
      llvm.store %tx, %own : i32, !llvm.ptr
      grain.barrier(%tx, %ty, %tz)
      %last = scf.while (%s = %c32) : (i32) -> i32 {
        %more = arith.cmpi ne, %s, %c0 : i32
        scf.condition(%more) %s : i32
      } do {
      ^bb0(%s: i32):
        %in = arith.cmpi slt, %tx, %s : i32
        scf.if %in {
          %a = llvm.load %own : !llvm.ptr -> i32
          %at = arith.addi %tx, %s overflow<nsw> : i32
          %far = arith.extsi %at : i32 to i64
          %other = llvm.getelementptr %generic[0, %far] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<64 x i32>
          %b = llvm.load %other : !llvm.ptr -> i32
          %sum = arith.addi %a, %b overflow<nsw> : i32
          llvm.store %sum, %own : i32, !llvm.ptr
        }
        grain.barrier(%tx, %ty, %tz)
        %half = arith.shrui %s, %c1 : i32
        scf.yield %half : i32
      }
      %isFirst = arith.cmpi eq, %tx, %c0 : i32
      scf.if %isFirst {
        %first = llvm.load %generic : !llvm.ptr -> i32
        %result = arith.addi %first, %c1 : i32
        llvm.store %result, %generic : i32, !llvm.ptr
      }
      grain.barrier(%tx, %ty, %tz)
      %handed = llvm.load %generic : !llvm.ptr -> i32
      llvm.store %handed, %p : i32, !llvm.ptr
    }
  }
  grain.return
}
