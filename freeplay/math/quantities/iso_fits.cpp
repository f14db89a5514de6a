#include "freeplay/math/quantities/iso_fits.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

namespace freeplay::math {

namespace {

constexpr double kMicrometre = 1e-6;
constexpr double kLargest_mm = 500;
constexpr int kRanges = 13, kGrades = 18;

// Up to and including these diameters, mm.
constexpr std::array<double, kRanges> kRangeEnds_mm = {3, 6, 10, 18, 30, 50, 80, 120, 180, 250, 315, 400, 500};

// Table 1: IT1 to IT18, um.
constexpr double kStandardTolerances_um[kRanges][kGrades] = {
    {0.8, 1.2, 2, 3, 4, 6, 10, 14, 25, 40, 60, 100, 140, 250, 400, 600, 1000, 1400},
    {1, 1.5, 2.5, 4, 5, 8, 12, 18, 30, 48, 75, 120, 180, 300, 480, 750, 1200, 1800},
    {1, 1.5, 2.5, 4, 6, 9, 15, 22, 36, 58, 90, 150, 220, 360, 580, 900, 1500, 2200},
    {1.2, 2, 3, 5, 8, 11, 18, 27, 43, 70, 110, 180, 270, 430, 700, 1100, 1800, 2700},
    {1.5, 2.5, 4, 6, 9, 13, 21, 33, 52, 84, 130, 210, 330, 520, 840, 1300, 2100, 3300},
    {1.5, 2.5, 4, 7, 11, 16, 25, 39, 62, 100, 160, 250, 390, 620, 1000, 1600, 2500, 3900},
    {2, 3, 5, 8, 13, 19, 30, 46, 74, 120, 190, 300, 460, 740, 1200, 1900, 3000, 4600},
    {2.5, 4, 6, 10, 15, 22, 35, 54, 87, 140, 220, 350, 540, 870, 1400, 2200, 3500, 5400},
    {3.5, 5, 8, 12, 18, 25, 40, 63, 100, 160, 250, 400, 630, 1000, 1600, 2500, 4000, 6300},
    {4.5, 7, 10, 14, 20, 29, 46, 72, 115, 185, 290, 460, 720, 1150, 1850, 2900, 4600, 7200},
    {6, 8, 12, 16, 23, 32, 52, 81, 130, 210, 320, 520, 810, 1300, 2100, 3200, 5200, 8100},
    {7, 9, 13, 18, 25, 36, 57, 89, 140, 230, 360, 570, 890, 1400, 2300, 3600, 5700, 8900},
    {8, 10, 15, 20, 27, 40, 63, 97, 155, 250, 400, 630, 970, 1550, 2500, 4000, 6300, 9700}};

// Of shafts, um: the upper deviation below the nominal diameter (d to g), the lower one above it (k to p).
struct Deviations {
  char letter;
  std::array<double, kRanges> um;
};
constexpr Deviations kLoose[] = {{'d', {20, 30, 40, 50, 65, 80, 100, 120, 145, 170, 190, 210, 230}},
                                 {'e', {14, 20, 25, 32, 40, 50, 60, 72, 85, 100, 110, 125, 135}},
                                 {'f', {6, 10, 13, 16, 20, 25, 30, 36, 43, 50, 56, 62, 68}},
                                 {'g', {2, 4, 5, 6, 7, 9, 10, 12, 14, 15, 17, 18, 20}},
                                 {'h', {}}};
constexpr Deviations kTight[] = {{'k', {0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5}},
                                 {'m', {2, 4, 6, 7, 8, 9, 11, 13, 15, 17, 20, 21, 23}},
                                 {'n', {4, 8, 10, 12, 15, 17, 20, 23, 27, 31, 34, 37, 40}},
                                 {'p', {6, 12, 15, 18, 22, 26, 32, 37, 43, 50, 56, 62, 68}}};

// The three loosest letters have finer ranges.
struct LooseStep {
  double up_to_mm, a, b, c;
};
constexpr LooseStep kLoosest[] = {
    {3, 270, 140, 60},     {6, 270, 140, 70},     {10, 280, 150, 80},   {18, 290, 150, 95},    {30, 300, 160, 110},
    {40, 310, 170, 120},   {50, 320, 180, 130},   {65, 340, 190, 140},  {80, 360, 200, 150},   {100, 380, 220, 170},
    {120, 410, 240, 180},  {140, 460, 260, 200},  {160, 520, 280, 210}, {180, 580, 310, 230},  {200, 660, 340, 240},
    {225, 740, 380, 260},  {250, 820, 420, 280},  {280, 920, 480, 300}, {315, 1050, 540, 330}, {355, 1200, 600, 360},
    {400, 1350, 680, 400}, {450, 1500, 760, 440}, {500, 1650, 840, 480}};

struct Code {
  bool is_hole = false;
  std::string letter;  // small
  int grade = 0;
};

std::string known_codes() {
  return "a letter of a to h, js, k, m, n, p (large for a hole, small for a shaft) and a grade from 1 to 18, as in H7";
}

Code parse_code(std::string_view text) {
  Code code;
  std::size_t letters = 0;
  while (letters < text.size() && std::isalpha(static_cast<unsigned char>(text[letters])) != 0) ++letters;
  const std::string_view word = text.substr(0, letters), number = text.substr(letters);
  const auto is_large = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  const bool all_large = std::all_of(word.begin(), word.end(), is_large);
  const bool none_large = std::none_of(word.begin(), word.end(), is_large);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), code.grade);
  const bool is_number = error == std::errc{} && end == number.data() + number.size();
  if (word.empty() || !(all_large || none_large) || !is_number || code.grade < 1 || code.grade > kGrades)
    throw std::invalid_argument("'" + std::string(text) + "' is no tolerance zone: write " + known_codes());
  code.is_hole = all_large;
  for (const char c : word) code.letter += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return code;
}

