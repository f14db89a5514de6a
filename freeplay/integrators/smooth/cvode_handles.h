// The objects of SUNDIALS that one integrator needs, freed with it. Private to the sources beside it.
#pragma once

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "freeplay/core/error.h"
#include "freeplay/math/types.h"

namespace freeplay::integrators {

inline Eigen::Map<VecX> view(N_Vector v) {
  return {N_VGetArrayPointer(v), static_cast<Eigen::Index>(N_VGetLength(v))};
}

// What CVODE answers is used as it is meant to be; only steps may fail.
inline void expect(int flag) {
  FREEPLAY_ASSERT(flag >= 0);
}

struct CvodeHandles {
  // `method`: CV_BDF with a dense Jacobian, or CV_ADAMS with a fixed-point iteration.
  CvodeHandles(int size, int method) {
    SUNContext_Create(nullptr, &context);
    y = N_VNew_Serial(size, context);
    tolerance = N_VNew_Serial(size, context);
    between = N_VNew_Serial(size, context);
    memory = CVodeCreate(method, context);
    if (method == CV_BDF) {
      matrix = SUNDenseMatrix(size, size, context);
      linear = SUNLinSol_Dense(y, matrix, context);
    } else {
      nonlinear = SUNNonlinSol_FixedPoint(y, 0, context);
    }
    FREEPLAY_ASSERT(y != nullptr && tolerance != nullptr && between != nullptr && memory != nullptr);
    expect(CVodeSetErrHandlerFn(
        memory, [](int, const char*, const char*, char*, void*) {}, nullptr));
  }
  ~CvodeHandles() {
    CVodeFree(&memory);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    SUNNonlinSolFree(nonlinear);
    N_VDestroy(between);
    N_VDestroy(tolerance);
    N_VDestroy(y);
    SUNContext_Free(&context);
  }
  CvodeHandles(const CvodeHandles&) = delete;
  CvodeHandles& operator=(const CvodeHandles&) = delete;

  SUNContext context = nullptr;
  N_Vector y = nullptr, tolerance = nullptr;
  N_Vector between = nullptr;  // for dense output
  void* memory = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  SUNNonlinearSolver nonlinear = nullptr;
};

}  // namespace freeplay::integrators
