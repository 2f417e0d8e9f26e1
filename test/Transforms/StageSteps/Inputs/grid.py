"""Prints kernels of which each thread loads COLUMNS neighbours in each of ROWS rows of a grid."""

import sys

rows, columns = int(sys.argv[1]), int(sys.argv[2])
print("""grain.kernel @grid(%u: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %row: i64, %slice: i64) {
  %none = llvm.mlir.constant(0.0 : f32) : f32
  grain.blocks (%bx, %by, %bz) attributes {known_block = array<i32: 32, 2, 1>} {
    grain.threads (%tx, %ty, %tz) {
      %x = arith.extsi %tx : i32 to i64
      %z = arith.extsi %bz : i32 to i64
      %zs = arith.muli %z, %slice : i64
      %y = arith.extsi %ty : i32 to i64
      %yr = arith.muli %y, %row : i64
      %xy = arith.addi %x, %yr : i64
      %i = arith.addi %xy, %zs : i64
      %s = llvm.fadd %none, %none : f32""")
last = "%s"
for row in range(rows):
    print(f"""      %d{row} = arith.constant {row} : i64
      %r{row} = arith.muli %row, %d{row} : i64
      %i{row} = arith.addi %i, %r{row} : i64
      %p{row} = llvm.getelementptr %u[%i{row}] : (!llvm.ptr, i64) -> !llvm.ptr, f32""")
    for column in range(columns):
        name = f"{row}_{column}"
        print(f"""      %q{name} = llvm.getelementptr %p{row}[{column}] : (!llvm.ptr) -> !llvm.ptr, f32
      %v{name} = llvm.load %q{name} invariant : !llvm.ptr -> f32
      %s{name} = llvm.fadd {last}, %v{name} : f32""")
        last = f"%s{name}"
print(f"""      %t = llvm.getelementptr %f[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store {last}, %t : f32, !llvm.ptr
    }}
  }}
  grain.return
}}""")
