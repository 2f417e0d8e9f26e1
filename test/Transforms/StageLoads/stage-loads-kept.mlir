// These kernels are left as they are, each for another reason.
// RUN: regrain-opt %s --grain-stage-loads --split-input-file 2>&1 | FileCheck %s --implicit-check-not='__regrain_staged'

// The size of the tile is not known.
// CHECK: remark: {{.*}}the number of threads of a block is not known
grain.kernel @unknown_block(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %at = llvm.getelementptr inbounds %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %next = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %v = llvm.load %at invariant : !llvm.ptr -> f32
      %u = llvm.load %next invariant : !llvm.ptr -> f32
      %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %v, %to : f32, !llvm.ptr
      llvm.store %u, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// A block with one known load per element shares nothing.
// CHECK: remark: {{.*}}because threads of a block load hardly anything in common
grain.kernel @once(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %at = llvm.getelementptr inbounds %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %v = llvm.load %at invariant : !llvm.ptr -> f32
      %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %v, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Without the mark, somebody may write the memory.
// CHECK: remark: {{.*}}because the kernel may write what it loads
grain.kernel @written(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %at = llvm.getelementptr inbounds %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %next = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %v = llvm.load %at : !llvm.ptr -> f32
      %u = llvm.load %next : !llvm.ptr -> f32
      %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %v, %to : f32, !llvm.ptr
      llvm.store %u, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Other threads may be meant to see the order.
// CHECK: remark: {{.*}}because it is volatile or atomic, or has a hint of its own
grain.kernel @volatile(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %at = llvm.getelementptr inbounds %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %next = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %v = llvm.load volatile %at : !llvm.ptr -> f32
      %u = llvm.load %next : !llvm.ptr -> f32
      %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %v, %to : f32, !llvm.ptr
      llvm.store %u, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The trips of a loop are not computed in advance.
// CHECK: remark: {{.*}}because it stands in a loop
grain.kernel @loop(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %at = llvm.getelementptr inbounds %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %next = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
        %v = llvm.load %at invariant : !llvm.ptr -> f32
        %u = llvm.load %next invariant : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        llvm.store %u, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// Only the thread itself can load the condition.
// CHECK: remark: {{.*}}because its condition depends on more than coordinates and arguments
grain.kernel @mask(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %word = llvm.load %mine invariant : !llvm.ptr -> i32
      %set = arith.cmpi eq, %word, %c0 : i32
      scf.if %set {
        %at = llvm.getelementptr inbounds %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %next = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
        %v = llvm.load %at invariant : !llvm.ptr -> f32
        %u = llvm.load %next invariant : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        llvm.store %u, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The address depends on memory.
// CHECK: remark: {{.*}}because its address is not known to be a sum of products of coordinates and arguments
grain.kernel @gather(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %index = llvm.load %mine invariant : !llvm.ptr -> i32
      %at = llvm.getelementptr inbounds %a[%index] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %next = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %v = llvm.load %at invariant : !llvm.ptr -> f32
      %u = llvm.load %next invariant : !llvm.ptr -> f32
      %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %v, %to : f32, !llvm.ptr
      llvm.store %u, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The sum may wrap inside of a block, since 97 is no power of two: its end would be far from its start.
// CHECK: remark: {{.*}}because its address is not known to be a sum of products of coordinates and arguments
grain.kernel @wraps(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 97, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %c97 = arith.constant 97 : i32
      %first = arith.muli %bx, %c97 : i32
      %i = arith.addi %first, %tx : i32
      %at = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %next = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %v = llvm.load %at invariant : !llvm.ptr -> f32
      %u = llvm.load %next invariant : !llvm.ptr -> f32
      %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %v, %to : f32, !llvm.ptr
      llvm.store %u, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Threads of a row read the same, but not all of them do.
// CHECK: remark: {{.*}}because its condition tells threads apart that load from the same address
grain.kernel @rows(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 4, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %isFirst = arith.cmpi eq, %ty, %c1 : i32
      scf.if %isFirst {
        %at = llvm.getelementptr inbounds %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %next = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
        %v = llvm.load %at invariant : !llvm.ptr -> f32
        %u = llvm.load %next invariant : !llvm.ptr -> f32
        %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %v, %to : f32, !llvm.ptr
        llvm.store %u, %to : f32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// The program may end before it loads.
// CHECK: remark: {{.*}}the kernel may end a thread here, before it loads
llvm.func @fails() attributes {grain.callee = #grain.callee<service, convergence = none>}
grain.kernel @ends(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %isBad = arith.cmpi eq, %n, %c0 : i32
      scf.if %isBad {
        llvm.call @fails() : () -> ()
      }
      %at = llvm.getelementptr inbounds %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %next = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %v = llvm.load %at invariant : !llvm.ptr -> f32
      %u = llvm.load %next invariant : !llvm.ptr -> f32
      %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %v, %to : f32, !llvm.ptr
      llvm.store %u, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// The kernel's own arrays leave no room.
// CHECK: remark: {{.*}}because the block's shared memory does not suffice
grain.kernel @full(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %s = grain.shared "s" : !llvm.array<49000 x i8> align 16
    grain.threads (%tx, %ty, %tz) {
      %at = llvm.getelementptr inbounds %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %next = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %v = llvm.load %at invariant : !llvm.ptr -> f32
      %u = llvm.load %next invariant : !llvm.ptr -> f32
      %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %v, %to : f32, !llvm.ptr
      llvm.store %u, %to : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Elements of a column are in different lines.
// CHECK: remark: {{.*}}because neighbouring threads do not load neighbouring elements
grain.kernel @column(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %c100 = arith.constant 100 : i32
      %i = arith.muli %tx, %c100 : i32
      %at = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %next = llvm.getelementptr inbounds %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %v = llvm.load %at invariant : !llvm.ptr -> f32
      %u = llvm.load %next invariant : !llvm.ptr -> f32
      %to = llvm.getelementptr inbounds %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %v, %to : f32, !llvm.ptr
      llvm.store %u, %to : f32, !llvm.ptr
    }
  }
  grain.return
}
