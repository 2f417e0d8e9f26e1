// RUN: regrain-opt %s --grain-specialise=known=for.grid=64x1x1 --grain-set-launch=bound=96 | FileCheck %s --check-prefix=ALL
// RUN: regrain-opt %s --grain-specialise=known=for.grid=64x1x1 --grain-set-launch=blocks=filling | FileCheck %s --check-prefix=FILLING
// RUN: regrain-opt %s --grain-specialise=known=for.grid=64x1x1 --grain-set-launch=blocks=remainder | FileCheck %s --check-prefix=REST

// ALL: grain.blocks
// ALL-SAME: known_grid = array<i32: 64, 1, 1>
// ALL: grain.threads
// ALL-SAME: bound = 96

// The grid of the program no longer determines the number of launched blocks.
// FILLING-NOT: known_grid
// FILLING-NOT: remainder
// REST-NOT: known_grid
// REST: remainder

grain.kernel @fill(%p: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      llvm.store %tx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}
