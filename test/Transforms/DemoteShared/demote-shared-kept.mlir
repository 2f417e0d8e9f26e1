// These kernels are left unchanged, each for another reason.
// RUN: regrain-opt %s --grain-demote-shared --split-input-file 2>&1 | FileCheck %s --implicit-check-not=grain.lent

// CHECK: remark: {{.*}}the kernel has no static shared memory at this grain
grain.kernel @none(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %more = grain.dynamic_shared "more" align 16
    grain.threads (%tx, %ty, %tz) {}
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the kernel uses an address of shared memory for something other than an access
grain.kernel @number(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      %number = llvm.ptrtoint %tile : !llvm.ptr<3> to i32
      llvm.store %number, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the kernel uses an address of shared memory for something other than an access
grain.kernel @stored_address(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      llvm.store %tile, %out : !llvm.ptr<3>, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the kernel converts a generic pointer to a pointer to shared memory
grain.kernel @converted(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : i32 align 4
    %generic = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %back = llvm.addrspacecast %generic : !llvm.ptr to !llvm.ptr<3>
      llvm.store %tx, %back : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the kernel tests to which kind of memory a pointer points
llvm.func @nvvm.isspacep.shared(!llvm.ptr) -> i1 attributes {grain.callee = #grain.callee<address_query, convergence = none>}
grain.kernel @question(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : i32 align 4
    %generic = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %is = llvm.call @nvvm.isspacep.shared(%generic) : (!llvm.ptr) -> i1
      llvm.store %is, %out : i1, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}inline assembly may be given an address of shared memory
llvm.func @asm(!llvm.ptr) attributes {grain.callee = #grain.callee<assembly, convergence = none>}
grain.kernel @assembly(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : i32 align 4
    %generic = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      llvm.call @asm(%generic) : (!llvm.ptr) -> ()
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}a function that is not inlined may be given an address of shared memory
llvm.func @helper(!llvm.ptr) attributes {grain.callee = #grain.callee<function, convergence = none>}
grain.kernel @called(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : i32 align 4
    %generic = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      llvm.call @helper(%generic) : (!llvm.ptr) -> ()
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}an instruction of the kernel can access only shared memory
llvm.func @nvvm.ptr.gen.to.shared.p3.p0(!llvm.ptr) -> !llvm.ptr<3> attributes {grain.callee = #grain.callee<instruction, convergence = none>}
grain.kernel @converted_by_call(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : i32 align 4
    %generic = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr
    grain.threads (%tx, %ty, %tz) {
      %back = llvm.call @nvvm.ptr.gen.to.shared.p3.p0(%generic) : (!llvm.ptr) -> !llvm.ptr<3>
      llvm.store %tx, %back : i32, !llvm.ptr<3>
    }
  }
  grain.return
}

// -----

// The pointer may come from anywhere, and points to shared memory.
// CHECK: remark: {{.*}}an instruction of the kernel can access only shared memory
llvm.func @nvvm.mbarrier.arrive(!llvm.ptr) -> i64 attributes {grain.callee = #grain.callee<instruction, convergence = unknown>}
grain.kernel @barrier_in_memory(%at: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : i32 align 4
    grain.threads (%tx, %ty, %tz) {
      llvm.store %tx, %tile : i32, !llvm.ptr<3>
      %where = llvm.load %at : !llvm.ptr -> !llvm.ptr
      %state = llvm.call @nvvm.mbarrier.arrive(%where) : (!llvm.ptr) -> i64
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}an instruction of the kernel can access only shared memory
llvm.func @nvvm.cp.async.ca.shared.global.16(!llvm.ptr<3>, !llvm.ptr<1>) attributes {grain.callee = #grain.callee<instruction, convergence = none>}
grain.kernel @copied_into(%from: !llvm.ptr<1>) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : !llvm.array<4 x i32> align 16
    grain.threads (%tx, %ty, %tz) {
      llvm.call @nvvm.cp.async.ca.shared.global.16(%tile, %from) : (!llvm.ptr<3>, !llvm.ptr<1>) -> ()
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}an instruction of the kernel can access only shared memory
llvm.func @nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(!llvm.ptr<3>) -> i32 attributes {grain.callee = #grain.callee<instruction, convergence = warp>}
grain.kernel @matrix(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : !llvm.array<64 x i16> align 16
    grain.threads (%tx, %ty, %tz) {
      %part = llvm.call @nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(%tile) : (!llvm.ptr<3>) -> i32
      llvm.store %part, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}a block has more than 1 GiB of shared memory at this grain
grain.kernel @large(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : !llvm.array<1073741824 x i8> align 1
    %more = grain.shared "more" : i8 align 1
    grain.threads (%tx, %ty, %tz) {}
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}its shared memory is aligned to more than 256 bytes
grain.kernel @aligned(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %tile = grain.shared "tile" : !llvm.array<512 x i8> align 512
    grain.threads (%tx, %ty, %tz) {}
  }
  grain.return
}
