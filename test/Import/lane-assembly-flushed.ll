; RUN: regrain-translate %s | FileCheck %s
; Sums of floats in assembly keep subnormal numbers, which an addition of this kernel would not.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: grain.kernel @flushed
; CHECK: llvm.call @asm.shfl.up.add({{.*}}) : (i32, i32, i32, i32, i32) -> i32
; CHECK: llvm.call @asm({{.*}}) : (f32, i32, i32, f32, i32) -> f32
define void @flushed(ptr %p, ptr %q, i32 %by) #0 {
  %v = load i32, ptr %p, align 4
  %c = call i32 asm sideeffect "{ .reg .u32 x; .reg .pred ok; shfl.sync.up.b32 x|ok, $1, $2, $3, $5; @ok add.u32 x, x, $4; mov.u32 $0, x; }", "=r,r,r,r,r,r"(i32 %v, i32 %by, i32 0, i32 %v, i32 -1) #1
  store i32 %c, ptr %p, align 4
  %f = load float, ptr %q, align 4
  %s = call float asm sideeffect "{ .reg .f32 r0; .reg .pred p; shfl.sync.down.b32 r0|p, $1, $2, $3, $5; @p add.f32 r0, r0, $4; mov.f32 $0, r0;}", "=f,f,r,r,f,r"(float %f, i32 1, i32 31, float %f, i32 -1) #1
  store float %s, ptr %q, align 4
  ret void
}

attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
attributes #1 = { convergent nounwind }

!nvvm.annotations = !{!0}
!0 = !{ptr @flushed, !"kernel", i32 1}
