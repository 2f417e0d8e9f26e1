// These loads are left unchanged, each for another reason.
// RUN: regrain-opt %s --grain-hint-loads --split-input-file 2>&1 | FileCheck %s --implicit-check-not=nontemporal}

// CHECK: remark: {{.*}}because it is volatile or atomic
grain.kernel @flag(%out: !llvm.ptr, %data: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %from = llvm.getelementptr inbounds %data[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %value = llvm.load volatile %from : !llvm.ptr -> i32
      llvm.store %value, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because its address is not known to be in global memory
grain.kernel @chosen(%out: !llvm.ptr, %left: !llvm.ptr, %right: !llvm.ptr, %condition: i1) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %data = llvm.select %condition, %left, %right : i1, !llvm.ptr
      %from = llvm.getelementptr inbounds %data[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %value = llvm.load %from : !llvm.ptr -> i32
      llvm.store %value, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because neighbouring threads are not known to load from different addresses
grain.kernel @same(%out: !llvm.ptr, %data: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %from = llvm.getelementptr inbounds %data[%bx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %value = llvm.load %from : !llvm.ptr -> i32
      %to = llvm.getelementptr inbounds %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %value, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because threads that differ in a coordinate load from the same address
grain.kernel @row(%out: !llvm.ptr, %data: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %from = llvm.getelementptr inbounds %data[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %value = llvm.load %from : !llvm.ptr -> i32
      %to = llvm.getelementptr inbounds %out[%bx, %tx] : (!llvm.ptr, i32, i32) -> !llvm.ptr, !llvm.array<64 x i32>
      llvm.store %value, %to : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because a loop may load from the same address again
grain.kernel @again(%out: !llvm.ptr, %data: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %from = llvm.getelementptr inbounds %data[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        %value = llvm.load %from : !llvm.ptr -> i32
        %to = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %value, %to : i32, !llvm.ptr
      }
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because another load may access the same data
grain.kernel @stencil(%out: !llvm.ptr, %data: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %data[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %next = llvm.getelementptr inbounds %own[1] : (!llvm.ptr) -> !llvm.ptr, i32
      %a = llvm.load %own : !llvm.ptr -> i32
      %b = llvm.load %next : !llvm.ptr -> i32
      %sum = arith.addi %a, %b : i32
      llvm.store %sum, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}the kernel loads nothing from global memory
grain.kernel @nothing(%out: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %value = llvm.load %own : !llvm.ptr<3> -> i32
      llvm.store %value, %out : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// CHECK: remark: {{.*}}because its address is not a sum of products of coordinates
grain.kernel @gather(%out: !llvm.ptr, %data: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) {
    %s = grain.shared "s" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %own = llvm.getelementptr inbounds %s[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %index = llvm.load %own : !llvm.ptr<3> -> i32
      %from = llvm.getelementptr inbounds %data[%index] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %value = llvm.load %from : !llvm.ptr -> i32
      llvm.store %value, %out : i32, !llvm.ptr
    }
  }
  grain.return
}
