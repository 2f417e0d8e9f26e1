// RUN: regrain-opt %s --grain-clean-up | FileCheck %s

llvm.func @use(i32, i32, i1, i1)

// Four threads are neighbours. Their numbers have one quotient, and one of them decides for all.
// CHECK-LABEL: grain.kernel @neighbours
// CHECK: %[[MULTIPLE:.*]] = arith.muli %arg0, %c4_i32
// CHECK-NOT: arith.addi %[[MULTIPLE]]
// CHECK: %[[BLOCK:.*]] = arith.divui %[[MULTIPLE]], %c128_i32
// CHECK: %[[THREAD:.*]] = arith.remui %[[MULTIPLE]], %c128_i32
// CHECK: %[[OWN:.*]] = arith.addi %[[THREAD]], %c3_i32 overflow<nsw, nuw>
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[MULTIPLE]], %{{.*}}
// CHECK: %[[OUTSIDE:.*]] = arith.cmpi uge, %[[MULTIPLE]], %{{.*}}
// CHECK: llvm.call @use(%[[BLOCK]], %[[OWN]], %[[INSIDE]], %[[OUTSIDE]])
grain.kernel @neighbours(%n: i32, %blocks: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %c2 = arith.constant 2 : i32
      %c3 = arith.constant 3 : i32
      %c4 = arith.constant 4 : i32
      %c128 = arith.constant 128 : i32
      %multiple = arith.muli %n, %c4 : i32
      %at = arith.addi %multiple, %c3 : i32
      %block = arith.divui %at, %c128 : i32
      %thread = arith.remui %at, %c128 : i32
      %end = arith.shli %blocks, %c2 : i32
      %inside = arith.cmpi ult, %at, %end : i32
      %outside = arith.cmpi uge, %at, %end : i32
      llvm.call @use(%block, %thread, %inside, %outside) : (i32, i32, i1, i1) -> ()
    }
  }
  grain.return
}

// The number that is added is as large as the power of two, the other number is no multiple of it,
// or the comparison is signed or with an end that counts.
// CHECK-LABEL: grain.kernel @kept
// CHECK: %[[FAR:.*]] = arith.addi %{{.*}}, %c4_i32
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %c3_i32
// CHECK: arith.divui %[[FAR]], %c128_i32
// CHECK: arith.remui %[[AT]], %c130_i32
// CHECK: arith.cmpi slt, %[[AT]], %{{.*}}
// CHECK: arith.cmpi ule, %[[AT]], %{{.*}}
grain.kernel @kept(%n: i32, %blocks: i32) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %c2 = arith.constant 2 : i32
      %c3 = arith.constant 3 : i32
      %c4 = arith.constant 4 : i32
      %c128 = arith.constant 128 : i32
      %c130 = arith.constant 130 : i32
      %multiple = arith.muli %n, %c4 : i32
      %far = arith.addi %multiple, %c4 : i32
      %at = arith.addi %multiple, %c3 : i32
      %block = arith.divui %far, %c128 : i32
      %thread = arith.remui %at, %c130 : i32
      %end = arith.shli %blocks, %c2 : i32
      %inside = arith.cmpi slt, %at, %end : i32
      %outside = arith.cmpi ule, %at, %end : i32
      llvm.call @use(%block, %thread, %inside, %outside) : (i32, i32, i1, i1) -> ()
    }
  }
  grain.return
}

// An address is aligned as far as the parameter and the distance from it are. What only one of them
// has says nothing, and a mask that reaches further is kept.
// CHECK-LABEL: grain.kernel @aligned
// CHECK: %[[ROW:.*]] = llvm.ptrtoint
// CHECK-NOT: arith.andi
// CHECK: %[[FAR:.*]] = arith.andi %[[ROW]], %c63_i64
// CHECK: %[[OTHER:.*]] = llvm.ptrtoint
// CHECK: %[[LOW:.*]] = arith.andi %[[OTHER]], %c31_i64
// CHECK: %[[NEXT:.*]] = llvm.ptrtoint
// CHECK: %[[ODD:.*]] = arith.andi %[[NEXT]], %c31_i64
// CHECK: llvm.call @masks(%c0_i64, %[[FAR]], %[[LOW]], %[[ODD]])
llvm.func @masks(i64, i64, i64, i64)
grain.kernel @aligned(%p: !llvm.ptr {llvm.align = 32 : i64}, %q: !llvm.ptr, %n: i64) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %c16 = arith.constant 16 : i64
      %c31 = arith.constant 31 : i64
      %c63 = arith.constant 63 : i64
      %distance = arith.muli %n, %c16 : i64
      %row = llvm.getelementptr inbounds %p[%distance] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      %address = llvm.ptrtoint %row : !llvm.ptr to i64
      %within = arith.andi %address, %c31 : i64
      %beyond = arith.andi %address, %c63 : i64
      %other = llvm.getelementptr inbounds %q[%distance] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      %ofOther = llvm.ptrtoint %other : !llvm.ptr to i64
      %unknown = arith.andi %ofOther, %c31 : i64
      %next = llvm.getelementptr inbounds %row[1] : (!llvm.ptr) -> !llvm.ptr, i16
      %ofNext = llvm.ptrtoint %next : !llvm.ptr to i64
      %odd = arith.andi %ofNext, %c31 : i64
      llvm.call @masks(%within, %beyond, %unknown, %odd) : (i64, i64, i64, i64) -> ()
    }
  }
  grain.return
}
