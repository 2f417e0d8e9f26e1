// RUN: regrain-opt %s | regrain-opt | FileCheck %s
// RUN: regrain-opt %s --mlir-print-op-generic | regrain-opt | FileCheck %s

// CHECK-LABEL: grain.kernel @scale(%{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i32) {
grain.kernel @scale(%a: !llvm.ptr {llvm.noalias}, %n: i32) {
  // CHECK: grain.blocks (%[[BX:.*]], %{{.*}}, %{{.*}}) {
  grain.blocks (%bx, %by, %bz) {
    // CHECK: grain.shared "tile" : !llvm.array<256 x f32> align 4
    %tile = grain.shared "tile" : !llvm.array<256 x f32> align 4
    // CHECK: grain.dynamic_shared "pool" align 16{{$}}
    %pool = grain.dynamic_shared "pool" align 16
    // CHECK: grain.threads (%[[TX:.*]], %[[TY:.*]], %[[TZ:.*]]) {
    grain.threads (%tx, %ty, %tz) {
      // CHECK: grain.grid_size x
      %gx = grain.grid_size x
      // CHECK: grain.block_size y
      %ny = grain.block_size y
      // CHECK: grain.barrier(%[[TX]], %[[TY]], %[[TZ]])
      grain.barrier (%tx, %ty, %tz)
      // CHECK: grain.barrier(%[[TX]])
      grain.barrier (%tx)
      // CHECK: grain.barrier_reduce and %{{.*}}(%[[TX]], %[[TY]], %[[TZ]])
      %all = grain.barrier_reduce and %n (%tx, %ty, %tz)
      %any = grain.barrier_reduce or %n (%tx, %ty, %tz)
      // CHECK: grain.barrier_reduce count
      %count = grain.barrier_reduce count %n (%tx, %ty, %tz)
      // CHECK: grain.loop_hint "unroll"
      grain.loop_hint "unroll"
    }
  }
  grain.return
}

// CHECK-LABEL: grain.kernel @regrained() attributes {maxntid = 256 : i32} {
grain.kernel @regrained() attributes {maxntid = 256 : i32} {
  // CHECK: grain.blocks (%{{.*}}, %{{.*}}, %{{.*}}) factors [4, 1, 1] attributes {edges = array<i1: true, false, false>} {
  grain.blocks (%bx, %by, %bz) factors [4, 1, 1] attributes {edges = array<i1: true, false, false>} {
    // CHECK: grain.dynamic_shared "pool" align 16 copy 3
    %pool = grain.dynamic_shared "pool" align 16 copy 3
    // CHECK: grain.threads (%{{.*}}, %{{.*}}, %{{.*}}) factors [2, 1, 1] whole_warps {
    grain.threads (%tx, %ty, %tz) factors [2, 1, 1] whole_warps {
    }
  }
  grain.return
}

// CHECK-LABEL: grain.kernel @alternatives
grain.kernel @alternatives() {
  // CHECK: grain.alternatives "original" {
  grain.alternatives "original" {
    grain.blocks (%bx, %by, %bz) {
      grain.threads (%tx, %ty, %tz) {
      }
    }
  // CHECK: }, "block.x=2" {
  }, "block.x=2" {
    // CHECK: grain.blocks {{.*}} factors [2, 1, 1] attributes {note} {
    grain.blocks (%bx, %by, %bz) factors [2, 1, 1] attributes {note} {
      grain.threads (%tx, %ty, %tz) {
      }
    }
  }
  grain.return
}
