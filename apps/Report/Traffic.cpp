//===- Traffic.cpp - Bytes and operations of a block ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/Traffic.h"

#include <algorithm>
#include <map>

namespace regrain::report {
namespace {

/// Addresses beyond these are not counted one by one.
constexpr uint64_t mostAddresses = uint64_t(1) << 22;

/// Returns nothing if neither the code nor the launch tells the trips.
std::optional<uint64_t> knownTrips(const FootprintLoop &loop, const LaunchSetting &setting) {
  if (!loop.number)
    return loop.trips;
  auto told = setting.tripsOfLoops.find(loop.number);
  return told == setting.tripsOfLoops.end() ? std::nullopt : std::optional(told->second);
}

uint64_t tripsOf(const FootprintLoop &loop, const LaunchSetting &setting) {
  return knownTrips(loop, setting).value_or(setting.trips);
}

uint64_t threadsOf(const LaunchSetting &setting) {
  return uint64_t(setting.block[0]) * setting.block[1] * setting.block[2];
}

/// A linear form for one unit, with the block's sizes put in.
struct Line {
  uint32_t unit;
  int64_t offset = 0;
  std::array<int64_t, 3> threads = {};
  std::vector<int64_t> loops;
};

std::vector<Line> linesOf(const AccessFootprint &access, const LaunchSetting &setting) {
  std::map<uint32_t, Line> lines;
  for (const FootprintAxis &axis : access.axes) {
    int64_t size = 1;
    for (uint8_t dimension : axis.sizes)
      size *= dimension < 3 ? setting.block[dimension] : 1;
    Line &line = lines[axis.unit];
    line.unit = axis.unit;
    line.loops.resize(access.loops.size());
    line.offset += size * axis.offset;
    for (size_t d = 0; d < 3; ++d)
      line.threads[d] += size * axis.threads[d];
    for (size_t i = 0; i < line.loops.size() && i < axis.loops.size(); ++i)
      line.loops[i] += size * axis.loops[i];
  }
  std::vector<Line> inOrder;
  for (auto &[unit, line] : lines)
    inOrder.push_back(std::move(line));
  return inOrder;
}

/// Mixes a number into a hash.
uint64_t mix(uint64_t hash, uint64_t number) {
  hash = (hash ^ number) * 0x9e3779b97f4a7c15ull;
  hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9ull;
  return hash ^ (hash >> 32);
}

/// Lists the sectors that accesses touch, by hashes of their places.
class SectorList {
public:
  explicit SectorList(const LaunchSetting &setting) : setting(setting) {}

  /// Adds the sectors of all threads and trips; returns false if they are too many.
  bool add(const AccessFootprint &access) {
    lines = linesOf(access, setting);
    steps.clear();
    for (size_t i = 0; i < access.loops.size(); ++i) {
      bool moves = std::ranges::any_of(lines, [&](const Line &line) { return line.loops[i] != 0; });
      steps.push_back(moves ? tripsOf(access.loops[i], setting) : 1);
    }
    uint64_t points = threadsOf(setting);
    for (uint64_t step : steps)
      if (points *= step; points > mostAddresses)
        return false;
    if ((left -= std::min(left, points)) == 0)
      return false;
    for (uint64_t point = 0; point < points; ++point)
      addPoint(point, access.bytes);
    return true;
  }

  [[nodiscard]] uint64_t count() {
    std::ranges::sort(sectors);
    return std::ranges::unique(sectors).begin() - sectors.begin();
  }

private:
  void addPoint(uint64_t point, uint32_t bytes) {
    std::array<int64_t, 3> thread;
    for (size_t d = 0; d < 3; ++d) {
      thread[d] = point % setting.block[d];
      point /= setting.block[d];
    }
    std::vector<int64_t> &trip = trips;
    trip.clear();
    for (uint64_t step : steps) {
      trip.push_back(point % step);
      point /= step;
    }
    int64_t first = 0;
    uint64_t place = 0;
    for (const Line &line : lines) {
      int64_t at = line.offset;
      for (size_t d = 0; d < 3; ++d)
        at += line.threads[d] * thread[d];
      for (size_t i = 0; i < trip.size(); ++i)
        at += line.loops[i] * trip[i];
      if (line.unit == 0)
        first = at;
      else if (at != 0) // a unit that is not there counts as zero
        place = mix(mix(place, line.unit), at);
    }
    for (int64_t sector = floorOf(first); sector <= floorOf(first + bytes - 1); ++sector)
      sectors.push_back(mix(place, sector));
  }

  static int64_t floorOf(int64_t byte) {
    constexpr int64_t size = sectorBytes;
    return byte >= 0 ? byte / size : -((-byte + size - 1) / size);
  }

  const LaunchSetting &setting;
  std::vector<Line> lines;
  std::vector<uint64_t> steps; ///< trips of the loops that move the address, otherwise 1
  std::vector<int64_t> trips;  ///< of one point
  std::vector<uint64_t> sectors;
  uint64_t left = mostAddresses;
};

using Accesses = std::vector<const AccessFootprint *>;

/// What a thread does in the trips of loops, of which some have an unknown length.
class TripSum {
public:
  explicit TripSum(const LaunchSetting &setting) : setting(setting) {}

