//===- SetLaunch.td - Properties of a launch at a grain ----*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_SET_LAUNCH
#define REGRAIN_TRANSFORMS_SET_LAUNCH

include "mlir/Pass/PassBase.td"

def SetLaunch : Pass<"grain-set-launch", "grain::KernelOp"> {
  let summary = "Notes on a kernel what its launches have";
  let description = [{
    Notes a bound of the launched block, and which blocks of the program a
    launch runs. Tests: test/Transforms/SetLaunch.
  }];
  let options = [
    Option<"bound", "bound", "uint32_t", /*default=*/"0",
           "maximum of the threads of a launched block; 0: none is known">,
    Option<"blocks", "blocks", "::regrain::LaunchedBlocks",
           /*default=*/"::regrain::LaunchedBlocks::All",
           "the blocks of the program that a launch runs",
           [{::llvm::cl::values(
             clEnumValN(::regrain::LaunchedBlocks::All, "all", "all of them"),
             clEnumValN(::regrain::LaunchedBlocks::Filling, "filling",
                        "those that fill a launched one"),
             clEnumValN(::regrain::LaunchedBlocks::Remainder, "remainder", "the others"))}]>
  ];
}

#endif
