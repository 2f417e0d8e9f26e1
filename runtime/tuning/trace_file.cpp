//===- trace_file.cpp - Activities in a file ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/trace_file.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <unistd.h>

namespace regrain {
namespace {

std::string quoted(std::string_view text) {
  std::string all = "\"";
  for (char letter : text) {
    char escape[8];
    if (letter == '"' || letter == '\\')
      all += '\\';
    if (static_cast<unsigned char>(letter) < 0x20) {
      std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(letter));
      all += escape;
    } else {
      all += letter;
    }
  }
  return all + '"';
}

/// JSON has neither infinity nor NaN.
std::string numberText(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.12g", value);
  return std::isfinite(value) ? text : "null";
}

std::string objectOf(const Details &details) {
  std::string all;
  for (const auto &[name, value] : details) {
    const std::string *words = std::get_if<std::string>(&value);
    all += (all.empty() ? "" : ",") + quoted(name) + ":" +
           (words ? quoted(*words) : numberText(std::get<double>(value)));
  }
  return "{" + all + "}";
}

/// The clock is that of all processes of the machine.
std::string now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  char text[40];
  std::snprintf(text, sizeof text, "%.3f", std::chrono::duration<double, std::micro>(time).count());
  return text;
}

class TraceFile final : public ActivityListener {
public:
  explicit TraceFile(int file) : file(file) {
    write("M", "process_name", R"("args":{"name":)" + quoted(program_invocation_short_name) + "}");
    onStream(nullptr);
  }
  ~TraceFile() override { close(file); }

  void onStream(cudaStream_t stream) override {
    auto [found, isNew] = tracks.try_emplace(stream, unsigned(tracks.size()));
    track = found->second;
    std::string name = track ? "stream " + std::to_string(track) : "default stream";
    if (isNew)
      write("M", "thread_name", R"("args":{"name":)" + quoted(name) + "}");
  }
  void begin(const std::string &name, const Details &details) override {
    write("B", name, "\"args\":" + objectOf(details));
  }
  void end(const Details &details) override { write("E", "", "\"args\":" + objectOf(details)); }
  void mark(const std::string &name, const Details &details) override {
    write("i", name, R"("s":"t","args":)" + objectOf(details));
  }
  void count(std::string_view name, double value) override {
    write("C", name, R"("args":{"seconds":)" + numberText(value) + "}");
  }

private:
  /// Appends a line at once, so that lines of several processes do not mix. A trace is not worth a
  /// failure of the program: without room on the disk, it ends early.
  void write(std::string_view phase, std::string_view name, const std::string &rest) const {
    std::string line = "{\"ph\":\"" + std::string(phase) + "\",\"name\":" + quoted(name) +
                       ",\"pid\":" + std::to_string(getpid()) +
                       ",\"tid\":" + std::to_string(track) + ",\"ts\":" + now() + "," + rest +
                       "}\n";
    static_cast<void>(!::write(file, line.data(), line.size()));
  }

  int file;
  unsigned track = 0;
  std::map<cudaStream_t, unsigned> tracks; ///< by stream, in the order of their first use
};

} // namespace

std::unique_ptr<ActivityListener> makeTraceFile(const std::string &path, std::string &reason) {
  int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file >= 0)
    return std::make_unique<TraceFile>(file);
  reason = path + ": " + std::strerror(errno);
  return nullptr;
}

} // namespace regrain
