//===- DemoteShared.h - Static shared memory in global memory ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %tile = grain.shared "tile"    =>    %tile = grain.lent "tile"
//
// Shared memory then no longer limits the number of resident blocks. Each launched block gets
// global memory of its own, which the runtime provides for the launch.
//
// Legality. Either memory is reached only by the threads of a block, its contents are undefined at
// the start, and barriers and fences of a block order accesses to both. Volatile and atomic
// accesses keep their attributes. It is the last step of a grain, because earlier steps rely on
// knowing which memory is a block's own. The transform refuses a kernel without static shared
// memory, and every access or computation that needs an address in shared memory:
// - a conversion to a pointer into shared memory, or of such an address to a number;
// - a query in which memory a pointer lies;
// - an instruction for shared memory, such as matrix loads, asynchronous copies and barriers in
//   memory;
// - inline assembly and functions that are given pointers, which may do any of these.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refuse.h"
#include <optional>

namespace regrain {

/// Demotes all static shared memory of `kernel`. If it is refused, nothing has changed.
[[nodiscard]] std::optional<Refusal> demoteShared(grain::KernelOp kernel);

} // namespace regrain
