//===- format.cpp - printf from a packed buffer ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/format.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace regrain::cpu {
namespace {

/// Reads the arguments in order.
class PackedArguments {
public:
  explicit PackedArguments(const void *args) : base(static_cast<const char *>(args)) {}

  template <typename T> T next() {
    offset = (offset + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, base + offset, sizeof(T));
    offset += sizeof(T);
    ++count;
    return value;
  }
  int read() const { return count; }

private:
  const char *base;
  size_t offset = 0;
  int count = 0;
};

template <typename T> void append(std::string &out, const std::string &conversion, T value) {
  int length = std::snprintf(nullptr, 0, conversion.c_str(), value);
  if (length <= 0)
    return;
  size_t start = out.size();
  out.resize(start + size_t(length) + 1);
  std::snprintf(out.data() + start, size_t(length) + 1, conversion.c_str(), value);
  out.pop_back(); // the NUL
}

/// One conversion in its parts: "%-*.3lld" has flags "-", width and precision
/// already replaced by numbers, wide, 'd'.
struct Conversion {
  std::string prefix = "%"; ///< flags, width, precision
  bool isWide = false;      ///< a 64-bit integer
  char kind = 0;
};

constexpr bool contains(std::string_view set, char c) {
  return c != 0 && set.find(c) != std::string_view::npos;
}

/// Parses the text after the '%', and moves `at` behind the conversion.
Conversion parse(const char *&at, PackedArguments &arguments) {
  Conversion conversion;
  for (; contains("-+ #0123456789.*", *at); ++at)
    conversion.prefix += *at == '*' ? std::to_string(arguments.next<int>()) : std::string(1, *at);
  for (; contains("hlLqjzt", *at); ++at)
    if (*at != 'h' && *at != 'L')
      conversion.isWide = true;
  conversion.kind = *at;
  if (*at)
    ++at;
  return conversion;
}

void format(const Conversion &conversion, PackedArguments &arguments, std::string &out) {
  std::string kind(1, conversion.kind);
  if (contains("diouxX", conversion.kind)) {
    if (conversion.isWide)
      append(out, conversion.prefix + "ll" + kind, arguments.next<long long>());
    else
      append(out, conversion.prefix + kind, arguments.next<int>());
  } else if (conversion.kind == 'c') {
    append(out, conversion.prefix + kind, arguments.next<int>());
  } else if (contains("aAeEfFgG", conversion.kind)) {
    append(out, conversion.prefix + kind, arguments.next<double>());
  } else if (conversion.kind == 's') {
    auto *text = arguments.next<const char *>();
    append(out, conversion.prefix + kind, text ? text : "(null)");
  } else if (conversion.kind == 'p') {
    append(out, conversion.prefix + kind, arguments.next<void *>());
  } else if (conversion.kind == 'n') {
    arguments.next<void *>();
  } else if (conversion.kind == '%') {
    out += '%';
  } else {
    out += conversion.prefix;
    if (conversion.kind)
      out += conversion.kind;
  }
}

} // namespace

int formatPacked(const char *format, const void *args, std::string &out) {
  PackedArguments arguments(args);
  for (const char *at = format; *at;) {
    if (*at != '%') {
      out += *at++;
      continue;
    }
    ++at;
    Conversion conversion = parse(at, arguments);
    cpu::format(conversion, arguments, out);
  }
  return arguments.read();
}

} // namespace regrain::cpu
