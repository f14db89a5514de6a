#include "freeplay/report/findings/contact_times.h"

#include <algorithm>
#include <cstdint>

namespace freeplay::report {

namespace {

constexpr std::size_t kTimesBlockRows = 16384;

void add_closed(std::vector<ClosedTime>& closed, double from_s, double to_s) {
  if (!closed.empty() && closed.back().to_s == from_s)
    closed.back().to_s = to_s;
  else
    closed.push_back({from_s, to_s});
}

// Between two rows a contact has the mode of the row at the end, or of that at the start (channel_roles.h).
std::vector<ClosedTime> closed_times(const ResultReader& result, const std::string& channel) {
  std::vector<ClosedTime> closed;
  std::vector<double> times(kTimesBlockRows), modes(kTimesBlockRows);
  const bool holds_on = modes_hold_from_their_rows_on(result);
  double time_before = 0, mode_before = 0;
  for (std::int64_t done = 0; done < result.rows();) {
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(kTimesBlockRows, result.rows() - done));
    result.read_time(done, std::span(times).first(count));
    result.read_channel(channel, done, std::span(modes).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_closed = (holds_on ? mode_before : modes[i]) >= 1;
      if (done + static_cast<std::int64_t>(i) > 0 && is_closed) add_closed(closed, time_before, times[i]);
      time_before = times[i];
      mode_before = modes[i];
    }
    done += static_cast<std::int64_t>(count);
  }
  return closed;
}

}  // namespace

ContactTimes::ContactTimes(const ResultReader& result, const std::vector<ContactPointChannels>& points) {
  if (result.rows() > 0) {
    double first = 0, last = 0;
    result.read_time(0, {&first, 1});
    result.read_time(result.rows() - 1, {&last, 1});
    duration_s_ = last - first;
  }
  const std::vector<ChannelInfo> channels = all_channels(result);
  for (const ContactPointChannels& point : points) {
    is_known_.push_back(point.mode != kNoChannel);
    closed_.push_back(is_known_.back() ? closed_times(result, channels[static_cast<std::size_t>(point.mode)].name)
                                       : std::vector<ClosedTime>());
  }
}

bool ContactTimes::was_held(std::size_t point, double from_s, double to_s) const {
  const std::vector<ClosedTime>& closed = closed_[point];
  const auto found =
      std::lower_bound(closed.begin(), closed.end(), from_s, [](const ClosedTime& c, double t) { return c.to_s < t; });
  return found != closed.end() && found->from_s <= from_s && found->to_s >= to_s;
}

double ContactTimes::share_closed(const std::vector<std::size_t>& points) const {
  if (!(duration_s_ > 0)) return 0;
  std::vector<ClosedTime> all;
  for (const std::size_t point : points) all.insert(all.end(), closed_[point].begin(), closed_[point].end());
  std::sort(all.begin(), all.end(), [](const ClosedTime& a, const ClosedTime& b) { return a.from_s < b.from_s; });
  double sum = 0, reached = all.empty() ? 0 : all.front().from_s;
  for (const ClosedTime& closed : all) {
    sum += std::max(0.0, closed.to_s - std::max(closed.from_s, reached));
    reached = std::max(reached, closed.to_s);
  }
  return sum / duration_s_;
}

}  // namespace freeplay::report
