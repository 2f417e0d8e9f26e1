// These kernels are left as they are, each for another reason.
// RUN: regrain-opt %s --grain-transpose-accesses --split-input-file 2>&1 | FileCheck %s --implicit-check-not='"transposed"'

// The size of the tile is not known.
// CHECK: remark: {{.*}}the number of threads of a block is not known
grain.kernel @unknown_block(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %tx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Neighbours in x store neighbouring elements already.
// CHECK: remark: {{.*}}those in x do
grain.kernel @in_order(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %s = arith.muli %yl, %c64 : i64
      %j = arith.addi %s, %xl : i64
      %q = llvm.getelementptr inbounds %b[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %tx, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// A line of four elements is not worth it.
// CHECK: remark: {{.*}}neighbours in y or z are not known to access neighbouring elements
grain.kernel @short_line(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 4, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %tx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The address of another thread cannot be computed.
// CHECK: remark: {{.*}}its address or its condition depends on more than coordinates and arguments
grain.kernel @scattered(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %q = llvm.getelementptr inbounds %b[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %at = llvm.load %q : !llvm.ptr -> i64
      %k = arith.addi %i, %at : i64
      %r = llvm.getelementptr inbounds %a[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %tx, %r : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Nor can its condition.
// CHECK: remark: {{.*}}its address or its condition depends on more than coordinates and arguments
grain.kernel @condition_from_memory(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %q = llvm.getelementptr inbounds %b[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, i1
      %c = llvm.load %q : !llvm.ptr -> i1
      scf.if %c {
        llvm.store %tx, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// Another thread may freeze poison as another number.
// CHECK: remark: {{.*}}its address or its condition depends on more than coordinates and arguments
grain.kernel @frozen(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %f = llvm.freeze %i : i64
      %q = llvm.getelementptr inbounds %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %tx, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// A store that runs several times has one place in the tile.
// CHECK: remark: {{.*}}it stands in a loop
grain.kernel @in_loop(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      scf.for %k = %c0 to %n step %c1 : i32 {
        llvm.store %k, %p : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// What is stored may be read behind the store, through either pointer.
// CHECK: remark: {{.*}}those in x do
grain.kernel @read_behind(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %tx, %p : i32, !llvm.ptr
      %s = arith.muli %yl, %c64 : i64
      %j = arith.addi %s, %xl : i64
      %q = llvm.getelementptr inbounds %b[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %v = llvm.load %q : !llvm.ptr -> i32
      %w = arith.addi %v, %v : i32
      llvm.store %w, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// A load behind a store may read what the thread has written.
// CHECK: remark: {{.*}}those in x do
grain.kernel @written_before(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %s = arith.muli %yl, %c64 : i64
      %j = arith.addi %s, %xl : i64
      %q = llvm.getelementptr inbounds %b[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %tx, %q : i32, !llvm.ptr
      %v = llvm.load %p : !llvm.ptr -> i32
      llvm.store %v, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Other threads may be meant to see the order.
// CHECK: remark: {{.*}}threads cooperate here
grain.kernel @volatile(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store volatile %tx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Others wait for what an atomic operation does.
// CHECK: remark: {{.*}}the order of this access and those of other threads may matter
grain.kernel @atomic(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %b, %tx monotonic : !llvm.ptr, i32
      llvm.store %tx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Behind a barrier, other threads read what was stored.
// CHECK: remark: {{.*}}the threads of a block cooperate
grain.kernel @barrier(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %tx, %p : i32, !llvm.ptr
      grain.barrier(%tx, %ty, %tz)
    }
  }
  grain.return
}

// -----

// Not all threads would meet.
// CHECK: remark: {{.*}}the kernel may end a thread here
grain.kernel @ends(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 16, 16, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %c = arith.cmpi ugt, %tx, %n : i32
      scf.if %c {
        "llvm.intr.trap"() : () -> ()
      }
      llvm.store %tx, %p : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The tile takes 66 KiB.
// CHECK: remark: {{.*}}the block's shared memory does not suffice
grain.kernel @too_large(%a: !llvm.ptr, %b: !llvm.ptr, %n: i32) {
  %c64 = arith.constant 64 : i64
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 128, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %xl = arith.extui %tx : i32 to i64
      %yl = arith.extui %ty : i32 to i64
      %t = arith.muli %xl, %c64 : i64
      %i = arith.addi %t, %yl : i64
      %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %q = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, vector<4xi32>
      %v = llvm.mlir.zero : vector<4xi32>
      llvm.store %v, %q : vector<4xi32>, !llvm.ptr
    }
  }
  grain.return
}
