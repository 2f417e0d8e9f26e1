// These kernels are left unchanged, each for another reason.
// RUN: regrain-opt %s --grain-exchange-in-warp --split-input-file 2>&1 | FileCheck %s --implicit-check-not=nvvm.shfl --implicit-check-not=llvm.alloca

// CHECK: remark: {{.*}}the number of threads of the launched block is not known
grain.kernel @any_block(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the launched block has 48 threads
grain.kernel @part_of_a_warp(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 48, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the kernel has no shared memory
grain.kernel @none(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    grain.threads (%tx, %ty, %tz) {
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}an access to a shared array is volatile or atomic
grain.kernel @volatile(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store volatile %tx, %mine : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the address of a shared array is used for something other than a load or a store
grain.kernel @escapes(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      llvm.store %row, %out : !llvm.ptr<3>, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}it is not known which element of a shared array each lane accesses
grain.kernel @data(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %index = llvm.load %in : !llvm.ptr -> i32
      %mine = llvm.getelementptr inbounds %row[%index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}several lanes write one element of a shared array
grain.kernel @same(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      llvm.store %tx, %row : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}several lanes write one element of a shared array
grain.kernel @handed(%out: !llvm.ptr, %in: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %next = arith.xori %tx, %c1 : i32
      %theirs = llvm.getelementptr inbounds %row[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %theirs : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}elements of a shared array overlap
grain.kernel @parts(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %byte = llvm.load %mine : !llvm.ptr<3> -> i8
      llvm.store %byte, %out : i8, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}an element of a shared array is no number
grain.kernel @pointers(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x ptr> align 8
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.ptr
      llvm.store %in, %mine : !llvm.ptr, !llvm.ptr<3>
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the shared arrays would take 384 bytes of registers per lane
grain.kernel @large(%many: vector<96xi32>) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x array<96 x i32>> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<96 x i32>
      llvm.store %many, %mine : vector<96xi32>, !llvm.ptr<3>
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}threads may wait for each other here without a barrier
grain.kernel @ticket(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      %ticket = llvm.atomicrmw add %in, %tx monotonic : !llvm.ptr, i32
      llvm.store %ticket, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}threads synchronise where the lanes of a warp may have diverged
grain.kernel @diverged(%out: !llvm.ptr, %in: !llvm.ptr) {
  %c16 = arith.constant 16 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      %inside = arith.cmpi slt, %tx, %c16 : i32
      scf.if %inside {
        grain.barrier (%tx, %ty, %tz)
        %first = llvm.load %row : !llvm.ptr<3> -> i32
        llvm.store %first, %out : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}no formula says from which lane each lane reads
grain.kernel @squares(%out: !llvm.ptr, %in: !llvm.ptr) {
  %c32 = arith.constant 32 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %square = arith.muli %tx, %tx : i32
      %index = arith.divui %square, %c32 : i32
      %theirs = llvm.getelementptr inbounds %row[%index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %value = llvm.load %theirs : !llvm.ptr<3> -> i32
      llvm.store %value, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}a load would take 16 shuffles
grain.kernel @column(%out: !llvm.ptr, %in: !llvm.ptr) {
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<512 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %p0 = llvm.getelementptr inbounds %row[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q0 = llvm.getelementptr inbounds %p0[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q0 : i32, !llvm.ptr<3>
      %p1 = llvm.getelementptr inbounds %row[32] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q1 = llvm.getelementptr inbounds %p1[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q1 : i32, !llvm.ptr<3>
      %p2 = llvm.getelementptr inbounds %row[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q2 = llvm.getelementptr inbounds %p2[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q2 : i32, !llvm.ptr<3>
      %p3 = llvm.getelementptr inbounds %row[96] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q3 = llvm.getelementptr inbounds %p3[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q3 : i32, !llvm.ptr<3>
      %p4 = llvm.getelementptr inbounds %row[128] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q4 = llvm.getelementptr inbounds %p4[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q4 : i32, !llvm.ptr<3>
      %p5 = llvm.getelementptr inbounds %row[160] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q5 = llvm.getelementptr inbounds %p5[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q5 : i32, !llvm.ptr<3>
      %p6 = llvm.getelementptr inbounds %row[192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q6 = llvm.getelementptr inbounds %p6[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q6 : i32, !llvm.ptr<3>
      %p7 = llvm.getelementptr inbounds %row[224] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q7 = llvm.getelementptr inbounds %p7[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q7 : i32, !llvm.ptr<3>
      %p8 = llvm.getelementptr inbounds %row[256] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q8 = llvm.getelementptr inbounds %p8[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q8 : i32, !llvm.ptr<3>
      %p9 = llvm.getelementptr inbounds %row[288] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q9 = llvm.getelementptr inbounds %p9[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q9 : i32, !llvm.ptr<3>
      %p10 = llvm.getelementptr inbounds %row[320] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q10 = llvm.getelementptr inbounds %p10[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q10 : i32, !llvm.ptr<3>
      %p11 = llvm.getelementptr inbounds %row[352] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q11 = llvm.getelementptr inbounds %p11[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q11 : i32, !llvm.ptr<3>
      %p12 = llvm.getelementptr inbounds %row[384] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q12 = llvm.getelementptr inbounds %p12[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q12 : i32, !llvm.ptr<3>
      %p13 = llvm.getelementptr inbounds %row[416] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q13 = llvm.getelementptr inbounds %p13[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q13 : i32, !llvm.ptr<3>
      %p14 = llvm.getelementptr inbounds %row[448] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q14 = llvm.getelementptr inbounds %p14[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q14 : i32, !llvm.ptr<3>
      %p15 = llvm.getelementptr inbounds %row[480] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %q15 = llvm.getelementptr inbounds %p15[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %q15 : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %half = arith.shrui %tx, %c1 : i32
      %index = arith.muli %half, %c32 : i32
      %theirs = llvm.getelementptr inbounds %row[%index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %value = llvm.load %theirs : !llvm.ptr<3> -> i32
      llvm.store %value, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}a function that is not inlined may use the dynamic shared memory
llvm.func @helper() attributes {grain.callee = #grain.callee<plain_function, convergence = none>}
grain.kernel @callee(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.dynamic_shared "row" align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      llvm.call @helper() : () -> ()
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the operation may synchronise threads in a way that is not understood
llvm.func @other()
grain.kernel @unknown(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<32 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      llvm.call @other() : () -> ()
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}elements of a shared array overlap, or are exchanged between the warps of a block
grain.kernel @other_warp(%out: !llvm.ptr) {
  %c32 = arith.constant 32 : i32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      grain.barrier (%tx, %ty, %tz)
      %far = arith.xori %tx, %c32 : i32
      %theirs = llvm.getelementptr inbounds %row[%far] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %value = llvm.load %theirs : !llvm.ptr<3> -> i32
      llvm.store %value, %out : i32, !llvm.ptr
    }
  }
  grain.return
}
