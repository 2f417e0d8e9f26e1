// RUN: regrain-opt %s --grain-expand-alternatives="specs=block.x=2" --verify-diagnostics --split-input-file

// expected-error@+1 {{has alternatives already}}
grain.kernel @expanded() {
  grain.alternatives "original" {
    grain.blocks (%bx, %by, %bz) { grain.threads (%tx, %ty, %tz) {} }
  }
  grain.return
}
