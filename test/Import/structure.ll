; RUN: regrain-translate %s | FileCheck %s
; RUN: regrain-translate --round-trip %s | FileCheck %s --check-prefix=BACK
; This tests how control flow is structured, and which branches remain.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; A fall-through switch would grow quadratically: it stays a region of branches.
; CHECK-LABEL: grain.kernel @fall_through
; CHECK: scf.execute_region
; CHECK: cf.switch
; CHECK-NOT: scf.if
; BACK-LABEL: define void @fall_through
; BACK: switch i32
define void @fall_through(ptr %p, i32 %n) {
entry:
  switch i32 %n, label %exit [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %c
  ]
a:
  store volatile i32 1, ptr %p
  br label %b
b:
  store volatile i32 2, ptr %p
  br label %c
c:
  store volatile i32 3, ptr %p
  br label %exit
exit:
  ret void
}

; With a barrier inside, it must be structured nevertheless.
; CHECK-LABEL: grain.kernel @fall_through_barrier
; CHECK-NOT: scf.execute_region
; CHECK: scf.index_switch
; CHECK: grain.barrier
; BACK-LABEL: define void @fall_through_barrier
; BACK: call void @llvm.nvvm.barrier0()
define void @fall_through_barrier(ptr %p, i32 %n) {
entry:
  switch i32 %n, label %exit [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %c
  ]
a:
  store volatile i32 1, ptr %p
  br label %b
b:
  call void @llvm.nvvm.barrier0()
  br label %c
c:
  store volatile i32 3, ptr %p
  br label %exit
exit:
  ret void
}

; A loop with two entries gets one block that selects the entry.
; CHECK-LABEL: grain.kernel @irreducible
; CHECK: scf.while
; BACK-LABEL: define void @irreducible
define void @irreducible(ptr %p, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  store volatile i32 1, ptr %p
  br label %b
b:
  %v = load volatile i32, ptr %p
  %again = icmp sgt i32 %v, 0
  br i1 %again, label %a, label %exit
exit:
  ret void
}

; Edges to unreachable code are not exits, and a failed assertion returns.
; CHECK-LABEL: grain.kernel @unreachable
; CHECK: grain.threads
; CHECK: scf.index_switch
; CHECK: llvm.intr.trap
; CHECK: grain.return
; BACK-LABEL: define void @unreachable
; BACK: call void @llvm.trap()
define void @unreachable(ptr %p, i32 %n) {
entry:
  switch i32 %n, label %nowhere [
    i32 0, label %a
    i32 1, label %b
  ]
a:
  store volatile i32 1, ptr %p
  ret void
b:
  call void @llvm.trap()
  unreachable
nowhere:
  unreachable
}

; A loop without end still ends the kernel's region.
; CHECK-LABEL: grain.kernel @endless
; CHECK: scf.while
; CHECK: grain.barrier
define void @endless(ptr %p) {
entry:
  br label %loop
loop:
  store volatile i32 1, ptr %p
  call void @llvm.nvvm.barrier0()
  br label %loop
}

declare void @llvm.nvvm.barrier0()
declare void @llvm.trap()

!nvvm.annotations = !{!0, !1, !2, !3, !4}
!0 = !{ptr @fall_through, !"kernel", i32 1}
!1 = !{ptr @fall_through_barrier, !"kernel", i32 1}
!2 = !{ptr @irreducible, !"kernel", i32 1}
!3 = !{ptr @unreachable, !"kernel", i32 1}
!4 = !{ptr @endless, !"kernel", i32 1}
