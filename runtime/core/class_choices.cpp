//===- class_choices.cpp - Choices for classes of launches ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choices of the image or the database for classes of launches are looked up for each
// launch, and dropped in this process if they prove slower.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch_plan.h"
#include "runtime/core/settings.h"
#include "runtime/image/launch_limits.h"

#include <algorithm>
#include <cstdio>

namespace regrain {
namespace {

std::string_view textOf(const flatbuffers::String *text) {
  return text ? text->string_view() : std::string_view();
}

/// Returns zero for what is negative or not a number; a month for a longer duration from a file.
WatchAccount::Nanoseconds nanoseconds(double microseconds) {
  constexpr double month = 3e12;
  return WatchAccount::Nanoseconds(microseconds > 0 ? int64_t(std::min(microseconds, month) * 1000)
                                                    : 0);
}

} // namespace

LaunchPlan::ClassGroup &LaunchPlan::groupFor(const LaunchClass &launchClass) {
  for (ClassGroup &group : classChoices)
    if (group.block == launchClass.block &&
        group.dynamicSharedBytes == launchClass.dynamicSharedBytes)
      return group;
  return classChoices.emplace_back(launchClass.block, launchClass.dynamicSharedBytes);
}

/// Threads that launch at the same time may find the same number twice.
uint64_t LaunchPlan::residentBlocksOf(ClassGroup &group) const {
  uint64_t changes = device.occupancyChanges.load(std::memory_order_acquire);
  if (group.foundAt.load(std::memory_order_acquire) != changes) {
    group.residentBlocks.store(residentBlocks(group.block, group.dynamicSharedBytes),
                               std::memory_order_relaxed);
    group.foundAt.store(changes, std::memory_order_release);
  }
  return group.residentBlocks.load(std::memory_order_relaxed);
}

/// The first of several choices for a class counts.
void LaunchPlan::addClassChoice(std::string_view from, const TunedChoice &choice, uint32_t index,
                                LoadedImage &loaded) {
  OrError<GrainSpec> spec = parseGrainSpec(choice.alternative);
  std::optional<AlternativeForm> form = spec ? findForm(kernel, *spec) : std::nullopt;
  if (!form)
    return;
  Alternative *chosen = form->isOriginal() ? nullptr : addAlternative(index, *form, loaded);
  if (!form->isOriginal() && !chosen)
    return;
  std::vector<std::unique_ptr<ClassChoice>> &choices = groupFor(choice.launchClass).choices;
  auto at = std::lower_bound(
      choices.begin(), choices.end(), choice.launchClass,
      [](const auto &known, const LaunchClass &of) { return known->launchClass < of; });
  if (at != choices.end() && (*at)->launchClass == choice.launchClass)
    return;
  auto added = std::make_unique<ClassChoice>(choice.launchClass, chosen);
  if (chosen && Settings::get().watches)
    added->watch.emplace(*device.device, WatchAccount::get(),
                         nanoseconds(choice.originalMicroseconds),
                         nanoseconds(choice.chosenMicroseconds));
  choices.insert(at, std::move(added));
  sayVerbose(kernel.name()->str() + ": " + choice.alternative + " for " +
             toString(choice.launchClass) + " (" + std::string(from) + ")");
}

/// Nothing is reported about launches that the choice does not cover.
bool LaunchPlan::isMeasuredHere(const image::ClassChoice &choice) const {
  std::string_view model = textOf(choice.device()), generation = textOf(choice.generation());
  return (model.empty() || model == device.properties.name) &&
         (choice.multiprocessors() == 0 ||
          choice.multiprocessors() == uint32_t(device.properties.multiProcessorCount)) &&
         (generation.empty() || generation == codeGeneration);
}

/// The image's choices for classes precede those of the database.
void LaunchPlan::chooseForClasses(uint32_t index, LoadedImage &loaded, Tuning *library) {
  if (kernel.class_choices() && kernel.class_choices()->size() != 0) {
    for (const image::ClassChoice *choice : *kernel.class_choices())
      if (auto known = parseLaunchClass(choice->launch_class()->string_view());
          known && isMeasuredHere(*choice))
        addClassChoice("chosen when compiled",
                       {*known, kernel.alternatives()->Get(choice->alternative())->id()->str(),
                        choice->original_us(), choice->chosen_us()},
                       index, loaded);
    return;
  }
  if (!asked.empty() || !library)
    return;
  for (const TunedChoice &choice : library->choices(*this))
    addClassChoice("tuned", choice, index, loaded);
}

/// Returns null if nothing was chosen for the launch's class. Takes no lock, and queries the device
/// only behind changes of its settings; a launch is classified once.
LaunchPlan::ClassChoice *LaunchPlan::choiceFor(const LaunchShape &program, void **arguments) {
  for (ClassGroup &group : classChoices) {
    if (group.block != program.block || group.dynamicSharedBytes != program.dynamicSharedBytes)
      continue;
    LaunchClass own = classify(program, residentBlocksOf(group),
                               alignmentOf(argumentsOf(arguments), widestAccess),
                               readMagnitudes(integers, arguments));
    auto at = std::lower_bound(
        group.choices.begin(), group.choices.end(), own,
        [](const auto &known, const LaunchClass &of) { return known->launchClass < of; });
    return at != group.choices.end() && (*at)->launchClass == own ? at->get() : nullptr;
  }
  return nullptr;
}

/// A launch of the program that the watch may make at either grain.
class LaunchPlan::WatchedChoice final : public WatchedLaunch {
public:
  WatchedChoice(LaunchPlan &plan, Alternative &alternative, const LaunchShape &program,
                void **arguments, cudaStream_t stream)
      : WatchedLaunch(*plan.device.device, stream), plan(plan), alternative(alternative),
        program(program), arguments(arguments) {}

