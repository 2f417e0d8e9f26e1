//===- Units.h - Relocatable device code in object files --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object with relocatable device code holds its units in the section __nv_relfatbin: for each
// device compile, LLVM's offload binary with the bitcode, and the options that the device link
// takes from the object. The section may hold the units of several objects, one after the other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/ImageOptions.h"

namespace regrain {

/// The device side of one translation unit, as compiled for one architecture.
struct DeviceUnit {
  Architecture arch;
  std::string bitcode;
};

/// An object file, or a member of an archive.
struct LinkableObject {
  std::string name; ///< "a.o", "libfoo.a(a.o)"
  bool isMember = false;
  std::vector<DeviceUnit> units;
  std::vector<std::string> options; ///< that the device link takes from this object
  /// The functions that the device link defines for this object, by symbol.
  std::vector<std::string> registrations;
  /// Those that this object defines itself, because it comes from a device link.
  std::vector<std::string> definedRegistrations;
  bool isForeign = false; ///< the section holds code of another compiler
};

/// Returns the contents of the section. Adds what LLVM IR does not say to the modules.
std::vector<char> writeUnits(llvm::ArrayRef<ArchedDevice> devices,
                             llvm::ArrayRef<std::string> options);

/// Reads the objects of a file: itself, or the members of an archive. Files of other kinds have
/// none. It is an error if the file cannot be read.
llvm::Expected<std::vector<LinkableObject>> readObjects(llvm::StringRef path);

} // namespace regrain
