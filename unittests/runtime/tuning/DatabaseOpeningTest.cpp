//===- tuning/DatabaseOpeningTest.cpp - Files of all kinds ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/schema.h"
#include "runtime/tuning/set_aside.h"
#include "unittests/runtime/tuning/DatabaseParts.h"

#include <chrono>
#include <random>
#include <sys/stat.h>

using namespace regrain;

namespace {

const TunedKernel kernel = kernelWith("abc");

constexpr Database::Access bothAccesses[] = {Database::Access::ReadOnly,
                                             Database::Access::ReadWrite};

/// The file has the form of version 1.0 of the schema, with one choice and one
/// measurement.
constexpr const char *fileOfSchema10 = R"(
CREATE TABLE kernels (id INTEGER PRIMARY KEY, hash TEXT NOT NULL, device TEXT NOT NULL,
  driver INTEGER NOT NULL, compiler TEXT NOT NULL, name TEXT NOT NULL,
  UNIQUE (hash, device, driver, compiler, name)) STRICT;
CREATE TABLE choices (kernel INTEGER NOT NULL REFERENCES kernels, launch_class TEXT NOT NULL,
  alternative TEXT NOT NULL, verdict TEXT NOT NULL, original_us REAL NOT NULL,
  chosen_us REAL NOT NULL, gain REAL NOT NULL, gain_low REAL NOT NULL, gain_high REAL NOT NULL,
  launches INTEGER NOT NULL, verified TEXT NOT NULL, imported INTEGER NOT NULL, at TEXT NOT NULL,
  PRIMARY KEY (kernel, launch_class)) STRICT;
CREATE TABLE exclusions (kernel INTEGER NOT NULL REFERENCES kernels, alternative TEXT NOT NULL,
  reason TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (kernel, alternative)) STRICT;
CREATE TABLE measurements (id INTEGER PRIMARY KEY, kernel INTEGER NOT NULL REFERENCES kernels,
  launch_class TEXT NOT NULL, alternative TEXT NOT NULL, session TEXT NOT NULL,
  launch INTEGER NOT NULL, original_us REAL NOT NULL, candidate_us REAL NOT NULL,
  gain REAL NOT NULL, gain_low REAL NOT NULL, gain_high REAL NOT NULL, pairs INTEGER NOT NULL,
  outcome TEXT NOT NULL) STRICT;
CREATE TABLE underway (kernel INTEGER NOT NULL REFERENCES kernels, launch_class TEXT NOT NULL,
  alternative TEXT NOT NULL, session TEXT NOT NULL, process INTEGER NOT NULL,
  since_ms INTEGER NOT NULL, limit_ms INTEGER NOT NULL,
  PRIMARY KEY (session, process, kernel, launch_class, alternative)) STRICT;
PRAGMA application_id = 1380405838;
PRAGMA user_version = 65536;
INSERT INTO kernels VALUES (7, 'abc', 'NVIDIA H100 80GB HBM3', 13000, 'regrain 0.1.0',
  'void scale<float>(float *, int)');
INSERT INTO choices VALUES (7, 'a', 'block.x=4', '1.5 times as fast', 12.5, 8.25, 1.5, 1.25, 1.75,
  3, 'bitwise, 3 launches', 0, '2026-11-21T12:00:00Z');
INSERT INTO measurements VALUES (1, 7, 'a', 'block.x=2', 's', 0, 10, 5, 2, 1.5, 2.5, 12, 'timed');
)";

/// Returns the kernel of these: before 2.0 the file had neither the code generation nor the part
/// of a device.
TunedKernel kernelOfSchema10() {
  TunedKernel old = kernel;
  old.generation.clear();
  old.multiprocessors = 0;
  return old;
}

std::string currentVersion() {
  return std::to_string(currentSchema.major) + "." + std::to_string(currentSchema.minor);
}

class DatabaseOpening : public DatabaseTest {
protected:
  /// Returns a sound file with contents.
  std::string soundFile() {
    auto database = openToWrite();
    OrError<void> done = database->atomically([&] {
      for (int i = 0; i < 200; ++i)
        if (OrError<void> put = database->put(choiceOf(kernel, std::to_string(i))); !put)
          return put;
      return database->put(exclusionOf(kernel, "block.x=8"));
    });
    EXPECT_EQ(errorOf(done), "");
    return contents().at("tuning.db");
  }

  /// Expects that opening the file refuses it in both modes and leaves
  /// everything unchanged.
  void expectRefused(const std::string &reason) {
    auto before = contents();
    for (Database::Access access : bothAccesses) {
      EXPECT_EQ(refusal(access), "tuning database '" + path.string() + "': " + reason);
      EXPECT_EQ(notice, "");
      EXPECT_EQ(contents(), before);
    }
  }

