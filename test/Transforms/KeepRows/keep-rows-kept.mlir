// These kernels are left unchanged, each for another reason.
// RUN: regrain-opt %s --grain-keep-rows --split-input-file 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: not regrain-opt %s --grain-keep-rows=required --split-input-file 2>&1 | FileCheck %s --check-prefix=ERROR

// The length of the row is not known.
// ERROR: error: {{.*}}it is not known that all threads run the loop equally often
// REMARK: remark: {{.*}}it is not known that all threads run the loop equally often
// CHECK: grain.kernel @any_length(
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: scf.while
// CHECK: llvm.load
grain.kernel @any_length(%x: !llvm.ptr {grain.disjoint}, %out: !llvm.ptr {grain.disjoint}, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %end = arith.constant 128 : i32
  %step = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %sum:2 = scf.while (%i = %tx, %s = %zero) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi slt, %i, %n : i32
        scf.condition(%more) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %t = llvm.fadd %s, %v : f32
        llvm.store %t, %p : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next, %t : i32, f32
      }
      grain.barrier(%tx, %ty, %tz)
      %done = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %n : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %w = llvm.fmul %v, %sum#1 : f32
        %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %w, %q : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Half of the threads run the second iteration.
// REMARK: remark: {{.*}}it is not known that all threads run the loop equally often
// CHECK: grain.kernel @part_of_a_block(
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: scf.while
// CHECK: llvm.load
grain.kernel @part_of_a_block(%x: !llvm.ptr {grain.disjoint}, %out: !llvm.ptr {grain.disjoint}, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %end = arith.constant 96 : i32
  %step = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %sum:2 = scf.while (%i = %tx, %s = %zero) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %t = llvm.fadd %s, %v : f32
        llvm.store %t, %p : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next, %t : i32, f32
      }
      grain.barrier(%tx, %ty, %tz)
      %done = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %w = llvm.fmul %v, %sum#1 : f32
        %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %w, %q : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Other parameters may point to the row: the first element that is stored may be one of it.
// REMARK: remark: {{.*}}what loops read again may have been written in between
// CHECK: grain.kernel @aliases(
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: scf.while
// CHECK: llvm.load
grain.kernel @aliases(%x: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %end = arith.constant 128 : i32
  %step = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %sum:2 = scf.while (%i = %tx, %s = %zero) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %t = llvm.fadd %s, %v : f32
        llvm.store %t, %p : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next, %t : i32, f32
      }
      grain.barrier(%tx, %ty, %tz)
      %done = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %w = llvm.fmul %v, %sum#1 : f32
        %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %w, %q : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// What a thread reads behind the barrier, its neighbour has written.
// REMARK: remark: {{.*}}what loops read again may have been written in between
// CHECK: grain.kernel @neighbours(
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: scf.while
// CHECK: llvm.load
grain.kernel @neighbours(%x: !llvm.ptr {grain.disjoint}, %out: !llvm.ptr {grain.disjoint}, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %end = arith.constant 128 : i32
  %step = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %sum:2 = scf.while (%i = %tx, %s = %zero) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %t = llvm.fadd %s, %v : f32
        llvm.store %t, %p : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next, %t : i32, f32
      }
      grain.barrier(%tx, %ty, %tz)
      %done = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %one = arith.constant 1 : i32
        %j = arith.xori %i, %one : i32
        %p = llvm.getelementptr inbounds %x[%j] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %w = llvm.fmul %v, %sum#1 : f32
        %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %w, %q : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// A neighbour writes into the row between the two barriers.
// REMARK: remark: {{.*}}what loops read again may have been written in between
// CHECK: grain.kernel @writes_between(
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: scf.while
// CHECK: llvm.load
grain.kernel @writes_between(%x: !llvm.ptr {grain.disjoint}, %out: !llvm.ptr {grain.disjoint}, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %end = arith.constant 128 : i32
  %step = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %sum:2 = scf.while (%i = %tx, %s = %zero) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %t = llvm.fadd %s, %v : f32
        llvm.store %t, %p : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next, %t : i32, f32
      }
      grain.barrier(%tx, %ty, %tz)
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %first = arith.xori %tx, %one : i32
      %second = arith.addi %first, %step : i32
      %a = llvm.getelementptr inbounds %x[%first] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %zero, %a : f32, !llvm.ptr
      %b = llvm.getelementptr inbounds %x[%second] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %zero, %b : f32, !llvm.ptr
      grain.barrier(%tx, %ty, %tz)
      %done = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %w = llvm.fmul %v, %sum#1 : f32
        %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %w, %q : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// 80 elements of 512 threads are more than half of the registers.
