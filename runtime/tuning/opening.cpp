//===- opening.cpp - Opening the database file ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/opening.h"

#include "runtime/tuning/set_aside.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>

namespace regrain {
namespace {

bool isRefused(const FileIdentity &identity) {
  return identity.kind == FileKind::Foreign || identity.kind == FileKind::Newer;
}

tl::unexpected<std::string> cannotOpen(const std::string &path, const std::string &reason) {
  return tl::unexpected("tuning database '" + path + "': " + reason);
}

/// Returns the size of an ordinary file; 0 if there is no file. Opening a pipe would
/// block, and opening a device could do worse.
OrError<off_t> ordinarySize(const std::string &path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT && errno != ENOTDIR)
      return cannotOpen(path, std::strerror(errno));
  } else if (!S_ISREG(status.st_mode)) {
    return cannotOpen(path, "not an ordinary file");
  }
  return status.st_size;
}

/// To read a file with a write-ahead log, SQLite creates files beside it.
bool hasWriteAheadLog(const Connection &connection) {
  constexpr int readVersionOffset = 19; // of the file's header; 2: write-ahead log
  sqlite3_file *file = nullptr;
  uint8_t version = 0;
  sqlite3_file_control(connection.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  return file->pMethods->xRead(file, &version, 1, readVersionOffset) == SQLITE_OK && version == 2;
}

int copyAll(const Connection &from, const Connection &to) {
  sqlite3_backup *copy = sqlite3_backup_init(to.get(), "main", from.get(), "main");
  if (!copy)
    return sqlite3_extended_errcode(to.get());
  sqlite3_backup_step(copy, -1);
  return sqlite3_backup_finish(copy);
}

OrError<std::unique_ptr<Connection>> bringForwardInMemory(const Connection &file) {
  OrError<std::unique_ptr<Connection>> memory = Connection::openInMemory(file.path());
  if (!memory)
    return memory;
  if (int code = copyAll(file, **memory))
    return (*memory)->failure(code);
  if (OrCode<FileIdentity> before = bringForward(**memory); !before)
    return (*memory)->failure(before.error());
  return memory;
}

/// Makes the missing folders of the path with access for their owner only, as the base
/// directory specification requires: the names of a user's programs are private.
void makePrivateFolders(const std::filesystem::path &folder, std::error_code &failed) {
  auto make = [&] { return mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST; };
  if (folder.empty() || make())
    return;
  bool lacksParent = errno == ENOENT && folder.has_relative_path();
  if (lacksParent)
    makePrivateFolders(folder.parent_path(), failed);
  if (!failed && (!lacksParent || !make()))
    failed = std::error_code(errno, std::generic_category());
}

OrError<void> makeFolder(const std::string &path) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failed, ignored; // if the parent is not a folder, making the next one fails
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    makePrivateFolders(folder, failed);
    if (!failed && !std::filesystem::is_directory(folder, ignored))
      failed = std::make_error_code(std::errc::not_a_directory);
  }
  if (failed)
    return cannotOpen(path,
                      "cannot make the folder '" + folder.string() + "': " + failed.message());
  return {};
}

int quickCheck(const Connection &connection) {
  Statement check(connection, "PRAGMA quick_check(1)");
  if (!check.next())
    return check.status();
  return check.text() == "ok" ? SQLITE_OK : SQLITE_CORRUPT;
}

/// Makes a sound file ready for use, and returns its state before that. Tables that
/// differ from the schema that the file states count as damage.
OrCode<FileIdentity> prepare(Connection &connection) {
  OrCode<FileIdentity> before = identify(connection);
  if (!before || isRefused(*before))
    return before;
  // Each commit reaches the disk, because the machine may crash in the candidate that
  // begin() has just announced. The journal is deleted, so that no file stays beside
  // the database.
  if (int code = connection.run("PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL"))
    return tl::unexpected(code);
  if (int code = quickCheck(connection))
    return tl::unexpected(code);
  if (before->kind != FileKind::Readable)
    before = bringForward(connection);
  if (before)
    if (int code = probe(connection))
      before = tl::unexpected(code);
  if (!before && before.error() == SQLITE_ERROR)
    before = tl::unexpected(SQLITE_CORRUPT);
  return before;
}

std::string noticeOf(const Connection &connection, const FileIdentity &before) {
  if (before.kind != FileKind::Older)
    return {};
  auto text = [](SchemaVersion version) {
    return std::to_string(version.major) + "." + std::to_string(version.minor);
  };
  return "tuning database '" + connection.path() + "': upgraded from schema " +
         text(before.version) + " to " + text(currentSchema);
}

} // namespace

OrError<OpenedFile> openToRead(const std::string &path) {
  OrError<off_t> size = ordinarySize(path);
  if (!size)
    return tl::unexpected(size.error());
  if (*size == 0)
    return OpenedFile(); // a writer was killed before its first change, or is about to make it
  OrError<std::unique_ptr<Connection>> connection =
      Connection::open(path, Database::Access::ReadOnly);
  if (!connection)
    return tl::unexpected(connection.error());
  const Connection &file = **connection;
  if (hasWriteAheadLog(file))
    return file.failure(
        "another program has put the file into SQLite's write-ahead mode, which needs write "
        "access; the next regrain tune or regrain db that writes to it changes it back");
  OrCode<FileIdentity> identity = identify(**connection);
  if (!identity)
    return file.failure(identity.error());
  if (isRefused(*identity))
    return refusal(file, *identity);
  if (identity->kind == FileKind::Older)
    connection = bringForwardInMemory(file);
  if (!connection)
    return tl::unexpected(connection.error());
  Connection::noteReadable();
  if (identity->kind == FileKind::Empty)
    return OpenedFile();
  return OpenedFile{std::move(*connection), identity->version};
}

WritableFile openToWrite(const std::string &path) {
  std::string notice;
  auto fail = [&](auto error) { return WritableFile{std::move(error), notice}; };
  if (OrError<off_t> size = ordinarySize(path); !size)
    return fail(tl::unexpected(size.error()));
  if (OrError<void> made = makeFolder(path); !made)
    return fail(tl::unexpected(made.error()));
  // Each attempt ends with a usable file, moves one aside, or finds that another
  // process has changed it meanwhile.
  constexpr int rounds = 8;
  for (int round = 0; round < rounds; ++round) {
    OrError<std::unique_ptr<Connection>> opened =
        Connection::open(path, Database::Access::ReadWrite);
    if (!opened)
      return fail(tl::unexpected(opened.error()));
    Connection &connection = **opened;
    if (sqlite3_db_readonly(connection.get(), "main"))
      return fail(connection.failure("the file cannot be written to"));
    Fingerprint fingerprint = fingerprintOf(connection);
    OrCode<FileIdentity> before = prepare(connection);
    if (before && isRefused(*before))
      return fail(refusal(connection, *before));
    if (before) {
      if (notice.empty())
        notice = noticeOf(connection, *before);
      bool isKept = before->kind == FileKind::Readable;
      return {OpenedFile{std::move(*opened), isKept ? before->version : currentSchema}, notice};
    }
    if (!isDamage(before.error()))
      return fail(connection.failure(before.error()));
    OrError<std::string> moved = setAside(connection, fingerprint);
    if (!moved)
      return fail(tl::unexpected(moved.error()));
    if (!moved->empty())
      notice = "tuning database '" + path +
               "': the file was damaged; its contents were moved to '" + *moved +
               "', and an empty database replaces it";
  }
  return fail(cannotOpen(path, "the file is damaged again each time it is created"));
}

} // namespace regrain