  /// Expects that a normal run reports once and changes nothing, and that a writing
  /// one begins a new file, with the old contents in NAME.damaged-`number`.
  void expectSetAside(int number) {
    auto before = contents();
    std::string said;
    if (auto database = openOrError(Database::Access::ReadOnly)) {
      // Opening does not detect every damage.
      said = errorOf((*database)->choices(kernel, true));
      EXPECT_TRUE(valueOf((*database)->choices(kernel, true)).empty()) << "said twice";
    } else {
      said = database.error();
    }
    EXPECT_NE(said.find("the file is damaged"), std::string::npos) << said;
    EXPECT_EQ(contents(), before);

    std::string name = "tuning.db.damaged-" + std::to_string(number);
    auto database = openToWrite();
    ASSERT_NE(database, nullptr);
    EXPECT_EQ(notice, "tuning database '" + path.string() +
                          "': the file was damaged; its contents were moved to '" +
                          (folder / name).string() + "', and an empty database replaces it");
    EXPECT_EQ(contents().at(name), before.at("tuning.db"));
    EXPECT_EQ(contents().size(), before.size() + 1);
    EXPECT_TRUE(choicesIn(*database).empty());
    EXPECT_EQ(errorOf(database->put(choiceOf(kernel, "a"))), "");
    EXPECT_EQ(choicesIn(*openToRead()).size(), 1u);
  }
};

TEST_F(DatabaseOpening, Missing_IsNothingToReadAndMadeToWrite) {
  path = folder / "a" / "b" / "tuning.db";
  EXPECT_EQ(refusal(Database::Access::ReadOnly), "");
  EXPECT_TRUE(contents().empty());
  ASSERT_EQ(errorOf(openToWrite()->put(choiceOf(kernel, "a"))), "");
  EXPECT_EQ(choicesIn(*openToRead()).size(), 1u);
  // The names of a user's programs are private.
  for (const char *made : {"a", "a/b"})
    EXPECT_EQ(std::filesystem::status(folder / made).permissions(),
              std::filesystem::perms::owner_all);
}

TEST_F(DatabaseOpening, Empty_IsNothingToReadAndMadeToWrite) {
  write("tuning.db", "");
  EXPECT_EQ(refusal(Database::Access::ReadOnly), "");
  EXPECT_EQ(contents().at("tuning.db"), "");
  EXPECT_NE(openToWrite(), nullptr);
  EXPECT_EQ(notice, "");
}

TEST_F(DatabaseOpening, NotAFile_IsRefused) {
  std::filesystem::create_directory(path);
  for (Database::Access access : bothAccesses)
    EXPECT_EQ(refusal(access), "tuning database '" + path.string() + "': not an ordinary file");
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  for (Database::Access access : bothAccesses)
    EXPECT_EQ(refusal(access), "tuning database '" + path.string() + "': not an ordinary file");
}

TEST_F(DatabaseOpening, NoFolder_IsRefused) {
  write("file", "x");
  path = folder / "file" / "tuning.db";
  EXPECT_EQ(refusal(Database::Access::ReadOnly), "");
  EXPECT_NE(refusal(Database::Access::ReadWrite).find("cannot make the folder"), std::string::npos);
}

TEST_F(DatabaseOpening, Reading_LeavesFileAndFolder) {
  soundFile();
  struct stat before, after;
  ASSERT_EQ(::stat(folder.c_str(), &before), 0);
  auto files = contents();
  auto database = openToRead();
  EXPECT_EQ(choicesIn(*database).size(), 200u);
  expectSound(*database);
  EXPECT_EQ(contents(), files);
  database.reset();
  EXPECT_EQ(contents(), files);
  ASSERT_EQ(::stat(folder.c_str(), &after), 0);
  EXPECT_EQ(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec) << "a file came and went";
}

TEST_F(DatabaseOpening, OlderSchema_IsReadInMemory) {
  runSql(path, fileOfSchema10);
  auto before = contents();
  auto database = openToRead();
  EXPECT_EQ(choicesIn(*database), std::vector{choiceOf(kernelOfSchema10(), "a")});
  std::vector<Choice> used = valueOf(database->choices(kernel, /*withImported=*/true));
  EXPECT_TRUE(used.empty()) << "it holds for no code that is known";
  used = valueOf(database->staleChoices(kernel, "void scale<float>(float *, int)"));
  EXPECT_EQ(used.size(), 1u);
  std::vector<Measurement> measurements = valueOf(database->measurements("s"));
  ASSERT_EQ(measurements.size(), 1u);
  EXPECT_EQ(measurements[0].weight, 1);
  DatabaseCondition condition = valueOf(database->condition());
  EXPECT_EQ(condition.schemaMajor, 1);
  EXPECT_EQ(condition.schemaMinor, 0);
  EXPECT_EQ(contents(), before);
}

