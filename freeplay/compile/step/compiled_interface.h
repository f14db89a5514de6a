// What the program and a shared object of a compiled mechanism say to each other: plain C data. Part of every emitted
// source as well, there without the line that includes something.
#pragma once

#include "freeplay/core/layers.h"

extern "C" {

struct FreeplayLane {
  const double* member;  // numbers of the member of the family
  const double* laws;    // kLawNumbers per point
  double* state;         // q, u, and three numbers per point that the next step depends on; q and u at the start
  int status;            // LaneStatus
};

struct FreeplayRun {
  struct FreeplayLane* lanes;
  int lane_count;  // no more than width
  int keeps_contacts, midpoint_forces, every;
  double step_s, end_s, tolerance_m_s, touching, threshold_m_s;
  long long first_step, steps;  // steps count from 1
  double* rows;                 // per row, channel and lane of the width: values; null: none
  double* row_times;
  long long row_count;                  // out
  long long contact_steps, hard_steps;  // out, added
};

struct FreeplaySizes {
  int format, width, velocities, points, members, channels, state_numbers;
};
}
