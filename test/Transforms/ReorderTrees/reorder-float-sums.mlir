// Trees of floating-point sums begin among neighbours only if the grain permits another order.
// RUN: regrain-opt %s '--grain-reorder-trees=reassociate' --grain-clean-up | FileCheck %s
// RUN: regrain-opt %s --grain-reorder-trees --grain-clean-up | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: grain.kernel @floats
// CHECK: %[[REST:.*]] = arith.andi %[[T:.*]], %c1_i32
// CHECK-NEXT: %[[EVEN:.*]] = arith.cmpi eq, %[[REST]], %c0_i32
// CHECK-NEXT: scf.if %[[EVEN]] {
// CHECK: arith.addi %[[T]], %c1_i32
// CHECK: llvm.fadd
// CHECK-NEXT: llvm.store
// CHECK: grain.barrier
// CHECK: arith.andi %[[T]], %c63_i32
// CHECK: arith.addi %[[T]], %c32_i32
// CHECK: llvm.fadd
// KEPT-LABEL: grain.kernel @floats
// KEPT: scf.while
// KEPT: llvm.fadd
grain.kernel @floats(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c24 = arith.constant 24 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %array = grain.shared "a" : !llvm.array<64 x f32> align 4
    %generic = llvm.addrspacecast %array : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %wide = arith.extsi %tx : i32 to i64
      %own = llvm.getelementptr %generic[0, %wide] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<64 x f32>
      %start = arith.sitofp %tx : i32 to f32
      llvm.store %start, %own : f32, !llvm.ptr
      grain.barrier(%tx, %ty, %tz)
      %last = scf.while (%s = %c32) : (i32) -> i32 {
        %more = arith.cmpi ne, %s, %c0 : i32
        scf.condition(%more) %s : i32
      } do {
      ^bb0(%s: i32):
        %in = arith.cmpi slt, %tx, %s : i32
        scf.if %in {
          %a = llvm.load %own : !llvm.ptr -> f32
          %at = arith.addi %tx, %s overflow<nsw> : i32
          %far = arith.extsi %at : i32 to i64
          %other = llvm.getelementptr %generic[0, %far] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<64 x f32>
          %b = llvm.load %other : !llvm.ptr -> f32
          %sum = llvm.fadd %a, %b : f32
          llvm.store %sum, %own : f32, !llvm.ptr
        }
        grain.barrier(%tx, %ty, %tz)
        %half = arith.shrui %s, %c1 : i32
        scf.yield %half : i32
      }
      %first = llvm.load %generic : !llvm.ptr -> f32
      llvm.store %first, %p : f32, !llvm.ptr
    }
  }
  grain.return
}