TEST_F(DatabaseOpening, OlderSchema_IsBroughtForward) {
  runSql(path, fileOfSchema10);
  auto database = openToWrite();
  EXPECT_EQ(notice, "tuning database '" + path.string() + "': upgraded from schema 1.0 to " +
                        currentVersion());
  Measurement added = measurementOf(kernelOfSchema10(), "s");
  ASSERT_EQ(errorOf(database->add(added)), "");
  ASSERT_EQ(errorOf(database->put(choiceOf(kernel, "a"))), "") << "a kernel of its own";
  database = openToWrite();
  EXPECT_EQ(notice, "");
  EXPECT_EQ(choicesIn(*database).size(), 2u);
  std::vector<Choice> own = valueOf(database->choices(kernel, false));
  EXPECT_EQ(own, std::vector{choiceOf(kernel, "a")});
  std::vector<Measurement> measurements = valueOf(database->measurements("s"));
  Measurement old = added;
  old.weight = 1;
  old.seconds = 0;
  old.copies = {};
  old.blocks = 0;
  EXPECT_EQ(measurements, (std::vector{old, added}));
  expectSound(*database);
}

TEST_F(DatabaseOpening, NewerMajor_IsRefused) {
  soundFile();
  runSql(path, "PRAGMA user_version = 196611");
  expectRefused(
      "the file has schema 3.3, of a newer version of Regrain; this version reads up to " +
      currentVersion() + " and leaves the file unchanged");
}

TEST_F(DatabaseOpening, NewerMajorInWordsNotKnown_IsRefusedTheSame) {
  soundFile();
  runSql(path, "PRAGMA user_version = 196608; PRAGMA writable_schema = ON;"
               "UPDATE sqlite_schema SET sql = 'CREATE FUTURE TABLE' WHERE name = 'choices'");
  expectRefused(
      "the file has schema 3.0, of a newer version of Regrain; this version reads up to " +
      currentVersion() + " and leaves the file unchanged");
}

TEST_F(DatabaseOpening, NewerMinor_IsUsedAsItIs) {
  soundFile();
  runSql(path, "PRAGMA user_version = 131081; CREATE TABLE more (a INTEGER) STRICT;"
               "ALTER TABLE choices ADD COLUMN more TEXT NOT NULL DEFAULT 'x'");
  auto database = openToWrite();
  EXPECT_EQ(notice, "");
  ASSERT_EQ(errorOf(database->put(choiceOf(kernel, "new"))), "");
  DatabaseCondition condition = valueOf(openToRead()->condition());
  EXPECT_EQ(condition.schemaMinor, 9);
  EXPECT_EQ(choicesIn(*openToRead()).size(), 201u);
}

TEST_F(DatabaseOpening, AnothersFile_IsRefused) {
  runSql(path, "CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x')");
  expectRefused("the file belongs to another program and is left unchanged");
  std::filesystem::remove(path);
  runSql(path, "PRAGMA application_id = 17");
  expectRefused("the file belongs to another program and is left unchanged");
}

TEST_F(DatabaseOpening, WriteAheadLog_IsNotReadAndEndsWithWriting) {
  soundFile();
  runSql(path, "PRAGMA journal_mode = WAL");
  auto before = contents();
  EXPECT_NE(refusal(Database::Access::ReadOnly).find("write-ahead mode"), std::string::npos);
  EXPECT_EQ(contents(), before);
  EXPECT_EQ(choicesIn(*openToWrite()).size(), 200u);
  EXPECT_EQ(contents().size(), 1u);
  EXPECT_EQ(choicesIn(*openToRead()).size(), 200u);
}

