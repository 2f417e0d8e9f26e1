// What warps exchange with each other stays in shared memory, with the barriers that order it. The rest becomes registers.
// RUN: regrain-opt %s --grain-exchange-in-warp=exchanges=levels --split-input-file 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// Two warps: the first level and the result go through memory. The second level's sum is read by the other warp, too, so it is
// stored, but no barrier lies between the levels of the first warp.
// CHECK-LABEL: @tree(
// CHECK: grain.shared
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK: grain.barrier
// CHECK: scf.if
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT: grain.barrier
// CHECK: nvvm.shfl.sync down
// CHECK-NOT: !llvm.ptr<3> -> f32
// CHECK: grain.barrier
// CHECK-NEXT: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT: grain.barrier
grain.kernel @tree(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %held = grain.shared "held" : !llvm.array<64 x f32> align 4
    grain.threads (%tx, %ty, %tz) {
      %c16 = arith.constant 16 : i32
      %c32 = arith.constant 32 : i32
      %p = llvm.getelementptr inbounds %in[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %v = llvm.load %p : !llvm.ptr -> f32
      %mine = llvm.getelementptr inbounds %held[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      llvm.store %v, %mine : f32, !llvm.ptr<3>
      grain.barrier(%tx, %ty, %tz)
      %first = arith.cmpi ult, %tx, %c32 : i32
      scf.if %first {
        %far = arith.addi %tx, %c32 : i32
        %a = llvm.getelementptr inbounds %held[%far] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
        %x = llvm.load %a : !llvm.ptr<3> -> f32
        %y = llvm.load %mine : !llvm.ptr<3> -> f32
        %s = llvm.fadd %y, %x : f32
        llvm.store %s, %mine : f32, !llvm.ptr<3>
      }
      grain.barrier(%tx, %ty, %tz)
      %second = arith.cmpi ult, %tx, %c16 : i32
      scf.if %second {
        %far = arith.addi %tx, %c16 : i32
        %a = llvm.getelementptr inbounds %held[%far] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
        %x = llvm.load %a : !llvm.ptr<3> -> f32
        %y = llvm.load %mine : !llvm.ptr<3> -> f32
        %s = llvm.fadd %y, %x : f32
        llvm.store %s, %mine : f32, !llvm.ptr<3>
      }
      grain.barrier(%tx, %ty, %tz)
      %r = llvm.load %held : !llvm.ptr<3> -> f32
      %q = llvm.getelementptr inbounds %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %r, %q : f32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// What two lanes write stays in memory as it is. The other array needs none.
// CHECK-LABEL: @two_writers(
// CHECK: grain.shared "last"
// CHECK-NOT: grain.shared
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK: grain.barrier
// CHECK: nvvm.shfl.sync bfly
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
grain.kernel @two_writers(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %last = grain.shared "last" : i32 align 4
    %row = grain.shared "row" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %c1 = arith.constant 1 : i32
      %p = llvm.getelementptr inbounds %in[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %p : !llvm.ptr -> i32
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %v, %mine : i32, !llvm.ptr<3>
      llvm.store %c1, %last : i32, !llvm.ptr<3>
      grain.barrier(%tx, %ty, %tz)
      %other = arith.xori %tx, %c1 : i32
      %a = llvm.getelementptr inbounds %row[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %x = llvm.load %a : !llvm.ptr<3> -> i32
      %y = llvm.load %last : !llvm.ptr<3> -> i32
      %s = arith.addi %x, %y : i32
      %q = llvm.getelementptr inbounds %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %s, %q : i32, !llvm.ptr
    }
  }
  grain.return
}

// -----

// Each lane reads from the other warp.
// REMARK: remark: {{.*}}no lane reads an element that another lane of its warp has written
// CHECK-LABEL: @other_warp(
// CHECK-NOT: nvvm.shfl
// CHECK-NOT: llvm.alloca
grain.kernel @other_warp(%out: !llvm.ptr, %in: !llvm.ptr) {
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 64, 1, 1>} {
    %row = grain.shared "row" : !llvm.array<64 x i32> align 4
    grain.threads (%tx, %ty, %tz) {
      %c32 = arith.constant 32 : i32
      %mine = llvm.getelementptr inbounds %row[%tx] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tx, %mine : i32, !llvm.ptr<3>
      grain.barrier(%tx, %ty, %tz)
      %other = arith.xori %tx, %c32 : i32
      %a = llvm.getelementptr inbounds %row[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %x = llvm.load %a : !llvm.ptr<3> -> i32
      %q = llvm.getelementptr inbounds %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %x, %q : i32, !llvm.ptr
    }
  }
  grain.return
}
