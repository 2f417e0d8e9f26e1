; RUN: regrain-translate %s | FileCheck %s
; RUN: regrain-translate --round-trip %s | FileCheck %s --check-prefix=BACK
; A launch that begins early waits for the launch in front of it. Grain IR has no waits, and the export puts one in front
; of all accesses to memory, where each thread comes once.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; A load that stood in front of the wait may follow it; arithmetic and hints stay in front.
; CHECK-LABEL: grain.kernel @moved
; CHECK-COUNT-2: llvm.call @asm
; CHECK-NOT: llvm.call
; CHECK: grain.return
; BACK-LABEL: define void @moved
; BACK: asm sideeffect "griddepcontrol.launch_dependents;"
; BACK-NOT: load
; BACK: getelementptr
; BACK: asm sideeffect "prefetch.global.L2 [$0];"
; BACK-NEXT: call void asm sideeffect "griddepcontrol.wait;", "~{memory}"() #[[CONVERGENT:[0-9]+]]
; BACK-NEXT: load
; BACK: load
; BACK-NOT: griddepcontrol
; BACK: ret void
; BACK: attributes #[[CONVERGENT]] = { convergent nounwind }
define void @moved(ptr %p, ptr %w) {
  call void asm sideeffect "griddepcontrol.launch_dependents;", ""() #0
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %here = getelementptr float, ptr %p, i32 %thread
  call void asm sideeffect "prefetch.global.L2 [$0];", "l"(ptr %w) #0
  %weight = load float, ptr %w
  call void asm sideeffect "griddepcontrol.wait;", "~{memory}"() #0
  %x = load float, ptr %here
  %y = fmul float %x, %weight
  store float %y, ptr %here
  ret void
}

; If all threads skipped the wait, a launch behind could overtake the one in front.
; CHECK-LABEL: grain.kernel @guarded
; CHECK-NOT: llvm.call
; CHECK: grain.return
; BACK-LABEL: define void @guarded
; BACK: icmp
; BACK: griddepcontrol.wait
; BACK-NEXT: br i1
; BACK-NOT: griddepcontrol
; BACK: ret void
define void @guarded(ptr %p, i32 %n) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %inside = icmp slt i32 %thread, %n
  br i1 %inside, label %then, label %end
then:
  call void asm sideeffect "griddepcontrol.wait;", "~{memory}"() #0
  store i32 %n, ptr %p
  br label %end
end:
  ret void
}

; One wait is in front of a loop. A hint may stand in a branch, and the wait behind it.
; CHECK-LABEL: grain.kernel @looped
; CHECK: scf.if
; CHECK: llvm.call @asm
; CHECK: scf.while
; CHECK-NOT: llvm.call
; CHECK: grain.return
; BACK-LABEL: define void @looped
; BACK: br i1
; BACK: griddepcontrol.launch_dependents
; BACK: br label
; BACK: griddepcontrol.wait
; BACK: br label
; BACK: store
; BACK-NOT: griddepcontrol
; BACK: ret void
define void @looped(ptr %p, i32 %n) {
entry:
  %few = icmp slt i32 %n, 9
  br i1 %few, label %hint, label %start
hint:
  call void asm sideeffect "griddepcontrol.launch_dependents;", ""() #0
  br label %start
start:
  br label %loop
loop:
  %i = phi i32 [ 0, %start ], [ %next, %loop ]
  call void asm sideeffect "griddepcontrol.wait;", "~{memory}"() #0
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A hint that comes behind the wait stays there: the launch behind would come to the device too early.
; CHECK-LABEL: grain.kernel @hinted
; BACK-LABEL: define void @hinted
; BACK-NOT: griddepcontrol
; BACK: griddepcontrol.wait
; BACK: griddepcontrol.launch_dependents
; BACK: store
define void @hinted(ptr %p, i32 %n) {
  call void asm sideeffect "griddepcontrol.wait;", "~{memory}"() #0
  %few = icmp slt i32 %n, 9
  br i1 %few, label %hint, label %start
hint:
  call void asm sideeffect "griddepcontrol.launch_dependents;", ""() #0
  br label %start
start:
  store i32 %n, ptr %p
  ret void
}

; All hints stand behind the wait if some of them did.
; BACK-LABEL: define void @flagged
; BACK-NOT: griddepcontrol
; BACK: griddepcontrol.wait
; BACK-COUNT-2: griddepcontrol.launch_dependents
; BACK: store
define void @flagged(ptr %p, i1 %early) {
  br i1 %early, label %first, label %start
first:
  call void asm sideeffect "griddepcontrol.launch_dependents;", ""() #0
  br label %start
start:
  call void asm sideeffect "griddepcontrol.wait;", "~{memory}"() #0
  br i1 %early, label %end, label %second
second:
  call void asm sideeffect "griddepcontrol.launch_dependents;", ""() #0
  br label %end
end:
  store i1 %early, ptr %p
  ret void
}

; BACK-LABEL: define void @unordered
; BACK-NOT: griddepcontrol
; BACK: ret void
define void @unordered(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; CHECK: llvm.func @asm() attributes {grain.callee = #grain.callee<sleep, convergence = none>, memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite>
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { convergent nounwind }
!nvvm.annotations = !{!0, !1, !2, !4, !5, !3}
!0 = !{ptr @moved, !"kernel", i32 1}
!1 = !{ptr @guarded, !"kernel", i32 1}
!2 = !{ptr @looped, !"kernel", i32 1}
!3 = !{ptr @unordered, !"kernel", i32 1}
!4 = !{ptr @hinted, !"kernel", i32 1}
!5 = !{ptr @flagged, !"kernel", i32 1}
