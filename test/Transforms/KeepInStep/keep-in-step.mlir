// Launched blocks count their steps by one word of the launch, and wait in front of a step for those that lie before it.
// RUN: regrain-opt %s --pass-pipeline='builtin.module(grain.kernel(grain-keep-in-step{ahead=3}))' 2>&1 | FileCheck %s --implicit-check-not=remark

// CHECK-LABEL: grain.kernel @march
// CHECK: %[[WORD:.*]] = grain.lent "begun" : i32 align 4 {grain.of_launch}
// The number of the launched block, with x varying fastest, and how many there are.
// CHECK: grain.threads
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i32
// CHECK: nvvm.read.ptx.sreg.nctaid.x
// CHECK: nvvm.read.ptx.sreg.ctaid.z
// CHECK: %[[AHEAD:.*]] = arith.constant 3 : i32
// CHECK: %[[START:.*]] = arith.subi %{{.*}}, %[[AHEAD]] : i32
// CHECK: nvvm.read.ptx.sreg.nctaid.z
// CHECK-NEXT: %[[BLOCKS:.*]] = arith.muli %{{.*}}, %{{.*}} : i32
// CHECK: %[[FINAL:.*]]:2 = scf.for %[[STEP:.*]] = %{{.*}} to %[[STEPS:.*]] step %{{.*}} iter_args(%[[BEGUN:.*]] = %{{.*}}, %[[HOPELESS:.*]] = %{{.*}}) -> (i32, i1)
// CHECK-NEXT: %[[BEFORE:.*]] = arith.muli %[[STEP]], %[[BLOCKS]] : i32
// CHECK-NEXT: %[[TURN:.*]] = arith.addi %[[BEFORE]], %[[START]] : i32
// CHECK-NEXT: %[[EARLY:.*]] = arith.cmpi slt, %[[BEGUN]], %[[TURN]] : i32
// A block that has waited in vain waits no more.
// CHECK: %[[WAITS:.*]] = arith.select %[[HOPELESS]], %{{.*}}, %[[EARLY]] : i1
// CHECK-NEXT: arith.andi %[[FIRST]], %[[WAITS]] : i1
// CHECK-NEXT: %[[VAIN:.*]] = scf.if
// CHECK: scf.while
// CHECK-NEXT: %[[READ:.*]] = llvm.load %[[WORD]] atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK-NEXT: %[[STILL:.*]] = arith.cmpi slt, %[[READ]], %[[TURN]] : i32
// CHECK-NEXT: %[[MOST:.*]] = arith.constant 1024 : i32
// CHECK-NEXT: %[[MAY:.*]] = arith.cmpi ult, %{{.*}}, %[[MOST]] : i32
// CHECK-NEXT: %[[AGAIN:.*]] = arith.andi %[[STILL]], %[[MAY]] : i1
// CHECK-NEXT: scf.condition(%[[AGAIN]]) %{{.*}}, %[[STILL]]
// CHECK: else
// CHECK-NEXT: scf.yield %[[HOPELESS]]
// CHECK: grain.barrier
// CHECK: %[[COUNTED:.*]] = scf.if %[[FIRST]]
// CHECK: %[[OLD:.*]] = llvm.atomicrmw add %[[WORD]], %{{.*}} monotonic : !llvm.ptr<1>, i32
// CHECK-NEXT: scf.yield %[[OLD]] : i32
// CHECK: scf.yield %[[COUNTED]], %[[VAIN]] : i32, i1
// The last step of the launch gives the word its first value again.
// CHECK: %[[ALL:.*]] = arith.muli %[[BLOCKS]], %[[STEPS]] : i32
// CHECK: %[[SUM:.*]] = arith.addi %[[FINAL]]#0, %{{.*}} : i32
// CHECK-NEXT: %[[ENDS:.*]] = arith.cmpi eq, %[[SUM]], %[[ALL]] : i32
// CHECK-NEXT: %[[CLEARS:.*]] = arith.andi %[[FIRST]], %[[ENDS]] : i1
// CHECK-NEXT: scf.if %[[CLEARS]]
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: llvm.store %[[ZERO]], %[[WORD]] atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK-NOT: grain.rings
grain.kernel @march(%u: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  grain.blocks (%bx, %by, %bz) {
    %ring = grain.shared "__regrain_staged_ring" : !llvm.array<256 x i32> align 16
    grain.threads (%tx, %ty, %tz) {
      scf.for %k = %c0 to %c8 step %c1 : i32 {
        grain.barrier(%tx, %ty, %tz)
        %p = llvm.getelementptr %ring[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        llvm.store %k, %p : i32, !llvm.ptr<3>
      } {grain.rings}
    }
  }
  grain.return
}
