//===- RunWave.h - Short kernels of amdgcn for tests ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "unittests/interpreter/RunKernel.h"

namespace regrain {

class RunWave : public RunKernel {
protected:
  /// Adds the layout, attributes #0 for a processor, and the module flag.
  void parseFor(const std::string &processor, const std::string &text, int version = 500) {
    parseModule(
        "target datalayout = \"e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-"
        "p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-"
        "v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9\"\n"
        "target triple = \"amdgcn-amd-amdhsa\"\n" +
        text + "\nattributes #0 = { \"target-cpu\"=\"" + processor +
        "\" }\n!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"amdhsa_code_object_version\", i32 " +
        std::to_string(version) + "}\n");
  }

  /// Returns "k(ptr addrspace(1) out)" with the body `body`, in which %t is the
  /// thread and %own its element.
  static std::string kernel(const std::string &body, const std::string &before = "") {
    return before + R"(
define amdgpu_kernel void @k(ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %own = getelementptr i32, ptr addrspace(1) %out, i32 %t
)" + body + "\n}\n";
  }

  /// Returns what `count` threads of one block store, if `body` computes the
  /// i32 %v.
  std::vector<int32_t> valuesOf(const std::string &processor, const std::string &body,
                                uint32_t count, const InterpreterOptions &options = {}) {
    parseFor(processor, kernel(body + "\n store i32 %v, ptr addrspace(1) %own\n ret void"));
    return runOn(count, 1, count, options);
  }
};

} // namespace regrain
