// For programs that use freeplay as a library: the names that they need, without those of the layers they come from.
//
//   freeplay::ModelSpec spec;                                   // by hand, or: const auto file = load_model("m.yaml");
//   const freeplay::Model model = freeplay::build_model(spec);
//   freeplay::MemorySink result;                                // or: freeplay::ResultWriter result("result.h5");
//   freeplay::build_simulation(spec, model)->run(result, {});
//
// No file of freeplay itself includes this one (scripts/check_layers.py): a layer sees the layers below it, not all.
#pragma once

#include "freeplay/core/error.h"
#include "freeplay/core/run_context.h"
#include "freeplay/core/status.h"
#include "freeplay/core/version.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "freeplay/io/result/result_reader.h"
#include "freeplay/io/result/result_writer.h"
#include "freeplay/io/schema/record_layout.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/model/model.h"
#include "freeplay/model/model_spec.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay {

// ---- mistakes, statuses, what goes along with a run ----
using core::Diagnostic;
using core::format_diagnostic;
using core::IoError;
using core::LogLevel;
using core::ModelError;
using core::RunContext;
using core::SourceMark;
using core::StepStatus;
using core::version;

// ---- numbers ----
namespace dimensions = math::dimensions;
using math::Dimension;
using math::Expression;
using math::Mat3;
using math::parse_quantity;
using math::Quantity;
using math::Vec2;
using math::Vec3;
using math::Vec4;
using math::VecX;

// ---- what moves ----
using mechanism::AppliedLoadSpec;
using mechanism::BodyInitialSpec;
using mechanism::BodySpec;
using mechanism::BushingSpec;
using mechanism::CouplingSpec;
using mechanism::CouplingTerm;
using mechanism::DriverSpec;
using mechanism::GearMeshSpec;
using mechanism::JointSpec;
using mechanism::JointStopsSpec;
using mechanism::Mechanism;
using mechanism::MechanismSpec;
using mechanism::Space;
using mechanism::SpringSpec;
using mechanism::State;
using mechanism::System;
using mechanism::TorsionalSpringSpec;
using mechanism::VariableSpec;

// ---- what can touch ----
using contact::BacklashSpec;
using contact::ClearanceJointSpec;
using contact::ContactForceSpec;
using contact::ContactLawSpec;
using contact::ContactModel;
using contact::ContactSpec;
using geometry::ArcShape;
using geometry::BoxShape;
using geometry::CamShape;
using geometry::CapsuleShape;
using geometry::CircleShape;
using geometry::CylinderShape;
using geometry::EllipseShape;
using geometry::EllipsoidShape;
using geometry::LineShape;
using geometry::PlaneShape;
using geometry::PointShape;
using geometry::PolygonShape;
using geometry::ShapeSpec;
using geometry::ShapeTurn;
using geometry::SphereShape;
using geometry::SplineShape;

// ---- models ----
using model::build_model;
using model::build_simulation;
using model::build_system;
using model::Model;
using model::ModelParameter;
using model::ModelSpec;
using model::run_obstacles;
using model::SystemSpec;

// ---- runs ----
using integrators::ContactEventKind;
using integrators::event_word;
using simulation::available_channels;
using simulation::ChannelInfo;
using simulation::EventRecord;
using simulation::ImpactRecord;
using simulation::MemorySink;
using simulation::RecordLayout;
using simulation::RecordOptions;
using simulation::RecordSink;
using simulation::RunStatus;
using simulation::RunSummary;
using simulation::Simulation;
using simulation::SimulationOptions;

// ---- files ----
using io::build_model;
using io::build_simulation;
using io::build_system;
using io::load_model;
using io::ModelFile;
using io::parse_model;
using io::record_layout;
using io::ResultReader;
using io::ResultWriter;
using io::ResultWriterOptions;
using io::run_obstacles;

}  // namespace freeplay
