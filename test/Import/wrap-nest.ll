; RUN: regrain-translate %s | FileCheck %s
; RUN: regrain-translate --round-trip %s | FileCheck %s --check-prefix=BACK
; Coordinates, sizes, barriers and shared memory of a kernel take the dialect's
; form, and are restored by the export.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ5tiledE4tile = internal addrspace(3) global [64 x float] undef, align 8
@dyn = external addrspace(3) global [0 x float], align 4

; CHECK-LABEL: grain.kernel @tiled(%arg0: !llvm.ptr {llvm.noalias}, %arg1: i32)
; CHECK-DAG: %[[NTID:.*]] = grain.block_size x
; CHECK-DAG: %[[NCTAID:.*]] = grain.grid_size y
; CHECK: grain.blocks (%[[BX:.*]], %[[BY:.*]], %{{.*}}) {
; CHECK-DAG: %[[TILE:.*]] = grain.shared "tile" : !llvm.array<64 x f32> align 8
; CHECK-DAG: %[[DYN:.*]] = grain.dynamic_shared "dyn" align 4
; CHECK: grain.threads (%[[TX:.*]], %[[TY:.*]], %[[TZ:.*]]) {
; CHECK: llvm.store %{{.*}}, %[[DYN]]
; CHECK: grain.barrier(%[[TX]], %[[TY]], %[[TZ]])
; CHECK: grain.barrier_reduce and %{{.*}}(%[[TX]], %[[TY]], %[[TZ]])
; CHECK: grain.barrier_reduce or
; CHECK: grain.barrier_reduce count
; CHECK: grain.return

; BACK-DAG: @[[TILE:.*tile.*]] = internal addrspace(3) global [64 x float] undef, align 8
; BACK-DAG: @[[DYN:.*]] = external addrspace(3) global [0 x i8], align 16
; BACK: define void @tiled(ptr noalias %0, i32 %1)
; BACK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; BACK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; BACK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
; BACK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
; BACK: call void @llvm.nvvm.barrier0()
; BACK: call i32 @llvm.nvvm.barrier0.and(
; BACK: call i32 @llvm.nvvm.barrier0.or(
; BACK: call i32 @llvm.nvvm.barrier0.popc(
; A coordinate that the kernel does not use is not read.
; BACK-NOT: tid.z
; BACK: !nvvm.annotations = !{![[KERNEL:.*]], ![[BOUND:.*]]}
; BACK: ![[KERNEL]] = !{ptr @tiled, !"kernel", i32 1}
; BACK: ![[BOUND]] = !{ptr @tiled, !"maxntidx", i32 128}
define void @tiled(ptr noalias %p, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %nctaid = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %j = add i32 %i, %nctaid
  %value = sitofp i32 %j to float
  store float %value, ptr addrspace(3) @dyn, align 4
  %slot = getelementptr [64 x float], ptr addrspace(3) @_ZZ5tiledE4tile, i32 0, i32 %tid
  store float %value, ptr addrspace(3) %slot, align 4
  call void @llvm.nvvm.barrier0()
  %a = call i32 @llvm.nvvm.barrier0.and(i32 %n)
  %b = call i32 @llvm.nvvm.barrier0.or(i32 %a)
  %c = call i32 @llvm.nvvm.barrier0.popc(i32 %b)
  %other = load float, ptr addrspace(3) @_ZZ5tiledE4tile, align 4
  store volatile float %other, ptr %p, align 4
  store i32 %c, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.barrier0.and(i32)
declare i32 @llvm.nvvm.barrier0.or(i32)
declare i32 @llvm.nvvm.barrier0.popc(i32)

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @tiled, !"kernel", i32 1}
!1 = !{ptr @tiled, !"maxntidx", i32 128}
