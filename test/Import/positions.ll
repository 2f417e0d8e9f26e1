; RUN: regrain-translate --locations %s | FileCheck %s
; RUN: regrain-translate --round-trip %s | FileCheck %s --check-prefix=BACK
; Positions survive both ways, including those of inlined code.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: grain.kernel @positions
; CHECK: llvm.load {{.*}}[positions.cu:3:5]
; CHECK-NEXT: at {{.*}}[positions.cu:11:7]
; CHECK: arith.addi {{.*}}[positions.cu:12:9]
; CHECK: grain.barrier{{.*}}[positions.cu:13:3]

; BACK: define void @positions({{.*}} !dbg ![[KERNEL:[0-9]+]]
; BACK: load i32, {{.*}} !dbg ![[LOAD:[0-9]+]]
; BACK: add i32 {{.*}} !dbg ![[ADD:[0-9]+]]
; BACK-DAG: ![[KERNEL]] = distinct !DISubprogram(name: "positions", {{.*}}line: 10,
; BACK-DAG: ![[ADD]] = !DILocation(line: 12, column: 9, scope: ![[KERNEL]])
; BACK-DAG: ![[LOAD]] = !DILocation(line: 3, column: 5, scope: ![[INNER:[0-9]+]], inlinedAt: ![[AT:[0-9]+]])
; BACK-DAG: ![[INNER]] = distinct !DISubprogram(name: "inner"
; BACK-DAG: ![[AT]] = {{(distinct )?}}!DILocation(line: 11, column: 7, scope: ![[KERNEL]])
define internal i32 @inner(ptr %p) !dbg !6 {
  %v = load i32, ptr %p, align 4, !dbg !8
  ret i32 %v, !dbg !8
}

define void @positions(ptr %p, i32 %n) !dbg !7 {
  %v = call i32 @inner(ptr %p), !dbg !9
  %sum = add i32 %v, %n, !dbg !10
  call void @llvm.nvvm.barrier0(), !dbg !11
  store i32 %sum, ptr %p, align 4, !dbg !11
  ret void, !dbg !11
}

declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!2}
!0 = !{ptr @positions, !"kernel", i32 1}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, emissionKind: LineTablesOnly)
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "positions.cu", directory: "/")
!4 = !DISubroutineType(types: !5)
!5 = !{}
!6 = distinct !DISubprogram(name: "inner", scope: !3, file: !3, line: 2, type: !4, unit: !1, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "positions", scope: !3, file: !3, line: 10, type: !4, unit: !1, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 3, column: 5, scope: !6)
!9 = !DILocation(line: 11, column: 7, scope: !7)
!10 = !DILocation(line: 12, column: 9, scope: !7)
!11 = !DILocation(line: 13, column: 3, scope: !7)
