// What the program and a shared object of a compiled mechanism say to each other: plain C data. Part of every emitted
// source as well, there without the line that includes something.
#pragma once

#include "freeplay/core/layers.h"

extern "C" {

struct FreeplayLane {
  const double* member;  // numbers of the member of the family
  const double* laws;    // kLawNumbers per point, or once if all points share them
  double* state;         // q, u, and three numbers per point that the next step depends on; q and u at the start
  double* measured;      // kMeasureNumbers per measure
  double step_s, end_s;
  int every;   // steps per row
  int status;  // LaneStatus
};

struct FreeplayRun {
  struct FreeplayLane* lanes;
  int lane_count;  // no more than width
  double tolerance_m_s, touching, threshold_m_s;
  long long first_step, steps;          // steps count from 1
  double* rows;                         // per row, channel and lane of the width: values; null: none
  double* row_times;                    // per row and lane of the width; below 0: the lane has none
  long long row_count;                  // out
  long long contact_steps, hard_steps;  // out, added
};

struct FreeplaySizes {
  int format, width, velocities, points, members, laws, channels, state_numbers, measures;
};

// Lanes of a device. Entry i of lane l is at i * lanes + l, so that neighbours are read together. `times`: step_s,
// end_s and the steps per row. `section`: kSectionNumbers and the points of the last row. `crossings` has room for so
// many of each lane: time and points.
struct FreeplayBatch {
  long long lanes;
  double *member, *laws, *state, *measured, *times, *section, *crossings;
  int* status;
  double tolerance_m_s, touching, threshold_m_s;
  long long skip, turns, room;          // crossings that are left out, those after which a run ends (below 0: none)
  long long contact_steps, hard_steps;  // out
};

// What a call to a device comes to; the text beside it says more.
enum FreeplayDeviceCode { kDeviceDone = 0, kDeviceFailed = 1, kDeviceMemory = 2 };
}
