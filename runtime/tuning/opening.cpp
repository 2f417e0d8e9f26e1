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

DatabaseError cannotOpen(const std::string &path, const std::string &reason) {
  return {"tuning database '" + path + "': " + reason};
}

/// Opening a pipe would block, and opening a device could do worse. The size is 0 if
/// there is no file.
bool isOrdinary(const std::string &path, off_t &size, DatabaseError &error) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT && errno != ENOTDIR)
      error = cannotOpen(path, std::strerror(errno));
  } else if (!S_ISREG(status.st_mode)) {
    error = cannotOpen(path, "not an ordinary file");
  }
  size = status.st_size;
  return !error;
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

std::unique_ptr<Connection> bringForwardInMemory(const Connection &file, DatabaseError &error) {
  auto memory = Connection::openInMemory(file.path(), error);
  if (!memory)
    return nullptr;
  error = memory->failure(copyAll(file, *memory));
  FileIdentity before;
  if (!error)
    error = memory->failure(bringForward(*memory, before));
  return error ? nullptr : std::move(memory);
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

bool makeFolder(const std::string &path, DatabaseError &error) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failed, ignored; // if the parent is not a folder, making the next one fails
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    makePrivateFolders(folder, failed);
    if (!failed && !std::filesystem::is_directory(folder, ignored))
      failed = std::make_error_code(std::errc::not_a_directory);
  }
  if (failed)
    error =
        cannotOpen(path, "cannot make the folder '" + folder.string() + "': " + failed.message());
  return !error;
}

int quickCheck(const Connection &connection) {
  Statement check(connection, "PRAGMA quick_check(1)");
  if (!check.next())
    return check.status();
  return check.text() == "ok" ? SQLITE_OK : SQLITE_CORRUPT;
}

/// Makes a sound file ready for use. Tables that differ from the schema that the
/// file states count as damage.
int prepare(Connection &connection, FileIdentity &before) {
  if (int code = identify(connection, before))
    return code;
  if (before.kind == FileKind::Foreign || before.kind == FileKind::Newer)
    return SQLITE_OK;
  // Each commit reaches the disk, because the machine may crash in the candidate that
  // begin() has just announced. The journal is deleted, so that no file stays beside
  // the database.
  if (int code = connection.run("PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL"))
    return code;
  if (int code = quickCheck(connection))
    return code;
  int code = before.kind == FileKind::Readable ? SQLITE_OK : bringForward(connection, before);
  if (code == SQLITE_OK)
    code = probe(connection);
  return code == SQLITE_ERROR ? SQLITE_CORRUPT : code;
}

std::string noticeOf(const Connection &connection, const FileIdentity &before) {
  if (before.kind != FileKind::Older)
    return {};
  auto text = [](SchemaVersion version) {
    return std::to_string(version.major) + "." + std::to_string(version.minor);
  };
  return "tuning database '" + connection.path() + "': brought forward from schema " +
         text(before.version) + " to " + text(currentSchema);
}

} // namespace

OpenedFile openToRead(const std::string &path, DatabaseError &error) {
  off_t size;
  if (!isOrdinary(path, size, error) || size == 0)
    return {}; // empty: a writer was killed before its first change, or is about to make it
  auto connection = Connection::open(path, Database::Access::ReadOnly, error);
  if (!connection)
    return {};
  if (hasWriteAheadLog(*connection)) {
    error = connection->failure("the file has a write-ahead log, which cannot be read without "
                                "writing; what next writes to it ends that");
    return {};
  }
  FileIdentity identity;
  error = connection->failure(identify(*connection, identity));
  if (!error && (identity.kind == FileKind::Foreign || identity.kind == FileKind::Newer))
    error = refusal(*connection, identity);
  if (!error && identity.kind == FileKind::Older)
    connection = bringForwardInMemory(*connection, error);
  if (error)
    return {};
  Connection::noteReadable();
  if (identity.kind == FileKind::Empty)
    return {};
  return {std::move(connection), identity.version};
}

OpenedFile openToWrite(const std::string &path, DatabaseError &error, std::string &notice) {
  off_t size;
  if (!isOrdinary(path, size, error) || !makeFolder(path, error))
    return {};
  // Each attempt ends with a usable file, moves one aside, or finds that another
  // process has changed it meanwhile.
  constexpr int rounds = 8;
  for (int round = 0; round < rounds; ++round) {
    auto connection = Connection::open(path, Database::Access::ReadWrite, error);
    if (!connection)
      return {};
    if (sqlite3_db_readonly(connection->get(), "main")) {
      error = connection->failure("the file cannot be written to");
      return {};
    }
    Fingerprint fingerprint = fingerprintOf(*connection);
    FileIdentity before;
    int code = prepare(*connection, before);
    if (code == SQLITE_OK && (before.kind == FileKind::Foreign || before.kind == FileKind::Newer)) {
      error = refusal(*connection, before);
      return {};
    }
    if (code == SQLITE_OK) {
      if (notice.empty())
        notice = noticeOf(*connection, before);
      bool isKept = before.kind == FileKind::Readable;
      return {std::move(connection), isKept ? before.version : currentSchema};
    }
    error = connection->failure(code);
    if (!isDamage(code))
      return {};
    std::string moved = setAside(*connection, fingerprint, error);
    if (error)
      return {};
    if (!moved.empty())
      notice = "tuning database '" + path + "': the file was damaged; it is now '" + moved +
               "', and a new one is begun";
  }
  error = cannotOpen(path, "the file is damaged again as soon as it is begun anew");
  return {};
}

} // namespace regrain
