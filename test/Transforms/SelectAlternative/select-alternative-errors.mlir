// RUN: regrain-opt %s --grain-select-alternative="id=block.x=3" --verify-diagnostics --split-input-file

grain.kernel @two() {
  // expected-error@+1 {{has no alternative "block.x=3"}}
  grain.alternatives "original" {
    grain.blocks (%bx, %by, %bz) { grain.threads (%tx, %ty, %tz) {} }
  }
  grain.return
}