  cudaError_t launch(Contestant &who) override {
    if (who == Contestant::Chosen)
      if (auto status = plan.tryLaunch(alternative, program, arguments, stream))
        return *status;
    who = Contestant::Original;
    return plan.launchOriginal(program, arguments, stream);
  }
  bool mayCapture() override { return plan.mayCapture(stream); }

private:
  LaunchPlan &plan;
  Alternative &alternative;
  const LaunchShape &program;
  void **arguments;
};

/// A launch that is watched runs alone.
cudaError_t LaunchPlan::launchChoice(ClassChoice &choice, const LaunchShape &program,
                                     void **arguments, cudaStream_t stream, bool mayBeginEarly) {
  Alternative *alternative = choice.alternative.load(std::memory_order_relaxed);
  if (alternative && choice.watch && choice.watch->isDue())
    return launchWatched(choice, *alternative, program, arguments, stream);
  if (alternative)
    if (auto status = tryLaunch(*alternative, program, arguments, stream, mayBeginEarly))
      return *status;
  return device.device->launch(*original,
                               originalLaunch(program, arguments, stream, mayBeginEarly));
}

cudaError_t LaunchPlan::launchWatched(ClassChoice &choice, Alternative &alternative,
                                      const LaunchShape &program, void **arguments,
                                      cudaStream_t stream) {
  WatchedChoice launch(*this, alternative, program, arguments, stream);
  LossTest::Verdict verdict = LossTest::Verdict::Open;
  cudaError_t status = choice.watch->launch(launch, verdict);
  if (verdict == LossTest::Verdict::Loses)
    revert(choice, alternative);
  return status;
}

void LaunchPlan::revert(ClassChoice &choice, const Alternative &alternative) {
  choice.alternative.store(nullptr, std::memory_order_relaxed);
  const LossTest &evidence = choice.watch->evidence();
  char speed[32];
  std::snprintf(speed, sizeof speed, "%.2f", evidence.ratio());
  say(kernel.name()->str() + ": the tuned grain " + alternative.id + " runs at " + speed +
      " of the original's speed for " + toString(choice.launchClass) + " (" +
      std::to_string(evidence.pairs()) +
      " pairs of launches), so this process continues with the original; 'regrain tune' "
      "measures again, REGRAIN_WATCH=off disables this check");
}

} // namespace regrain
