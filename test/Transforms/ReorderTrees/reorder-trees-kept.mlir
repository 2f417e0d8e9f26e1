// RUN: regrain-opt %s --grain-reorder-trees --grain-clean-up | FileCheck %s

// The order matters.
// CHECK-LABEL: grain.kernel @difference
// CHECK: scf.while
// CHECK: grain.return
grain.kernel @difference(%p: !llvm.ptr) {
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
          %sum = arith.subi %a, %b : i32
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

// The block may have any size.
// CHECK-LABEL: grain.kernel @any_block
// CHECK: scf.while
// CHECK: grain.return
grain.kernel @any_block(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c24 = arith.constant 24 : i32
  grain.blocks (%bx, %by, %bz)  {
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

// The last elements have no thread, so their step stays the first one.
// CHECK-LABEL: grain.kernel @few_threads
// CHECK: arith.cmpi slt, %{{.*}}, %c32_i32
// CHECK: arith.addi %{{.*}}, %c32_i32
// CHECK-NOT: arith.addi %{{.*}}, %c32_i32
// CHECK: arith.andi %{{.*}}, %c1_i32
// CHECK: grain.return
grain.kernel @few_threads(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c24 = arith.constant 24 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
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

// Another element is read behind the steps.
// CHECK-LABEL: grain.kernel @second
// CHECK: scf.while
// CHECK: grain.return
grain.kernel @second(%p: !llvm.ptr) {
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
      %place = llvm.getelementptr %generic[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<64 x i32>
      %second = llvm.load %place : !llvm.ptr -> i32
      llvm.store %second, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// Other elements of the array than the first are written again behind the steps.
// CHECK-LABEL: grain.kernel @written
// CHECK: scf.while
// CHECK: grain.return
grain.kernel @written(%p: !llvm.ptr) {
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
      llvm.store %tx, %own : i32, !llvm.ptr
    }
  }
  grain.return
}

// Neighbours add in different rows.
// CHECK-LABEL: grain.kernel @rows_of_threads
// CHECK: scf.while
// CHECK: grain.return
grain.kernel @rows_of_threads(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %array = grain.shared "a" : !llvm.array<128 x i32> align 4
    %generic = llvm.addrspacecast %array : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %odd = arith.andi %tx, %c1 : i32
      %start = arith.muli %odd, %c64 : i32
      %row = llvm.getelementptr %generic[%start] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %own = llvm.getelementptr %row[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
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
          %other = llvm.getelementptr %row[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
          %b = llvm.load %other : !llvm.ptr -> i32
          %sum = arith.addi %a, %b overflow<nsw> : i32
          llvm.store %sum, %own : i32, !llvm.ptr
        }
        grain.barrier(%tx, %ty, %tz)
        %half = arith.shrui %s, %c1 : i32
        scf.yield %half : i32
      }
      %first = llvm.load %row : !llvm.ptr -> i32
      llvm.store %first, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// Dynamic shared memory has another name, by which any element is read.
// CHECK-LABEL: grain.kernel @two_names
// CHECK: scf.while
// CHECK: grain.return
grain.kernel @two_names(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %array = grain.dynamic_shared "a" align 4
    %same = grain.dynamic_shared "b" align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr %array[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %own : i32, !llvm.ptr<3>
      grain.barrier(%tx, %ty, %tz)
      %last = scf.while (%s = %c32) : (i32) -> i32 {
        %more = arith.cmpi ne, %s, %c0 : i32
        scf.condition(%more) %s : i32
      } do {
      ^bb0(%s: i32):
        %in = arith.cmpi slt, %tx, %s : i32
        scf.if %in {
          %a = llvm.load %own : !llvm.ptr<3> -> i32
          %at = arith.addi %tx, %s overflow<nsw> : i32
          %other = llvm.getelementptr %array[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
          %b = llvm.load %other : !llvm.ptr<3> -> i32
          %sum = arith.addi %a, %b overflow<nsw> : i32
          llvm.store %sum, %own : i32, !llvm.ptr<3>
        }
        grain.barrier(%tx, %ty, %tz)
        %half = arith.shrui %s, %c1 : i32
        scf.yield %half : i32
      }
      %place = llvm.getelementptr %same[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %second = llvm.load %place : !llvm.ptr<3> -> i32
      llvm.store %second, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// Code elsewhere sees the array.
// CHECK-LABEL: grain.kernel @shown
// CHECK: scf.while
// CHECK: grain.return
grain.kernel @shown(%p: !llvm.ptr) {
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
      llvm.store %generic, %p : !llvm.ptr, !llvm.ptr
    }
  }
  grain.return
}

// Something is stored between the steps.
// CHECK-LABEL: grain.kernel @between
// CHECK: scf.while
// CHECK: grain.return
grain.kernel @between(%p: !llvm.ptr) {
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
        llvm.store %s, %p : i32, !llvm.ptr
        %half = arith.shrui %s, %c1 : i32
        scf.yield %half : i32
      }
      %first = llvm.load %generic : !llvm.ptr -> i32
      llvm.store %first, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// The distances are no powers of two, so elements are left out.
// CHECK-LABEL: grain.kernel @odd
// CHECK: scf.while
// CHECK: grain.return
grain.kernel @odd(%p: !llvm.ptr) {
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
      %last = scf.while (%s = %c24) : (i32) -> i32 {
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

// Other threads run the steps.
// CHECK-LABEL: grain.kernel @upper
// CHECK: scf.while
// CHECK: grain.return
grain.kernel @upper(%p: !llvm.ptr) {
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
        %in = arith.cmpi sgt, %tx, %s : i32
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

// Threads do not meet between a read of the upper half and the first step, which writes no such
// element in the program's order. The steps behind it are a tree of their own.
// CHECK-LABEL: grain.kernel @read_in_front
// CHECK: [[FIRST:%.+]] = arith.cmpi slt, {{%.+}}, %c32_i32
// CHECK-NEXT: scf.if [[FIRST]]
// CHECK: arith.addi {{%.+}}, %c32_i32
// CHECK: arith.andi {{%.+}}, %c1_i32
// CHECK: arith.cmpi eq
// CHECK: grain.return
grain.kernel @read_in_front(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %array = grain.shared "a" : !llvm.array<64 x i32> align 8
    %generic = llvm.addrspacecast %array : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %wide = arith.extsi %tx : i32 to i64
      %own = llvm.getelementptr %generic[0, %wide] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<64 x i32>
      llvm.store %tx, %own : i32, !llvm.ptr
      grain.barrier(%tx, %ty, %tz)
      %x = llvm.getelementptr %generic[0, 40] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<64 x i32>
      %y = llvm.load %x : !llvm.ptr -> i32
      llvm.store %y, %p : i32, !llvm.ptr
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

// A wide load of the first element reads the second one.
// CHECK-LABEL: grain.kernel @read_wide
// CHECK: scf.while
// CHECK: grain.return
grain.kernel @read_wide(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %array = grain.shared "a" : !llvm.array<64 x i32> align 8
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
      %first = llvm.load %generic : !llvm.ptr -> i64
      llvm.store %first, %p : i64, !llvm.ptr
    }
  }
  grain.return
}
