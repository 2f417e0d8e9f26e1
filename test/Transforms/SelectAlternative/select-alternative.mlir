// RUN: regrain-opt %s --grain-select-alternative="id=block.x=2" | FileCheck %s
// RUN: regrain-opt %s --grain-select-alternative | FileCheck %s --check-prefix=ORIGINAL

// CHECK-LABEL: grain.kernel @two
// CHECK-NOT: grain.alternatives
// CHECK: grain.blocks {{.*}} factors [2, 1, 1] {
// CHECK-NOT: grain.blocks
// CHECK: grain.return
// ORIGINAL-LABEL: grain.kernel @two
// ORIGINAL-NOT: factors
grain.kernel @two() {
  grain.alternatives "original" {
    grain.blocks (%bx, %by, %bz) { grain.threads (%tx, %ty, %tz) {} }
  }, "block.x=2" {
    grain.blocks (%bx, %by, %bz) factors [2, 1, 1] { grain.threads (%tx, %ty, %tz) {} }
  }
  grain.return
}

// CHECK-LABEL: grain.kernel @one
grain.kernel @one() {
  grain.blocks (%bx, %by, %bz) { grain.threads (%tx, %ty, %tz) {} }
  grain.return
}