  void add(uint64_t amount, const std::vector<FootprintLoop> &loops) {
    std::vector<uint32_t> unknown;
    for (const FootprintLoop &loop : loops)
      if (std::optional<uint64_t> trips = knownTrips(loop, setting))
        amount *= *trips;
      else
        unknown.push_back(loop.number);
    terms[unknown] += amount;
  }

  /// Returns "4 + 8*n1".
  [[nodiscard]] std::string text() const {
    std::string sum;
    for (const auto &[loops, amount] : terms) {
      sum += (sum.empty() ? "" : " + ") + std::to_string(amount);
      for (uint32_t loop : loops)
        sum += "*n" + std::to_string(loop);
    }
    return sum;
  }

  [[nodiscard]] uint64_t ofBlock() const {
    uint64_t sum = 0;
    for (const auto &[loops, amount] : terms) {
      uint64_t product = amount * threadsOf(setting);
      for (size_t i = 0; i < loops.size(); ++i)
        product *= setting.trips;
      sum += product;
    }
    return sum;
  }

private:
  const LaunchSetting &setting;
  std::map<std::vector<uint32_t>, uint64_t> terms; ///< by the loops of unknown length
};

TripSum askedBy(const Accesses &accesses, const LaunchSetting &setting) {
  TripSum sum(setting);
  for (const AccessFootprint *access : accesses)
    sum.add(access->bytes, access->loops);
  return sum;
}

/// Returns the bytes of the sectors, or nothing if one of the addresses is not known.
std::optional<uint64_t> touchedBy(const Accesses &accesses, const LaunchSetting &setting) {
  std::map<uint64_t, SectorList> lists; ///< by the trips in which the place is another one
  for (const AccessFootprint *access : accesses) {
    uint64_t times = 1;
    for (const FootprintLoop &loop : access->loops)
      times *= loop.varies ? tripsOf(loop, setting) : 1;
    if (!access->unknown.empty() || access->bytes == 0 ||
        !lists.try_emplace(times, setting).first->second.add(*access))
      return std::nullopt;
  }
  uint64_t sum = 0;
  for (auto &[times, list] : lists)
    sum += times * list.count() * sectorBytes;
  return sum;
}

} // namespace

std::vector<Traffic> trafficOf(const Footprint &footprint, const LaunchSetting &setting) {
  std::vector<Traffic> all;
  std::vector<Accesses> parts;
  for (const AccessFootprint &access : footprint.accesses) {
    auto same = std::ranges::find_if(parts, [&](const Accesses &part) {
      const AccessFootprint &first = *part.front();
      return first.memory == access.memory && first.reads == access.reads &&
             first.writes == access.writes;
    });
    if (same == parts.end())
      same = parts.insert(same, Accesses());
    same->push_back(&access);
  }
  for (const Accesses &part : parts) {
    TripSum asked = askedBy(part, setting);
    all.push_back({part.front()->memory, part.front()->reads, part.front()->writes,
                   unsigned(part.size()), asked.text(), asked.ofBlock(), touchedBy(part, setting)});
  }
  return all;
}

std::vector<Arithmetic> arithmeticOf(const std::vector<ArithmeticFootprint> &footprints,
                                     const LaunchSetting &setting) {
  std::vector<Arithmetic> all;
  std::vector<TripSum> sums;
  for (const ArithmeticFootprint &each : footprints) {
    auto same = std::ranges::find_if(all, [&](const Arithmetic &known) {
      return known.bits == each.bits && known.function == each.function;
    });
    if (same == all.end()) {
      same = all.insert(same, {each.bits, each.function, /*isConditional=*/false, "", 0});
      sums.emplace_back(setting);
    }
    same->isConditional |= each.isConditional;
    sums[same - all.begin()].add(each.operations, each.loops);
  }
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].perThread = sums[i].text();
    all[i].ofBlock = sums[i].ofBlock();
  }
  return all;
}

/// Returns nothing if the launch does not tell an integer.
static std::optional<int64_t> valueOf(const TripTerm &term,
                                      const std::map<uint32_t, int64_t> &arguments,
                                      const LaunchSetting &setting) {
  int64_t value = term.factor;
  for (uint8_t dimension : term.sizes)
    value *= dimension < 3 ? setting.block[dimension] : 1;
  for (uint32_t parameter : term.parameters) {
    auto told = arguments.find(parameter);
    if (told == arguments.end())
      return std::nullopt;
    value *= told->second;
  }
  return value;
}

void addTrips(const std::vector<FootprintTrips> &trips,
              const std::map<uint32_t, int64_t> &arguments, LaunchSetting &setting) {
  for (const FootprintTrips &each : trips) {
    std::optional<int64_t> range = 0, step = valueOf(each.step, arguments, setting);
    for (const TripTerm &term : each.range) {
      std::optional<int64_t> value = valueOf(term, arguments, setting);
      range = range && value ? std::optional(*range + *value) : std::nullopt;
    }
    if (range && step && *step > 0)
      setting.tripsOfLoops[each.loop] = *range > 0 ? (*range + *step - 1) / *step : 0;
  }
}

} // namespace regrain::report