// REMARK: remark: {{.*}}the rows would take 80 registers for each thread of the program
// CHECK: grain.kernel @long_row(
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: scf.while
// CHECK: llvm.load
grain.kernel @long_row(%x: !llvm.ptr {grain.disjoint}, %out: !llvm.ptr {grain.disjoint}, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %end = arith.constant 40960 : i32
  %step = arith.constant 512 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 512, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %sum:2 = scf.while (%i = %tx, %s = %zero) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %t = llvm.fadd %s, %v : f32
        llvm.store %t, %p : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next, %t : i32, f32
      }
      grain.barrier(%tx, %ty, %tz)
      %done = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %w = llvm.fmul %v, %sum#1 : f32
        %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %w, %q : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// REMARK: remark: {{.*}}a row has 1024 elements for each thread of the program
// CHECK: grain.kernel @longer_row(
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: scf.while
// CHECK: llvm.load
grain.kernel @longer_row(%x: !llvm.ptr {grain.disjoint}, %out: !llvm.ptr {grain.disjoint}, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %end = arith.constant 65536 : i32
  %step = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %sum:2 = scf.while (%i = %tx, %s = %zero) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %t = llvm.fadd %s, %v : f32
        llvm.store %t, %p : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next, %t : i32, f32
      }
      grain.barrier(%tx, %ty, %tz)
      %done = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %w = llvm.fmul %v, %sum#1 : f32
        %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %w, %q : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// Only the first element of the row is known when the second loop has stored one; what it loads from shared memory is no row.
// REMARK: remark: {{.*}}what loops read again may have been written in between
// CHECK: grain.kernel @one_element(
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: scf.while
// CHECK: llvm.load
grain.kernel @one_element(%x: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %end = arith.constant 128 : i32
  %step = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %factor = grain.shared "factor" : f32 align 4
    grain.threads (%tx, %ty, %tz) {
      %sum:2 = scf.while (%i = %tx, %s = %zero) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %t = llvm.fadd %s, %v : f32
        %next = arith.addi %i, %step : i32
        scf.yield %next, %t : i32, f32
      }
      %held = llvm.load %factor : !llvm.ptr<3> -> f32
      grain.barrier(%tx, %ty, %tz)
      %done = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %f = llvm.load %factor : !llvm.ptr<3> -> f32
        %w = llvm.fmul %v, %f : f32
        %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %w, %q : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// The loops read different memory.
// REMARK: remark: {{.*}}no loop reads what an earlier loop reads or writes
// CHECK: grain.kernel @apart(
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: scf.while
// CHECK: llvm.load
grain.kernel @apart(%x: !llvm.ptr {grain.disjoint}, %out: !llvm.ptr {grain.disjoint}, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %end = arith.constant 128 : i32
  %step = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %sum:2 = scf.while (%i = %tx, %s = %zero) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i, %s : i32, f32
      } do {
      ^bb0(%i: i32, %s: f32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %t = llvm.fadd %s, %v : f32
        %next = arith.addi %i, %step : i32
        scf.yield %next, %t : i32, f32
      }
      grain.barrier(%tx, %ty, %tz)
      %done = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %p = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %w = llvm.fmul %v, %sum#1 : f32
        %q = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %w, %q : f32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}

// -----

// A store between the loops changes a fourth of what they read at once.
// REMARK: remark: {{.*}}it may change 4 of the 16 bytes that a loop reads at once
// CHECK: grain.kernel @parts(
// CHECK: scf.while
// CHECK: llvm.load
// CHECK: scf.while
// CHECK: llvm.load
grain.kernel @parts(%x: !llvm.ptr {grain.disjoint}, %out: !llvm.ptr {grain.disjoint}, %n: i32) {
  %zero = arith.constant dense<0> : vector<4xi32>
  %end = arith.constant 128 : i32
  %step = arith.constant 64 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %sum:2 = scf.while (%i = %tx, %s = %zero) : (i32, vector<4xi32>) -> (i32, vector<4xi32>) {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i, %s : i32, vector<4xi32>
      } do {
      ^bb0(%i: i32, %s: vector<4xi32>):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
        %v = llvm.load %p : !llvm.ptr -> vector<4xi32>
        %t = llvm.add %s, %v : vector<4xi32>
        %part = llvm.getelementptr inbounds %p[2] : (!llvm.ptr) -> !llvm.ptr, i32
        llvm.store %n, %part : i32, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next, %t : i32, vector<4xi32>
      }
      %done = scf.while (%i = %tx) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %end : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
        %v = llvm.load %p : !llvm.ptr -> vector<4xi32>
        %w = llvm.mul %v, %sum#1 : vector<4xi32>
        %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
        llvm.store %w, %q : vector<4xi32>, !llvm.ptr
        %next = arith.addi %i, %step : i32
        scf.yield %next : i32
      }
    }
  }
  grain.return
}
