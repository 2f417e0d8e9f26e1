//===- Streams.cpp - The program's standard input and output --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Streams.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

namespace regrain::tune {
namespace {

constexpr int standardInput = 0, standardOutput = 1;
constexpr size_t page = 4096;

void closeFile(int &file) {
  if (file >= 0)
    ::close(file);
  file = -1;
}

} // namespace

Output::Output() : terminal(::isatty(standardOutput) == 1) {}

int Output::openTerminal(int &program) {
  source = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  std::array<char, 128> name;
  if (source < 0 || ::grantpt(source) != 0 || ::unlockpt(source) != 0 ||
      ::ptsname_r(source, name.data(), name.size()) != 0)
    return errno;
  program = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios settings;
  if (program < 0 || ::tcgetattr(program, &settings) != 0)
    return errno;
  ::cfmakeraw(&settings); // the outer terminal does the rest
  resize();
  return ::tcsetattr(program, TCSANOW, &settings) == 0 ? 0 : errno;
}

void Output::resize() const {
  winsize size;
  if (terminal && source >= 0 && ::ioctl(standardOutput, TIOCGWINSZ, &size) == 0)
    ::ioctl(source, TIOCSWINSZ, &size);
}

int Output::begin(int &program) {
  close();
  repeated.restart();
  int error = 0;
  if (terminal) {
    error = openTerminal(program);
  } else if (int ends[2]; ::pipe2(ends, O_CLOEXEC) == 0) {
    source = ends[0];
    program = ends[1];
  } else {
    error = errno;
  }
  if (error == 0 && ::fcntl(source, F_SETFL, O_NONBLOCK) != 0)
    error = errno;
  return error;
}

int Output::writable() const { return pending.empty() ? -1 : standardOutput; }

void Output::move(bool canRead, bool canWrite) {
  if (canRead)
    read();
  if (canWrite)
    write();
}

void Output::read() {
  std::array<char, 65536> buffer;
  ssize_t count = ::read(source, buffer.data(), buffer.size());
  if (count > 0)
    pending = repeated.unseen({buffer.data(), static_cast<size_t>(count)});
  else if (count == 0 || (errno != EAGAIN && errno != EINTR)) // the end of a terminal is EIO
    close();
}

void Output::write() {
  // A writable pipe accepts a page without blocking.
  ssize_t count = ::write(standardOutput, pending.data(), std::min(pending.size(), page));
  if (count > 0) {
    withinLine = pending[static_cast<size_t>(count) - 1] != '\n';
    pending.erase(0, static_cast<size_t>(count));
  } else if (count < 0 && errno != EAGAIN && errno != EINTR) {
    gone = true;
    pending.clear();
    close();
  }
}

void Output::close() { closeFile(source); }

Input::Input() {
  struct stat status;
  if (::fstat(standardInput, &status) != 0)
    return;
  isSpooled = S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
  if (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode))
    origin = ::lseek(standardInput, 0, SEEK_CUR);
}

int Input::begin(int &program) {
  close();
  if (origin >= 0 && ::lseek(standardInput, origin, SEEK_SET) < 0)
    return errno;
  if (!isSpooled)
    return 0;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return errno;
  program = ends[0];
  sink = ends[1];
  if (::fcntl(sink, F_SETFL, O_NONBLOCK) != 0)
    return errno;
  ::fcntl(sink, F_SETPIPE_SZ, page); // limits what is read ahead; a larger pipe does no harm
  position = 0;
  refill();
  return 0;
}

int Input::readable() const {
  return sink >= 0 && pending.empty() && !hasEnded ? standardInput : -1;
}

/// Takes the next bytes that earlier runs have read.
void Input::refill() {
  std::array<char, page> buffer;
  size_t count = kept.read(position, buffer.data(), buffer.size());
  pending.assign(buffer.data(), count);
  position += count;
  if (pending.empty() && hasEnded)
    close();
}

void Input::move(bool canRead, bool canWrite) {
  std::array<char, page> buffer;
  if (canRead) {
    ssize_t count = ::read(standardInput, buffer.data(), buffer.size());
    if (count > 0)
      kept.append({buffer.data(), static_cast<size_t>(count)});
    if (count > 0 && !kept.isComplete()) { // this run gets them nevertheless
      pending.assign(buffer.data(), static_cast<size_t>(count));
      position = kept.size();
    }
    hasEnded = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
    if (pending.empty())
      refill();
  }
  if (canWrite) {
    ssize_t count = ::write(sink, pending.data(), pending.size());
    if (count < 0 && errno == EPIPE)
      return close();
    pending.erase(0, count > 0 ? static_cast<size_t>(count) : 0);
    if (pending.empty())
      refill();
  }
}

void Input::close() { closeFile(sink); }

} // namespace regrain::tune