TEST_F(DatabaseOpening, RandomBytes_AreSetAside) {
  std::mt19937 random(17);
  int number = 0;
  for (size_t size : {2, 15, 16, 99, 100, 511, 512, 4096, 70'000}) {
    SCOPED_TRACE(size);
    std::string bytes(size, 0);
    for (char &byte : bytes)
      byte = static_cast<char>(random());
    write("tuning.db", bytes);
    expectSetAside(++number);
  }
}

TEST_F(DatabaseOpening, TruncatedFile_IsSetAside) {
  std::string sound = soundFile();
  ASSERT_GT(sound.size(), 40'000u);
  int number = 0;
  for (size_t size :
       {size_t{50}, size_t{1000}, size_t{4096}, size_t{20'000}, sound.size() - 4096}) {
    SCOPED_TRACE(size);
    write("tuning.db", sound.substr(0, size));
    expectSetAside(++number);
  }
}

TEST_F(DatabaseOpening, DamagedPages_AreSetAside) {
  std::string sound = soundFile();
  for (size_t offset = 4096; offset < sound.size(); ++offset)
    sound[offset] = static_cast<char>(offset * 7);
  write("tuning.db", sound);
  expectSetAside(1);
}

/// Whatever is overwritten, there is no crash, and the file is either used or
/// set aside.
TEST_F(DatabaseOpening, OverwrittenAnywhere_NeverCrashes) {
  std::string sound = soundFile();
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = sound;
    size_t offset = random() % (round % 3 ? bytes.size() : 4096);
    for (size_t i = offset; i < std::min(bytes.size(), offset + 1 + random() % 64); ++i)
      bytes[i] = static_cast<char>(random());
    write("tuning.db", bytes);
    if (auto database = openOrError(Database::Access::ReadOnly); database && *database) {
      auto found = (*database)->choices(kernel, true);
      EXPECT_TRUE(found || found.error() != "") << round;
    }
    if (auto database = openOrError(Database::Access::ReadWrite)) {
      EXPECT_EQ(errorOf((*database)->put(choiceOf(kernel, "x"))), "") << round;
    } else {
      EXPECT_NE(database.error(), "") << round;
      EXPECT_EQ(contents().at("tuning.db"), bytes) << round;
    }
    for (const auto &[name, text] : contents())
      std::filesystem::remove(folder / name);
  }
}

TEST_F(DatabaseOpening, TablesOfAnotherShape_AreDamage) {
  soundFile();
  runSql(path, "ALTER TABLE choices RENAME COLUMN gain TO profit");
  EXPECT_NE(openToWrite(), nullptr);
  EXPECT_NE(notice.find("the file was damaged"), std::string::npos) << notice;
  runSql(path, "PRAGMA user_version = 65536"); // but it has the column that 1.1 added
  EXPECT_NE(openToWrite(), nullptr);
  EXPECT_NE(notice.find("tuning.db.damaged-2'"), std::string::npos) << notice;
}

/// A writer dies after the damage was found, and before the file is moved.
TEST_F(DatabaseOpening, JournalOfADamagedFile_GoesWithIt) {
  write("tuning.db", "noise");
  auto connection = valueOf(Connection::open(path, Database::Access::ReadWrite));
  ASSERT_TRUE(connection);
  Fingerprint fingerprint = fingerprintOf(*connection);
  write("tuning.db-journal", "what was under way");
  EXPECT_EQ(valueOf(setAside(*connection, fingerprint)), path.string() + ".damaged-1");
  auto expected =
      std::map<std::string, std::string>{{"tuning.db", ""},
                                         {"tuning.db.damaged-1", "noise"},
                                         {"tuning.db.damaged-1-journal", "what was under way"}};
  EXPECT_EQ(contents(), expected);
  // Another process that found the same damage leaves the new file unchanged.
  soundFile();
  expected = contents();
  EXPECT_EQ(valueOf(setAside(*connection, fingerprint)), "");
  EXPECT_EQ(contents(), expected);
}

/// Keeps the file locked like a process that was stopped during a commit.
class Holder {
public:
  explicit Holder(const std::string &file) {
    EXPECT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  }
  ~Holder() { sqlite3_close(handle); }

private:
  sqlite3 *handle = nullptr;
};

TEST_F(DatabaseOpening, HeldFile_HoldsUpNoNormalRun) {
  soundFile();
  auto database = openToRead();
  Holder holder(path);
  std::string held = "tuning database '" + path.string() + "': another process holds the file";
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal(Database::Access::ReadOnly), held);
  EXPECT_EQ(errorOf(database->choices(kernel, false)), held);
  // The calls do not take 50 ms each.
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(refusal(Database::Access::ReadOnly), held);
    EXPECT_TRUE(valueOf(database->choices(kernel, false)).empty());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST_F(DatabaseOpening, HeldFile_IsReadOnceItIsFree) {
  soundFile();
  auto database = openToRead();
  {
    Holder holder(path);
    EXPECT_NE(errorOf(database->choices(kernel, false)), "");
  }
  EXPECT_EQ(valueOf(database->choices(kernel, false)).size(), 200u);
}

TEST_F(DatabaseOpening, FileThatIsDeleted_IsNotWrittenTo) {
  auto database = openToWrite();
  std::filesystem::remove(path);
  EXPECT_NE(errorOf(database->put(choiceOf(kernel, "a"))).find("moved or deleted"),
            std::string::npos);
  EXPECT_TRUE(contents().empty());
}

} // namespace
