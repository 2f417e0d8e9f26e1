//===- LinkDevice.h - Device code of several objects to one module -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceLink/Units.h"

namespace regrain {

/// Links the units for `arch` to one device program, as if its sources were one file.
///
/// All objects are linked. A member of an archive is linked, too, unless something that it defines
/// is defined in another object already and nothing needs the member: the host linker can take
/// every member that registers a kernel, and which ones it takes is not known here. The names of
/// the linked objects are appended to `linked`.
///
/// The error consists of one sentence for each symbol that several objects define and for each
/// object without code for `arch`. A symbol that a kernel needs and no object defines is reported
/// like an error of clang; the error is then Diagnosed.
llvm::Expected<DeviceCode> linkDevice(llvm::ArrayRef<LinkableObject> objects, Architecture arch,
                                      std::vector<std::string> &linked);

} // namespace regrain
