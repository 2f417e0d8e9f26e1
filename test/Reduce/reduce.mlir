// A kernel is reduced to what keeps a grain from being legal: a barrier in a loop whose end differs between threads.

// RUN: regrain-reduce %s -o %t.mlir --grain-reduce=test=%S/Inputs/refused.sh
// RUN: not %S/Inputs/refused.sh %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: not regrain-reduce %s -o %t.mlir --grain-reduce=test=/bin/true 2>&1 | FileCheck %s --check-prefix=DULL

// CHECK: grain.kernel @kernel
// CHECK-NEXT: arith.constant
// CHECK-NEXT: arith.constant
// CHECK-NEXT: grain.blocks
// CHECK-NEXT: grain.threads
// CHECK-NEXT: scf.for
// CHECK-NEXT: grain.barrier
// CHECK-NOT: =

// DULL: error: '/bin/true' does not exit with 1 for the unchanged file

grain.kernel @kernel(%p: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  grain.alternatives "original" {
    grain.blocks (%bx, %by, %bz) {
      %tile = grain.shared "tile" : !llvm.array<64 x i32> align 4
      grain.threads (%tx, %ty, %tz) {
        %address = llvm.getelementptr %p[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %old = llvm.load %address : !llvm.ptr -> i32
        %place = llvm.getelementptr %tile[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        llvm.store %old, %place : i32, !llvm.ptr<3>
        grain.barrier (%tx)
        %few = arith.cmpi slt, %bx, %n : i32
        scf.if %few {
          scf.for %i = %zero to %n step %one : i32 {
            scf.for %j = %zero to %tx step %one : i32 {
              %sum = arith.addi %old, %j : i32
              llvm.store %sum, %address : i32, !llvm.ptr
              grain.barrier (%tx)
            }
          }
        } else {
          llvm.store %one, %address : i32, !llvm.ptr
        }
        %new = llvm.load %place : !llvm.ptr<3> -> i32
        llvm.store %new, %address : i32, !llvm.ptr
      }
    }
  }, "block.x=2" {
    grain.blocks (%bx, %by, %bz) factors [2, 1, 1] {
      grain.threads (%tx, %ty, %tz) {
        llvm.store %zero, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}
