#include "verbs/view/view_film.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>

#include "freeplay/math/expressions/expression.h"
#include "stop_signal.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"
#include "text/error_report.h"
#include "text/time_option.h"

namespace freeplay::app {

namespace {

constexpr int kLeastFilmPixels = 64, kMostFilmPixels = 4096;

std::optional<double> film_speed(const std::string& text) {
  if (text.empty()) return std::nullopt;
  try {
    const Quantity speed = parse_quantity(text);  // a number, or a quotient such as 1/50
    if (speed.dimension.is_dimensionless() && speed.value > 0) return speed.value;
  } catch (const ExpressionError&) {
    // told below
  }
  throw UsageError(fmt::format("--speed '{}' is not a ratio above zero", text),
                   "write --speed 1/50, or 0.02, for fifty times as slow as it was");
}

void read_film_size(const std::string& text, FilmOptions& options) {
  const char *at = text.data(), *end = at + text.size();
  const auto read = [&](int& number) {
    const std::from_chars_result result = std::from_chars(at, end, number);
    at = result.ptr;
    return result.ec == std::errc() && number >= kLeastFilmPixels && number <= kMostFilmPixels;
  };
  const bool has_width = read(options.width);
  if (has_width && at != end && *at == 'x') {
    ++at;
    if (read(options.height) && at == end) return;
  }
  throw UsageError(fmt::format("--size '{}' is not a size", text),
                   fmt::format("write --size 1280x720; {} to {} pixels", kLeastFilmPixels, kMostFilmPixels));
}

}  // namespace

std::optional<FilmOptions> film_options(const ViewArguments& arguments) {
  const bool has_more = !arguments.from.empty() || !arguments.to.empty() || !arguments.speed.empty() ||
                        !arguments.size.empty() || arguments.magnify;
  if (arguments.film.empty() && !has_more) return std::nullopt;
  if (arguments.film.empty())
    throw UsageError("--from, --to, --speed, --size and --magnify are those of a film", "add --film NAME.webm");
  if (arguments.serve || arguments.out)
    throw UsageError("--film writes a film and no page", "leave --serve and -o out");
  FilmOptions options;
  options.file = arguments.film;
  if (!arguments.from.empty()) options.from_s = time_of_option("--from", arguments.from);
  if (!arguments.to.empty()) options.to_s = time_of_option("--to", arguments.to);
  options.speed = film_speed(arguments.speed);
  options.magnification = arguments.magnify;
  if (!arguments.size.empty()) read_film_size(arguments.size, options);
  require_film_makers(options.file);
  return options;
}

ExitCode write_film(const std::string& page, const FilmOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  const bool is_shown = is_terminal(stderr);
  const auto start = std::chrono::steady_clock::now();
  const auto told = [&](double fraction) {
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    constexpr int kCells = 30;
    if (is_shown && fraction > 0)
      fmt::print(stderr, "\r{:3.0f} % {}  ETA {}\x1b[K", 100 * fraction, bar_of_blocks(fraction, kCells),
                 clock_text(elapsed * (1 - fraction) / fraction));
    return stop.load();
  };
  const std::optional<FilmReport> made = make_film(page, options, told);
  if (is_shown) fmt::print(stderr, "\r\x1b[K");
  if (!made) return ExitCode::kInterrupted;
  const double bytes = static_cast<double>(made->bytes);  // a short film has some kB
  fmt::print("{}  {}, {}x{} pixels, {:.1f} s in {} frames\n", printable(options.file.string()),
             bytes < 1e6 ? fmt::format("{:.0f} kB", std::ceil(bytes / 1e3)) : fmt::format("{:.1f} MB", bytes / 1e6),
             made->width, made->height, made->duration_s, made->frames);
  return ExitCode::kOk;
}

}  // namespace freeplay::app
