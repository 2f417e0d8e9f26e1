//===- tuning/DatabaseProcessesTest.cpp - Concurrent processes ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/tuning/DatabaseParts.h"

#include <chrono>
#include <csignal>
#include <random>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

using namespace regrain;

namespace {

const TunedKernel kernel = kernelWith("abc");

/// Starts a process whose exit status is the result of `body`; it reports a
/// failure of its own on stderr.
pid_t startProcess(const std::function<int()> &body) {
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(body());
  return child;
}

int statusOf(pid_t child) {
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

/// Returns 0 if there is no error.
int report(const DatabaseError &error) {
  if (error)
    std::fprintf(stderr, "process %d: %s\n", ::getpid(), error.text.c_str());
  return error ? 1 : 0;
}

class DatabaseProcesses : public DatabaseTest {
protected:
  /// Opens it in a process of its own, without expectations.
  std::unique_ptr<Database> openQuietly(Database::Access access) {
    DatabaseError error;
    auto database = Database::open(path, access, error, notice);
    report(error);
    return database;
  }

  int putMany(int process, int count) {
    auto database = openQuietly(Database::Access::ReadWrite);
    if (!database)
      return 1;
    for (int i = 0; i < count; ++i)
      if (int failed = report(
              database->put(choiceOf(kernel, std::to_string(process) + "/" + std::to_string(i)))))
        return failed;
    return 0;
  }
};

TEST_F(DatabaseProcesses, ManyWriters_LoseNothing) {
  constexpr int writers = 6, changes = 300;
  std::vector<pid_t> children;
  for (int writer = 0; writer < writers; ++writer)
    children.push_back(startProcess([&] { return putMany(writer, changes); }));
  // A normal run beside them sees complete changes or reports that the file is
  // locked.
  size_t most = 0;
  for (int round = 0; round < 50; ++round) {
    DatabaseError error;
    auto database = Database::open(path, Database::Access::ReadOnly, error, notice);
    std::vector<Choice> found;
    if (database)
      error = database->choices(kernel, false, found);
    if (error)
      EXPECT_NE(error.text.find("another process holds the file"), std::string::npos) << error.text;
    else
      EXPECT_GE(found.size(), most);
    most = std::max(most, found.size());
  }
  for (pid_t child : children)
    EXPECT_EQ(statusOf(child), 0);
  auto database = openToRead();
  EXPECT_EQ(choicesIn(*database).size(), size_t{writers * changes});
  expectSound(*database);
}

TEST_F(DatabaseProcesses, ManyBegin_OneFile) {
  for (int round = 0; round < 10; ++round) {
    std::vector<pid_t> children;
    for (int writer = 0; writer < 8; ++writer)
      children.push_back(startProcess([&] { return putMany(writer, 1); }));
    for (pid_t child : children)
      EXPECT_EQ(statusOf(child), 0);
    EXPECT_EQ(choicesIn(*openToRead()).size(), 8u);
    EXPECT_EQ(contents().size(), 1u);
    std::filesystem::remove(path);
  }
}

TEST_F(DatabaseProcesses, ManyFindTheDamage_OneSetsItAside) {
  for (int round = 1; round <= 10; ++round) {
    write("tuning.db", std::string(10'000, 'x'));
    std::vector<pid_t> children;
    for (int writer = 0; writer < 8; ++writer)
      children.push_back(startProcess([&] { return putMany(writer, 1); }));
    for (pid_t child : children)
      EXPECT_EQ(statusOf(child), 0);
    EXPECT_EQ(choicesIn(*openToRead()).size(), 8u);
    EXPECT_EQ(contents().size(), static_cast<size_t>(round) + 1);
  }
}

TEST_F(DatabaseProcesses, KilledWriter_LeavesWholeChanges) {
  std::mt19937 random(11);
  size_t before = 0;
  for (int round = 0; round < 40; ++round) {
    pid_t child = startProcess([&] {
      auto database = openQuietly(Database::Access::ReadWrite);
      for (int i = 0; database; ++i) {
        std::string name = std::to_string(round) + "/" + std::to_string(i);
        DatabaseError error = database->atomically([&] {
          for (const char *half : {"a", "b"})
            if (DatabaseError failed = database->put(choiceOf(kernel, name + half)))
              return failed;
          return DatabaseError{};
        });
        if (report(error))
          break;
      }
      return 1;
    });
    std::this_thread::sleep_for(std::chrono::microseconds(1000 + random() % 15'000));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    EXPECT_TRUE(WIFSIGNALED(statusOf(child)));
    auto database = openToWrite();
    ASSERT_NE(database, nullptr);
    EXPECT_EQ(notice, "");
    expectSound(*database);
    size_t count = choicesIn(*database).size();
    EXPECT_EQ(count % 2, 0u) << "half a change";
    EXPECT_GE(count, before);
    before = count;
  }
  EXPECT_GT(before, 20u) << "the writers were killed before they wrote";
}

/// The change is so large that a part of it is in the file when the writer
/// dies.
TEST_F(DatabaseProcesses, KilledInACommit_IsUndoneByTheNextWriter) {
  ASSERT_EQ(openToWrite()->put(choiceOf(kernel, "a")).text, "");
  pid_t child = startProcess([&] {
    auto database = openQuietly(Database::Access::ReadWrite);
    Choice large = choiceOf(kernel, "");
    large.verdict.assign(1 << 20, 'x');
    DatabaseError error = database->atomically([&] {
      for (int i = 0; i < 8; ++i) {
        large.launchClass = std::to_string(i);
        if (DatabaseError failed = database->put(large))
          return failed;
      }
      ::kill(::getpid(), SIGKILL);
      return DatabaseError{};
    });
    return report(error);
  });
  EXPECT_TRUE(WIFSIGNALED(statusOf(child)));
  auto before = contents();
  ASSERT_EQ(before.size(), 2u) << "nothing had reached the file";
  EXPECT_EQ(refusal(Database::Access::ReadOnly),
            "tuning database '" + path.string() +
                "': a process was killed while it changed the file; what next writes to it undoes "
                "that");
  EXPECT_EQ(contents(), before);
  auto database = openToWrite();
  EXPECT_EQ(notice, "");
  EXPECT_EQ(choicesIn(*database), std::vector{choiceOf(kernel, "a")});
  expectSound(*database);
  EXPECT_EQ(contents().size(), 1u);
}

TEST_F(DatabaseProcesses, ForkedProcess_LeavesTheConnectionAlone) {
  auto database = openToWrite();
  ASSERT_EQ(database->put(choiceOf(kernel, "a")).text, "");
  std::string forked =
      "tuning database '" + path.string() + "': it was opened before this process was forked off";
  pid_t child = startProcess([&] {
    std::vector<Choice> found;
    bool allFail = database->put(choiceOf(kernel, "b")).text == forked &&
                   database->choices(kernel, false, found).text == forked &&
                   database->atomically([] { return DatabaseError{}; }).text == forked;
    database.reset();
    auto own = openQuietly(Database::Access::ReadWrite);
    return allFail && own && !report(own->put(choiceOf(kernel, "c"))) ? 0 : 1;
  });
  EXPECT_EQ(statusOf(child), 0);
  EXPECT_EQ(database->put(choiceOf(kernel, "d")).text, "");
  EXPECT_EQ(choicesIn(*database).size(), 3u);
}

TEST_F(DatabaseProcesses, ForkedProcess_DoesNotUndoWhatIsUnderWay) {
  auto database = openToWrite();
  DatabaseError error = database->atomically([&] {
    DatabaseError failed = database->put(choiceOf(kernel, "a"));
    pid_t child = startProcess([&] {
      database.reset();
      return 0;
    });
    EXPECT_EQ(statusOf(child), 0);
    EXPECT_EQ(contents().count("tuning.db-journal"), 1u) << "the child has ended the transaction";
    return failed;
  });
  EXPECT_EQ(error.text, "");
  EXPECT_EQ(choicesIn(*openToRead()).size(), 1u);
}

/// Writes until there is no space, then continues: the next change fails, too, and
/// earlier changes stay readable.
int writeUntilFull(const std::string &path, const std::string &reason) {
  DatabaseError error;
  std::string notice;
  auto database = Database::open(path, Database::Access::ReadWrite, error, notice);
  if (!database)
    return report(error);
  Choice choice = choiceOf(kernel, "");
  choice.verdict.assign(2000, 'x');
  size_t written = 0;
  for (; !error && written < 1000; ++written) {
    choice.launchClass = std::to_string(written);
    error = database->put(choice);
  }
  bool says = error.text.find("tuning database '" + path + "': ") == 0 &&
              error.text.find(reason) != std::string::npos;
  if (!says || written < 5)
    return report({"after " + std::to_string(written) + " changes: '" + error.text + "'"}), 2;
  std::vector<Choice> found;
  choice.launchClass = "again";
  if (!database->put(choice) || report(database->choices(kernel, false, found)))
    return 3;
  DatabaseCondition condition;
  if (found.size() != written - 1 || report(database->condition(condition)) ||
      !condition.faults.empty())
    return 4;
  return 0;
}

TEST_F(DatabaseProcesses, LimitOnFiles_IsAnErrorAndNothingHalfWritten) {
  pid_t child = startProcess([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit limit = {150'000, 150'000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0)
      return 9;
    return writeUntilFull(path, "File too large");
  });
  EXPECT_EQ(statusOf(child), 0);
  auto database = openToWrite();
  EXPECT_EQ(notice, "");
  size_t written = choicesIn(*database).size();
  EXPECT_GE(written, 5u);
  expectSound(*database);
  EXPECT_EQ(database->put(choiceOf(kernel, "with room")).text, "");
  EXPECT_EQ(choicesIn(*database).size(), written + 1);
}

TEST_F(DatabaseProcesses, FullDisk_IsAnErrorAndNothingHalfWritten) {
  constexpr int notPermitted = 77;
  pid_t child = startProcess([&] {
    if ((::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", folder.c_str(), "tmpfs", 0, "size=200k") != 0)
      return notPermitted;
    return writeUntilFull(path, "the disk is full; nothing was changed");
  });
  int status = statusOf(child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == notPermitted)
    GTEST_SKIP() << "this process may not mount a small file system";
  EXPECT_EQ(status, 0);
}

TEST_F(DatabaseProcesses, NoRoomToBegin_IsAnError) {
  pid_t child = startProcess([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit limit = {3000, 3000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0)
      return 9;
    DatabaseError error;
    auto database = Database::open(path, Database::Access::ReadWrite, error, notice);
    bool isNamed = error.text.find("tuning database '" + path.string() + "'") == 0;
    return !database && isNamed && notice.empty() ? 0 : 1;
  });
  EXPECT_EQ(statusOf(child), 0);
  EXPECT_EQ(refusal(Database::Access::ReadOnly), "");
  EXPECT_EQ(openToWrite()->put(choiceOf(kernel, "a")).text, "");
}

} // namespace
