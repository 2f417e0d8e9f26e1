//===- Colour.h - Colours on terminals --------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream shows colours if it is standard output or standard error, and that is a terminal.
// NO_COLOR and TERM=dumb turn colours off; CLICOLOR_FORCE turns them on elsewhere, too. Nothing is
// said by colours alone.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <iosfwd>
#include <string>

namespace regrain::terminal {

/// What a text is about, which decides about its colour.
enum class Tone { Good, Bad, Doubtful, Heading };

/// Returns whether colours are shown behind the descriptor.
[[nodiscard]] bool showsColours(int descriptor);

/// Returns the same for a stream; no other stream than std::cout, std::cerr and std::clog does.
[[nodiscard]] bool showsColours(const std::ostream &out);

/// Returns the text in its colour if `out` shows colours, and otherwise as it is. Its width in a
/// table stays the same.
[[nodiscard]] std::string painted(const std::ostream &out, Tone tone, const std::string &text);

} // namespace regrain::terminal
