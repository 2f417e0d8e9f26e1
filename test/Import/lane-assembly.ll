; RUN: regrain-translate %s | FileCheck %s
; The name of a call tells what known assembly does; registers and moves may have other names and types.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: grain.kernel @known
; CHECK: llvm.call @asm.shfl.move.down({{.*}}) : (i32, i32, i32, i32) -> i32
; CHECK: llvm.call @asm.shfl.move.idx({{.*}}) : (i32, i32, i32, i32) -> i32
; CHECK: llvm.call @asm.shfl.up.add({{.*}}) : (i32, i32, i32, i32, i32) -> i32
; CHECK: llvm.call @asm.shfl.down.add({{.*}}) : (f32, i32, i32, f32, i32) -> f32
; CHECK: llvm.call @asm.shfl.down.add1({{.*}}) : (f64, i32, i32, i32) -> f64
define void @known(ptr %p, ptr %q, i32 %by) {
  %v = load i32, ptr %p, align 4
  %a = call i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r"(i32 %v, i32 %by, i32 31, i32 -1) #1
  %b = call i32 asm sideeffect "shfl.sync.idx.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r"(i32 %a, i32 %by, i32 31, i32 -1) #1
  %c = call i32 asm sideeffect "{ .reg .s32 x; .reg .pred ok; shfl.sync.up.b32 x|ok, $1, $2, $3, $5; @ok add.s32 x, x, $4; mov.b32 $0, x; }", "=r,r,r,r,r,r"(i32 %b, i32 %by, i32 0, i32 %b, i32 -1) #1
  store i32 %c, ptr %p, align 4
  %f = load float, ptr %q, align 4
  %s = call float asm sideeffect "{ .reg .f32 r0; .reg .pred p; shfl.sync.down.b32 r0|p, $1, $2, $3, $5; @p add.f32 r0, r0, $4; mov.f32 $0, r0;}", "=f,f,r,r,f,r"(float %f, i32 1, i32 31, float %f, i32 -1) #1
  %w = fpext float %s to double
  %d = call double asm sideeffect "{ .reg .u32 lo; .reg .u32 hi; .reg .pred p; .reg .f64 r0; mov.b64 $0, $1; mov.b64 {lo, hi}, $1; shfl.sync.down.b32 lo|p, lo, $2, $3, $4; shfl.sync.down.b32 hi|p, hi, $2, $3, $4; mov.b64 r0, {lo, hi}; @p add.f64 $0, $0, r0;}", "=d,d,r,r,r"(double %w, i32 1, i32 31, i32 -1) #1
  %t = fptrunc double %d to float
  store float %t, ptr %q, align 4
  ret void
}

; Another condition, another addend, another operation, and fixed operands have no names.

; CHECK-LABEL: grain.kernel @unknown
; CHECK-NOT: @asm.
; CHECK: grain.return
define void @unknown(ptr %p, i32 %by) {
  %v = load i32, ptr %p, align 4
  %a = call i32 asm sideeffect "{ .reg .s32 x; .reg .pred ok; shfl.sync.up.b32 x|ok, $1, $2, $3, $5; @!ok add.s32 x, x, $4; mov.b32 $0, x; }", "=r,r,r,r,r,r"(i32 %v, i32 %by, i32 0, i32 %v, i32 -1) #1
  %b = call i32 asm sideeffect "{ .reg .s32 x; .reg .pred ok; shfl.sync.up.b32 x|ok, $1, $2, $3, $5; @ok add.s32 x, x, $2; mov.b32 $0, x; }", "=r,r,r,r,r,r"(i32 %a, i32 %by, i32 0, i32 %a, i32 -1) #1
  %c = call i32 asm sideeffect "{ .reg .s32 x; .reg .pred ok; shfl.sync.up.b32 x|ok, $1, $2, $3, $5; @ok max.s32 x, x, $4; mov.b32 $0, x; }", "=r,r,r,r,r,r"(i32 %b, i32 %by, i32 0, i32 %b, i32 -1) #1
  %d = call i32 asm sideeffect "shfl.sync.down.b32 $0, $1, 1, 31, -1;", "=r,r"(i32 %c) #1
  store i32 %d, ptr %p, align 4
  ret void
}

attributes #1 = { convergent nounwind }

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @known, !"kernel", i32 1}
!1 = !{ptr @unknown, !"kernel", i32 1}