int range_of(double diameter_mm) {
  if (!(diameter_mm > 0) || diameter_mm > kLargest_mm)
    throw std::invalid_argument("fits are tabulated for diameters up to 500 mm");
  const auto place = std::lower_bound(kRangeEnds_mm.begin(), kRangeEnds_mm.end(), diameter_mm * (1 - 1e-12));
  return static_cast<int>(place - kRangeEnds_mm.begin());
}

double tolerance_um(int range, int grade) {
  return kStandardTolerances_um[range][grade - 1];
}

// How far the nearer limit of a loose shaft is below the nominal diameter, um; negative: not such a letter.
double looseness_um(const std::string& letter, double diameter_mm, int range) {
  if (letter.size() != 1) return -1;
  if (letter[0] <= 'c') {
    const LooseStep* step = std::find_if(std::begin(kLoosest), std::end(kLoosest), [&](const LooseStep& each) {
      return diameter_mm * (1 - 1e-12) <= each.up_to_mm;
    });
    return letter[0] == 'a' ? step->a : letter[0] == 'b' ? step->b : step->c;
  }
  for (const Deviations& each : kLoose) {
    if (each.letter == letter[0]) return each.um[static_cast<std::size_t>(range)];
  }
  return -1;
}

const Deviations* find_tight(const std::string& letter) {
  for (const Deviations& each : kTight) {
    if (letter.size() == 1 && each.letter == letter[0]) return &each;
  }
  return nullptr;
}

double tight_shaft_um(const Deviations& deviations, int range, int grade) {
  const bool is_k_elsewhere = deviations.letter == 'k' && (grade < 4 || grade > 7);
  return is_k_elsewhere ? 0 : deviations.um[static_cast<std::size_t>(range)];
}

// The upper deviation of a tight hole.
double tight_hole_um(const Deviations& deviations, int range, int grade) {
  const bool is_smallest = range == 0;
  const double of_shaft = deviations.um[static_cast<std::size_t>(range)];
  const int last_with_addition = deviations.letter == 'p' ? 7 : 8;
  if (grade <= last_with_addition) {
    if (is_smallest || grade < 3) return -of_shaft;
    // The one exception of the standard: M6 from 250 to 315 mm.
    if (deviations.letter == 'm' && grade == 6 && range == 10) return -9;
    return -of_shaft + tolerance_um(range, grade) - tolerance_um(range, grade - 1);
  }
  if (deviations.letter == 'k' && !is_smallest)
    throw std::invalid_argument("ISO 286 has no holes K above IT8 beyond 3 mm");
  return deviations.letter == 'n' && !is_smallest ? 0 : -of_shaft;
}

}  // namespace

ToleranceZone tolerance_zone(std::string_view text, double diameter_m) {
  const Code code = parse_code(text);
  const double diameter_mm = diameter_m * 1e3;
  const int range = range_of(diameter_mm);
  const double width = tolerance_um(range, code.grade);
  double lower = 0, upper = 0;
  if (code.letter == "js") {
    lower = -width / 2;
    upper = width / 2;
  } else if (const Deviations* tight = find_tight(code.letter)) {
    lower = code.is_hole ? tight_hole_um(*tight, range, code.grade) - width : tight_shaft_um(*tight, range, code.grade);
    upper = lower + width;
  } else {
    const double loose = looseness_um(code.letter, diameter_mm, range);
    if (loose < 0) throw std::invalid_argument("'" + std::string(text) + "' is not tabulated: write " + known_codes());
    lower = code.is_hole ? loose : -loose - width;
    upper = lower + width;
  }
  return {lower * kMicrometre, upper * kMicrometre};
}

Fit iso_fit(std::string_view text, double diameter_m) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos)
    throw std::invalid_argument("'" + std::string(text) + "' is no fit: write hole and shaft, as in H7/g6");
  const std::string_view hole = text.substr(0, slash), shaft = text.substr(slash + 1);
  if (!parse_code(hole).is_hole || parse_code(shaft).is_hole)
    throw std::invalid_argument("'" + std::string(text) + "' is no fit: the hole comes first, with large letters");
  return {tolerance_zone(hole, diameter_m), tolerance_zone(shaft, diameter_m)};
}

}  // namespace freeplay::math
